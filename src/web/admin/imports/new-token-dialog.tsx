import { Checkbox, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type DatasetKey, datasetKeys, datasetOf } from '#core/numbers/datasets.ts';
import { defaultTokenDays, serviceTokenInput, tokenDayChoices } from '#core/numbers/imports.ts';
import { config } from '#web/api/config.ts';
import { CopyField } from '#web/ui/copy-field.tsx';
import { Dialog, DialogActions, useAskingClose } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import pageClasses from '../shared/tools-page.module.css';
import { mappingsQuery } from './import-calls.ts';
import { type NewToken, type TokenValues, useCreateToken } from './service-token-calls.ts';
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
  const address = `${origin}/api/import/${dataset}?mapping=${mapping}&dryRun=1`;
  return `curl -H "Authorization: Bearer $TOKEN" --data-binary @export.csv "${address}"`;
}
