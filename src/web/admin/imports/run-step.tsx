import { Button, TextInput } from '@mantine/core';
import { hashKey, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Ref, useRef, useState } from 'react';
import { daySpanWithYear } from '#core/base/day-words.ts';
import { countWords } from '#core/base/formats.ts';
import { type DatasetKey, datasetOf, fieldTitle, isDataset, valueTitle } from '#core/numbers/datasets.ts';
import type { ApiError } from '#web/api/api-error.ts';
import { useList } from '#web/api/list-query.ts';
import { numberWords } from '#web/charts/number-format.ts';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { useFocusBack } from '#web/ui/focus-back.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import type { ChosenFile } from './chosen-file.ts';
import { doubtsOf, OfFirstRows } from './first-rows.tsx';
import {
  type FileTotal,
  type ImportProgress,
  type ImportRun,
  lastImportsQuery,
  mappingsQuery,
  type Preview,
  type SavedMapping,
  searchOf,
} from './import-calls.ts';
import { OtherSources, Questions, useQuestion } from './import-questions.tsx';
import { ImportReasons } from './import-reasons.tsx';
import classes from './import-wizard.module.css';
import { draftOf, type MappingDraft, mappingOf, previewOf } from './mapping-draft.ts';
import type { Importing } from './use-import.ts';
import { usePreview } from './use-preview.ts';

type Props = {
  readonly draft: MappingDraft;
  readonly chosen: ChosenFile;
  readonly saved: SavedMapping | null;
  readonly importing: Importing;
  readonly onChange: (draft: MappingDraft) => void;
  readonly onSaved: (saved: SavedMapping) => void;
};

const mappingName = /^[a-z0-9][a-z0-9_-]{0,79}$/i;

function nameFaultOf(name: string, dataset: DatasetKey, replaced: SavedMapping | undefined): string | undefined {
  if (!mappingName.test(name)) return 'Letters, digits, hyphens and _, up to 80';
  if (!replaced || replaced.dataset === dataset || !isDataset(replaced.dataset)) return undefined;
  return `“${name}” is a mapping for ${datasetOf(replaced.dataset).title}. Choose another name`;
}

/** Whether saving the mapping changes nothing; the database stores its keys in another order. */
function isSame({ dataset, mapping }: SavedMapping, now: ReturnType<typeof mappingOf>): boolean {
  if (!('mapping' in now) || dataset !== now.mapping.dataset || !isDataset(dataset)) return false;
  return hashKey([previewOf(draftOf(dataset, mapping))]) === hashKey([now.mapping]);
}

/** The name to save the mapping under, and what is saved under it. */
function useMappingName({ draft, saved, importing }: Props, said: ReturnType<typeof mappingOf>) {
  const [typed, setTyped] = useState<{ readonly name: string; readonly of: string } | null>(null);
  const { data: mappings = [] } = useQuery(mappingsQuery);
  // A name is typed for the mapping that is chosen, not for the next one.
  const of = `${draft.dataset} ${saved?.name}`;
  const name = (typed?.of === of ? typed.name : saved?.name) ?? draft.source;
  const known = mappings.find((other) => other.name === name);
  const replaced = known && !isSame(known, said) ? known : undefined;
  const isConflict =
    importing.sendError?.code === 'CONFLICT' && replaced !== undefined && importing.order?.name === name;
  return {
    name,
    setName: (next: string) => setTyped({ name: next, of }),
    nameFault: nameFaultOf(name, draft.dataset, replaced),
    replaced,
    replaces: known && !replaced ? null : (known?.mapping ?? ''),
    isConflict,
    /** Someone changed what is replaced since it was opened. */
    isOther: isConflict || (replaced !== undefined && saved?.name === name && saved.mapping !== replaced.mapping),
  };
}

