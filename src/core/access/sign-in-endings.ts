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
  cancelled: 'You did not sign in there. Try again, or sign in with your password',
  unknown:
    'Nobody here is connected to this sign-in. Sign in with your password and link it in My account, or ask an admin for an invitation',
  disabled: 'Your account here is disabled. Ask an admin',
  taken: 'This sign-in is connected to somebody else here already. Ask an admin',
  invitationOver: 'This invitation was used already, or has run out. Ask for a new one',
  expired: 'That took too long, or was begun in another browser. Try again',
  unreachable: refusals.SIGN_IN_UNREACHABLE.message,
  failed: 'The sign-in service gave an answer that cannot be trusted. Try again, and tell an admin if it stays so',
} as const satisfies Record<string, string | null>;
export type SignInEnding = keyof typeof signInEndings;

export function isSignInEnding(text: string): text is SignInEnding {
  return Object.hasOwn(signInEndings, text);
}

/** What somebody is told who accepts an invitation: everybody's words, but where those speak of a password that this person has yet to choose. */
export const invitationEndings = {
  ...signInEndings,
  cancelled: 'You did not sign in there. Try again, or choose a password below',
  unreachable: 'The sign-in service cannot be reached right now. Try again in a moment, or choose a password below',
} as const satisfies Record<SignInEnding, string | null>;

/** Behind the # of the login page: `#sign-in=done`. */
export const endingKey = 'sign-in';
