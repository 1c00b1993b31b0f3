// A person's second factors, for the account page and the identity question.
import { queryOptions } from '@tanstack/react-query';
import { graphql, type ResultOf } from './graphql.ts';
import { request } from './request.ts';

export const secondFactorFields = graphql(`
  fragment SecondFactorFields on SecondFactors @_unmask {
    required
    passkeys { id name synced createdAt lastUsedAt }
    authenticator { createdAt lastUsedAt }
    recoveryCodesLeft
  }
`);
export type SecondFactors = ResultOf<typeof secondFactorFields>;

const mine = graphql(
  `
    query MySecondFactors {
      mySecondFactors { ...SecondFactorFields }
    }
  `,
  [secondFactorFields],
);

export const secondFactorsQuery = queryOptions({
  queryKey: ['account', 'second-factors'],
  queryFn: async ({ signal }) => (await request(mine, {}, { signal })).mySecondFactors,
  staleTime: 0,
});
