// The texts for every outcome of a sign-in through an identity provider. Used by the server's redirects, the
// login page and the shell.
import { refusals } from '../base/refusals.ts';

/** The outcomes; each is put after the # of the address that the browser returns to. */
export const signInEndings = {
  done: null,
  connected: null,
  confirmed: null,
  anotherPerson: 'That company sign-in isn’t linked to your account. Use the linked one',
  sessionOver: 'Your session ended before you came back. Sign in and try again',
  cancelled: 'Sign-in wasn’t completed. Try again, or sign in with your password',
  unknown:
    'This sign-in isn’t linked to an account. Sign in with your password and link it in My account, or ask an admin for an invitation',
  disabled: 'Your account is disabled. If this is a mistake, ask an admin',
  taken: 'This sign-in is linked to another account. Ask an admin',
  invitationOver: 'This invitation was already used or has expired. Ask for a new one',
  expired: 'That took too long or started in another browser. Try again',
  unreachable: refusals.SIGN_IN_UNREACHABLE.message,
  failed: 'The company sign-in sent an invalid response. Try again, and tell an admin if it happens again',
} as const satisfies Record<string, string | null>;
export type SignInEnding = keyof typeof signInEndings;

export function isSignInEnding(text: string): text is SignInEnding {
  return Object.hasOwn(signInEndings, text);
}

/**
 * The texts for accepting an invitation. They differ where the general ones mention a password, which this
 * person doesn't have yet.
 */
export const invitationEndings = {
  ...signInEndings,
  cancelled: 'Sign-in wasn’t completed. Try again, or choose a password below',
  unreachable: 'Can’t reach the company sign-in. Try again in a moment, or choose a password below',
} as const satisfies Record<SignInEnding, string | null>;

/** The key after the # of the login page: `#sign-in=done`. */
export const endingKey = 'sign-in';
