// Decides the words of every way in which a sign-in through an identity provider can end.
// Asked by the server for where the browser goes on, and by the login page and the shell for what they say.
import { refusals } from '../base/refusals.ts';

/** How a sign-in through the provider ended; stands behind the # of the address that the browser is sent to. */
export const signInEndings = {
  done: null,
  connected: null,
  confirmed: null,
  anotherPerson: 'That company sign-in isn’t linked to your account. Use the one that is',
  sessionOver: 'Your session ended before you came back. Sign in and try again',
  cancelled: 'Sign-in wasn’t completed. Try again, or sign in with your password',
  unknown:
    'This sign-in isn’t linked to an account. Sign in with your password and link it in My account, or ask an admin for an invitation',
  disabled: 'Your account is disabled. Ask an admin',
  taken: 'This sign-in is linked to another account. Ask an admin',
  invitationOver: 'This invitation was already used or has expired. Ask for a new one',
  expired: 'That took too long or started in another browser. Try again',
  unreachable: refusals.SIGN_IN_UNREACHABLE.message,
  failed: 'The sign-in service sent an invalid answer. Try again, and tell an admin if it happens again',
} as const satisfies Record<string, string | null>;
export type SignInEnding = keyof typeof signInEndings;

export function isSignInEnding(text: string): text is SignInEnding {
  return Object.hasOwn(signInEndings, text);
}

/** What somebody is told who accepts an invitation: everybody's words, but where those speak of a password that this person has yet to choose. */
export const invitationEndings = {
  ...signInEndings,
  cancelled: 'Sign-in wasn’t completed. Try again, or choose a password below',
  unreachable: 'Can’t reach the sign-in service. Try again in a moment, or choose a password below',
} as const satisfies Record<SignInEnding, string | null>;

/** Behind the # of the login page: `#sign-in=done`. */
export const endingKey = 'sign-in';
