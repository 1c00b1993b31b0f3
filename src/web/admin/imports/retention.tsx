import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dayWithYear } from '#core/base/day-words.ts';
import { capital, countWords, plural } from '#core/base/formats.ts';
import { type DatasetKey, datasetKeys, datasetOf } from '#core/numbers/datasets.ts';
import { personWord, retentionLimits } from '#core/numbers/imports.ts';
import { useMutation } from '#web/api/mutation.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { typingPauseMs } from '#web/ui/timing.ts';
import { showToast } from '#web/ui/toasts.tsx';
import classes from './import-wizard.module.css';
import { type Retention, retentionPreviewQuery, retentionsQuery, setRetention } from './removal-calls.ts';

/** How long a dataset keeps its rows: older ones are deleted every night. */
export function RetentionOfRows() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Delete old rows
      </Button>
      {isOpen && <RetentionDialog onClose={() => setOpen(false)} />}
    </>
  );
}

type Closing = { readonly onClose: () => void };

function RetentionDialog({ onClose }: Closing) {
  const { data, error, isPending, refetch } = useQuery(retentionsQuery);
  const [dataset, setDataset] = useState<DatasetKey>(datasetKeys[0]!);
  const current = data?.find((one) => one.dataset === dataset);
  return (
    <Dialog opened title="Delete old rows" width={520} onClose={onClose}>
      {error && !data ? (
        <PanelError
          sentence="Couldn’t load how long rows are kept."
          requestId={error.requestId}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading loading={isPending} skeleton={<SkeletonRows rows={2} />}>
          <Select
            label="Dataset"
            data={datasetKeys.map((key) => ({ value: key, label: datasetOf(key).title }))}
            value={dataset}
            allowDeselect={false}
            onChange={(value) => value && setDataset(value as DatasetKey)}
          />
        </Loading>
      )}
      {current ? (
        <MonthsToKeep key={dataset} dataset={dataset} current={current} onClose={onClose} />
      ) : (
        <DialogActions cancel="Close" />
      )}
    </Dialog>
  );
}

type Kept = Closing & { readonly dataset: DatasetKey; readonly current: Retention };

function MonthsToKeep({ dataset, current, onClose }: Kept) {
  const { title } = datasetOf(dataset);
  const [wanted, setWanted] = useState<number | null>(null);
  const [settled] = useDebouncedValue(wanted, typingPauseMs);
  const [typed, setTyped] = useState('');
  const isNew = wanted !== null && wanted !== current.months;
  const isCounted = isNew && settled === wanted;
  const preview = useQuery({ ...retentionPreviewQuery(dataset, wanted ?? 1), enabled: isCounted });
  const save = useSave(title, onClose);
  return (
    <>
      <div className={classes.removal}>
        <Now retention={current} />
        {current.months !== null && (
          <Button variant="default" loading={save.isPending} onClick={() => save.mutate({ dataset, months: null })}>
            Keep all rows from now on
          </Button>
        )}
        <NumberInput
          label="Months to keep"
          value={wanted ?? ''}
          min={retentionLimits.least}
          max={retentionLimits.most}
          allowDecimal={false}
          clampBehavior="strict"
          onChange={(value) => {
            setWanted(typeof value === 'number' ? value : null);
            setTyped('');
          }}
        />
        {isCounted && <PreviewFacts dataset={dataset} months={wanted} />}
        {isNew && preview.data && <Confirmation title={title} value={typed} onChange={setTyped} />}
      </div>
      <DialogActions
        danger
        primary="Delete old rows every night"
        busy={save.isPending}
        disabled={!isNew || !preview.data || typed.trim() !== title}
        onPrimary={() => isNew && save.mutate({ dataset, months: wanted })}
      />
    </>
  );
}

function useSave(title: string, onClose: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: setRetention,
    onSettled: () => void client.invalidateQueries(retentionsQuery),
    onSuccess: (_done, { months }) => {
      showToast({
        message: `${title}: ${months === null ? 'all rows are kept' : `rows are kept for ${plural(months, 'month')}`}`,
      });
      onClose();
    },
    meta: { what: 'Changing how long rows are kept' },
  });
}

type Typed = { readonly title: string; readonly value: string; readonly onChange: (text: string) => void };

function Confirmation({ title, value, onChange }: Typed) {
  return (
    <TextInput
      label={`Type ${title} to confirm`}
      value={value}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Now({ retention: { months, ranOn, deleted } }: { readonly retention: Retention }) {
  return (
    <p>
      {months === null ? 'All rows are kept.' : `Rows are kept for ${plural(months, 'month')}.`}
      {ranOn !== null && deleted > 0 && ` ${plural(deleted, 'row')} deleted on ${dayWithYear(ranOn)}.`}
    </p>
  );
}

function PreviewFacts({ dataset, months }: { readonly dataset: DatasetKey; readonly months: number }) {
  const { data, error, isPending, refetch } = useQuery(retentionPreviewQuery(dataset, months));
  const person = personWord(dataset);
  if (error && !data)
    return (
      <PanelError sentence="Couldn’t count old rows." requestId={error.requestId} onRetry={() => void refetch()} />
    );
  return (
    <Loading loading={isPending} skeleton={<SkeletonRows rows={2} />}>
      {data && (
        <ul className={classes.facts}>
          <li>
            The first nightly run deletes {countWords(data.rows)} of {plural(data.all, 'row')}, all from before{' '}
            {dayWithYear(data.before)}.
          </li>
          {data.imports > 0 && <li>After that, {plural(data.imports, 'import')} can’t be undone.</li>}
          <li>
            Deleted months also lose their totals.
            {person && ` ${capital(person)}s count as new from their first remaining row.`}
          </li>
          <li>You can’t undo this. Importing an old file again brings its rows back until the next night.</li>
        </ul>
      )}
    </Loading>
  );
}
