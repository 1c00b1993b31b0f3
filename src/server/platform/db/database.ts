// The connection to PostgreSQL. Nothing here ends the process: a lost database is an error of the request.
import { setTimeout as sleep } from 'node:timers/promises';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { DatabaseUnavailable, isContended, isTimeout, isUnavailable } from './database-failures.ts';
import { answerTypes } from './database-types.ts';
import { HostClient } from './host-client.ts';
import type { Log } from './log.ts';
import { tracedClient, tracePool } from './traced-queries.ts';

/** Drizzle over the pool, or over the one connection of a transaction. */
export type Queries = NodePgDatabase;

export type Database = {
  readonly drizzle: Queries;
  readonly query: Queries['query'];
  readonly pool: pg.Pool;
  /** Connections as they are now, and how often one is waited for. */
  connections(): { readonly idle: number; readonly used: number; readonly waitedFor: number };
  /**
   * Commits what `work` did when it resolves, rolls it back when it throws. Read committed, as PostgreSQL's default;
   * `snapshot` gives all of its reads one moment. What the database takes back for another one's sake is tried again, so
   * `work` does nothing that stays when it is rolled back. Throws DatabaseUnavailable when the connection is lost on the way:
   * whether the commit happened is then unknown.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, options?: { snapshot?: boolean }): Promise<T>;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  url: string;
  /** The role to work as, which `migrate` gives; else as the user of the address. */
  role?: string | null;
  poolSize?: number;
  /** The address leads through a pooler in transaction mode, as PgBouncer's: a connection is ours for one transaction. */
  throughPooler?: boolean;
  log: Log;
};

// Nobody waits longer than 15 seconds for an answer, also from a network that swallows everything.
const STATEMENT_TIMEOUT_MS = 12_000;
/** A program that works between two statements may be held up by a busy machine. */
const IDLE_IN_TRANSACTION_MS = 30_000;
const CONNECTION_TIMEOUT_MS = 5_000;

/** Every query, drizzle's too (which brings types of its own), answers with the same types. */
class Client extends HostClient {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's overloads (text, config, submittable) pass through as they are
  override query(query: any, ...rest: any[]): any {
    const plain = typeof query === 'string' ? { text: query } : query;
    const isSubmittable = typeof plain?.submit === 'function';
    const submitted = isSubmittable ? plain : { ...this.asked(plain), types: answerTypes };
    return (super.query as (...parameters: unknown[]) => unknown).call(this, submitted, ...rest);
  }

  protected asked(query: pg.QueryConfig): pg.QueryConfig {
    return query;
  }
}

/** What is prepared under a name stays with the connection behind the pooler, where others work with it next. */
class PooledClient extends Client {
  protected override asked({ name: _, ...query }: pg.QueryConfig): pg.QueryConfig {
    return query;
  }
}

/** A single statement is a transaction too, so that it runs with the settings of one. */
class PoolerPool extends pg.Pool {
  readonly #begin: string;

  constructor(options: pg.PoolConfig, begin: string) {
    super(options);
    this.#begin = begin;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's overloads pass through as they are
  override query(...asked: any[]): any {
    return runTransaction(this, this.#begin, (client) => client.query(...(asked as [string])));
  }
}

type Pool = {
  readonly pool: pg.Pool;
  /** What a transaction begins with, after its own `begin`. */
  readonly settings: string;
};

const settings = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
};

function openPool({ url, role = null, poolSize = 10, throughPooler = false, log }: DatabaseOptions): Pool {
  const reached = {
    connectionString: url,
    max: poolSize,
    application_name: 'staff-dashboard',
    keepAlive: true,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    // For a network that swallows everything: the server's own limit cannot tell us then.
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
  };
  const session = { TimeZone: 'UTC', ...(role === null ? {} : { role }) };
  const local = Object.entries({ ...session, ...settings }).map(([name, value]) => `; set local ${name} to ${value}`);
  const inTransactions = throughPooler ? local.join('') : '';
  const options = Object.entries(session).map(([name, value]) => `-c ${name}=${value}`);
  const straight = { ...reached, ...settings, Client, options: options.join(' ') };
  const pool = throughPooler
    ? new PoolerPool({ ...reached, Client: PooledClient }, `begin${inTransactions}`)
    : new pg.Pool(straight);
  tracePool(pool);
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ err: error }, 'an idle database connection was lost');
  });
  return { pool, settings: inTransactions };
}

// After a restart of the database the pool still holds connections that are dead without our knowing. Nothing has
// happened yet when `begin` fails, so another one may be tried; not when it failed by waiting, as somebody waits for us.
const BEGIN_TRIES = 3;

async function begin(pool: pg.Pool, statement: string): Promise<pg.PoolClient> {
  for (let tries = 1; ; tries++) {
    let client: pg.PoolClient | undefined;
    try {
      client = await pool.connect();
      await client.query(statement);
      return client;
    } catch (error) {
      client?.release(true);
      if (!isUnavailable(error)) throw error;
      const mayRetry = client && tries < BEGIN_TRIES && !isTimeout(error);
      if (!mayRetry) throw new DatabaseUnavailable('Can’t reach the database', { cause: error });
    }
  }
}

async function runTransaction<T>(
  pool: pg.Pool,
  statement: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await begin(pool, statement);
  let isBroken = false;
  try {
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    isBroken = isUnavailable(error);
    // A connection that is given up takes its transaction with it: to ask it for a rollback would be to wait once more.
    if (!isBroken)
      await client.query('rollback').catch(() => {
        isBroken = true;
      });
    if (!isUnavailable(error)) throw error;
    throw new DatabaseUnavailable('The connection to the database was lost', { cause: error });
  } finally {
    client.release(isBroken);
  }
}

const ATTEMPTS = 4;
const LONGEST_PAUSE_MS = 20;

/** A deadlock or a conflict was rolled back and has left nothing behind. The pause is of chance, so that two do not meet again. */
async function untilNotContended<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !isContended(error)) throw error;
      await sleep(Math.random() * LONGEST_PAUSE_MS * attempt);
    }
  }
}

const LONGEST_CLOSE_MS = 2_000;

/** A pool has ended when it has told its connections to; the database may be stopped only when they are gone. */
function connectionsEnded(pool: pg.Pool): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let open = pool.totalCount;
  if (open === 0) return Promise.resolve();
  pool.on('remove', () => {
    open -= 1;
    if (open === 0) resolve();
  });
  return promise;
}

export function openDatabase(options: DatabaseOptions): Database {
  const { pool, settings: inTransactions } = openPool(options);
  const queries = drizzle(pool);
  return {
    drizzle: queries,
    query: queries.query,
    pool,
    connections() {
      const { idleCount: idle, totalCount, waitingCount: waitedFor } = pool;
      return { idle, used: totalCount - idle, waitedFor };
    },
    transaction(work, { snapshot = false } = {}) {
      const start = `begin${snapshot ? ' isolation level repeatable read' : ''}${inTransactions}`;
      return untilNotContended(() => runTransaction(pool, start, (client) => work(drizzle(tracedClient(client)))));
    },
    close: async () => {
      const ended = connectionsEnded(pool);
      await pool.end();
      await Promise.race([ended, sleep(LONGEST_CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
