// Opens a file like `openRows`, but in a worker thread, to keep answering other requests.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ImportError } from './import-error.ts';
import type { openRows, RowSource, SourceOptions } from './row-source.ts';
import type { FromWorker, WorkerFile } from './row-worker.ts';
import type { SourceRow } from './source-row.ts';

/** The time limit for one batch of rows. Reading a line of 2 GB to its end takes a few seconds. */
const longestBatchMs = 120_000;
const memoryMegabytes = 256;

/** Next to this file; the bundled server has it as JavaScript. */
const workerFile = () => {
  const here = import.meta.url;
  return new URL(here.endsWith('.ts') ? './row-worker.ts' : './row-worker.js', here);
};

/** Aborting the signal ends the reading. */
export const openRowsInWorker =
  (signal?: AbortSignal): typeof openRows =>
  async (file, options = {}) => {
    const reading = new RowWorkerReading(file, options, signal);
    try {
      const opened = await reading.answer();
      if (opened.kind !== 'opened') throw new Error('The reader of rows began with rows');
      const { format, encoding, columns, above, size } = opened;
      const { bytesRead, close } = reading;
      return { format, encoding, columns, above, size, bytesRead, close, rows: reading.rows() } satisfies RowSource;
    } catch (error) {
      await reading.close();
      throw error;
    }
  };

class RowWorkerReading {
  readonly #worker: Worker;
  readonly #name: string;
  readonly #counter = new SharedArrayBuffer(8);
  readonly #signal: AbortSignal | undefined;
  readonly bytesRead = (): number => Number(Atomics.load(new BigInt64Array(this.#counter), 0));
  readonly close = async (): Promise<void> => void (await this.#worker.terminate());

  constructor(file: string, options: SourceOptions, signal: AbortSignal | undefined) {
    this.#name = options.name ?? file;
    this.#signal = signal;
    this.#worker = new Worker(workerFile(), {
      workerData: { file, options, bytesRead: this.#counter } satisfies WorkerFile,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
    });
    // The waiting caller gets the error; without a listener it would end the process.
    this.#worker.on('error', () => {});
  }

  async answer(): Promise<FromWorker> {
    const tooLong = AbortSignal.timeout(longestBatchMs);
    const settled = new AbortController();
    const signal = AbortSignal.any([settled.signal, tooLong, ...(this.#signal ? [this.#signal] : [])]);
    try {
      const [message] = (await Promise.race([
        once(this.#worker, 'message', { signal }),
        once(this.#worker, 'exit', { signal }).then(() => {
          throw new ImportError(`${this.#name} could not be read to its end`);
        }),
      ])) as [FromWorker];
      if (message.kind !== 'failed') return message;
      throw message.isForPeople ? new ImportError(message.message) : new Error(message.message);
    } catch (error) {
      if (this.#signal?.aborted) throw new ImportError('The connection was closed');
      if (tooLong.aborted) throw new ImportError(`${this.#name} takes too long to read`);
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new ImportError(`${this.#name} needs too much memory to read`);
      throw error;
    } finally {
      // Removes the listeners of the event that didn't come.
      settled.abort();
    }
  }

  async *rows(): AsyncGenerator<SourceRow> {
    try {
      for (let isLast = false; !isLast; ) {
        this.#worker.postMessage('next');
        const batch = await this.answer();
        if (batch.kind !== 'rows') throw new Error('The reader of rows answered something else');
        yield* batch.rows;
        isLast = batch.isLast;
      }
    } finally {
      await this.close();
    }
  }
}
