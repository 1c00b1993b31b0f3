// A database of one connection whose every call can be taken back: thousands of calls see the same world, and
// what each of them wrote is known exactly.
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { type Database, openDatabase, type Queries } from '#server/platform/db/database.ts';
import { serverRole } from '#server/platform/db/server-role.ts';

const log = { info() {}, warn() {}, error: console.error };

/**
 * What code that takes a connection says about transactions, said to a part of the one that is taken back.
 */
const asPart: Readonly<Record<string, string>> = {
  begin: 'savepoint part',
  'begin isolation level repeatable read': 'savepoint part',
  commit: 'release savepoint part',
  rollback: 'rollback to savepoint part; release savepoint part',
};

class OneConnection {
  readonly #client: pg.PoolClient;
  readonly query: pg.PoolClient['query'];
  readonly connect: () => Promise<pg.PoolClient>;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    this.query = ((text: unknown, ...rest: unknown[]) =>
      (client.query as (...given: unknown[]) => unknown).call(
        client,
        typeof text === 'string' ? (asPart[text] ?? text) : text,
        ...rest,
      )) as pg.PoolClient['query'];
    this.connect = async () => Object.assign(Object.create(this.#client), { query: this.query, release() {} });
  }
}

export type Taken<Answer> = { readonly answer: Answer; readonly wrote: boolean };

export type RolledBackDatabase = {
  readonly database: Database;
  /**
   * Runs `call` in a transaction that is rolled back. `wrote` is exact: PostgreSQL gives a transaction an id
   * with its first write of any row of any table, parts that were rolled back included, and none to a
   * transaction that only reads.
   */
  takeBack<Answer>(call: () => Promise<Answer>): Promise<Taken<Answer>>;
  /**
   * The tables of which any row is another after the call: for calls that lock rows, which counts as a write,
   * and then refuse.
   */
  changedBy(call: () => Promise<unknown>): Promise<string[]>;
};

export async function openRolledBackDatabase(url: string): Promise<RolledBackDatabase> {
  const real = openDatabase({ url, role: serverRole, poolSize: 1, log });
  const client = await real.pool.connect();
  const pool = new OneConnection(client) as unknown as pg.Pool;
  const queries: Queries = drizzle(client);
  const part = async <T>(work: (queries: Queries) => Promise<T>): Promise<T> => {
    await client.query('savepoint part');
    try {
      const result = await work(queries);
      await client.query('release savepoint part');
      return result;
    } catch (error) {
      await client.query(asPart.rollback as string);
      throw error;
    }
  };
  const database: Database = {
    drizzle: queries,
    query: queries.query,
    pool,
    connections: () => ({ idle: 0, used: 1, waitedFor: 0 }),
    transaction: part,
    async close() {
      client.release(true);
      await real.close();
    },
  };
  const fingerprint = await fingerprintQuery(client);
  const everyTable = async () => (await client.query<{ name: string; rows: string }>(fingerprint)).rows;
  return {
    database,
    async takeBack(call) {
      await client.query('begin');
      try {
        const answer = await call();
        const { rows } = await client.query('select pg_current_xact_id_if_assigned() is not null as wrote');
        return { answer, wrote: rows[0].wrote };
      } finally {
        await client.query('rollback');
      }
    },
    async changedBy(call) {
      await client.query('begin');
      try {
        const before = new Map((await everyTable()).map(({ name, rows }) => [name, rows]));
        await call();
        return (await everyTable()).filter(({ name, rows }) => before.get(name) !== rows).map(({ name }) => name);
      } finally {
        await client.query('rollback');
      }
    },
  };
}

async function fingerprintQuery(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I', relname) as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
  );
  // The server notes once a minute when a session was used, whatever is called.
  const rowText = (name: string) => (name === 'sessions' ? `(to_jsonb(t) - 'last_used_at')::text` : 't::text');
  return rows
    .map(
      ({ name }) =>
        `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(${rowText(name)}, 0)), 0) as rows from ${name} t`,
    )
    .join(' union all ');
}
