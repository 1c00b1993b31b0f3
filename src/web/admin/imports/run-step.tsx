import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Ref, useRef, useState } from 'react';
import { countWords } from '#core/base/formats.ts';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import { useFocusBack } from '#web/ui/focus-back.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import type { ChosenFile } from './chosen-file.ts';
import type { ImportStand, SavedMapping } from './import-calls.ts';
import { ImportReasons } from './import-reasons.tsx';
import classes from './import-wizard.module.css';
import { type MappingDraft, mappingOf } from './mapping-draft.ts';
import type { Importing } from './use-import.ts';

type Props = {
  readonly draft: MappingDraft;
  readonly chosen: ChosenFile;
  readonly saved: SavedMapping | null;
  readonly importing: Importing;
};

const mappingName = /^[a-z0-9][a-z0-9_-]{0,79}$/i;

/** Sends the file, first for a preview, then to import it. */
export function RunStep({ draft, chosen: { file }, saved, importing }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const home = useRef<HTMLDivElement>(null);
  const words = useFocusBack<HTMLParagraphElement>(importing.isUnderWay, home);
  const { sendError, isUnderWay, isDryRun } = importing;
  const name = typed ?? saved?.name ?? draft.source;
  const said = mappingOf(draft);
  const isReady = 'mapping' in said && mappingName.test(name);
  const start = (dry: boolean, isAgain = false) => {
    if ('mapping' in said)
      importing.start({ dataset: draft.dataset, file, name, mapping: said.mapping, isDryRun: dry, isAgain });
  };
  return (
    <Panel title="3. The import">
      <div ref={home}>
        <div className={classes.actions}>
          <TextInput
            label="Mapping name"
            description="Saves the mapping. Replaces one with the same name"
            value={name}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={mappingName.test(name) ? undefined : 'Letters, digits, hyphens and _, up to 80'}
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
        {sendError?.code === 'SAME_FILE' ? (
          <div className={classes.way}>
            <p role="alert" className={classes.words}>
              {sendError.message}.
            </p>
            <Button variant="default" color="danger" disabled={!isReady} onClick={() => start(false, true)}>
              Import anyway
            </Button>
          </div>
        ) : (
          sendError && <PanelError sentence={sendError.message} requestId={sendError.requestId} />
        )}
        <UnderWay
          dataset={draft.dataset}
          fileName={file.name}
          importing={importing}
          words={words}
          onAgain={isReady ? () => start(isDryRun) : null}
        />
      </div>
    </Panel>
  );
}

type UnderWayProps = {
  readonly dataset: DatasetKey;
  readonly fileName: string;
  readonly importing: Importing;
  readonly words: Ref<HTMLParagraphElement>;
  readonly onAgain: (() => void) | null;
};

/** An import's progress, its Stop button and its result. */
function UnderWay({ dataset, fileName, importing, words, onAgain }: UnderWayProps) {
  const { run, sent, isUnderWay, isStopping, isGivenUp, readError } = importing;
  if (readError)
    return (
      <PanelError
        sentence="Couldn’t load the import’s progress."
        onRetry={importing.readAgain}
        requestId={readError.requestId}
      />
    );
  if (!isUnderWay && !run && !isGivenUp) return null;
  const endedEarly = isGivenUp || run?.state === 'stopped' || run?.state === 'failed';
  return (
    <div className={classes.report}>
      <div className={classes.way}>
        <p role="status" ref={words} tabIndex={-1} className={classes.words}>
          {isUnderWay && isStopping ? 'Stopping…' : wordsOf(importing, fileName)}
        </p>
        {/* Separate keys: as one button, pressing Stop twice would start again. */}
        {isUnderWay && (
          <Button key="stop" variant="default" loading={isStopping} onClick={importing.stop}>
            Stop
          </Button>
        )}
        {!isUnderWay && endedEarly && onAgain && (
          <Button key="again" variant="default" onClick={onAgain}>
            Run again
          </Button>
        )}
      </div>
      {isUnderWay && (
        <progress
          className={classes.bar}
          aria-label={run ? 'Progress' : `Sending ${fileName}`}
          value={run?.share ?? sent}
          max={1}
        />
      )}
      {!isUnderWay && run?.state === 'done' && !run.isDryRun && (
        <p>
          <Link to={datasetOf(dataset).page}>Show {datasetOf(dataset).title.toLowerCase()}</Link>
        </p>
      )}
      {!isUnderWay && run && run.reasons.length > 0 && <ImportReasons run={run} />}
    </div>
  );
}

function wordsOf({ run, isGivenUp }: Importing, fileName: string): string {
  if (run) return runWords(run);
  return isGivenUp ? 'Stopped during upload. Nothing was imported.' : `Sending ${fileName}`;
}

/** What an import says of itself, in one sentence. */
export function runWords(run: ImportStand): string {
  const { state, isDryRun, rows, inserted, updated, unchanged, refused, leftOut, reason } = run;
  if (state === 'running') return `${isDryRun ? 'Dry run' : 'Import'}: ${countWords(rows)} rows read`;
  const [added, changed] = isDryRun ? ['new', 'changed'] : ['added', 'changed'];
  const counts = [
    `${countWords(rows)} rows read`,
    `${countWords(inserted)} ${added}`,
    `${countWords(updated)} ${changed}`,
    `${countWords(unchanged)} unchanged`,
    `${countWords(refused)} refused`,
    ...(leftOut > 0 ? [`${countWords(leftOut)} left out`] : []),
  ].join(', ');
  if (state === 'done') return `${isDryRun ? 'Dry run. Nothing was saved' : 'Imported'}: ${counts}.`;
  const how = isDryRun ? `Dry run ${state}. Nothing was saved` : `Import ${state}`;
  if (state === 'failed') return `${how}: ${counts}. ${reason ?? ''}`;
  return isDryRun ? `${how}: ${counts}.` : `${how}: ${counts}. Imported rows stay. Run it again to import the rest.`;
}