/** Sends the file, first for a preview, then to import it. */
export function RunStep(props: Props) {
  const { draft, chosen, importing, onChange, onSaved } = props;
  const { data: preview, isCurrent } = usePreview(draft.dataset, chosen, previewOf(draft));
  const home = useRef<HTMLDivElement>(null);
  const words = useFocusBack<HTMLParagraphElement>(importing.isUnderWay, home);
  const { sendError, isUnderWay, isDryRun } = importing;
  const said = mappingOf(draft);
  const { name, setName, nameFault, replaced, replaces, isConflict, isOther } = useMappingName(props, said);
  const isOutdated = isOutdatedBy(importing, said);
  const isReady = 'mapping' in said && mappingName.test(name);
  const send = (dry: boolean, isAgain = false) => {
    close();
    if (!('mapping' in said)) return;
    const order = { dataset: draft.dataset, file: chosen.file, name, replaces, onSaved };
    importing.start({ ...order, mapping: said.mapping, isDryRun: dry, isAgain });
  };
  const { question, begin, start, close } = useQuestion({
    of: JSON.stringify([said, name]),
    isCurrent,
    preview,
    isReplacing: replaced !== undefined,
    onStart: isReady && !nameFault ? (isAgain) => send(false, isAgain) : null,
  });
  const asksToImport = question !== null && question.kind !== 'first rows';
  const onTry = isReady ? () => send(true) : null;
  const onImport = isReady && !nameFault ? begin : null;
  // What it replaces was asked before it was refused, if nobody changed that since.
  const { order: refused } = importing;
  const isSameOrder = refused?.name === name && refused.replaces === replaces;
  const onAnyway = () => (isSameOrder ? send(false, true) : start(true));
  return (
    <Panel title="3. Import">
      <div ref={home}>
        <Doubts {...{ isCurrent, draft, onChange }} doubts={doubtsOf(preview, draft.fields)} />
        <div className={classes.actions}>
          <TextInput
            label="Mapping name"
            description="Importing saves the mapping"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={nameFault}
          />
          <RunButtons {...{ isUnderWay, isDryRun }} onTry={onTry} onImport={onImport} />
        </div>
        <Questions
          {...{ question, preview, draft, onChange, name, isOther }}
          isReplacing={replaced !== undefined && ((isConflict && !isOutdated) || asksToImport)}
          onImport={() => send(false, question?.isAgain ?? importing.order?.isAgain)}
        />
        {sendError && !isConflict && <SendFailure error={sendError} {...{ isReady, isOutdated }} onImport={onAnyway} />}
        <UnderWay
          dataset={importing.order?.dataset ?? draft.dataset}
          fileName={chosen.file.name}
          {...{ importing, words, isOutdated }}
          onAgain={isDryRun ? onTry : onImport}
        />
      </div>
    </Panel>
  );
}

type RunButtonsProps = Pick<Importing, 'isUnderWay' | 'isDryRun'> & {
  readonly onTry: (() => void) | null;
  readonly onImport: (() => void) | null;
};

function RunButtons({ isUnderWay, isDryRun, onTry, onImport }: RunButtonsProps) {
  return (
    <>
      <Button
        variant="default"
        disabled={!onTry || isUnderWay}
        loading={isUnderWay && isDryRun}
        onClick={() => onTry?.()}
      >
        Dry run
      </Button>
      <Button disabled={!onImport || isUnderWay} loading={isUnderWay && !isDryRun} onClick={() => onImport?.()}>
        Import
      </Button>
    </>
  );
}

type FailureProps = {
  readonly error: ApiError;
  readonly isReady: boolean;
  /** It was said of another mapping. */
  readonly isOutdated: boolean;
  readonly onImport: () => void;
};

/** Rows that would count twice are only imported on purpose. */
function SendFailure({ error: { code, message, requestId }, isReady, isOutdated, onImport }: FailureProps) {
  if (code !== 'SAME_FILE') return <PanelError sentence={message} requestId={requestId} />;
  if (isOutdated) return null;
  return (
    <div className={classes.way}>
      <p role="alert" className={classes.words}>
        {message}. To replace those rows, first undo their import under Imports below.
      </p>
      <Button variant="default" color="danger" disabled={!isReady} onClick={onImport}>
        Import anyway
      </Button>
    </div>
  );
}

type DoubtsProps = Pick<Props, 'draft' | 'onChange'> & {
  readonly doubts: Preview['doubts'];
  readonly isCurrent: boolean;
};

/** What looks wrong in the first rows: the fields that say so can be far above. */
function Doubts({ draft, onChange, doubts, isCurrent }: DoubtsProps) {
  if (doubts.length === 0) return null;
  const { dataset } = draft;
  return (
    <OfFirstRows isCurrent={isCurrent}>
      <ul className={classes.facts} aria-label="Check before importing">
        {doubts.map(({ field, reason }) => (
          <li key={`${field} ${reason}`} className={classes.fault}>
            {reason.startsWith(fieldTitle(dataset, field)) ? reason : `${fieldTitle(dataset, field)}: ${reason}`}
            {reason.endsWith('?') ? '' : '.'}
          </li>
        ))}
      </ul>
      <OtherSources {...{ draft, onChange, doubts }} />
    </OfFirstRows>
  );
}

/** Whether the mapping has changed since the run. What the database saved has its keys in another order. */
const isOutdatedBy = ({ order, isUnderWay }: Importing, now: ReturnType<typeof mappingOf>): boolean =>
  !isUnderWay && order !== undefined && 'mapping' in now && hashKey([order.mapping]) !== hashKey([now.mapping]);

type UnderWayProps = {
  readonly dataset: DatasetKey;
  readonly fileName: string;
  readonly importing: Importing;
  /** The mapping has changed since. */
  readonly isOutdated: boolean;
  readonly words: Ref<HTMLParagraphElement>;
  readonly onAgain: (() => void) | null;
};

