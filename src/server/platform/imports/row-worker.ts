// Reads the rows of a file in a worker thread and sends a batch for each request.
import { parentPort, workerData } from 'node:worker_threads';
import { ImportError } from './import-error.ts';
import { openRows, type RowSource, type SourceOptions } from './row-source.ts';
import type { SourceRow } from './source-row.ts';

export type WorkerFile = {
  readonly file: string;
  readonly options: SourceOptions;
  readonly bytesRead: SharedArrayBuffer;
};

export type FromWorker =
  | ({ readonly kind: 'opened' } & Pick<RowSource, 'format' | 'encoding' | 'columns' | 'above' | 'size'>)
  | { readonly kind: 'rows'; readonly rows: readonly SourceRow[]; readonly isLast: boolean }
  | { readonly kind: 'failed'; readonly message: string; readonly isForPeople: boolean };

/** Small enough that receiving a batch blocks nobody. */
const batchLimits = { rows: 500, characters: 256 * 1024 };

const { file, options, bytesRead } = workerData as WorkerFile;
const counter = new BigInt64Array(bytesRead);
const tell = (message: FromWorker): void => parentPort?.postMessage(message);

/** Why the file can't be read further; sent after the rows before it. */
let failure: FromWorker | undefined;

async function nextBatch(rows: AsyncIterator<SourceRow>): Promise<FromWorker> {
  if (failure) return failure;
  const batch: SourceRow[] = [];
  for (let characters = 0; batch.length < batchLimits.rows && characters < batchLimits.characters; ) {
    const next = await rows.next().catch((error) => {
      failure = failureOf(error);
      return null;
    });
    if (next === null) break;
    if (next.done) return { kind: 'rows', rows: batch, isLast: true };
    batch.push(next.value);
    // A valid row comes as cells and as text.
    characters += next.value.text.length;
  }
  return { kind: 'rows', rows: batch, isLast: false };
}

async function serve(): Promise<void> {
  const source = await openRows(file, options);
  const { format, encoding, columns, above, size } = source;
  const rows = source.rows[Symbol.asyncIterator]();
  const ticking = setInterval(() => Atomics.store(counter, 0, BigInt(source.bytesRead())), 100).unref();
  let turn = Promise.resolve();
  parentPort?.on('message', () => {
    turn = turn.then(async () => {
      const message = await nextBatch(rows);
      Atomics.store(counter, 0, BigInt(source.bytesRead()));
      tell(message);
      if (message.kind !== 'rows' || message.isLast) clearInterval(ticking);
    });
  });
  tell({ kind: 'opened', format, encoding, columns, above, size });
}

function failureOf(error: unknown): FromWorker & { kind: 'failed' } {
  return { kind: 'failed', message: (error as Error).message, isForPeople: error instanceof ImportError };
}

serve().catch((error) => tell(failureOf(error)));
