// Short reads that many requests ask for at once: what waits by the end of a turn of the event loop goes to the database in one
// write, over a connection that needs no answer before the next question. For a server that is busy most of such a read is the
// sending. Not for what takes long, which those behind would wait for, and not for writes, each of which waits for the disk.
import type { Writable } from 'node:stream';
import pg from 'pg';
import { isUnavailable } from './database-failures.ts';

type Question = {
  readonly query: pg.QueryConfig;
  readonly resolve: (answer: pg.QueryResult) => void;
  readonly reject: (error: unknown) => void;
};

/** So that one question that takes long after all holds up few others. */
const mostTogether = 8;

/** The questions leave together: what the driver writes for each is held until the last is written. */
function ask(client: pg.PoolClient, questions: readonly Question[]): Promise<pg.QueryResult>[] {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Writable } }).connection;
  stream.cork();
  try {
    return questions.map(({ query }) => client.query(query));
  } finally {
    stream.uncork();
  }
}

export class SharedLines {
  readonly #pool: pg.Pool;
  #free: number;
  #waiting: Question[] = [];
  #isDue = false;

  /** `options.max` connections, opened when they are needed. */
  constructor(options: pg.PoolConfig & { readonly max: number }) {
    this.#pool = new pg.Pool({ ...options, pipeline: true });
    this.#free = options.max;
  }

  get pool(): pg.Pool {
    return this.#pool;
  }

  /** Questions that have not been sent. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** As a pool answers it; a question that fails leaves the others as they are. */
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult<Row>>();
    this.#waiting.push({ query, resolve: resolve as Question['resolve'], reject });
    if (!this.#isDue) {
      this.#isDue = true;
      setImmediate(() => {
        this.#isDue = false;
        this.#send();
      });
    }
    return promise;
  }

  /** Spread over the lines that are free; the rest goes together when one is. */
  #send(): void {
    while (this.#free > 0 && this.#waiting.length > 0) {
      const share = Math.ceil(this.#waiting.length / this.#free);
      this.#free -= 1;
      void this.#answer(this.#waiting.splice(0, Math.min(share, mostTogether)));
    }
  }

  async #answer(questions: readonly Question[]): Promise<void> {
    try {
      const client = await this.#pool.connect();
      const outcomes = await Promise.allSettled(
        ask(client, questions).map((answer, index) => {
          const { resolve, reject } = questions[index]!;
          answer.then(resolve, reject);
          return answer;
        }),
      );
      client.release(outcomes.some((outcome) => outcome.status === 'rejected' && isUnavailable(outcome.reason)));
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
    this.#free += 1;
    this.#send();
  }
}
