import { Button, Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { daySpanWithYear } from '#core/base/day-words.ts';
import { capital, plural } from '#core/base/formats.ts';
import { type DatasetKey, datasetOf, personDatasets } from '#core/numbers/datasets.ts';
import { importLimits, personWord } from '#core/numbers/imports.ts';
import { useMutation } from '#web/api/mutation.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { lastImportsKey } from './import-calls.ts';
import classes from './import-wizard.module.css';
import { eraseReference, type Reference, referenceRowsQuery } from './removal-calls.ts';

/** Erases a customer or donor, after their reference was typed twice. */
export function EraseReference() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Erase a customer or donor
      </Button>
      {isOpen && <EraseDialog onClose={() => setOpen(false)} />}
    </>
  );
}

const choices = personDatasets.map((dataset) => {
  const { title, fields, person } = datasetOf(dataset);
  return { value: dataset, label: `${title}: ${fields[person!.field]!.title}` };
});
const nobody: Reference = { dataset: personDatasets[0]!, reference: '' };

function useErasure(onSuccess: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: eraseReference,
    onSettled: () => void client.invalidateQueries(lastImportsKey),
    onSuccess,
    meta: { what: 'Erasing the rows' },
  });
}

function EraseDialog({ onClose }: { readonly onClose: () => void }) {
  const [dataset, setDataset] = useState<DatasetKey>(nobody.dataset);
  const [reference, setReference] = useState('');
  const [found, setFound] = useState<Reference | null>(null);
  const [again, setAgain] = useState('');
  const isCounted = useQuery({ ...referenceRowsQuery(found ?? nobody), enabled: found !== null }).data !== undefined;
  const erase = useErasure(onClose);
  const change = (act: () => void) => {
    act();
    setFound(null);
    setAgain('');
  };
  const find = () => {
    if (reference.trim() !== '') setFound({ dataset, reference: reference.trim() });
  };
  return (
    <Dialog opened title="Erase a customer or donor" width={520} onClose={onClose}>
      <div className={classes.removal}>
        <Select
          label="Dataset"
          data={choices}
          value={dataset}
          allowDeselect={false}
          onChange={(value) => value && change(() => setDataset(value as DatasetKey))}
        />
        <TextInput
          label={`${capital(personWord(dataset))} reference`}
          value={reference}
          autoComplete="off"
          maxLength={importLimits.reference}
          onChange={(event) => change(() => setReference(event.currentTarget.value))}
          onKeyDown={({ key }) => key === 'Enter' && find()}
        />
        <Button variant="default" disabled={reference.trim() === ''} onClick={find}>
          Find rows
        </Button>
        {found && <ErasureFacts person={found} />}
        {found && isCounted && <TypedAgain value={again} onChange={setAgain} />}
      </div>
      <DialogActions
        danger
        primary={`Erase ${personWord(dataset)}`}
        busy={erase.isPending}
        disabled={found === null || !isCounted || again.trim() !== found.reference}
        onPrimary={() => found && erase.mutate(found)}
      />
    </Dialog>
  );
}

function TypedAgain({ value, onChange }: { readonly value: string; readonly onChange: (text: string) => void }) {
  return (
    <TextInput
      label="Type the reference again to confirm"
      value={value}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function ErasureFacts({ person }: { readonly person: Reference }) {
  const { data, error, isPending, refetch } = useQuery(referenceRowsQuery(person));
  if (error && !data)
    return <PanelError sentence={error.message} requestId={error.requestId} onRetry={() => void refetch()} />;
  const word = personWord(person.dataset);
  return (
    <Loading loading={isPending} skeleton={<SkeletonRows rows={2} />}>
      {data && (
        <ul className={classes.facts}>
          {data.length === 0 && <li>No current rows have this reference, but undo data might.</li>}
          {data.map(({ source, rows, firstDay, lastDay }) => (
            <li key={source}>
              {plural(rows, 'row')} from {source}, {daySpanWithYear(firstDay, lastDay)}.
            </li>
          ))}
          <li>Amounts stay. The reference and labels are deleted, and numbers count these rows as having no {word}.</li>
          <li>Other text in the rows, such as titles, doesn’t change, even if they name the person.</li>
          <li>Case matters: ADA@x.com and ada@x.com are different.</li>
          <li>This also deletes all refused rows kept from past imports of this dataset, not only this {word}’s.</li>
          <li>Later imports leave this reference out.</li>
          <li>You can’t undo this. Earlier backups still hold the data until you delete them.</li>
        </ul>
      )}
    </Loading>
  );
}
