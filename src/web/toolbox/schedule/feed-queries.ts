// The addresses at which a calendar fetches meetings.
import { queryOptions } from '@tanstack/react-query';
import { config } from '#web/api/config.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';

const feedsDocument = graphql(`
  query CalendarFeeds {
    calendarFeeds {
      id
      team
      createdAt
      lastUsedAt
    }
  }
`);

const createDocument = graphql(`
  mutation CreateCalendarFeed($team: String) {
    createCalendarFeed(team: $team) {
      path
    }
  }
`);

const revokeDocument = graphql(`
  mutation RevokeCalendarFeed($id: ID!) {
    revokeCalendarFeed(id: $id) {
      id
    }
  }
`);

export type Feed = ResultOf<typeof feedsDocument>['calendarFeeds'][number];

export const feedsQuery = queryOptions({
  queryKey: ['calendar-feeds'],
  queryFn: async ({ signal }) => (await request(feedsDocument, {}, { signal })).calendarFeeds,
  staleTime: 0,
});

/** The whole address, as a calendar application takes it. */
export async function createFeed(team: string | null): Promise<string> {
  const { path } = (await request(createDocument, { team })).createCalendarFeed;
  return new URL(`${config().top5ServerUrl}${path}`, location.href).href;
}

export const revokeFeed = async (id: string) => (await request(revokeDocument, { id })).revokeCalendarFeed;
