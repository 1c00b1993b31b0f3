// A change to how the account is reached asks for a recent proof. The call waits while the dialog asks, then is sent again.
import { ApiError } from './api-error.ts';

let ask: ((name: string | undefined) => void) | null = null;
let waiting: { promise: Promise<boolean>; resolve: (confirmed: boolean) => void } | null = null;

/** The dialog takes part while it is mounted. */
export function answerConfirm(open: (name: string | undefined) => void): () => void {
  ask = open;
  return () => {
    if (ask === open) ask = null;
    finishConfirm(false);
  };
}

/** Called by the dialog: the person confirmed, or closed it. */
export function finishConfirm(confirmed: boolean): void {
  waiting?.resolve(confirmed);
  waiting = null;
}

/** Makes the call, and makes it again once the person has confirmed who they are. `name`: what the question is about. */
export async function withConfirmation<Result>(call: () => Promise<Result>, name?: string): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFIRM_IDENTITY' || !ask) throw error;
    waiting ??= Promise.withResolvers<boolean>();
    ask(name);
    if (!(await waiting.promise)) throw error;
    return call();
  }
}
