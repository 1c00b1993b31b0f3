// Who can give the viewer access, for every page that refuses them.
import { queryOptions } from '@tanstack/react-query';
import { graphql } from './graphql.ts';
import { request } from './request.ts';

const helpDocument = graphql(`
  query AccessHelp {
    accessHelp {
      admins { id displayName email }
      roleAsked { role by at }
    }
  }
`);

export const accessHelpQuery = queryOptions({
  queryKey: ['people', 'access-help'],
  queryFn: async ({ signal }) => (await request(helpDocument, {}, { signal })).accessHelp,
});
