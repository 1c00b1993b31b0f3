// Decides the shape and limits of inputs about passkeys and codes. Used by the server's routes; the web's
// forms use the same limits.
import * as z from 'zod/mini';
import { filledLine, id, text } from '../base/inputs.ts';
import { longestPasskeyName } from './second-factor.ts';
import { deviceToken, loginInput, newPasswordInput } from './sign-in-inputs.ts';

/** Bytes in base64url. The limit leaves room for signatures and keys of future algorithms. */
const bytes = (longest: number) =>
  z
    .string()
    .check(
      z.minLength(1, 'must not be blank'),
      z.maxLength(longest, 'is too long'),
      z.regex(/^[\w-]*$/, 'is not base64url'),
    );

const credentialId = bytes(1_400);
const clientData = bytes(8_000);
/** Results of extensions; none is requested. */
const clientExtensionResults = z.pipe(
  z.optional(z.unknown()),
  z.transform(() => ({})),
);
const type = z.literal('public-key');

/** A browser's new passkey. Unknown fields are dropped. */
export const passkeyRegistration = z.object({
  id: credentialId,
  rawId: credentialId,
  type,
  response: z.object({
    clientDataJSON: clientData,
    attestationObject: bytes(40_000),
    transports: z.optional(z.array(text(32)).check(z.maxLength(10, 'has too many'))),
  }),
  clientExtensionResults,
});

/** A browser's proof that it has a passkey. */
export const passkeyAssertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type,
  response: z.object({
    clientDataJSON: clientData,
    authenticatorData: bytes(8_000),
    signature: bytes(8_000),
    userHandle: z.optional(z.nullable(bytes(200))),
  }),
  clientExtensionResults,
});
export type PasskeyRegistration = z.output<typeof passkeyRegistration>;
export type PasskeyAssertion = z.output<typeof passkeyAssertion>;

export const passkeyName = filledLine(longestPasskeyName);

/** A second factor of someone else. A person has one authenticator app at most, so it needs no id. */
export const removeFactorInput = z.discriminatedUnion('kind', [
  z.strictObject({ userId: id, kind: z.literal('passkey'), passkeyId: id }),
  z.strictObject({ userId: id, kind: z.literal('authenticator') }),
]);
export type RemoveFactor = z.output<typeof removeFactorInput>;

const typed = text(64);
/** The browser's token from an earlier sign-in, as with a password. */
const device = z.optional(deviceToken);
/** Setting up the first factor can be the last step of a sign-in, so both accept the device. */
export const codeInput = z.strictObject({ code: typed, device });
export const newPasskeyInput = z.strictObject({ name: passkeyName, passkey: passkeyRegistration, device });
export const passkeySignInInput = z.strictObject({ passkey: passkeyAssertion, device });
const one = (says: string) =>
  z.refine<object>((given) => Object.keys(given).filter((key) => key !== 'device').length === 1, says);

/** The options for a second step. */
export const secondStepInput = z
  .strictObject({
    code: z.optional(typed),
    recoveryCode: z.optional(typed),
    passkey: z.optional(passkeyAssertion),
    device,
  })
  .check(one('Give a code, a recovery code or a passkey'));
export type SecondStepInput = Omit<z.output<typeof secondStepInput>, 'device'>;

/** The options for a signed-in person to confirm who they are. */
export const confirmInput = z
  .strictObject({
    password: z.optional(loginInput.shape.password),
    code: z.optional(typed),
    recoveryCode: z.optional(typed),
    passkey: z.optional(passkeyAssertion),
  })
  .check(one('Give the password, a code, a recovery code or a passkey'));
export type ConfirmInput = z.output<typeof confirmInput>;

/** A new password, with the current one or a passkey as proof. */
export const changePasswordInput = z
  .strictObject({
    password: newPasswordInput.shape.password,
    current: z.optional(loginInput.shape.password),
    passkey: z.optional(passkeyAssertion),
  })
  .check(
    z.refine(
      ({ current, passkey }) => (current === undefined) !== (passkey === undefined),
      'Give the current password or a passkey',
    ),
  );
