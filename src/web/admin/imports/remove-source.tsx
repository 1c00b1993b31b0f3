import { Button, Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { daySpanWithYear } from '#core/base/day-words.ts';
import { plural } from '#core/base/formats.ts';
import { datasetOf, isDataset } from '#core/numbers/datasets.ts';
import { useMutation } from '#web/api/mutation.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { lastImportsKey } from './import-calls.ts';
import classes from './import-wizard.module.css';
import { type ImportSource, removeSource, sourceRowsQuery, sourcesQuery } from './removal-calls.ts';

/** Removes everything that came from a source, after its name was typed. */
export function RemoveSource() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Remove a source
      </Button>
      {isOpen && <RemoveSourceDialog onClose={() => setOpen(false)} />}
    </>
  );
}

const keyOf = ({ dataset, source }: ImportSource) => `${dataset} ${source}`;
const noSource: ImportSource = { dataset: '', source: '' };
const labelOf = ({ dataset, source }: ImportSource) =>
  `${isDataset(dataset) ? datasetOf(dataset).title : dataset}: ${source}`;

function RemoveSourceDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const sources = useQuery(sourcesQuery);
  const [chosen, setChosen] = useState<ImportSource | null>(null);
  const [typed, setTyped] = useState('');
  const isCounted = useQuery({ ...sourceRowsQuery(chosen ?? noSource), enabled: chosen !== null }).data !== undefined;
  const remove = useMutation({
    mutationFn: removeSource,
    onSettled: () => void client.invalidateQueries(lastImportsKey),
    onSuccess: onClose,
    meta: { what: 'Removing the source' },
  });
  const { data = [], error, isPending, refetch } = sources;
  return (
    <Dialog opened title="Remove a source" width={520} onClose={onClose}>
      {error && sources.data === undefined ? (
        <PanelError sentence="Couldn’t load the sources." requestId={error.requestId} onRetry={() => void refetch()} />
      ) : (
        <Loading loading={isPending} skeleton={<SkeletonRows rows={2} />}>
          <div className={classes.removal}>
            <Select
              label="Source"
              placeholder={data.length === 0 ? 'No source has rows' : 'Choose a source'}
              data={data.map((one) => ({ value: keyOf(one), label: labelOf(one) }))}
              value={chosen && keyOf(chosen)}
              searchable
              onChange={(key) => {
                setChosen(data.find((one) => keyOf(one) === key) ?? null);
                setTyped('');
              }}
            />
            {chosen && <SourceFacts source={chosen} />}
            {chosen && (
              <TextInput
                label={`Type ${chosen.source} to confirm`}
                value={typed}
                autoComplete="off"
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            )}
          </div>
        </Loading>
      )}
      <DialogActions
        danger
        primary="Remove rows"
        busy={remove.isPending}
        disabled={chosen === null || !isCounted || typed.trim() !== chosen.source}
        onPrimary={() => chosen && remove.mutate(chosen)}
      />
    </Dialog>
  );
}

function SourceFacts({ source }: { readonly source: ImportSource }) {
  const { data, error, isPending, refetch } = useQuery(sourceRowsQuery(source));
  if (error && !data)
    return (
      <PanelError
        sentence="Couldn’t count this source’s rows."
        requestId={error.requestId}
        onRetry={() => void refetch()}
      />
    );
  return (
    <Loading loading={isPending} skeleton={<SkeletonRows rows={1} />}>
      {data && (
        <ul className={classes.facts}>
          <li>
            Removes {data.hasMore && 'more than '}
            {plural(data.rows, 'row')}
            {data.firstDay && data.lastDay && ` from ${daySpanWithYear(data.firstDay, data.lastDay)}`}.
          </li>
          <li>You can’t undo this. Earlier imports from this source can’t be undone afterward either.</li>
          <li>New imports from this source wait until it’s done. You can import its files again.</li>
        </ul>
      )}
    </Loading>
  );
}
