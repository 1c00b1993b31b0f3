// How many people there are, and how many need attention.
import { queryOptions } from '@tanstack/react-query';
import { plural } from '#core/base/formats.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { orWithoutNewFields, request } from '#web/api/request.ts';

const fields = graphql(`
  fragment PeopleCountFields on PeopleCounts @_unmask {
    active
    disabled
    permitted
    invited
    withoutRole
    roleRequested
    unapproved
    backThisWeek
  }
`);
const counts = graphql(`query PeopleCounts { peopleCounts { ...PeopleCountFields awayNow } }`, [fields]);
const olderCounts = graphql(`query OlderPeopleCounts { peopleCounts { ...PeopleCountFields } }`, [fields]);

type Counts = ResultOf<typeof counts>['peopleCounts'];
/** An older server, during an upgrade, doesn't count who is away. */
export type PeopleCounts = Omit<Counts, 'awayNow'> & { readonly awayNow?: number };

/** The people that `unapproved` counts, in every list that can show only them. */
export const unapprovedTitle = 'No approver who can decide';
export const unapprovedSentence = (count: number): string =>
  plural(count, 'person has no approver who can decide', 'people have no approver who can decide');

export const peopleCountsQuery = queryOptions({
  queryKey: ['people', 'counts'],
  queryFn: async ({ signal }): Promise<PeopleCounts> => {
    const read = orWithoutNewFields<{ readonly peopleCounts: PeopleCounts }>(request(counts, {}, { signal }), () =>
      request(olderCounts, {}, { signal }),
    );
    return (await read).peopleCounts;
  },
});
