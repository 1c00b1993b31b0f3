// The calls for second factors. The login page makes them with its step's token, a signed-in page with its
// session.
import { passkeySite } from '#core/access/second-factor.ts';
import { config } from './config.ts';
import { askSignIn, keepSession, knownDevice, type SignInReply } from './sign-in.ts';

/** A call to `/api/auth/…` for either caller. Throws an ApiError. */
export type Ask = <Answer>(path: string, body?: object) => Promise<Answer>;

export const askWithToken =
  (token: string): Ask =>
  (path, body) =>
    askSignIn(path, token, body);

/** The same for setting up the first factor: the call that completes the sign-in identifies the browser. */
export const askToSetUp =
  (token: string): Ask =>
  (path, body) =>
    askSignIn(path, token, body && { ...body, ...knownDevice() });

/** Whether passkeys work on this page, in this browser. */
export function offersPasskeys(): boolean {
  const site = passkeySite(config().publicUrl, location.origin);
  return site?.origin === location.origin && typeof PublicKeyCredential === 'function';
}

export type Finished = {
  readonly kept: boolean;
  /** Null unless a recovery code was used. */
  readonly recoveryCodesLeft: number | null;
};

/** The second step of a sign-in. */
export async function takeSecondStep(stepToken: string, step: object): Promise<Finished> {
  const answer = await askSignIn<SignInReply & { recoveryCodesLeft?: number }>('second-step', stepToken, {
    ...step,
    ...knownDevice(),
  });
  const { kept } = keepSession(answer);
  return { kept, recoveryCodesLeft: answer.recoveryCodesLeft ?? null };
}

export type AuthenticatorSetUp = { readonly uri: string; readonly key: string };

/**
 * The result of adding a factor: recovery codes if there were none; a session if it was the last step of
 * signing in.
 */
export type Added = SignInReply & { readonly recoveryCodes: readonly string[] | null };
