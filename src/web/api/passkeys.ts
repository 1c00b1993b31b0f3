// Passkeys in this browser: creating and using them, and their errors as sentences.
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { ApiError } from './api-error.ts';
import type { Ask } from './factor-calls.ts';
import { askSignIn, keepSession, knownDevice, type SignedIn, type SignInReply } from './sign-in.ts';

/** Browsers' errors name their own API. No message for someone who canceled. */
function explained(error: unknown): never {
  if (error instanceof ApiError) throw error;
  const name = error instanceof Error ? error.name : '';
  if (name === 'AbortError') throw error;
  console.info('No passkey was used', error);
  const message =
    name === 'InvalidStateError'
      ? 'This device already has a passkey for your account'
      : 'No passkey was used. Try again, or choose another way';
  throw new ApiError({ code: 'PASSKEY_REFUSED', message, statusCode: 403 });
}

/** A passkey's answer, for calls that accept one as proof. */
async function answer(options: PublicKeyCredentialRequestOptionsJSON) {
  return startAuthentication({ optionsJSON: options }).catch(explained);
}

const signInOptions = () => askSignIn<PublicKeyCredentialRequestOptionsJSON>('passkey-sign-in/options', null);

async function signInAs(passkey: object): Promise<SignedIn> {
  return keepSession(await askSignIn<SignInReply>('passkey-sign-in', null, { passkey, ...knownDevice() }));
}

/** Signs in with only a passkey. */
export async function signInWithPasskey(): Promise<SignedIn> {
  return signInAs(await answer(await signInOptions()));
}

/**
 * Browsers offer passkeys in the email field's suggestions, and wait. Null if nobody chose one: that was no
 * attempt to sign in, so it isn't an error.
 */
export async function offerPasskeys(isWanted: () => boolean): Promise<SignedIn | null> {
  const options = await signInOptions();
  // Browsers allow one request at a time: a later one would cancel what the person just started.
  if (!isWanted()) return null;
  const passkey = await startAuthentication({ optionsJSON: options, useBrowserAutofill: true }).catch(() => null);
  return passkey && signInAs(passkey);
}

/** One of the person's passkeys, as proof for a second step or a question. */
export async function provePasskey(ask: Ask): Promise<object> {
  return answer(await ask<PublicKeyCredentialRequestOptionsJSON>('second-step/options'));
}

/** Creates a passkey on this device and saves its name. */
export async function makePasskey<Answer>(ask: Ask, name: string): Promise<Answer> {
  const options = await ask<PublicKeyCredentialCreationOptionsJSON>('passkeys/options');
  const passkey = await startRegistration({ optionsJSON: options }).catch(explained);
  return ask<Answer>('passkeys', { name, passkey });
}
