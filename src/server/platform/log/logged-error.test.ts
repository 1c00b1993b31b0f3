// No value of a failed statement reaches the log (security review, row 10).
import { Writable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { openDatabase } from '../db/database.ts';
import { failureOf, logFailure } from '../graphql/failures.ts';
import { createLog, loggedError } from './log.ts';

const secret = 'marked-secret-4711';
/** So long that no time or process has it. */
const secretNumber = 1_947_114_711;
let app: TestApp;
let text = '';
const log = createLog(
  { level: 'trace' },
  new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  }),
);
const lines = () =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  app = await startTestApp({ parts: { log } });
  await app.asOwner('create table kinds (id integer primary key, short varchar(5), even integer check (even % 2 = 0))');
  await app.asOwner('grant all on kinds to public');
});
afterAll(() => app.stop());
beforeEach(() => {
  text = '';
});

const failing: Record<string, readonly [sqlstate: string, statement: ReturnType<typeof sql>]> = {
  'a number that is none': ['22P02', sql`select ${secret}::integer`],
  'a date that is none': ['22007', sql`select ${secret}::date`],
  'JSON that is none': ['22P02', sql`select ${`{"${secret}`}::jsonb`],
  'an array that is none': ['22P02', sql`select ${`{"${secret}`}::text[]`],
  'a text that is too long': ['22001', sql`insert into kinds (id, short) values (1, ${secret})`],
  'a role that is there': [
    '23505',
    sql`insert into roles (name, permissions) values (${secret}, '{}'), (${secret}, '{}')`,
  ],
  'a check': ['23514', sql`insert into kinds (id, even) values (${secretNumber}, ${secretNumber})`],
  'a missing value': ['23502', sql`insert into people (email, first_name) values (${secret}, ${secret})`],
  'nobody behind a reference': [
    '23503',
    sql`insert into approvers (person_id, approver_id) values (${secretNumber}, ${secretNumber + 1})`,
  ],
  'a table that is not there': ['42P01', sql`select ${secret} from ${sql.identifier('nothing')}`],
  'a column that is not there': ['42703', sql`select nothing from people where email = ${secret}`],
  'a literal in the statement': [
    '22P02',
    sql.raw(`select 1 where 'it''s ${secret}' = 'a' or '${secret}'::integer = 1`),
  ],
  'an exception of our own': ['P0001', sql`do $$ begin raise exception 'refused'; end $$`],
  'a right that is missing': ['42501', sql`update audit_log set action = ${secret}`],
};

test.each(Object.entries(failing))(
  'of a statement that fails by %s the log has the kind and no value',
  async (_, [state, statement]) => {
    for (const run of [
      () => app.database.drizzle.execute(statement),
      () => app.database.transaction((queries) => queries.execute(statement)),
    ]) {
      const error = await run().then(
        () => expect.fail('it should fail'),
        (failure: unknown) => failure,
      );
      logFailure(log, { ...failureOf(error), statusCode: 500 }, error);
      log.error(error as Error);
      log.warn({ err: error }, (error as Error).message);
    }
    expect(text).not.toContain(secret);
    expect(text).not.toContain(String(secretNumber).slice(0, -1));
    const [line] = lines();
    expect([line.err.code, line.err.cause?.code]).toContain(state);
    expect(line.err.stack).toMatch(/^ {4}at /);
  },
);

test('calls that fail in the database leave no value in the log, whatever they held', async () => {
  await app.asOwner('alter table people add constraint never check (last_name <> $$x$$)');
  const admin = await app.signIn(await app.person({ role: 'admin' }));
  await app.asOwner('revoke insert on tasks from public');
  await app.call({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: `${secret}@example.test`, password: secret, device: '' },
  });
  await app.gql(admin, 'mutation ($t: String!) { createTask(title: $t, userId: "1") { id } }', { t: secret });
  expect(text).not.toContain(secret);
});

test('a connection that is lost is told without the client, its host, user and keys', async () => {
  const database = openDatabase({ url: app.databaseUrl, log });
  const { rows } = await database.pool.query<{ pid: number; user: string }>('select pg_backend_pid() as pid, user');
  await app.asOwner('select pg_terminate_backend($1)', [rows[0]!.pid]);
  await expect.poll(() => text).toContain('an idle database connection was lost');
  expect(Object.keys(lines()[0].err).sort()).toEqual(expect.arrayContaining(['code', 'message', 'type']));
  for (const trace of ['client', 'secretKey', 'processID', 'connectionParameters', rows[0]!.user])
    expect(text).not.toContain(trace);
  await database.close();
});

test('a database that closes waits for its connections to be gone, and tells of none', async () => {
  const database = openDatabase({ url: app.databaseUrl, log });
  await Promise.all(Array.from({ length: 6 }, () => database.pool.query('select pg_sleep(0.01)')));
  const name = 'staff-dashboard';
  const open = () => [database.pool.totalCount, database.pool.idleCount];
  expect(open()[0]).toBeGreaterThan(0);
  await database.close();
  expect(open()).toEqual([0, 0]);
  expect(text, name).toBe('');
});

test('of any error a list of fields is told, a few levels deep, and no other', () => {
  const error = Object.assign(
    new Error('outer', { cause: Object.assign(new TypeError('inner'), { config: secret }) }),
    {
      code: 'E_OUTER',
      request: { headers: { authorization: secret } },
      response: secret,
      detail: secret,
      where: secret,
      client: { secretKey: secret },
    },
  );
  const told = loggedError(error);
  expect(JSON.stringify(told)).not.toContain(secret);
  expect(told).toMatchObject({
    type: 'Error',
    message: 'outer',
    code: 'E_OUTER',
    cause: { type: 'TypeError', message: 'inner' },
  });
  const circle: Error & { cause?: unknown } = new Error('circle');
  circle.cause = circle;
  expect(JSON.stringify(loggedError(circle)).length).toBeLessThan(20_000);
  expect(loggedError(secret)).toEqual({ type: 'string', message: 'no error was thrown' });
});
