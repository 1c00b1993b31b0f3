import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isAdmin } from '#core/access.ts';
import { graphql } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { type SecondFactors, secondFactorFields } from '#web/api/second-factors.ts';
import { useViewer } from '#web/api/viewer.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './user-panel.module.css';

const readDocument = graphql(
  `
    query SecondFactorsOf($id: ID!) {
      secondFactorsOf(id: $id) { ...SecondFactorFields }
    }
  `,
  [secondFactorFields],
);
const resetDocument = graphql(
  `
    mutation ResetSecondFactor($id: ID!) {
      resetSecondFactor(id: $id) { ...SecondFactorFields }
    }
  `,
  [secondFactorFields],
);

const wordsOf = ({ passkeys, authenticator, required, recoveryCodesLeft }: SecondFactors): string => {
  const has = [
    ...(passkeys.length > 0 ? [passkeys.length === 1 ? '1 passkey' : `${passkeys.length} passkeys`] : []),
    ...(authenticator ? ['an authenticator app'] : []),
  ];
  if (has.length > 0) return `${has.join(' and ')}, ${recoveryCodesLeft} recovery codes left.`;
  return required ? 'None yet. The company requires one at the next sign-in.' : 'None.';
};

/** For admins: what a person has as a second step, and a way out for somebody who lost it all. */
export function UserFactors({ userId, name }: { readonly userId: string; readonly name: string }) {
  const viewer = useViewer();
  const key = ['people', 'second-factors', userId];
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { data: factors } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await request(readDocument, { id: userId }, { signal })).secondFactorsOf,
    enabled: isAdmin(viewer),
  });
  const reset = useMutation({
    mutationFn: async () => (await request(resetDocument, { id: userId })).resetSecondFactor,
    onSuccess: (left) => {
      client.setQueryData(key, left);
      showToast({ message: `Second step of ${name} reset` });
    },
    onSettled: () => setAsking(false),
  });
  if (!factors) return null;
  const hasAny = factors.passkeys.length > 0 || factors.authenticator !== null;
  return (
    <section className={classes.block}>
      <h3>Second step</h3>
      <p className={classes.sentence}>{wordsOf(factors)}</p>
      {hasAny && (
        <Writes>
          <Button variant="default" onClick={() => setAsking(true)}>
            Reset second step
          </Button>
        </Writes>
      )}
      <ConfirmDialog
        opened={asking}
        title={`Reset the second step of ${name}?`}
        confirm="Reset second step"
        danger
        busy={reset.isPending}
        onConfirm={() => reset.mutate()}
        onClose={() => setAsking(false)}
      >
        This removes their passkeys, authenticator app and recovery codes. {name} is notified. Make sure it’s really
        them who asked.
      </ConfirmDialog>
    </section>
  );
}
