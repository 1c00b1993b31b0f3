// People who can't start, or whose tasks nobody can approve.
import { queryOptions } from '@tanstack/react-query';
import { graphql } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';

const toHelp = graphql(`
  query PeopleToHelp {
    peopleToHelp {
      withoutRole
      unapproved
    }
  }
`);

export const toHelpQuery = queryOptions({
  queryKey: ['people', 'toHelp'],
  queryFn: async ({ signal }) => (await request(toHelp, {}, { signal })).peopleToHelp,
});
