// Server state. Reads are retried while the connection is lost; failures follow D28 (see failures.ts).
import { type Mutation, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isConnectionLost, onConnectionChange } from '#web/ui/connection.ts';
import { hideToasts, holdUndo, showFailure } from '#web/ui/toasts.tsx';
import { type ApiError, asApiError } from './api-error.ts';
import { isConfirmCode } from './confirm.ts';
import { failPage, isExplainedInPlace } from './failures.ts';

/**
 * `what` names the call for the person: "Loading the tasks". With it, an unexplained failure opens the error
 * page. `undoable`: a change that U means, so U waits for it, and without an Undo in its toast does nothing.
 * `retryable`: if the server doesn't answer, its message offers to try again. Not for a call whose caller
 * awaits the answer.
 */
type Meta = {
  readonly what?: string;
  readonly quiet?: boolean;
  readonly undoable?: true;
  readonly retryable?: true;
};

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
    queryMeta: Meta;
    mutationMeta: Meta;
  }
}

const longestWaitMs = 10_000;
/** Nothing answers anyway, and the page fills soon after the connection is back. */
const longestWaitWithoutNetworkMs = 4_000;

const isNetworkError = (error: unknown): boolean => asApiError(error).code === 'NETWORK';

export function isWorthRetrying(count: number, error: unknown): boolean {
  // The banner says that the connection is lost; giving up would leave the page empty.
  if (isNetworkError(error)) return true;
  return asApiError(error).code === 'UNAVAILABLE' && count < 5;
}

/** A “Confirm it’s you” that was closed: over with the next change that succeeds. */
const unconfirmed = 'unconfirmed';

function retryOf(mutation: Mutation<unknown, unknown, unknown>, variables: unknown): (() => void) | undefined {
  const { retryable, undoable } = mutation.meta ?? {};
  if (!retryable) return undefined;
  return () => {
    const answer = mutation.execute(variables);
    if (undoable) holdUndo(answer);
    // The cache reports the failure.
    answer.catch(() => undefined);
  };
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      const what = query.meta?.what;
      if (what && !isExplainedInPlace(asApiError(error))) failPage(asApiError(error), what);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, variables, _result, mutation) => {
      const failure = asApiError(error);
      const what = mutation.meta?.what;
      if (what && !isExplainedInPlace(failure)) failPage(failure, what);
      // `quiet` mutations show errors themselves, next to the field or card.
      else if (!mutation.meta?.quiet) {
        const { message, statusCode, requestId, code } = failure;
        const about = isConfirmCode(code) ? unconfirmed : undefined;
        showFailure({ message, statusCode, requestId, about, retry: retryOf(mutation, variables) });
      }
    },
    onSuccess: () => hideToasts(unconfirmed),
  }),
  defaultOptions: {
    queries: {
      retry: isWorthRetrying,
      retryDelay: (count, error) =>
        Math.min(1_000 * 2 ** count, isNetworkError(error) ? longestWaitWithoutNetworkMs : longestWaitMs),
      staleTime: 30_000,
      // Browsers' "offline" status is often wrong; requests find out.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

onConnectionChange(() => {
  if (isConnectionLost()) return;
  const failed = ({ fetchFailureReason: reason }: { readonly fetchFailureReason: unknown }) =>
    reason !== null && isNetworkError(reason);
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => failed(state) });
});
