// How many people don't meet their role's requirements, for everyone who can open Role Qualifications.
import { queryOptions } from '@tanstack/react-query';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { orWithoutNewFields, request } from '#web/api/request.ts';

const counts = graphql(`
  query QualificationCounts {
    qualificationCounts {
      lacking
      excepted
      expiring
    }
  }
`);

type Counts = { readonly qualificationCounts: ResultOf<typeof counts>['qualificationCounts'] | null };

/** Null from an older server, during an upgrade: it doesn't count them. */
export const qualificationCountsQuery = queryOptions({
  queryKey: ['qualifications', 'counts'],
  queryFn: async ({ signal }) => {
    const read = orWithoutNewFields<Counts>(request(counts, {}, { signal }), async () => ({
      qualificationCounts: null,
    }));
    return (await read).qualificationCounts;
  },
});
