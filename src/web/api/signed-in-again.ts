// The question "sign in again", asked by a call that was refused and answered by the dialog over the page:
// the call waits and then goes on with the new token, so that nothing on the page is lost (D14).

let waiting: { promise: Promise<void>; resolve: () => void } | null = null;
let ask: ((isDisabled: boolean) => void) | null = null;

/** The dialog takes part while it is mounted; without it there is no page to keep and the sign-in page follows. */
export function answerSignInAgain(open: (isDisabled: boolean) => void): () => void {
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
  ask(false);
  return waiting.promise;
}

/** The account was disabled meanwhile: nothing can be asked any more, only said. */
export function tellDisabled(): void {
  ask?.(true);
}

/** Called by the dialog after signing in. */
export function goOnSignedIn(): void {
  waiting?.resolve();
  waiting = null;
}
