// Whether the person has a password, for the identity question.
import { queryOptions } from '@tanstack/react-query';
import { graphql } from './graphql.ts';
import { request } from './request.ts';

const document = graphql(`
  query HasPassword {
    myAccount { password { set } }
  }
`);

export const ownPasswordQuery = queryOptions({
  queryKey: ['account', 'has-password'],
  queryFn: async ({ signal }) => (await request(document, {}, { signal })).myAccount.password.set,
  staleTime: 0,
});
