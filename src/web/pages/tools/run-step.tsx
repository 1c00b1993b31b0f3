import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import type { ChosenFile } from './chosen-file.ts';
import { mappingsQuery, type SavedMapping, saveMapping } from './import-calls.ts';
import classes from './import-wizard.module.css';
import { type MappingDraft, mappingOf } from './mapping-draft.ts';
import { RunReport } from './run-report.tsx';
import { sendRows } from './send-rows.ts';

type Props = { readonly draft: MappingDraft; readonly chosen: ChosenFile; readonly saved: SavedMapping | null };

const mappingName = /^[a-z0-9][a-z0-9_-]{0,79}$/i;

/** Sends the file: first to see what it would do, then for good. The mapping is saved on the way, as the import takes it by name. */
export function RunStep({ draft, chosen, saved }: Props) {
  const client = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const [sent, setSent] = useState(0);
  const [run, setRun] = useState<string | null>(null);
  const name = typed ?? saved?.name ?? draft.source;
  const said = mappingOf(draft);
  const start = useMutation({
    mutationFn: async (isDryRun: boolean) => {
      if (!('mapping' in said)) return null;
      setSent(0);
      setRun(null);
      await saveMapping(name, said.mapping);
      await client.invalidateQueries(mappingsQuery);
      const { dataset } = draft;
      return sendRows({ dataset, mapping: name, isDryRun, file: chosen.file, onProgress: setSent });
    },
    onSuccess: setRun,
    meta: { quiet: true },
  });
  const isReady = 'mapping' in said && mappingName.test(name);
  return (
    <Panel title="3. The import">
      <div className={classes.actions}>
        <TextInput
          label="Name of the mapping"
          description="Saved under it; one of the same name is replaced"
          value={name}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={mappingName.test(name) ? undefined : 'Letters, digits, hyphens and _, 80 at most'}
        />
        <Button
          variant="default"
          disabled={!isReady || (start.isPending && start.variables === false)}
          loading={start.isPending && start.variables === true}
          onClick={() => start.mutate(true)}
        >
          Dry run
        </Button>
        <Button
          disabled={!isReady || (start.isPending && start.variables === true)}
          loading={start.isPending && start.variables === false}
          onClick={() => start.mutate(false)}
        >
          Import
        </Button>
      </div>
      {start.isPending && (
        <progress className={classes.bar} aria-label={`Sending ${chosen.file.name}`} value={sent} max={1} />
      )}
      {start.isError && <PanelError sentence={start.error.message} requestId={start.error.requestId} />}
      {run !== null && <RunReport key={run} id={run} />}
    </Panel>
  );
}
