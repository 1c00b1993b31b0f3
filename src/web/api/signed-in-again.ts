// The question "sign in again", asked by a call that was refused and answered by the dialog over the page:
// the call waits and then goes on with the new token, so that nothing on the page is lost (D14).

let waiting: { promise: Promise<void>; resolve: () => void } | null = null;
let ask: (() => void) | null = null;

/** The dialog takes part while it is mounted; without it there is no page to keep and the sign-in page follows. */
export function answerSignInAgain(open: () => void): () => void {
  ask = open;
  return () => {
    if (ask === open) ask = null;
  };
}

/** Resolves once the person has signed in again; null when nobody can be asked. */
export function signedInAgain(): Promise<void> | null {
  if (!ask) return null;
  if (!waiting) {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting = { promise, resolve };
  }
  ask();
  return waiting.promise;
}

/** Called by the dialog after signing in. */
export function goOnSignedIn(): void {
  waiting?.resolve();
  waiting = null;
}
