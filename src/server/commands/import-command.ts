// `staff-dashboard import`: loads another system's export into the database.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { countWords } from '#core/base/formats.ts';
import { datasetKeys, isDataset } from '#core/numbers/datasets.ts';
import { taskStatuses, taskStatusKeys } from '#core/tasks/task-status.ts';
import { readCommandConfig } from '#server/platform/config/config.ts';
import { FaultReport } from '#server/platform/imports/fault-report.ts';
import { ImportError } from '#server/platform/imports/import-error.ts';
import { startProgress } from '#server/platform/imports/progress.ts';
import { readMapping } from '#server/platform/imports/read-mapping.ts';
import { openRows } from '#server/platform/imports/row-source.ts';
import { importTasks, type TasksImported } from '#server/tasks/import/tasks-import.service.ts';
import { columnsOfMapping, tasksMapping } from '#server/tasks/import/tasks-mapping.ts';
import { type Command, exitCodes, type Given, UsageError } from './command.ts';
import { type CommandDatabase, openCommandDatabase } from './command-database.ts';
import { failureLines } from './failure-lines.ts';
import { prepareNumbersImport } from './import-numbers.ts';
import {
  dryRunLine,
  groupLines,
  type ImportJob,
  type PreparedImport,
  printFaults,
  type Surroundings,
  speedLine,
  withProgress,
} from './import-report.ts';

type Around = Parameters<PreparedImport['run']>[0];

async function prepareTasksImport(job: ImportJob): Promise<PreparedImport> {
  const { approver, isDryRun, encoding, source: given, delimiter, sheet } = job;
  if ([given, delimiter, sheet].some((option) => option !== undefined))
    throw new ImportError('--source, --delimiter and --sheet are for numbers only');
  const mapping = await readMapping(job.mapping, tasksMapping);
  const source = await openRows(job.file, { encoding, wanted: columnsOfMapping(mapping) });
  if (source.format.kind !== 'ndjson' || source.isParquet)
    throw new ImportError(`${job.file} isn’t JSON. It looks like a table`);
  const run = async (around: Around) => {
    const progress = startProgress(source, process.stderr);
    const { rows } = source;
    const work = () => importTasks({ ...around, mapping, approver, isDryRun, rows, onProgress: progress.update });
    const { refused } = await withProgress(progress, work, (imported, time) => summary(imported, job, time));
    return refused;
  };
  return { shape: source, run };
}

function summary(imported: TasksImported, { isDryRun }: ImportJob, milliseconds: number): string[] {
  const { rows, created, changed, unchanged, refused, people, sprints, notes, attachments, moves } = imported;
  const parts = { notes, attachments, moves, people, sprints };
  const made = Object.entries(parts).map(([name, value]) => `${countWords(value)} ${name}`);
  const lines = [
    speedLine(rows, milliseconds),
    `tasks: ${countWords(created)} new, ${countWords(changed)} changed, ${countWords(unchanged)} unchanged, ${countWords(refused)} refused`,
    `new with them: ${made.join(', ')}`,
    `by status: ${taskStatusKeys.map((status) => `${taskStatuses[status].title} ${countWords(imported.byStatus[status])}`).join(', ')}`,
  ];
  if (imported.leftOut.length > 0)
    lines.push('Left out:', ...groupLines(imported.leftOut.map((found) => ({ ...found, words: found.reason }))));
  if (imported.missingColumns.length > 0)
    lines.push(`No row has these columns of the mapping: ${imported.missingColumns.join(', ')}`);
  return isDryRun ? [...lines, dryRunLine] : lines;
}

export const importCommand: Command = {
  parameters: 'DATASET FILE',
  does: 'Import the rows of FILE into DATASET',
  takes: [2, 2],
  options: {
    mapping: { value: 'FILE', does: 'Required. Which column feeds which field, see examples/import/' },
    again: { does: 'Import the file even if its rows came from another source or with other IDs' },
    'dry-run': { does: 'Read and compare everything without saving' },
    report: { value: 'FILE', does: 'Write every refused row to a file, to correct and import again' },
    source: { value: 'NAME', does: 'Name of the source, instead of the mapping’s' },
    encoding: { value: 'NAME', does: 'Encoding of the file, if not detected: utf-8, windows-1252, utf-16le' },
    sheet: { value: 'NAME', does: 'Sheet of a workbook, instead of the mapping’s or the first' },
    delimiter: { value: 'CHAR', does: 'Delimiter of a CSV file: , ; | or tab' },
    approver: { value: 'EMAIL', does: 'Approver of the people it creates' },
  },
  details: [
    `DATASET is one of: ${['tasks', ...datasetKeys].join(', ')}`,
    'FILE is CSV, JSON, JSON lines (NDJSON), Excel (.xlsx) or Parquet, plain, gzip or alone in a zip. Tasks: JSON only.',
    'Exit code 2: some rows were refused, the others were imported.',
  ],
  async run(given) {
    const job = readJob(given);
    try {
      return await run(job);
    } catch (error) {
      if (error instanceof UsageError || failureLines(error)) throw error;
      const line = `The import stopped: ${reasonOf(error)}. Run it again: no row is counted twice`;
      throw new ImportError(line, { cause: error });
    }
  },
};

function readJob({ parameters: [dataset = '', file = ''], text, isSet }: Given): ImportJob {
  const known = ['tasks', ...datasetKeys];
  if (!known.includes(dataset)) throw new UsageError(`Unknown dataset "${dataset}". Datasets: ${known.join(', ')}`);
  const { mapping, report, source, sheet, encoding, delimiter, approver } = text;
  if (mapping === undefined) throw new UsageError('--mapping is missing');
  const written = report && resolve(report);
  if (written && [file, mapping].some((read) => resolve(read) === written))
    throw new UsageError(`--report would write over ${report}, which is to be read`);
  return {
    dataset,
    file,
    mapping,
    isDryRun: isSet('dry-run'),
    isAgain: isSet('again'),
    report,
    source,
    sheet,
    encoding,
    delimiter,
    approver,
  };
}

async function run(job: ImportJob): Promise<number> {
  const config = readCommandConfig(process.env);
  let opened: CommandDatabase | undefined;
  let folder: string | undefined;
  const surroundings = async (): Promise<Surroundings> => {
    opened = await openCommandDatabase(config, 'an import');
    const { database, clock } = opened;
    return { database, clock, zone: config.companyTimeZone, now: clock.now() };
  };
  try {
    const { dataset } = job;
    // Reports problems with the files before starting a database.
    const prepared = await (isDataset(dataset) ? prepareNumbersImport({ ...job, dataset }) : prepareTasksImport(job));
    // The list of imports offers the refused rows, also without --report.
    folder = job.report === undefined ? await mkdtemp(join(tmpdir(), 'refused-rows-')) : undefined;
    const report = await FaultReport.open(job.report ?? join(folder!, 'rows'), prepared.shape);
    try {
      const refused = await prepared.run({ ...(await surroundings()), report });
      return refused > 0 ? exitCodes.partly : exitCodes.ok;
    } finally {
      await report.close();
      printFaults(report, job);
    }
  } finally {
    await opened?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** The cause has the database's message; the error around it has the statement, which is pages long. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
