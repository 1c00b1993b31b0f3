// Decides the shape and the limits of what comes in about passkeys and codes.
// Asked by the server's routes; the web's forms read the same limits.
import * as z from 'zod/mini';
import { filled, id, text } from '../base/inputs.ts';
import { longestPasskeyName } from './second-factor.ts';
import { deviceToken, loginInput } from './sign-in-inputs.ts';

/** As browsers send bytes. The longest are signatures and keys of the algorithms to come. */
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
/** Extensions answer here; none is asked for. */
const clientExtensionResults = z.pipe(
  z.optional(z.unknown()),
  z.transform(() => ({})),
);
const type = z.literal('public-key');

/** What a browser gives for a new passkey. Further fields of it are left out. */
export const passkeyRegistration = z.object({
  id: credentialId,
  rawId: credentialId,
  type,
  response: z.object({
    clientDataJSON: clientData,
    attestationObject: bytes(40_000),
    transports: z.optional(z.array(text(32)).check(z.maxLength(10, 'holds too many'))),
  }),
  clientExtensionResults,
});

/** What a browser gives to prove that it has a passkey. */
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

export const passkeyName = filled(longestPasskeyName);

/** One second factor of somebody else. A person has one authenticator app at most, so it needs no id. */
export const removeFactorInput = z.discriminatedUnion('kind', [
  z.strictObject({ userId: id, kind: z.literal('passkey'), passkeyId: id }),
  z.strictObject({ userId: id, kind: z.literal('authenticator') }),
]);
export type RemoveFactor = z.output<typeof removeFactorInput>;

const typed = text(64);
/** What the browser kept from an earlier sign-in, as at a sign-in with a password. */
const device = z.optional(deviceToken);
/** Setting up the first factor is the last step of a sign-in, so both take the device. */
export const codeInput = z.strictObject({ code: typed, device });
export const newPasskeyInput = z.strictObject({ name: passkeyName, passkey: passkeyRegistration, device });
export const passkeySignInInput = z.strictObject({ passkey: passkeyAssertion, device });
const one = (says: string) =>
  z.refine<object>((given) => Object.keys(given).filter((key) => key !== 'device').length === 1, says);

/** A second step is taken in one of these ways. */
export const secondStepInput = z
  .strictObject({
    code: z.optional(typed),
    recoveryCode: z.optional(typed),
    passkey: z.optional(passkeyAssertion),
    device,
  })
  .check(one('Give a code, a recovery code or a passkey'));
export type SecondStepInput = Omit<z.output<typeof secondStepInput>, 'device'>;

/** Who is signed in confirms it in one of these ways. */
export const confirmInput = z
  .strictObject({
    password: z.optional(loginInput.shape.password),
    code: z.optional(typed),
    recoveryCode: z.optional(typed),
    passkey: z.optional(passkeyAssertion),
  })
  .check(one('Give the password, a code, a recovery code or a passkey'));
