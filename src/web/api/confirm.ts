// Changes to an account's ways in need a recent proof of identity. The call waits for the dialog, then is
// sent again.
import { ApiError } from './api-error.ts';

export type ConfirmRequest = {
  /** The call's name in the API. */
  readonly call: string | undefined;
  /** The role that it gives, if it does. */
  readonly role: string | undefined;
  /** The password isn't enough for this change. */
  readonly factorsOnly: boolean;
};
type Ask = (question: ConfirmRequest) => void;
let ask: Ask | null = null;
let waiting: { promise: Promise<boolean>; resolve: (confirmed: boolean) => void } | null = null;

/** Refusals that confirming one's identity resolves. */
export const isConfirmCode = (code: string): boolean => code === 'CONFIRM_IDENTITY' || code === 'CONFIRM_WITH_FACTOR';

/** Registers the dialog while it is mounted. */
export function answerConfirm(open: Ask): () => void {
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

/**
 * Makes the call, and repeats it once the person has confirmed their identity. `name`: the subject of the
 * question.
 */
export async function withConfirmation<Result>(
  call: () => Promise<Result>,
  name?: string,
  { role }: { readonly role?: unknown } = {},
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || !isConfirmCode(error.code) || !ask) throw error;
    waiting ??= Promise.withResolvers<boolean>();
    ask({
      call: name,
      role: typeof role === 'string' && role ? role : undefined,
      factorsOnly: error.code === 'CONFIRM_WITH_FACTOR',
    });
    if (!(await waiting.promise)) throw error;
    return call();
  }
}
