// What `npm run import` does: reads its arguments, joins the database and runs the import.
import 'temporal-polyfill/global';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { datasetKeys, isDataset } from '#core/datasets.ts';
import { ConfigFaults, readCommandConfig } from '../config.ts';
import { FaultReport } from '../imports/fault-report.ts';
import { ImportError } from '../imports/import-error.ts';
import { type CommandDatabase, openCommandDatabase } from './command-database.ts';
import { prepareNumbersImport } from './import-numbers.ts';
import { type ImportJob, type Surroundings, tellFaults } from './import-report.ts';
import { prepareTasksImport } from './import-tasks.ts';

const usage = `npm run import -- DATASET FILE --mapping MAPPING [--dry-run] [--report FILE] [--source NAME] [--encoding NAME] [--delimiter SIGN] [--approver EMAIL]
  DATASET      tasks, ${datasetKeys.join(', ')}
  FILE         CSV or one JSON object a line (NDJSON), plain or gzip; tasks as NDJSON only
  --mapping    says which column feeds which field; see examples/import/
  --dry-run    reads and compares everything, writes nothing
  --report     CSV of every row that did not fit, with the row itself
  --source     names where the rows come from, instead of the mapping
  --encoding   of the file, where it is not found out rightly: utf-8, windows-1252, utf-16le ...
  --delimiter  between the cells of a CSV file: , ; | or tab
  --approver   who approves the tasks of the people that are made`;

/** What went through, and what did not: for whoever starts this from a script. */
const exitCodes = { good: 0, failed: 1, someRefused: 2 } as const;

function readArguments(): ImportJob {
  const options = {
    mapping: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    report: { type: 'string' },
    source: { type: 'string' },
    encoding: { type: 'string' },
    delimiter: { type: 'string' },
    approver: { type: 'string' },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [dataset = '', file, ...rest] = positionals;
  if (dataset !== 'tasks' && !isDataset(dataset)) {
    const known = `Known: ${['tasks', ...datasetKeys].join(', ')}`;
    throw new ImportError(
      `${dataset ? `There is no dataset "${dataset}"` : 'What is to be imported is missing'}. ${known}\n${usage}`,
    );
  }
  if (file === undefined || rest.length > 0) throw new ImportError(`One file is imported at a time\n${usage}`);
  const { mapping, 'dry-run': isDryRun, report, source, encoding, delimiter, approver } = values;
  if (mapping === undefined) throw new ImportError(`--mapping is missing\n${usage}`);
  const written = report && resolve(report);
  if (written && [file, mapping].some((read) => resolve(read) === written))
    throw new ImportError(`--report would write over ${report}, which is to be read`);
  return { dataset, file, mapping, isDryRun, report, source, encoding, delimiter, approver };
}

/** Gives the exit code. */
export async function importCommand(): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const isForPeople = error instanceof ImportError || error instanceof ConfigFaults;
    console.error(
      isForPeople
        ? error.message
        : `The import stopped: ${reasonOf(error)}. Run it again: what was done stays and is recognised`,
    );
    return exitCodes.failed;
  }
}

async function run(): Promise<number> {
  const job = readArguments();
  const config = readCommandConfig(process.env);
  let opened: CommandDatabase | undefined;
  const surroundings = async (): Promise<Surroundings> => {
    opened = await openCommandDatabase(config, 'an import');
    const { database, clock } = opened;
    return { database, zone: config.companyTimeZone, now: clock.now() };
  };
  try {
    const { dataset } = job;
    // Whatever is wrong with the files is told before a database is started for them.
    const runPrepared = await (isDataset(dataset)
      ? prepareNumbersImport({ ...job, dataset })
      : prepareTasksImport(job));
    const report = await FaultReport.open(job.report);
    try {
      const refused = await runPrepared({ ...(await surroundings()), report });
      return refused > 0 ? exitCodes.someRefused : exitCodes.good;
    } finally {
      await report.close();
      tellFaults(report, job);
    }
  } finally {
    await opened?.close();
  }
}

/** What the database said stands in the cause; around it is the statement, pages long. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
