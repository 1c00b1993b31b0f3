// The connection to PostgreSQL. A lost database fails the request and never ends the process.
import { setTimeout as sleep } from 'node:timers/promises';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { inSpan, isTracing } from '../telemetry/telemetry.ts';
import { DatabaseUnavailable, isContended, isLost, isTimeout, isUnavailable } from './database-failures.ts';
import { answerTypes } from './database-types.ts';
import { HostClient } from './host-client.ts';
import type { Log } from './log.ts';

// A span per statement: what it does and to which table, never its parameters.

type Asks = Pick<pg.Pool, 'query'>;

const verb = /^\s*(?:with\b[\s\S]*?\)\s*)?(select|insert|update|delete|begin|commit|rollback|refresh|copy|set)\b/i;
const table = /\b(?:from|into|update|view)\s+(?:only\s+)?"?([a-z_][a-z0-9_]{0,62})"?/i;

/** As in OpenTelemetry: `SELECT people`. Long statements are recognized by their start. */
function statementName(text: string): string {
  const beginning = text.slice(0, 2_000);
  const [, found = beginning.trimStart().split(/\s/, 1)[0]?.slice(0, 20) ?? ''] = verb.exec(beginning) ?? [];
  return [found.toUpperCase(), table.exec(beginning)?.[1]].filter(Boolean).join(' ');
}

type Query = (...parameters: unknown[]) => Promise<unknown>;

function tracing(asked: Asks): Query {
  const ask = asked.query.bind(asked) as Query;
  return (...parameters) => {
    const [first] = parameters as [string | { text?: string }];
    const text = typeof first === 'string' ? first : (first.text ?? '');
    return inSpan(statementName(text), { 'db.system.name': 'postgresql' }, () => ask(...parameters));
  };
}

/**
 * Makes every query of a pool a span. The caller is known here, but no longer when a connection gets free.
 */
function tracePool(pool: Asks): void {
  if (isTracing()) Object.assign(pool, { query: tracing(pool) });
}

/** The same for a transaction's connection, which returns to its pool unchanged. */
function tracedClient(client: pg.PoolClient): pg.PoolClient {
  return isTracing() ? Object.create(client, { query: { value: tracing(client as Asks) } }) : client;
}

/** Drizzle over the pool, or over the one connection of a transaction. */
export type Queries = NodePgDatabase;

export type TransactionOptions = { readonly snapshot?: boolean; readonly isLong?: boolean };

export type Database = {
  readonly drizzle: Queries;
  readonly query: Queries['query'];
  readonly pool: pg.Pool;
  /** The current connections and how many requests wait for one. */
  connections(): { readonly idle: number; readonly used: number; readonly waitedFor: number };
  /**
   * Commits when `work` resolves and rolls back when it throws. Read committed by default; with `snapshot`,
   * all reads see the same moment. Conflicts are retried, so `work` must not have side effects outside the
   * transaction. Throws DatabaseUnavailable when the connection is lost; whether the commit happened is then
   * unknown. With `isLong`, a statement may take up to 30 minutes, for work that no request waits for.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, options?: TransactionOptions): Promise<T>;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  url: string;
  /** The role to work as, from `migrate`; by default the address's user. */
  role?: string | null;
  poolSize?: number;
  /**
   * Whether the address is a pooler in transaction mode, such as PgBouncer: a connection is ours for one
   * transaction.
   */
  throughPooler?: boolean;
  log: Log;
};

// Nobody waits longer than 15 seconds for an answer, even when the network drops everything.
const STATEMENT_TIMEOUT_MS = 12_000;
const LONG_STATEMENT_MS = 30 * 60_000;
/** The driver ends a query later than the server does. */
const queryTimeout = (statementMs: number) => statementMs + 1_000;
/** A busy machine can delay a program between two statements. */
const IDLE_IN_TRANSACTION_MS = 30_000;
const CONNECTION_TIMEOUT_MS = 5_000;

type ClientOptions = pg.ClientConfig & { readonly onRefused?: (error: Error) => void };

/** Applies the same type parsers to every query, including drizzle's, which brings its own. */
class Client extends HostClient {
  readonly #onRefused: ClientOptions['onRefused'];

  constructor(options: ClientOptions = {}) {
    super(options);
    this.#onRefused = options.onRefused;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's overloads pass through as they are
  override connect(done?: any): any {
    if (!done) return super.connect();
    return super.connect((error: Error | null) => {
      if (error) this.#onRefused?.(error);
      done(error);
    });
  }

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

/** The driver's own limit is per query; the server's is set when the transaction begins. */
function longClient(client: pg.PoolClient): pg.PoolClient {
  const query = (asked: string | pg.QueryConfig, ...rest: []) => {
    const plain = typeof asked === 'string' ? { text: asked } : asked;
    return client.query({ ...plain, query_timeout: queryTimeout(LONG_STATEMENT_MS) } as pg.QueryConfig, ...rest);
  };
  return Object.create(client, { query: { value: query } });
}

/** A prepared statement would stay on the pooler's connection, which others use next. */
class PooledClient extends Client {
  protected override asked({ name: _, ...query }: pg.QueryConfig): pg.QueryConfig {
    return query;
  }
}

/** Wraps even a single statement in a transaction, to apply the settings. */
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
  /** Runs right after `begin`. */
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
    // For a network that drops everything: the server's own limit can't reach us then.
    query_timeout: queryTimeout(STATEMENT_TIMEOUT_MS),
    // Open connections still work then. Each ends after its next use, or `/readyz` would never fail.
    onRefused: (error: Error) => {
      if (isLost(error)) pool.options.maxUses = 1;
    },
  };
  const session = { TimeZone: 'UTC', ...(role === null ? {} : { role }) };
  const local = Object.entries({ ...session, ...settings }).map(([name, value]) => `; set local ${name} to ${value}`);
  const inTransactions = throughPooler ? local.join('') : '';
  const options = Object.entries(session).map(([name, value]) => `-c ${name}=${value}`);
  const straight = { ...reached, ...settings, Client, options: options.join(' ') };
  const pool: pg.Pool = throughPooler
    ? new PoolerPool({ ...reached, Client: PooledClient }, `begin${inTransactions}`)
    : new pg.Pool(straight);
  tracePool(pool);
  pool.on('connect', () => {
    pool.options.maxUses = Number.POSITIVE_INFINITY;
  });
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ err: error }, 'an idle database connection was lost');
  });
  return { pool, settings: inTransactions };
}

// After a database restart the pool still has dead connections. A failed `begin` has done nothing yet, so it
// can be retried on another connection, but not after a timeout, because a request is waiting.
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
    // A broken connection takes its transaction with it; a rollback would only wait again.
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

/**
 * A deadlock or conflict was rolled back and left nothing behind. A random pause keeps the two from colliding
 * again.
 */
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

/**
 * The pool reports its end before its connections have closed; the database can only be stopped after that.
 */
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
    transaction(work, { snapshot = false, isLong = false } = {}) {
      const limit = isLong ? `; set local statement_timeout to ${LONG_STATEMENT_MS}` : '';
      const start = `begin${snapshot ? ' isolation level repeatable read' : ''}${inTransactions}${limit}`;
      const run = (client: pg.PoolClient) => work(drizzle(tracedClient(isLong ? longClient(client) : client)));
      return untilNotContended(() => runTransaction(pool, start, run));
    },
    close: async () => {
      const ended = connectionsEnded(pool);
      await pool.end();
      await Promise.race([ended, sleep(LONGEST_CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
