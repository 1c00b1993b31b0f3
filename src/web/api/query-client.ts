// Server state. Reads are tried again while the connection is lost; failures follow D28 (see failures.ts).
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { showError } from '#web/ui/toasts.tsx';
import { type ApiError, asApiError } from './api-error.ts';
import { failPage, isExplainedInPlace } from './failures.ts';

/** `what` names the call for the person: "Loading the tasks". With it a failure that no page can mend leads to the error page. */
type Meta = { readonly what?: string; readonly quiet?: boolean };

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
    queryMeta: Meta;
    mutationMeta: Meta;
  }
}

const longestWaitMs = 10_000;

function isWorthRetrying(count: number, error: unknown): boolean {
  const { code } = asApiError(error);
  // The banner says that the connection is lost; giving up would leave a page that never fills.
  if (code === 'NETWORK') return true;
  return code === 'UNAVAILABLE' && count < 5;
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      const what = query.meta?.what;
      if (what && !isExplainedInPlace(asApiError(error))) failPage(asApiError(error), what);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      const failure = asApiError(error);
      const what = mutation.meta?.what;
      if (what && !isExplainedInPlace(failure)) failPage(failure, what);
      // `quiet` mutations say it themselves, next to the field or the card.
      else if (!mutation.meta?.quiet) showError(failure.message, failure.requestId);
    },
  }),
  defaultOptions: {
    queries: {
      retry: isWorthRetrying,
      retryDelay: (count) => Math.min(1_000 * 2 ** count, longestWaitMs),
      staleTime: 30_000,
      // A browser's word for "offline" is often wrong; the request itself tells.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
