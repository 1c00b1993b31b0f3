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
    return questions.map(async ({ query }) => client.query(query));
  } finally {
    stream.uncork();
  }
}

export class SharedLines {
  readonly pool: pg.Pool;
  readonly #alone: Pick<pg.Pool, 'query'>;
  readonly #lines: number;
  #asked: Question[] = [];

  /** `options.max` connections, opened when they are needed. Who is alone in a turn asks `alone`: a server that is not busy needs no others. */
  constructor(options: pg.PoolConfig & { readonly max: number }, alone: Pick<pg.Pool, 'query'>) {
    this.#alone = alone;
    this.pool = new pg.Pool({ ...options, pipeline: true });
    this.#lines = options.max;
  }

  /** As a pool answers it; a question that fails leaves the others as they are. */
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult<Row>>();
    if (this.#asked.length === 0) setImmediate(() => this.#send());
    this.#asked.push({ query, resolve: resolve as Question['resolve'], reject });
    return promise;
  }

  /** Spread over the lines: the database has more than one processor. */
  #send(): void {
    const asked = this.#asked;
    this.#asked = [];
    const [first, second] = asked;
    if (first && !second) return void this.#alone.query(first.query).then(first.resolve, first.reject);
    const together = Math.min(Math.ceil(asked.length / this.#lines), mostTogether);
    for (let start = 0; start < asked.length; start += together)
      void this.#answer(asked.slice(start, start + together));
  }

  async #answer(questions: readonly Question[]): Promise<void> {
    let client: pg.PoolClient;
    try {
      // Waits for a line no longer than the pool allows.
      client = await this.pool.connect();
    } catch (error) {
      for (const { reject } of questions) reject(error);
      return;
    }
    const outcomes = await Promise.allSettled(
      ask(client, questions).map((answer, index) => {
        const { resolve, reject } = questions[index]!;
        answer.then(resolve, reject);
        return answer;
      }),
    );
    client.release(outcomes.some((outcome) => outcome.status === 'rejected' && isUnavailable(outcome.reason)));
  }
}
