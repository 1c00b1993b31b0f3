import { Button, Select } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.layer.css';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { plural } from '#core/base/formats.ts';
import { type DatasetKey, datasetOf, type FieldType, isDataset } from '#core/numbers/datasets.ts';
import { importableDatasets, importLimits, tooLargeFile } from '#core/numbers/imports.ts';
import { useViewer } from '#web/api/viewer.ts';
import { saveCsv } from '#web/charts/save-csv.ts';
import { sizeInWords } from '#web/ui/file-size.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import type { ChosenFile } from './chosen-file.ts';
import { sampleOf } from './file-sample.ts';
import { mappingsQuery, type Preview, type SavedMapping } from './import-calls.ts';
import classes from './import-wizard.module.css';
import { columnsUsed, fieldsOf, identity } from './mapping-draft.ts';

type Props = {
  readonly dataset: DatasetKey;
  readonly chosen: ChosenFile | null;
  /** Edits of before a reload, whose file has to be chosen again. */
  readonly waiting: { readonly fileName: string; readonly onForget: () => void } | null;
  readonly saved: SavedMapping | null;
  /** No mapping was chosen or begun. */
  readonly isFresh: boolean;
  readonly preview: UseQueryResult<Preview>;
  /** The chosen sheet of a workbook; empty means its first. */
  readonly sheet: string;
  /** An import is running: replacing the file would hide its progress and its Stop button. */
  readonly isLocked: boolean;
  readonly onDataset: (dataset: DatasetKey) => void;
  readonly onChoose: (chosen: ChosenFile) => void;
  readonly onSheet: (sheet: string) => void;
  readonly onMapping: (mapping: SavedMapping | null) => void;
  /** The other file that the mapping's edits were made for. */
  readonly editsOf: string | null;
  /** Null if the mapping has no edits. */
  readonly onDiscard: (() => void) | null;
};

/** A file that can be imported unchanged, to see what one looks like. */
function saveSample(dataset: DatasetKey): void {
  const { head, rows } = sampleFile(dataset);
  saveCsv(`${datasetOf(dataset).title} sample`, head, rows);
}

const fewestColumns = 2;

/** The saved mapping that uses most of the file's columns. */
function bestFit(dataset: DatasetKey, mappings: readonly SavedMapping[], columns: readonly string[]) {
  const fits = mappings
    .map((saved) => ({ saved, used: columnsUsed(dataset, saved.mapping, columns) }))
    .filter(({ used }) => used >= fewestColumns)
    .toSorted((one, other) => other.used - one.used);
  return fits[0]?.saved ?? null;
}

/** Selected when no saved mapping is used. */
const fresh = '';

export function FileStep(props: Props) {
  const { dataset, chosen, waiting, saved, isFresh, isLocked, editsOf } = props;
  const { onDataset, onChoose, onMapping, onDiscard } = props;
  const { data: mappings = [] } = useQuery(mappingsQuery);
  const fitting = mappings.filter((mapping) => mapping.dataset === dataset);
  const suggested = isFresh ? bestFit(dataset, fitting, props.preview.data?.columns ?? []) : null;
  return (
    <Panel title="1. File">
      <div className={classes.choices}>
        <Select
          label="Dataset"
          description={datasetOf(dataset).row}
          data={importableDatasets(useViewer()).map((value) => ({ value, label: datasetOf(value).title }))}
          value={dataset}
          allowDeselect={false}
          onChange={(value) => value && isDataset(value) && onDataset(value)}
        />
        <Select
          label="Mapping"
          description="How columns become fields"
          data={[{ value: fresh, label: 'New mapping' }, ...fitting.map(({ name }) => ({ value: name, label: name }))]}
          value={saved?.name ?? fresh}
          allowDeselect={false}
          onChange={(name) => onMapping(fitting.find((mapping) => mapping.name === name) ?? null)}
        />
      </div>
      <div className={classes.way}>
        <p className={classes.words}>
          A table with one row for {datasetOf(dataset).row}. CSV, Excel, JSON or Parquet, up to 2 GB. You’ll see a
          preview before anything is saved.
        </p>
        <Button variant="default" onClick={() => saveSample(dataset)}>
          Download a sample file
        </Button>
      </div>
      <FileDrop chosen={chosen} isLocked={isLocked} onChoose={onChoose} />
      {waiting && (
        <Way
          words={`Your mapping for ${waiting.fileName} isn’t saved yet. Choose the file again to continue.`}
          button="Discard edits"
          onClick={waiting.onForget}
        />
      )}
      {chosen && <FileFacts {...props} file={chosen.file} />}
      {chosen && onDiscard && (
        <Way words={editsWords(editsOf)} button="Discard edits" disabled={isLocked} onClick={onDiscard} />
      )}
      {suggested && (
        <Way
          words={`The mapping “${suggested.name}” fits this file’s columns.`}
          button={`Use “${suggested.name}”`}
          onClick={() => onMapping(suggested)}
        />
      )}
    </Panel>
  );
}

