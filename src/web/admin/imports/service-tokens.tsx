import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { instantWithYear } from '#core/base/day-words.ts';
import { listWords } from '#core/base/formats.ts';
import { type DatasetKey, datasetKeys, datasetOf, isDataset } from '#core/numbers/datasets.ts';
import { defaultTokenDays, serviceTokenInput, tokenDayChoices } from '#core/numbers/imports.ts';
import { config } from '#web/api/config.ts';
import { Age, useNow } from '#web/ui/age.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { ConfirmDialog, Dialog, DialogActions, useAskingClose } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { Writes } from '#web/ui/writes.tsx';
import pageClasses from '../shared/tools-page.module.css';
import { mappingsQuery } from './import-calls.ts';
import {
  type NewToken,
  type ServiceToken,
  type TokenValues,
  tokensQuery,
  useCreateToken,
  useRevokeToken,
} from './service-token-calls.ts';
import classes from './service-tokens.module.css';

type Props = { readonly opened: boolean; readonly onClose: () => void };

/** Creates a token and shows it once: it isn't cached, and gone when the dialog closes. */
export function NewTokenDialog({ opened, onClose }: Props) {
  const [made, setMade] = useState<NewToken | null>(null);
  const create = useCreateToken(setMade);
  const close = () => {
    setMade(null);
    create.reset();
    onClose();
  };
  return (
    <Dialog opened={opened} title={made ? `Token for ${made.name}` : 'New service token'} width={560} onClose={close}>
      {opened && (made ? <Made made={made} /> : <NewTokenForm create={create} />)}
    </Dialog>
  );
}

function NewTokenForm({ create }: { readonly create: ReturnType<typeof useCreateToken> }) {
  const form = useForm({
    initial: { name: '', datasets: [], days: defaultTokenDays } as TokenValues,
    schema: serviceTokenInput,
    mutation: create,
  });
  return (
    <Form form={form} submit="Create token">
      <TextInput
        label="Name"
        description="The system that uses it, such as “Web shop”"
        data-autofocus
        {...form.field('name')}
      />
      <Checkbox.Group label="Datasets" description="Datasets it can send" {...form.field('datasets')}>
        <div className={classes.datasets}>
          {datasetKeys.map((key) => (
            <Checkbox key={key} value={key} label={datasetOf(key).title} />
          ))}
        </div>
      </Checkbox.Group>
      <Select
        label="Expires after"
        allowDeselect={false}
        data={tokenDayChoices.map((days) => ({
          value: String(days),
          label: days === defaultTokenDays ? '1 year' : `${days} days`,
        }))}
        {...form.field('days')}
        value={String(form.values.days)}
        onChange={(days) => form.set({ days: Number(days) })}
      />
    </Form>
  );
}

function Made({ made }: { readonly made: NewToken }) {
  const close = useAskingClose();
  const { data: mappings = [] } = useQuery(mappingsQuery);
  const [dataset = datasetKeys[0]!] = made.datasets;
  const mapping = mappings.find((saved) => saved.dataset === dataset)?.name;
  const { origin } = new URL(config().top5ServerUrl, location.origin);
  return (
    <div className={pageClasses.form}>
      <CopyField
        label="Token"
        description="Copy it now. It’s shown only once. Keep it secret: anyone with it can send rows."
        what="token"
        value={made.token}
        isCode
        autoFocus="text"
      />
      <CopyField
        label="Test it"
        description={`Set TOKEN to the token${mapping === undefined ? ' and replace MAPPING with a saved mapping’s name' : ''}. Remove dryRun=1 to import.`}
        what="line"
        value={importExample({ origin, dataset, mapping: mapping ?? 'MAPPING' })}
        isCode
        isLong
      />
      <DialogActions primary="Done" onPrimary={close} cancel={null} />
    </div>
  );
}

type Example = {
  /** The origin of the importing server. */
  readonly origin: string;
  readonly dataset: DatasetKey;
  readonly mapping: string;
};

/**
 * A shell command that tries an import over HTTP. The token is in a variable to stay out of the shell's
 * history.
 */
export function importExample({ origin, dataset, mapping }: Example): string {
  const address = `${origin}/api/import/${dataset}?mapping=${mapping}&fileName=export.csv&dryRun=1`;
  return `curl -H "Authorization: Bearer $TOKEN" --data-binary @export.csv "${address}"`;
}

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
