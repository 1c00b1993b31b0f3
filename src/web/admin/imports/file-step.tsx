import { Button, Select } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.layer.css';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type DatasetKey, datasetKeys, datasetOf, isDataset } from '#core/numbers/datasets.ts';
import { saveCsv } from '#web/charts/save-csv.ts';
import { sizeInWords } from '#web/ui/file-size.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import type { ChosenFile } from './chosen-file.ts';
import { mappingsQuery, type Preview, type SavedMapping, sampleOf } from './import-calls.ts';
import classes from './import-wizard.module.css';
import { sampleFile } from './mapping-draft.ts';

type Props = {
  readonly dataset: DatasetKey;
  readonly chosen: ChosenFile | null;
  readonly saved: SavedMapping | null;
  readonly preview: UseQueryResult<Preview>;
  /** An import is running: replacing the file would hide its progress and its Stop button. */
  readonly isLocked: boolean;
  readonly onDataset: (dataset: DatasetKey) => void;
  readonly onChoose: (chosen: ChosenFile) => void;
  readonly onMapping: (mapping: SavedMapping | null) => void;
};

const datasetChoices = datasetKeys.map((value) => ({ value, label: datasetOf(value).title }));

/** A file that can be imported unchanged, to see what one looks like. */
function saveSample(dataset: DatasetKey): void {
  const { head, rows } = sampleFile(dataset);
  saveCsv(`${datasetOf(dataset).title} sample`, head, rows);
}

/** Selected when no saved mapping is used. */
const fresh = '';

export function FileStep({ dataset, chosen, saved, preview, isLocked, onDataset, onChoose, onMapping }: Props) {
  const { data: mappings = [] } = useQuery(mappingsQuery);
  const fitting = mappings.filter((mapping) => mapping.dataset === dataset);
  const take = async ([file]: File[]) => {
    if (file) onChoose({ file, sample: await sampleOf(file) });
  };
  return (
    <Panel title="1. The file">
      <div className={classes.choices}>
        <Select
          label="Type of data"
          description={datasetOf(dataset).row}
          data={datasetChoices}
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
          A table with one row for {datasetOf(dataset).row}. In Excel, save the sheet as CSV. You’ll see a preview
          before anything is saved.
        </p>
        <Button variant="default" onClick={() => saveSample(dataset)}>
          Download a sample file
        </Button>
      </div>
      <Dropzone
        onDrop={(files) => void take(files)}
        multiple={false}
        disabled={isLocked}
        aria-label="Choose a file"
        className={classes.drop}
      >
        {chosen ? chosen.file.name : 'Drop a file here, or click to choose one'}
      </Dropzone>
      {chosen && preview.data && <p className={classes.quiet}>{readAs(chosen.file, preview.data)}</p>}
      {chosen && preview.data && <AboveHeader lines={preview.data.above} />}
      {chosen && preview.isError && <PanelError sentence={preview.error.message} requestId={preview.error.requestId} />}
    </Panel>
  );
}

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

function readAs({ size }: File, { format, encoding, delimiter, columns }: Preview): string {
  const kind = format === 'csv' ? `CSV with ${delimiterNames[delimiter ?? ''] ?? 'a delimiter'}` : 'JSON lines';
  return `${sizeInWords(size)}, read as ${kind}, ${encoding}, ${columns.length} columns`;
}
