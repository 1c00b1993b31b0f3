// How many people there are, and how many need attention.
import { queryOptions } from '@tanstack/react-query';
import { plural } from '#core/base/formats.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';

const counts = graphql(`
  query PeopleCounts {
    peopleCounts {
      active
      disabled
      permitted
      invited
      withoutRole
      roleRequested
      unapproved
      awayNow
      backThisWeek
    }
  }
`);

export type PeopleCounts = ResultOf<typeof counts>['peopleCounts'];

/** The people that `unapproved` counts, in every list that can show only them. */
export const unapprovedTitle = 'No approver who can decide';
export const unapprovedSentence = (count: number): string =>
  plural(count, 'person has no approver who can decide', 'people have no approver who can decide');

export const peopleCountsQuery = queryOptions({
  queryKey: ['people', 'counts'],
  queryFn: async ({ signal }) => (await request(counts, {}, { signal })).peopleCounts,
});