/** Two files of one source can replace each other's rows. */
const editsWords = (fileName: string | null): string =>
  fileName === null
    ? 'This mapping has unsaved edits.'
    : `These unsaved edits were made for ${fileName}. Check the source, formats and values, or discard them.`;

/** The number of the last choice. Another one, or an import, makes those before it void. */
let latest = 0;

function FileDrop({ chosen, isLocked, onChoose }: Pick<Props, 'chosen' | 'isLocked' | 'onChoose'>) {
  const [reading, setReading] = useState<string | null>(null);
  const [unread, setUnread] = useState<string | null>(null);
  const choose = useRef(onChoose);
  choose.current = onChoose;
  useEffect(() => {
    if (!isLocked) return;
    latest += 1;
    setReading(null);
  }, [isLocked]);
  const take = async ([file]: File[]) => {
    if (!file) return;
    latest += 1;
    const id = latest;
    const isTooLarge = file.size > importLimits.file;
    setUnread(isTooLarge ? `${file.name} ${tooLargeFile}.` : null);
    setReading(isTooLarge ? null : file.name);
    if (isTooLarge) return;
    try {
      const sample = await sampleOf(file);
      if (id === latest) choose.current({ id, file, sample });
    } catch (error) {
      console.error('Reading a file failed', error);
      if (id === latest)
        setUnread(`Couldn’t read ${file.name}. If it’s in a cloud drive, download it first, then choose it again.`);
    }
    if (id === latest) setReading(null);
  };
  const name = chosen ? chosen.file.name : 'Drop a file here, or choose one';
  return (
    <>
      <Dropzone
        onDrop={(files) => void take(files)}
        multiple={false}
        disabled={isLocked}
        aria-label="Choose a file"
        className={classes.drop}
      >
        <span role="status">{reading === null ? name : `Reading ${reading}…`}</span>
      </Dropzone>
      {unread !== null && <PanelError sentence={unread} />}
    </>
  );
}

type WayProps = {
  readonly words: string;
  readonly button: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
};

function Way({ words, button, disabled = false, onClick }: WayProps) {
  return (
    <div className={classes.way}>
      <p className={classes.words}>{words}</p>
      <Button variant="default" disabled={disabled} onClick={onClick}>
        {button}
      </Button>
    </div>
  );
}

type FactsProps = Pick<Props, 'preview' | 'sheet' | 'isLocked' | 'onSheet'> & { readonly file: File };

/** How the file is read, or why it can't be, and the choice of a workbook's sheet. */
function FileFacts({ preview: { data, error, refetch }, file, sheet, isLocked, onSheet }: FactsProps) {
  return (
    <>
      {!error && <p className={classes.quiet}>{data ? readAs(file, data) : 'Reading the file…'}</p>}
      {data?.workbook && data.workbook.sheets.length > 1 && (
        <Select
          label="Sheet"
          className={classes.sheet}
          data={[...new Set(data.workbook.sheets)]}
          value={data.workbook.sheet}
          allowDeselect={false}
          disabled={isLocked}
          onChange={(next) => next && onSheet(next)}
        />
      )}
      {data && <AboveHeader lines={data.above} />}
      {data && hasWholeLines(data.columns) && (
        <PanelError sentence="Each line is inside one cell: Excel opened this file with another separator and saved it. Export the file again and don’t open it in Excel." />
      )}
      {data && hasDataAsNames(data) && (
        <PanelError sentence="The first row looks like data, not column names, and isn’t imported. Add a row with names above it." />
      )}
      {data && data.columns.length === 0 && data.rows[0]?.fault && (
        <PanelError sentence={`Line ${data.rows[0].line} ${data.rows[0].fault}.`} />
      )}
      {/* What is wrong with a file is no error of the server. */}
      {error && (
        <PanelError
          sentence={error.message}
          onRetry={() => void refetch()}
          requestId={error.code === 'BAD_INPUT' ? undefined : error.requestId}
        />
      )}
      {error?.code === 'BAD_INPUT' && sheet !== '' && (
        <Button variant="default" onClick={() => onSheet('')}>
          Read the first sheet
        </Button>
      )}
    </>
  );
}

