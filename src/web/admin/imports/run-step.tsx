import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import type { ChosenFile } from './chosen-file.ts';
import type { SavedMapping } from './import-calls.ts';
import classes from './import-wizard.module.css';
import { type MappingDraft, mappingOf } from './mapping-draft.ts';
import { UnderWay } from './under-way.tsx';
import type { Importing } from './use-import.ts';

type Props = {
  readonly draft: MappingDraft;
  readonly chosen: ChosenFile;
  readonly saved: SavedMapping | null;
  readonly importing: Importing;
};

const mappingName = /^[a-z0-9][a-z0-9_-]{0,79}$/i;

/** Sends the file: first to see what it would do, then for good. */
export function RunStep({ draft, chosen: { file }, saved, importing }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const { sendError, isUnderWay, isDryRun } = importing;
  const name = typed ?? saved?.name ?? draft.source;
  const said = mappingOf(draft);
  const isReady = 'mapping' in said && mappingName.test(name);
  const start = (dry: boolean) => {
    if ('mapping' in said)
      importing.start({ dataset: draft.dataset, file, name, mapping: said.mapping, isDryRun: dry });
  };
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
          disabled={!isReady || isUnderWay}
          loading={isUnderWay && isDryRun}
          onClick={() => start(true)}
        >
          Dry run
        </Button>
        <Button disabled={!isReady || isUnderWay} loading={isUnderWay && !isDryRun} onClick={() => start(false)}>
          Import
        </Button>
      </div>
      {sendError && <PanelError sentence={sendError.message} requestId={sendError.requestId} />}
      <UnderWay fileName={file.name} importing={importing} onAgain={isReady ? () => start(isDryRun) : null} />
    </Panel>
  );
}
