import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts';
import { openDatabase } from './database.ts';
import { DatabaseUnavailable, isOutOfSpace, isUnavailable } from './database-failures.ts';
import { instantOf } from './database-types.ts';

const log = { info() {}, warn() {}, error() {} };
let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase({ bare: true });
  await fresh.database.pool.query('create table notes (text text primary key)');
});
afterAll(() => fresh.drop());

const texts = async () => (await fresh.database.pool.query('select text from notes')).rows.map(({ text }) => text);

/** Ends the pool's open connections, like an operator or a crash. */
async function endConnections(): Promise<void> {
  const other = openDatabase({ url: fresh.url, poolSize: 1, log });
  await other.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await other.close();
}

test('a transaction that throws leaves nothing behind and passes the error on', async () => {
  const failure = new Error('refused');
  const work = fresh.database.transaction(async (queries) => {
    await queries.execute(sql`insert into notes values ('lost')`);
    throw failure;
  });
  await expect(work).rejects.toBe(failure);
  expect(await texts()).not.toContain('lost');
});

test('a transaction that resolves is kept and gives its result', async () => {
  const result = await fresh.database.transaction(async (queries) => {
    await queries.execute(sql`insert into notes values ('kept')`);
    return 'done';
  });
  expect(result).toBe('done');
  expect(await texts()).toContain('kept');
});

test('a snapshot sees one moment, whatever is written meanwhile', async () => {
  const counts = await fresh.database.transaction(
    async (queries) => {
      const count = async () => (await queries.execute(sql`select count(*) from notes`)).rows[0]?.count;
      const before = await count();
      await fresh.database.pool.query(`insert into notes values ('meanwhile')`);
      return [before, await count()];
    },
    { snapshot: true },
  );
  expect(counts[0]).toBe(counts[1]);
});

test('a long transaction outlasts the limits of a request, on the server and in the driver', async () => {
  const limits = 'statement_timeout=100&query_timeout=200';
  const url = `${fresh.url}${fresh.url.includes('?') ? '&' : '?'}${limits}`;
  const hasty = openDatabase({ url, poolSize: 1, log });
  onTestFinished(() => hasty.close());
  const sleep = (seconds: number, isLong: boolean) =>
    hasty.transaction((queries) => queries.execute(sql`select pg_sleep(${seconds})`), { isLong });
  await expect(sleep(0.3, false)).rejects.toThrow(DatabaseUnavailable);
  await expect(sleep(0.3, true)).resolves.toMatchObject({ rowCount: 1 });
  // It ends with its transaction.
  await expect(sleep(0.3, false)).rejects.toThrow(DatabaseUnavailable);
});

test('a connection lost in a transaction is DatabaseUnavailable, and the next one works', async () => {
  const work = fresh.database.transaction(async (queries) => {
    await queries.execute(sql`select 1`);
    await endConnections();
    await queries.execute(sql`insert into notes values ('unknown')`);
  });
  await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(await fresh.database.transaction(async () => 'works')).toBe('works');
});

test('a connection to what is the primary no more is DatabaseUnavailable and given up, and the next one works', async () => {
  const one = openDatabase({ url: fresh.url, poolSize: 1, log });
  await one.pool.query('set default_transaction_read_only = on');
  const write = () => one.transaction((queries) => queries.execute(sql`insert into notes values ('elsewhere')`));
  await expect(write()).rejects.toBeInstanceOf(DatabaseUnavailable);
  await write();
  expect(await texts()).toContain('elsewhere');
  await one.close();
});

test('connections lost while idle do not end the process and are replaced', async () => {
  await fresh.database.pool.query('select 1');
  await endConnections();
  await expect.poll(() => fresh.database.pool.idleCount).toBe(0);
  expect((await fresh.database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('a database that is not there is unavailable, by drizzle as well as by the pool', async () => {
  const absent = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', log });
  const byDrizzle = await absent.drizzle.execute(sql`select 1`).catch((error) => error);
  expect(isUnavailable(byDrizzle)).toBe(true);
  await expect(absent.transaction(async () => 1)).rejects.toBeInstanceOf(DatabaseUnavailable);
  await absent.close();
});

describe('which failures pass by themselves', () => {
  test.each([
    [{ code: '23505' }, false],
    [{ code: '42601' }, false],
    [new Error('Connection terminated'), true],
    [new Error('Connection terminated unexpectedly'), true],
    [new Error('Query read timeout'), true],
    [{ code: '08006' }, true],
    [{ code: '53300' }, true],
    [{ code: '58P01' }, true],
    [{ code: '58030' }, true],
    [{ code: '57P03' }, true],
    [{ code: '25006' }, true],
    [{ code: '57014' }, true],
    [{ code: 'EMFILE' }, true],
    [new Error('Failed query', { cause: { code: '57P01' } }), true],
    [new AggregateError([{ code: 'ECONNREFUSED' }]), true],
    [undefined, false],
    ['57P01', false],
  ])('%o: %s', (error, expected) => {
    expect(isUnavailable(error)).toBe(expected);
  });

  test('a full volume is told apart: reads still work', () => {
    const error = new Error('Failed query', { cause: { code: '53100' } });
    expect(isOutOfSpace(error)).toBe(true);
    expect(isUnavailable(error)).toBe(false);
  });
});

describe('values', () => {
  test('instants are ISO 8601 in UTC with milliseconds, from the pool and from drizzle', async () => {
    const statement = `select '2026-03-29 03:00:00.5+02'::timestamptz as at, '2026-03-29'::date as day, 9007199254740993 as big, 1.10 as price`;
    const expected = { at: '2026-03-29T01:00:00.500Z', day: '2026-03-29', big: '9007199254740993', price: '1.10' };
    expect((await fresh.database.pool.query(statement)).rows).toEqual([expected]);
    expect((await fresh.database.drizzle.execute(sql.raw(statement))).rows).toEqual([expected]);
  });

  test.each([
    ['2026-11-20 12:00:00+00', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20 12:00:00.123456+00', '2026-11-20T12:00:00.123Z'],
    ['2026-11-20 12:00:00.9996+00', '2026-11-20T12:00:00.999Z'],
    ['2026-11-20T12:00:00.5+00:00', '2026-11-20T12:00:00.500Z'],
    ['2026-11-20T12:00:00+00:00', '2026-11-20T12:00:00.000Z'],
    ['infinity', 'infinity'],
  ])('%s is %s', (text, instant) => {
    expect(instantOf(text)).toBe(instant);
  });
});
