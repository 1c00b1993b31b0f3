// The signed address of a dashboard, renewed before it runs out.
import { queryOptions } from '@tanstack/react-query';
import { embedSeconds } from '#core/numbers/dashboard-embed.ts';
import { asApiError } from '#web/api/api-error.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';

const document = graphql(`
  query DashboardEmbed($resource: String!) {
    dashboardEmbed(resource: $resource) {
      kind
      state
      url
      goodFor
    }
  }
`);

export type Embed = ResultOf<typeof document>['dashboardEmbed'];

/** How long an answer without an address holds: a setting may have changed, or the tool is back. */
const settledMs = 30_000;
/** After a renewal that failed. */
const tryAgainMs = 15_000;

/** Counted from when the answer came, so that a wrong clock of this computer does not matter. */
export const endOf = (embed: Embed, askedAt: number): number =>
  askedAt + (embed.goodFor === null ? Number.POSITIVE_INFINITY : embed.goodFor * 1_000);

function holdsMs(embed: Embed | undefined): number {
  if (!embed) return 0;
  return embed.goodFor === null ? settledMs : (embed.goodFor - embedSeconds.renewBefore) * 1_000;
}

/**
 * Stale a minute before the end, and asked again then. In a hidden tab nothing is asked; when it is looked at again an answer
 * that is stale by then is renewed.
 */
export const embedQuery = (resource: string) =>
  queryOptions<Embed>({
    queryKey: ['embed', resource],
    queryFn: async ({ signal }) => (await request(document, { resource }, { signal })).dashboardEmbed,
    staleTime: ({ state }) => holdsMs(state.data),
    refetchOnWindowFocus: true,
    // Tried again by the interval, so that a failure is known as one and the end of the address can be told.
    retry: false,
    refetchInterval: ({ state: { data, dataUpdatedAt, error } }) => {
      if (error) return asApiError(error).code === 'FORBIDDEN' ? false : tryAgainMs;
      if (!data || data.kind === 'builtin') return false;
      return Math.max(1_000, dataUpdatedAt + holdsMs(data) - Date.now());
    },
    // A signed address opens the dashboard to whoever has it: it does not outlive the page.
    gcTime: 0,
  });
