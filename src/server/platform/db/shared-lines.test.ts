import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts';
import { openDatabase } from './database.ts';
import { isUnavailable } from './database-failures.ts';
import { executePrepared } from './prepared.ts';
import { SharedLines } from './shared-lines.ts';

const log = { info() {}, warn() {}, error() {} };
let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase({ bare: true });
});
afterAll(() => fresh.drop());

/** Lines of their own, that tell how many answers a connection had to give. */
function openLines(max: number) {
  const lines = new SharedLines({ connectionString: fresh.url, max }, fresh.database.pool);
  lines.pool.on('connect', (client) => client.on('error', () => {}));
  return { lines, [Symbol.asyncDispose]: () => lines.pool.end() };
}

const connectionOf = async (lines: SharedLines, value: number) =>
  (
    await lines.query<{ value: number; pid: number }>({
      name: 'line',
      text: 'select $1::int as value, pg_backend_pid() as pid',
      values: [value],
    })
  ).rows[0]!;

test('what is asked at once shares the connections, and each gets its own answer', async () => {
  await using opened = openLines(2);
  for (let round = 0; round < 20; round += 1) {
    const values = Array.from({ length: 40 }, (_, index) => round * 100 + index);
    const answers = await Promise.all(values.map((value) => connectionOf(opened.lines, value)));
    expect(answers.map(({ value }) => value)).toEqual(values);
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(2);
  }
});

test('what is asked in one turn is sent in one write', async () => {
  await using opened = openLines(1);
  await Promise.all([1, 2].map((value) => connectionOf(opened.lines, value)));
  const client = await opened.lines.pool.connect();
  const { stream } = (client as unknown as { connection: { stream: import('node:net').Socket } }).connection;
  client.release();
  const writes = vi.spyOn(stream, '_writev' as never);
  await Promise.all([1, 2, 3, 4].map((value) => connectionOf(opened.lines, value)));
  expect(writes).toHaveBeenCalledTimes(1);
});

test('a question that fails leaves those sent with it as they are', async () => {
  await using opened = openLines(1);
  const outcomes = await Promise.allSettled([
    connectionOf(opened.lines, 1),
    opened.lines.query({ text: 'select 1 / 0' }),
    opened.lines.query({ name: 'absent', text: 'select * from nothing_there' }),
    connectionOf(opened.lines, 2),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect((await connectionOf(opened.lines, 3)).value).toBe(3);
});

test('a connection that is lost fails what was on it as unavailable, and the next question has another one', async () => {
  await using opened = openLines(1);
  const [first] = await Promise.all([1, 2].map((value) => connectionOf(opened.lines, value)));
  const asked = Promise.allSettled([
    opened.lines.query({ text: 'select pg_sleep(60)' }),
    connectionOf(opened.lines, 2),
  ]);
  await vi.waitFor(async () => {
    const { rows } = await fresh.database.pool.query(
      "select pg_terminate_backend(pid) as ended from pg_stat_activity where pid = $1 and query like '%pg_sleep%'",
      [first?.pid],
    );
    expect(rows).toEqual([{ ended: true }]);
  });
  for (const outcome of await asked) {
    expect(outcome.status).toBe('rejected');
    expect(isUnavailable((outcome as PromiseRejectedResult).reason)).toBe(true);
  }
  expect((await connectionOf(opened.lines, 3)).value).toBe(3);
});

test('who waits for a free line is answered when there is one', async () => {
  await using opened = openLines(1);
  const twice = (text: string) => Promise.all([opened.lines.query({ text }), opened.lines.query({ text })]);
  const slow = twice('select pg_sleep(0.2)');
  await vi.waitFor(() => expect(opened.lines.pool.totalCount).toBe(1));
  const later = twice('select 1');
  await vi.waitFor(() => expect(opened.lines.pool.waitingCount).toBe(1));
  expect([...(await slow), ...(await later)].map(({ rowCount }) => rowCount)).toEqual([1, 1, 1, 1]);
});

test('who asks alone needs no line', async () => {
  await using opened = openLines(1);
  expect((await connectionOf(opened.lines, 1)).value).toBe(1);
  expect(opened.lines.pool.totalCount).toBe(0);
});

test('a database that is not there is unavailable, to all who ask', async () => {
  const absent = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', log });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => executePrepared(absent.reads, sql`select 1`)),
  );
  expect(outcomes.every((outcome) => outcome.status === 'rejected' && isUnavailable(outcome.reason))).toBe(true);
  expect(absent.connections()).toEqual({ idle: 0, used: 0, waitedFor: 0 });
  await absent.close();
});

test('with few connections all of them are for everything', async () => {
  const small = openDatabase({ url: fresh.url, poolSize: 3, log });
  expect(small.reads.$client).toBe(small.pool);
  await small.close();
});