const mostCells = 3;
const fewestNames = 4;

/** Whether a header's names are in one cell. The next has the rest of a line with the file's separator. */
const hasWholeLines = (columns: readonly string[]): boolean =>
  columns.length <= mostCells &&
  columns.some((column) => [',', ';', '\t'].some((sign) => column.split(sign).length >= fewestNames));

/** A digit without a letter, or an ISO time: numbers, amounts and dates. */
const isValue = (name: string): boolean =>
  /^[^\p{L}]*\d[^\p{L}]*$/u.test(name) || /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-][\d:]+)?$/.test(name);

/** Whether the names of a table's columns are values of its first row. */
const hasDataAsNames = ({ format, columns }: Preview): boolean =>
  (format === 'csv' || format === 'xlsx') && columns.length > 0 && columns.every(isValue);

function AboveHeader({ lines }: { lines: Preview['above'] }) {
  if (lines.length === 0) return null;
  return (
    <div className={classes.quiet}>
      Skipped above the header:
      <ul className={classes.facts}>
        {lines.map(({ line, text }) => (
          <li key={line}>
            Line {line}: {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

const delimiterNames: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
};

function readAs({ size }: File, { format, encoding, delimiter, workbook, columns }: Preview): string {
  if (workbook)
    return `${sizeInWords(size)}, read as Excel, sheet “${workbook.sheet}”, ${plural(columns.length, 'column')}`;
  if (format === 'parquet') return `${sizeInWords(size)}, read as Parquet, ${plural(columns.length, 'column')}`;
  const json = format === 'json' ? 'JSON' : 'JSON lines';
  const kind = format === 'csv' ? `CSV with ${delimiterNames[delimiter ?? ''] ?? 'a delimiter'}` : json;
  return `${sizeInWords(size)}, read as ${kind}, ${encoding}, ${plural(columns.length, 'column')}`;
}

const samples: Readonly<Record<string, readonly string[]>> = {
  text: ['A-1', 'B-2'],
  longText: ['A note', 'Another note'],
  instant: ['2026-01-30 09:30', '2026-01-31 14:05'],
  day: ['2026-01-30', '2026-01-31'],
  money: ['12.50', '1299.00'],
  whole: ['1', '2'],
  flag: ['yes', 'no'],
  score: ['5', '4'],
};

/** Where the usual ones would make no sense together: an order that its refund or tax equals. */
const samplesOfField: Readonly<Record<string, readonly string[]>> = {
  currency: ['USD', 'USD'],
  country: ['US', 'DE'],
  discount: ['2.50', '0.00'],
  tax: ['0.80', '103.92'],
  refunded: ['0.00', '0.00'],
  fee: ['0.66', '37.97'],
  impressions: ['5000', '8000'],
  clicks: ['100', '200'],
  sales: ['125.00', '12990.00'],
  cost: ['2.50', '260.00'],
  first_response_at: ['2026-01-30 10:00', '2026-01-31 14:15'],
  resolved_at: ['2026-01-30 16:30', '2026-02-01 11:00'],
  closed_at: ['2026-02-02 09:00', '2026-02-03 09:00'],
  reopened: ['0', '1'],
  paid_at: ['2026-01-31 09:00', '2026-02-02 09:00'],
  settled_at: ['2026-02-02 09:00', '2026-02-03 09:00'],
  attempt_of: ['', ''],
  decline_group: ['', ''],
  reason: ['', ''],
};

function valuesOf(name: string, type: FieldType): readonly string[] {
  const own = samplesOfField[name];
  if (own) return own;
  if (typeof type === 'string') return samples[type]!;
  const value = type.includes('paid') ? 'paid' : type[0]!;
  return [value, value];
}

/** Two rows with every field, under names that the wizard recognizes. */
export function sampleFile(dataset: DatasetKey): { head: string[]; rows: string[][] } {
  const { fields } = datasetOf(dataset);
  const all = fieldsOf(dataset);
  const columns = all.map(({ name }) => (name === identity ? ['1', '2'] : valuesOf(name, fields[name]!.type)));
  return {
    head: all.map(({ name }) => (name === identity ? 'id' : name)),
    rows: [0, 1].map((row) => columns.map((values) => values[row]!)),
  };
}
