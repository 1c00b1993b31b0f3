// Changes to the person's second factors. Each returns what remains.
import { useQueryClient } from '@tanstack/react-query';
import { graphql } from '#web/api/graphql.ts';
import { useMutation } from '#web/api/mutation.ts';
import { request } from '#web/api/request.ts';
import { type SecondFactors, secondFactorFields, secondFactorsQuery } from '#web/api/second-factors.ts';
import { orMarkLost } from '#web/api/unconfirmed-codes.ts';
import { showToast } from '#web/ui/toasts.tsx';

const renameDocument = graphql(
  `
    mutation RenamePasskey($id: ID!, $name: String!) {
      renamePasskey(id: $id, name: $name) { ...SecondFactorFields }
    }
  `,
  [secondFactorFields],
);
const removeDocument = graphql(
  `
    mutation RemovePasskey($id: ID!) {
      removePasskey(id: $id) { ...SecondFactorFields }
    }
  `,
  [secondFactorFields],
);
const removeAppDocument = graphql(
  `
    mutation RemoveAuthenticator {
      removeAuthenticator { ...SecondFactorFields }
    }
  `,
  [secondFactorFields],
);
const codesDocument = graphql(`
  mutation NewRecoveryCodes {
    newRecoveryCodes
  }
`);

/** `quiet`: a form shows errors. */
function useFactorChange<Variables>(
  change: (variables: Variables) => Promise<SecondFactors>,
  done: string,
  quiet = false,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    meta: { quiet },
    onSuccess: (factors) => {
      client.setQueryData(secondFactorsQuery.queryKey, factors);
      showToast({ message: done });
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['account'] }),
  });
}

export const useRenamePasskey = (id: string) =>
  useFactorChange(
    async (name: string) => (await request(renameDocument, { id, name })).renamePasskey,
    'Passkey renamed',
    true,
  );
export const useRemovePasskey = () =>
  useFactorChange(async (id: string) => (await request(removeDocument, { id })).removePasskey, 'Passkey removed');
export const useRemoveAuthenticator = () =>
  useFactorChange(async () => (await request(removeAppDocument)).removeAuthenticator, 'Authenticator app removed');

export function useNewRecoveryCodes() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await orMarkLost(request(codesDocument))).newRecoveryCodes,
    onSettled: () => void client.invalidateQueries({ queryKey: ['account'] }),
  });
}
