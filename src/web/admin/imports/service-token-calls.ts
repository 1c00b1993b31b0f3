// Service tokens as admins see, create and revoke them.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { useMutation } from '#web/api/mutation.ts';
import { request } from '#web/api/request.ts';
import { showToast } from '#web/ui/toasts.tsx';

const tokensDocument = graphql(`
  query ServiceTokens {
    serviceTokens {
      id
      name
      datasets
      createdByName
      createdAt
      lastUsedAt
      revokedAt
      expiresAt
      ownerMay
    }
  }
`);
export type ServiceToken = ResultOf<typeof tokensDocument>['serviceTokens'][number];

/** Active ones first, newest first. */
export const tokensQuery = queryOptions({
  queryKey: ['import', 'tokens'],
  queryFn: async ({ signal }) => (await request(tokensDocument, {}, { signal })).serviceTokens,
  // Other systems use them at any time.
  staleTime: 0,
});

const createDocument = graphql(`
  mutation CreateServiceToken($name: String!, $datasets: [String!]!, $days: Int) {
    createServiceToken(name: $name, datasets: $datasets, days: $days) {
      token
    }
  }
`);

export type TokenValues = { readonly name: string; readonly datasets: readonly DatasetKey[]; readonly days: number };
export type NewToken = TokenValues & { readonly token: string };

/** Passes the token only to `onMade`, because a mutation's result stays in the cache for a while. */
export function useCreateToken(onMade: (made: NewToken) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, datasets, days }: TokenValues) => {
      const { token } = (await request(createDocument, { name, datasets: [...datasets], days })).createServiceToken;
      onMade({ name, datasets, days, token });
    },
    onSuccess: () => void client.invalidateQueries(tokensQuery),
    meta: { quiet: true },
  });
}

const revokeDocument = graphql(`
  mutation RevokeServiceToken($id: ID!) {
    revokeServiceToken(id: $id) {
      id
      revokedAt
    }
  }
`);

export function useRevokeToken({ id, name }: ServiceToken) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await request(revokeDocument, { id })).revokeServiceToken,
    onSuccess: (revoked) => {
      client.setQueryData(tokensQuery.queryKey, (tokens) =>
        tokens?.map((token) => (token.id === revoked.id ? { ...token, ...revoked } : token)),
      );
      showToast({ message: `${name} is revoked` });
    },
    // Also after a refusal: someone else may have revoked it.
    onSettled: () => void client.invalidateQueries(tokensQuery),
  });
}
