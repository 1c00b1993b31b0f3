import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { instantWithYear } from '#core/base/day-words.ts';
import { listWords } from '#core/base/formats.ts';
import { datasetOf, isDataset } from '#core/numbers/datasets.ts';
import { config } from '#web/api/config.ts';
import { Age, useNow } from '#web/ui/age.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { type ServiceToken, tokensQuery, useRevokeToken } from './service-token-calls.ts';
import classes from './service-tokens.module.css';

/** The tokens of other systems that send rows. */
export function ServiceTokens() {
  const tokens = useQuery(tokensQuery);
  const [making, setMaking] = useState(false);
  return (
    <Panel
      title="Service tokens"
      actions={
        <Writes>
          <Button variant="default" onClick={() => setMaking(true)}>
            New token
          </Button>
        </Writes>
      }
      flush
    >
      <DataTable
        caption="Tokens for other systems"
        unit="tokens"
        query={tokens}
        failed="Couldn’t load the service tokens."
        items={tokens.data ?? []}
        columns={columns}
        keyOf={({ id }) => id}
        pageSize={20}
        empty={
          <EmptyState title="No service tokens yet">Service tokens let other systems send rows over HTTP.</EmptyState>
        }
      />
      <NewTokenDialog opened={making} onClose={() => setMaking(false)} />
    </Panel>
  );
}

const titlesOf = (datasets: readonly string[]) => datasets.map((key) => (isDataset(key) ? datasetOf(key).title : key));
const Ago = ({ instant }: { instant: string }) => <Age instant={instant} zone={config().companyTimeZone} ago />;

const columns: DataColumn<ServiceToken>[] = [
  {
    id: 'name',
    title: 'Name',
    cell: ({ name }) => <span className={classes.name}>{name}</span>,
  },
  { id: 'datasets', title: 'Can send', cell: ({ datasets }) => listWords(titlesOf(datasets)) },
  {
    id: 'created',
    title: 'Created',
    cell: ({ createdAt, createdByName }) => (
      <span>
        <Ago instant={createdAt} /> by {createdByName}
      </span>
    ),
  },
  {
    id: 'used',
    title: 'Last used',
    phone: 'below',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? (
        'Never used'
      ) : (
        <>
          <span className={classes.only}>Last used </span>
          <Ago instant={lastUsedAt} />
        </>
      ),
  },
  { id: 'state', title: 'State', phone: 'value', cell: (token) => <State token={token} /> },
];

const stateWords = (isOver: boolean, ownerMay: boolean, until: string): string => {
  if (isOver) return `Expired ${until}`;
  return ownerMay ? `Active until ${until}` : 'Stopped because its owner is no longer an admin';
};

/** Whether it works, and a way to revoke it. The text gets the focus when the button is gone. */
function State({ token }: { readonly token: ServiceToken }) {
  const { name, datasets, revokedAt, expiresAt, ownerMay } = token;
  const isOver = Date.parse(expiresAt) <= useNow();
  const [asking, setAsking] = useState(false);
  const revoke = useRevokeToken(token);
  const [words, setWords] = useState<HTMLSpanElement | null>(null);
  useEffect(() => {
    if (revoke.isSuccess) words?.focus();
  }, [revoke.isSuccess, words]);
  return (
    <div className={classes.state}>
      <span ref={setWords} tabIndex={-1} className={revokedAt === null ? undefined : classes.revoked}>
        {revokedAt === null ? (
          stateWords(isOver, ownerMay, instantWithYear(expiresAt, config().companyTimeZone))
        ) : (
          <>
            Revoked <Ago instant={revokedAt} />
          </>
        )}
      </span>
      {revokedAt === null && (
        <Writes>
          <Button variant="default" onClick={() => setAsking(true)}>
            Revoke<span className="visually-hidden"> {name}</span>
          </Button>
        </Writes>
      )}
      <ConfirmDialog
        opened={asking && revokedAt === null}
        title={`Revoke ${name}?`}
        confirm="Revoke token"
        danger
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate()}
        onClose={() => setAsking(false)}
      >
        <p>Systems that use this token can no longer send {listWords(titlesOf(datasets))}. Imported rows stay.</p>
        <p>You can’t undo this. The system needs a new token to send again.</p>
      </ConfirmDialog>
    </div>
  );
}
