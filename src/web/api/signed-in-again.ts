// Asks the person to sign in again: the refused call waits for the dialog over the page and continues with
// the new token, so nothing on the page is lost (D14).

let waiting: { promise: Promise<void>; resolve: () => void } | null = null;
/** `ended`: the person can sign in again. The others have no way on, which is shown. */
export type End = 'ended' | 'disabled' | 'otherPerson';
let ask: ((end: End) => void) | null = null;

/** Registers the dialog while it is mounted; without it the sign-in page opens instead. */
export function answerSignInAgain(open: (end: End) => void): () => void {
  ask = open;
  return () => {
    if (ask === open) ask = null;
  };
}

/** Resolves once the person has signed in again; null if nobody can be asked. */
export function signedInAgain(): Promise<void> | null {
  if (!ask) return null;
  if (!waiting) {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting = { promise, resolve };
  }
  ask('ended');
  return waiting.promise;
}

/** There is nothing to ask, only to say. */
export function showEnd(end: Exclude<End, 'ended'>): void {
  ask?.(end);
}

/** A password that was sent without an answer: the old one or this one signs in. */
type SentPassword = { readonly password: string; readonly onChanged: () => void };
let sentPassword: SentPassword | null = null;

export function expectPassword(sent: SentPassword | null): void {
  sentPassword = sent;
}

export const isPasswordUnsure = (): boolean => sentPassword !== null;

/** Called by the dialog after signing in, with the password if that was typed here. */
export function goOnSignedIn(password?: string): void {
  if (sentPassword?.password === password) sentPassword?.onChanged();
  sentPassword = null;
  waiting?.resolve();
  waiting = null;
}