/** An import's progress, its Stop button and its result. */
function UnderWay({ dataset, fileName, importing, isOutdated, words, onAgain }: UnderWayProps) {
  const { run, sent, isUnderWay, isStopping, isGivenUp, readError } = importing;
  const { items: last } = useList(lastImportsQuery(''));
  if (last.some(({ id, undoState }) => id === run?.id && undoState === 'done'))
    return <p role="status">This import was undone.</p>;
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
      {isOutdated && (
        <p className={classes.fault}>The mapping has changed since this {run?.isDryRun ? 'dry run' : 'import'}.</p>
      )}
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
      {isUnderWay && (run || sent !== null) && (
        <progress
          className={classes.bar}
          aria-label={run ? 'Progress' : `Sending ${fileName}`}
          value={run?.share ?? sent ?? 0}
          max={1}
        />
      )}
      {!isUnderWay && run && run.totals.length > 0 && <FileTotals dataset={dataset} run={run} />}
      {!isUnderWay && run?.state === 'done' && !run.isDryRun && (
        <p>
          <Link to={datasetOf(dataset).page} search={searchOf(run.source, run.totals)}>
            Show {datasetOf(dataset).title.toLowerCase()}
          </Link>
        </p>
      )}
      {!isUnderWay && run && run.reasons.length > 0 && <ImportReasons run={run} />}
    </div>
  );
}

type TotalRow = Pick<FileTotal, 'scope' | 'currency' | 'rows' | 'amount' | 'refunded'> & {
  /** Null in the row of all statuses, which has the days. */
  readonly status: string | null;
  readonly total: FileTotal;
};

/** The total, and its statuses if it has several. */
const rowsOf = (total: FileTotal): TotalRow[] => [
  { ...total, status: total.statuses.length === 1 ? total.statuses[0]!.status : null, total },
  ...(total.statuses.length > 1 ? total.statuses.map((part) => ({ ...total, ...part, total })) : []),
];

/** What the rows add up to, to be compared with the other system. */
function FileTotals({ dataset, run }: { readonly dataset: DatasetKey; readonly run: ImportRun }) {
  const { scope, fields } = datasetOf(dataset);
  const columns: DataColumn<TotalRow>[] = [
    {
      id: 'scope',
      title: fields[scope ?? '']?.title ?? '',
      cell: (row) => valueTitle(row.scope ?? ''),
      phone: 'name',
    },
    {
      id: 'status',
      title: 'Status',
      cell: ({ status }) => (status === null ? 'All' : valueTitle(status)),
      ...(scope === null && { phone: 'name' }),
    },
    {
      id: 'days',
      title: 'Days',
      phone: 'below',
      cell: ({ status, total }) =>
        (status === null || total.statuses.length === 1) && <Days {...{ dataset, run, total }} />,
    },
    {
      id: 'rows',
      title: 'Rows',
      numeric: true,
      cell: ({ rows }) => countWords(rows),
    },
    {
      id: 'amount',
      title: run.amountTitle ?? '',
      numeric: true,
      phone: 'value',
      cell: ({ amount, currency }) => numberWords(amount, 'money', currency),
    },
    {
      id: 'refunded',
      title: fields.refunded?.title ?? '',
      numeric: true,
      cell: ({ refunded = null, currency }) => numberWords(refunded, 'money', currency),
    },
  ];
  const hasStatuses = run.totals.some(({ statuses }) => statuses.length > 0);
  const hasRefunds = run.totals.some(({ refunded }) => Number(refunded ?? 0) !== 0);
  const hidden = [
    ...[scope === null && 'scope', !hasStatuses && 'status', run.amountTitle === null && 'amount'],
    !hasRefunds && 'refunded',
  ];
  return (
    <DataTable
      caption="Valid rows in the file"
      items={run.totals.flatMap(rowsOf)}
      columns={columns.filter(({ id }) => !hidden.includes(id))}
      keyOf={({ scope: of, currency, status }) => `${of} ${currency} ${status}`}
    />
  );
}

type DaysProps = { readonly dataset: DatasetKey; readonly run: ImportRun; readonly total: FileTotal };

function Days({ dataset, run, total }: DaysProps) {
  const days = daySpanWithYear(total.firstDay, total.lastDay);
  return run.isDryRun ? (
    days
  ) : (
    <Link to={datasetOf(dataset).page} search={searchOf(run.source, [total])}>
      {days}
    </Link>
  );
}

function wordsOf({ run, sent, isGivenUp }: Importing, fileName: string): string {
  if (run) return runWords(run);
  if (isGivenUp) return 'Stopped during upload. Nothing was imported.';
  return sent === null ? `Waiting to send ${fileName}` : `Sending ${fileName}`;
}

/** What an import says of itself, in one sentence. */
export function runWords(run: ImportProgress): string {
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
  if (state === 'done') return `${isDryRun ? 'Dry run, nothing saved' : 'Imported'}: ${counts}.`;
  const how = isDryRun ? `Dry run ${state}, nothing saved` : `Import ${state}`;
  if (state === 'failed') return `${how}: ${counts}. ${reason ?? ''}`;
  return isDryRun ? `${how}: ${counts}.` : `${how}: ${counts}. Imported rows stay. Run it again to import the rest.`;
}
