import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyRows } from '#server/numbers/batch.service.ts';
import { sealAudit } from '#server/platform/audit/seal-audit.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { builtMain } from '../../../test/built-server.ts';
import { asOwner } from '../../../test/database.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

type Ended = { readonly code: number | null; readonly out: string; readonly error: string };

/** A leading object adds environment variables. */
function admin(...given: (string | Record<string, string>)[]): Promise<Ended> {
  const parameters = given.filter((part) => typeof part === 'string');
  const env = Object.assign({}, ...given.filter((part) => typeof part !== 'string'));
  const child = spawn(process.execPath, [builtMain, 'admin', ...parameters], {
    env: { PATH: process.env.PATH, DATABASE_URL: app.databaseUrl, ...env },
  });
  const printed = { out: '', error: '' };
  child.stdout.on('data', (text) => {
    printed.out += text;
  });
  child.stderr.on('data', (text) => {
    printed.error += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...printed })));
}

async function signIn(email: string, password: string): Promise<number> {
  const { statusCode } = await app.call({ method: 'POST', url: '/api/auth/login', payload: { email, password } });
  return statusCode;
}

const passwordIn = ({ out }: Ended): string => out.trim().split(' ').at(-1) as string;

it('what cannot be understood ends with 1, says why and changes nothing', async () => {
  const wrong = [[], ['setting'], ['setting', 'colour', 'red'], ['setting', 'dashboards', 'connect=grafana']];
  const more = [
    ['setting', 'taskLimit', '-1'],
    ['drop', 'x'],
    ['rebuild-numbers', 'people'],
    ['first-admin', 'ada@example.test', 'bob@example.test'],
    ['first-admin', 'nobody'],
    ['reset-password', 'no@x.test'],
  ];
  const ends = await Promise.all([...wrong, ...more].map((parameters) => admin(...parameters)));
  expect(ends.map(({ code, out }) => [code, out])).toEqual(ends.map(() => [1, '']));
  expect(ends.every(({ error }) => error.trim() !== '' && !error.includes('    at '))).toBe(true);
  const { rows } = await app.database.pool.query(
    'select (select count(*) from settings)::int + (select count(*) from people)::int as count',
  );
  expect(rows).toEqual([{ count: 0 }]);
});

it('a first admin is made while none can sign in, and then no second one', async () => {
  const made = await admin('first-admin', 'ada@example.test');
  expect(made).toMatchObject({ code: 0, error: '' });
  expect(await signIn('ada@example.test', passwordIn(made))).toBe(200);
  const second = await admin('first-admin', 'bob@example.test');
  expect(second).toMatchObject({ code: 1, out: '' });
  expect(second.error).toContain('ada@example.test');
  await app.database.pool.query('update people set disabled_at = now()');
  const back = await admin('first-admin', 'ADA@example.test');
  expect(await signIn('ada@example.test', passwordIn(back))).toBe(200);
});

it('a new password ends the old one and every session, and is in the audit log without itself', async () => {
  const token = await app.signIn('ada@example.test');
  const reset = await admin('reset-password', 'Ada@Example.test');
  expect((await app.gql(token, '{ __typename }')).status).toBe(401);
  expect(await signIn('ada@example.test', passwordIn(reset))).toBe(200);
  const { rows } = await app.database.pool.query(
    "select actor_id, row_to_json(a)::text as text from audit_log a where action = 'passwordReset'",
  );
  expect(rows).toMatchObject([{ actor_id: null }]);
  expect(rows[0].text).not.toContain(passwordIn(reset));
});

it('a second factor is removed for somebody who lost it, and the removal is in the audit log', async () => {
  const id = await app.person({ email: 'lost@example.test' });
  await app.database.pool.query(
    "insert into authenticators (person_id, secret, confirmed_at, created_at) values ($1, 'x', now(), now())",
    [id],
  );
  expect(await admin('reset-second-factor', 'Lost@example.test')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Lost@example.test is signed out and has no passkey'),
    error: '',
  });
  expect(await admin('reset-second-factor', 'lost@example.test')).toMatchObject({
    code: 1,
    out: '',
    error: expect.stringContaining('has no passkey or authenticator app, so nothing changed'),
  });
  const { rows } = await app.database.pool.query(
    "select actor_id from audit_log where action = 'authenticatorRemoved' and subject_id = $1",
    [id],
  );
  expect(rows).toEqual([{ actor_id: null }]);
});

it('a setting holds for a running server at once, dashboards on top of those that are set', async () => {
  expect(await admin('setting', 'dashboards', 'connect=metabase')).toMatchObject({ code: 0, error: '' });
  const both = await admin('setting', 'dashboards', 'who-lives=metabase');
  expect(both.out).toBe('dashboards is now {"connect":"metabase","who-lives":"metabase"}\n');
  await expect.poll(() => app.parts.settings().dashboards).toEqual({ connect: 'metabase', 'who-lives': 'metabase' });
  expect((await admin('setting', 'dashboards')).out).toBe(
    'dashboards is {"connect":"metabase","who-lives":"metabase"}\n',
  );
});

it('numbers are counted anew on the days of a new zone, and an import that stopped for it goes on', async () => {
  const row = {
    externalId: '1',
    values: {
      product: 'connect',
      order_ref: '1',
      occurred_at: '2026-11-01T23:30:00Z',
      gross: 1n,
      currency: 'USD',
      status: 'completed',
    },
    labels: {},
    texts: {},
  };
  const apply = (zone: string) =>
    app.database.transaction((queries) => applyRows(queries, 'orders', [row], { zone, source: 'shop' }));
  const days = async () => (await app.database.pool.query('select day::text from orders_totals')).rows;
  await apply('UTC');
  expect(await days()).toEqual([{ day: '2026-11-01' }]);
  await expect(apply('Europe/Berlin')).rejects.toThrow('rebuild');
  const { code, out, error } = await admin({ COMPANY_TIME_ZONE: 'Europe/Berlin' }, 'rebuild-numbers', 'orders');
  expect([code, error]).toEqual([0, '']);
  expect(out).toMatch(/^orders is counted on the days of Europe\/Berlin/);
  expect(await days()).toEqual([{ day: '2026-11-02' }]);
  await apply('Europe/Berlin');
  const { rows } = await app.database.pool.query("select after from audit_log where action = 'numbersCountedAnew'");
  expect(rows).toEqual([{ after: { zone: 'Europe/Berlin' } }]);
});

it('the audit log is walked: it holds, its end can be kept, and what was tampered with is named with exit code 1', async () => {
  await sealAudit(app.database);
  const holds = await admin('verify-audit');
  expect(holds).toMatchObject({ code: 0, error: '' });
  const head = holds.out.trim().split(' ').at(-1) as string;
  expect(holds.out).toMatch(/^The audit log is intact: \d+ rows sealed, 0 of them partly erased, 0 not sealed yet\n/);
  expect(await admin('verify-audit', head)).toMatchObject({ code: 0 });
  const cutOff = await admin('verify-audit', `999:${head.split(':')[1]}`);
  expect(cutOff).toMatchObject({ code: 1, out: '', error: expect.stringContaining('the end was cut off') });
  expect((await admin('verify-audit', 'tomorrow')).code).toBe(1);
  await asOwner(
    app.superuserUrl,
    "begin; set local session_replication_role = replica; update audit_log set action = 'x' where id = 2; commit",
  );
  expect(await admin('verify-audit')).toMatchObject({
    code: 1,
    out: '',
    error: expect.stringContaining('row 2 (place 2) was changed'),
  });
});
