// `npm run import -- <dataset> FILE --mapping MAPPING`: loads an export of another system into the database.
import 'temporal-polyfill/global';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { taskStatuses, taskStatusKeys } from '#core/task-status.ts';
import { ConfigFaults, readCommandConfig } from '../config.ts';
import { databaseClock } from '../db/clock.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { joinOrStartDatabase } from '../db/join-database.ts';
import { migrate } from '../db/migrate.ts';
import { FaultReport } from '../imports/fault-report.ts';
import { ImportError } from '../imports/import-error.ts';
import { rowsPerSecond, startProgress } from '../imports/progress.ts';
import { readMapping } from '../imports/read-mapping.ts';
import { openRows } from '../imports/row-source.ts';
import { importTasks, type TasksImported } from '../imports/tasks-import.service.ts';
import { tasksMapping } from '../imports/tasks-mapping.ts';

const usage = `npm run import -- tasks FILE --mapping MAPPING [--dry-run] [--report FILE] [--approver EMAIL]
  FILE        one JSON object a line (NDJSON), plain or gzip
  --mapping   says which column feeds which field; see examples/import/
  --dry-run   reads and compares everything, writes nothing
  --report    CSV of every row that did not fit, with the row itself
  --approver  who approves the tasks of the people that are made`;

/** What went through, and what did not: for whoever starts this from a script. */
const exitCodes = { good: 0, failed: 1, someRefused: 2 } as const;

const log = { info() {}, warn: logLine, error: logLine };

function logLine(...parts: unknown[]): void {
  console.error(parts.at(-1));
}

type Job = {
  readonly file: string;
  readonly mapping: string;
  readonly isDryRun: boolean;
  readonly report: string | undefined;
  readonly approver: string | undefined;
};

type Surroundings = { readonly database: Database; readonly zone: string; readonly now: Temporal.Instant };

/** How each dataset is imported; gives the number of rows that did not fit. */
const datasets: Readonly<Record<string, (job: Job, surroundings: () => Promise<Surroundings>) => Promise<number>>> = {
  tasks: runTasksImport,
};

async function runTasksImport(job: Job, surroundings: () => Promise<Surroundings>): Promise<number> {
  // Whatever is wrong with the files is told before a database is started for them.
  const mapping = await readMapping(job.mapping, tasksMapping);
  const source = await openRows(job.file);
  const given = [job.file, job.mapping].map((file) => resolve(file));
  if (job.report && given.includes(resolve(job.report)))
    throw new ImportError(`--report would write over ${job.report}, which is to be read`);
  const report = await FaultReport.open(job.report);
  const around = await surroundings();
  const progress = startProgress(source, process.stderr);
  const started = performance.now();
  try {
    const { approver, isDryRun } = job;
    const imported = await importTasks({
      ...around,
      mapping,
      report,
      approver,
      isDryRun,
      rows: source.rows,
      onProgress: progress.update,
    });
    progress.end();
    tellTasks(imported, job, performance.now() - started);
    return imported.refused;
  } finally {
    progress.end();
    await report.close();
    tellFaults(report, job);
  }
}

function tellTasks(imported: TasksImported, { isDryRun }: Job, milliseconds: number): void {
  const count = (value: number) => value.toLocaleString('en');
  const { rows, created, changed, unchanged, refused, people, sprints, notes, attachments, moves } = imported;
  const parts = { notes, attachments, moves, people, sprints };
  const made = Object.entries(parts).map(([name, value]) => `${count(value)} ${name}`);
  const lines = [
    `${count(rows)} rows in ${(milliseconds / 1000).toFixed(1)} s (${rowsPerSecond(rows, milliseconds)} rows/s)`,
    `tasks: ${count(created)} new, ${count(changed)} changed, ${count(unchanged)} unchanged, ${count(refused)} refused`,
    `new with them: ${made.join(', ')}`,
    `by status: ${taskStatusKeys.map((status) => `${taskStatuses[status].title} ${count(imported.byStatus[status])}`).join(', ')}`,
  ];
  if (imported.missingColumns.length > 0)
    lines.push(`No row has the columns that the mapping names: ${imported.missingColumns.join(', ')}`);
  if (isDryRun) lines.push('This was a dry run: nothing was written');
  console.log(lines.join('\n'));
}

function tellFaults({ first, faults, rows }: FaultReport, { report }: Job): void {
  if (rows === 0) return;
  const more = faults > first.length ? [`and ${(faults - first.length).toLocaleString('en')} more`] : [];
  const where =
    report === undefined
      ? 'with --report FILE all of them are written with their rows'
      : `all of them are in ${report}`;
  console.error([`${rows.toLocaleString('en')} rows did not fit, ${where}:`, ...first, ...more].join('\n'));
}

function readArguments(): { dataset: string; job: Job } {
  const options = {
    mapping: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    report: { type: 'string' },
    approver: { type: 'string' },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [dataset = '', file, ...rest] = positionals;
  if (!Object.hasOwn(datasets, dataset)) {
    const known = `Known: ${Object.keys(datasets).join(', ')}`;
    throw new ImportError(
      `${dataset ? `There is no dataset "${dataset}"` : 'What is to be imported is missing'}. ${known}\n${usage}`,
    );
  }
  if (file === undefined || rest.length > 0) throw new ImportError(`One file is imported at a time\n${usage}`);
  if (values.mapping === undefined) throw new ImportError(`--mapping is missing\n${usage}`);
  return {
    dataset,
    job: {
      file,
      mapping: values.mapping,
      isDryRun: values['dry-run'],
      report: values.report,
      approver: values.approver,
    },
  };
}

async function main(): Promise<number> {
  const { dataset, job } = readArguments();
  const config = readCommandConfig(process.env);
  const closing: (() => Promise<void>)[] = [];
  const surroundings = async (): Promise<Surroundings> => {
    const joined = config.databaseUrl
      ? { url: config.databaseUrl, stop: async () => {} }
      : await joinOrStartDatabase({ dataDir: config.dataDir, log, what: 'an import' });
    closing.unshift(joined.stop);
    await migrate({ url: joined.url, log });
    const database = openDatabase({ url: joined.url, poolSize: 2, log });
    closing.unshift(() => database.close());
    const clock = await databaseClock(database, log);
    closing.unshift(async () => clock.stop());
    return { database, zone: config.companyTimeZone, now: clock.now() };
  };
  try {
    const refused = await datasets[dataset]!(job, surroundings);
    return refused > 0 ? exitCodes.someRefused : exitCodes.good;
  } finally {
    for (const close of closing) await close();
  }
}

/** What the database said stands in the cause; around it is the statement, pages long. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}

try {
  process.exitCode = await main();
} catch (error) {
  const isForPeople = error instanceof ImportError || error instanceof ConfigFaults;
  console.error(
    isForPeople
      ? (error as Error).message
      : `The import stopped: ${reasonOf(error)}. Run it again: what was done stays and is recognised`,
  );
  process.exitCode = exitCodes.failed;
}
