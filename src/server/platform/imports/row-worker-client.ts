// Opens a file like `openRows`, but in a worker process: the server keeps answering others, and a file that
// crashes its reader doesn't end the server. Worker threads took it with them now and then (nodejs/node#56312).
import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RuleSet } from './evaluate-rules.ts';
import { ImportError } from './import-error.ts';
import type { openRows } from './row-source.ts';
import type { Answer, FromWorker, WorkerFile } from './row-worker.ts';
import type { RowSource, SourceOptions, SourceRow } from './source-row.ts';

/** The time limit for one batch of rows. Reading a line of 2 GB to its end takes a few seconds. */
const longestBatchMs = 120_000;
const memoryMegabytes = 256;
/** For new objects: 500,000 rows of a large Parquet file took 223 MB at most with it, 336 MB without. */
const youngMegabytes = 8;
const longestComplaints = 2_000;

/** Next to this file; the bundled server has it as JavaScript. */
const workerFile = (): string => {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.endsWith('.ts') ? './row-worker.ts' : './row-worker.js', here));
};

/** Everything else, secrets above all, is none of its business. */
const workerEnvironment = (): NodeJS.ProcessEnv => {
  const { SystemRoot, TZ } = process.env;
  return { ...(SystemRoot ? { SystemRoot } : {}), ...(TZ ? { TZ } : {}) };
};

type Work = {
  /** A mapping's rules, applied to each row there: people write them, and they can be slow. */
  readonly rules?: RuleSet | undefined;
  readonly longestBatchMs?: number;
};

/** Aborting the signal ends the reading. */
export const openRowsInWorker =
  (signal?: AbortSignal, work: Work = {}): typeof openRows =>
  async (file, options = {}) => {
    const reading = new RowWorkerReading(file, options, signal, work);
    try {
      const opened = await reading.answer();
      if (opened.kind !== 'opened') throw new Error('The reader of rows began with rows');
      const { kind: _, ...about } = opened;
      const { bytesRead, close } = reading;
      return { ...about, bytesRead, close, rows: reading.rows() } satisfies RowSource;
    } catch (error) {
      await reading.close();
      throw error;
    }
  };

class RowWorkerReading {
  readonly #worker: ChildProcess;
  readonly #name: string;
  readonly #signal: AbortSignal | undefined;
  readonly #longestBatchMs: number;
  #bytesRead = 0;
  #isOpened = false;
  /** How it ended. */
  #end: { readonly code: number | null; readonly signal: string | null } | undefined;
  #complaints = '';
  readonly bytesRead = (): number => this.#bytesRead;

  constructor(file: string, options: SourceOptions, signal: AbortSignal | undefined, work: Work) {
    this.#longestBatchMs = work.longestBatchMs ?? longestBatchMs;
    this.#name = options.name ?? file;
    this.#signal = signal;
    this.#worker = fork(workerFile(), [], {
      // As in scripts/run.mjs.
      execArgv: [
        '--no-sparkplug',
        `--max-old-space-size=${memoryMegabytes}`,
        `--max-semi-space-size=${youngMegabytes}`,
      ],
      env: workerEnvironment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    // The waiting caller gets the error; without a listener it would end the server.
    this.#worker.on('error', () => {});
    this.#worker.on('exit', (code, endedBy) => {
      this.#end = { code, signal: endedBy };
    });
    this.#worker.on('message', (message: FromWorker) => {
      this.#bytesRead = message.bytesRead;
      this.#isOpened ||= message.kind === 'opened';
    });
    this.#worker.stderr?.on('data', (text) => {
      this.#complaints = `${this.#complaints}${text}`.slice(-longestComplaints);
    });
    this.#worker.send({ file, options, rules: work.rules } satisfies WorkerFile, () => {});
  }

  readonly close = async (): Promise<void> => {
    if (this.#end || this.#worker.pid === undefined) return;
    this.#worker.kill('SIGKILL');
    await once(this.#worker, 'exit');
  };

  async answer(): Promise<Answer> {
    const tooLong = AbortSignal.timeout(this.#longestBatchMs);
    const settled = new AbortController();
    const signal = AbortSignal.any([settled.signal, tooLong, ...(this.#signal ? [this.#signal] : [])]);
    try {
      if (this.#end) throw this.#failure();
      const ended = once(this.#worker, 'exit', { signal });
      const message = await Promise.race([this.#next(signal), ended.then(() => Promise.reject(this.#failure()))]);
      if (message.kind !== 'failed') return message;
      const { isForPeople, isInMiddle } = message;
      throw isForPeople ? new ImportError(message.message, { isInMiddle }) : new Error(message.message);
    } catch (error) {
      if (this.#signal?.aborted) throw new ImportError('The connection was closed', { isInMiddle: true });
      if (tooLong.aborted) throw new ImportError(`${this.#name} takes too long to read`, { isInMiddle: true });
      throw error;
    } finally {
      // Removes the listeners of the event that didn't come.
      settled.abort();
    }
  }

  async #next(signal: AbortSignal): Promise<Answer> {
    for await (const [message] of on(this.#worker, 'message', { signal }) as AsyncIterable<[FromWorker]>)
      if (message.kind !== 'progress') return message;
    throw new Error('The reader of rows stopped answering');
  }

  /** Before the file is open, the fault is ours unless it took too much memory. */
  #failure(): Error {
    const { code, signal } = this.#end!;
    // How Node ends without memory.
    const isOutOfMemory = signal === 'SIGABRT' || signal === 'SIGTRAP' || code === 134;
    const cause = new Error(`The reader of rows ended with ${signal ?? code}: ${this.#complaints}`);
    const options = { cause, isInMiddle: true };
    if (isOutOfMemory) return new ImportError(`${this.#name} needs too much memory to read`, options);
    return this.#isOpened ? new ImportError(`${this.#name} could not be read to its end`, options) : cause;
  }

  async *rows(): AsyncGenerator<SourceRow> {
    try {
      for (let isLast = false; !isLast; ) {
        // One that has ended says so by `exit`.
        this.#worker.send('next', () => {});
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
