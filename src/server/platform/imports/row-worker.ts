// Reads the rows of a file in a worker process and sends a batch for each request.

import 'temporal-polyfill/global';
import { Worker } from 'node:worker_threads';
import { RuleEvaluator, type RuleSet } from './evaluate-rules.ts';
import { ImportError } from './import-error.ts';
import { openRows } from './row-source.ts';
import type { RowSource, SourceOptions, SourceRow } from './source-row.ts';

export type WorkerFile = {
  readonly file: string;
  readonly options: SourceOptions;
  /** To apply to every row. */
  readonly rules?: RuleSet | undefined;
};

export type Answer =
  | ({ readonly kind: 'opened' } & Pick<
      RowSource,
      'format' | 'encoding' | 'columns' | 'above' | 'workbook' | 'isParquet' | 'size'
    >)
  | { readonly kind: 'rows'; readonly rows: readonly SourceRow[]; readonly isLast: boolean }
  | { readonly kind: 'failed'; readonly message: string; readonly isForPeople: boolean; readonly isInMiddle: boolean };

export type FromWorker = (Answer | { readonly kind: 'progress' }) & { readonly bytesRead: number };

/** Small enough that receiving a batch blocks nobody. */
const batchLimits = { rows: 500, characters: 256 * 1024 };

let bytesRead = () => 0;
const tell = (message: Answer | { kind: 'progress' }): void =>
  void process.send?.({ ...message, bytesRead: bytesRead() } satisfies FromWorker);

/** Why the file can't be read further; sent after the rows before it. */
let failure: Answer | undefined;

async function nextBatch(rows: AsyncIterator<SourceRow>, evaluator: RuleEvaluator | undefined): Promise<Answer> {
  if (failure) return failure;
  const batch: SourceRow[] = [];
  for (let characters = 0; batch.length < batchLimits.rows && characters < batchLimits.characters; ) {
    const next = await rows.next().catch((error) => {
      failure = failureOf(error);
      return null;
    });
    if (next === null) break;
    if (next.done) return { kind: 'rows', rows: batch, isLast: true };
    batch.push(evaluated(next.value, evaluator));
    // A valid row comes as cells and as text.
    characters += next.value.text.length;
  }
  return { kind: 'rows', rows: batch, isLast: false };
}

function evaluated(source: SourceRow, evaluator: RuleEvaluator | undefined): SourceRow {
  return evaluator && source.row ? { ...source, evaluated: evaluator.evaluate(source.row) } : source;
}

async function serve({ file, options, rules }: WorkerFile): Promise<void> {
  const evaluator = rules && new RuleEvaluator(rules);
  const source = await openRows(file, options);
  const { format, encoding, columns, above, workbook, isParquet, size } = source;
  bytesRead = source.bytesRead;
  const rows = source.rows[Symbol.asyncIterator]();
  const ticking = setInterval(() => tell({ kind: 'progress' }), 100).unref();
  let turn = Promise.resolve();
  process.on('message', () => {
    turn = turn.then(async () => {
      const message = await nextBatch(rows, evaluator);
      tell(message);
      if (message.kind !== 'rows' || message.isLast) clearInterval(ticking);
    });
  });
  tell({ kind: 'opened', format, encoding, columns, above, workbook, isParquet, size });
}

function failureOf(error: unknown): Answer & { kind: 'failed' } {
  const isForPeople = error instanceof ImportError;
  return {
    kind: 'failed',
    message: (error as Error).message,
    isForPeople,
    isInMiddle: isForPeople && error.isInMiddle,
  };
}

// Its server ends it. A terminal's Ctrl-C and a service manager's signal reach it too, and would be too early.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.once('disconnect', () => process.exit());
// A slow pattern can hold this thread: another one notices that the server is gone.
new Worker(
  'const server = require("node:worker_threads").workerData; setInterval(() => process.ppid === server || process.kill(process.pid, "SIGKILL"), 1_000)',
  { eval: true, workerData: process.ppid },
).unref();
process.once('message', (file: WorkerFile) => serve(file).catch((error) => tell(failureOf(error))));
