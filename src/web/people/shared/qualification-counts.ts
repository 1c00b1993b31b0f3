// How many people don't meet their role's requirements, for everyone who can open Role Qualifications.
import { queryOptions } from '@tanstack/react-query';
import { graphql } from '#web/api/graphql.ts';
import { orWithoutNewFields, request } from '#web/api/request.ts';

const counts = graphql(`
  query QualificationCounts {
    qualificationCounts {
      lacking
      expiring
    }
  }
`);

/** Of everyone, which takes the server a moment, and time alone changes them by the day. */
export const qualificationCountsQuery = queryOptions({
  queryKey: ['qualifications', 'counts'],
  staleTime: 300_000,
  queryFn: async ({ signal }) => {
    // An older server, during an upgrade, doesn't count them.
    const read = orWithoutNewFields(request(counts, {}, { signal }), async () => ({
      qualificationCounts: { lacking: 0, expiring: 0 },
    }));
    return (await read).qualificationCounts;
  },
});
