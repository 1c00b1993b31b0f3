import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyRows } from '#server/numbers/batch.service.ts';
import { sealAudit } from '#server/platform/audit/seal-audit.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { builtMain } from '../../../test/built-server.ts';
import { asOwner, freshDatabase } from '../../../test/database.ts';
import { openFolder } from '../../../test/database-folder.ts';

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

it('what a running server would not follow is refused while one uses the database', async () => {
  const secret = { LINK_SECRET: '0123456789abcdef0123456789abcdef' };
  const refused = { code: 1, out: '', error: expect.stringContaining('Stop every server, then run this again') };
  const commands = ['adopt-link-secret', 'leave-production', 'adopt-files'];
  for (const command of commands) expect(await admin(secret, command)).toMatchObject(refused);
  expect(
    (await app.database.pool.query('select from installation where link_secret_fingerprint is not null')).rowCount,
  ).toBe(0);
  const unserved = await freshDatabase();
  try {
    const place = { ...secret, DATABASE_URL: unserved.url };
    for (const command of commands.slice(0, 2)) expect(await admin(place, command)).toMatchObject({ code: 0 });
  } finally {
    await unserved.drop();
  }
});

it('the file storage is recorded again after it lost its mark, and only then', async () => {
  const unserved = await freshDatabase();
  const folder = openFolder('adopted');
  try {
    const adopt = () => admin({ DATABASE_URL: unserved.url, DATA_DIR: folder }, 'adopt-files');
    const now = `This database now keeps its files in ${folder}/files on ${hostname()}. Start every server`;
    const nothing = `This database already keeps its files in ${folder}/files on ${hostname()}. Nothing changed\n`;
    expect(await adopt()).toMatchObject({ code: 0, out: expect.stringContaining(now) });
    expect(await adopt()).toEqual({ code: 0, out: nothing, error: '' });
    rmSync(join(folder, 'files/installation-id'));
    expect(await adopt()).toMatchObject({ code: 0, out: expect.stringContaining(now) });
  } finally {
    rmSync(folder, { recursive: true });
    await unserved.drop();
  }
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
  const without = await admin('setting', 'dashboards', 'connect=metabase');
  expect([without.code, without.error]).toEqual([1, expect.stringContaining('First set METABASE_SITE_URL')]);
  const metabase = { METABASE_SITE_URL: 'https://charts.example.test', METABASE_SECRET_KEY: 'secret-of-charts' };
  expect(await admin(metabase, 'setting', 'dashboards', 'connect=metabase')).toMatchObject({ code: 0, error: '' });
  const both = await admin(metabase, 'setting', 'dashboards', 'who-lives=metabase');
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

it('a source is counted, and removed once its number of rows is given', async () => {
  const berlin = { COMPANY_TIME_ZONE: 'Europe/Berlin' };
  const counted = await admin(berlin, 'remove-source', 'orders', 'shop');
  expect(counted).toMatchObject({ code: 0, error: '' });
  expect(counted.out).toBe(
    'orders has 1 row from shop. To remove them, run: npm run admin -- remove-source orders shop 1\n',
  );
  for (const [given, reason] of [
    [['orders', 'shop', '2'], 'orders has 1 row from shop, not 2. Nothing was removed'],
    [['orders', 'till'], 'No rows in this dataset come from “till”'],
    [['sheep', 'shop'], 'Unknown dataset "sheep"'],
  ] as const)
    expect(await admin(berlin, 'remove-source', ...given)).toMatchObject({
      ...{ code: 1, out: '', error: expect.stringContaining(reason) },
    });
  const removed = await admin(berlin, 'remove-source', 'orders', 'shop', '1');
  expect(removed).toMatchObject({ code: 0, out: 'Removed 1 row from shop\n', error: '' });
  const left = await app.database.pool.query('select 1 from orders union all select 1 from orders_totals');
  expect(left.rows).toEqual([]);
  const { rows } = await app.database.pool.query(
    "select actor_id, after from audit_log where action = 'sourceRemoved'",
  );
  expect(rows).toEqual([{ actor_id: null, after: { dataset: 'orders', source: 'shop', rows: 1 } }]);
});

it('a customer’s rows are counted, and the customer erased from them once their number is given', async () => {
  const row = {
    externalId: '1',
    values: {
      ...{ product: 'connect', order_ref: '1', occurred_at: '2026-11-01T12:00:00Z', customer_ref: 'Ann Lee' },
      ...{ gross: 1n, currency: 'USD', status: 'completed' },
    },
    labels: {},
    texts: {},
  };
  const berlin = { COMPANY_TIME_ZONE: 'Europe/Berlin' };
  await app.database.transaction((queries) =>
    applyRows(queries, 'orders', [row], { zone: 'Europe/Berlin', source: 'shop' }),
  );
  const counted = await admin(berlin, 'erase-reference', 'orders', 'Ann Lee');
  expect(counted).toMatchObject({ code: 0, error: '' });
  expect(counted.out).toBe(
    "orders has 1 row of this customer (shop 1). To erase the customer from them, run: npm run admin -- erase-reference orders 'Ann Lee' 1\n",
  );
  for (const [given, reason] of [
    [['orders', 'Ann Lee', '2'], 'orders has 1 row of this customer (shop 1), not 2. Nothing was erased'],
    [['payouts', 'Ann Lee'], '"payouts" isn’t orders or donations'],
  ] as const)
    expect(await admin(berlin, 'erase-reference', ...given)).toMatchObject({
      ...{ code: 1, out: '', error: expect.stringContaining(reason) },
    });
  const erased = await admin(berlin, 'erase-reference', 'orders', 'Ann Lee', '1');
  expect(erased).toMatchObject({ code: 0, error: '' });
  expect(erased.out).toMatch(/^Erased the customer from 1 row\. Earlier backups still hold/);
  const left = await app.database.pool.query('select customer_ref from orders');
  expect(left.rows).toEqual([{ customer_ref: null }]);
  const { rows } = await app.database.pool.query(
    "select actor_id, after ->> 'rows' as rows from audit_log where action = 'referenceErased'",
  );
  expect(rows).toEqual([{ actor_id: null, rows: '1' }]);
});

it('old rows are counted, and deleted at night once their number is given', async () => {
  const shown = await admin('retention');
  expect(shown).toMatchObject({ code: 0, error: '', out: expect.stringContaining('payments keeps all rows\n') });
  const counted = await admin('retention', 'payments', '24');
  expect(counted.out).toMatch(
    /^payments has 0 rows of 0 from before 1 \w+ \d{4}\. To delete .*run: npm run admin -- retention payments 24 0\n$/,
  );
  for (const [given, reason] of [
    [['payments', '24', '5'], 'not 5. Nothing changed'],
    [['payments', '0'], 'months must be 1 or more'],
    [['payments', 'x'], 'months must be'],
    [['sheep'], 'Unknown dataset "sheep"'],
  ] as const)
    expect(await admin('retention', ...given)).toMatchObject({ code: 1, error: expect.stringContaining(reason) });
  expect(await admin('retention', 'payments', '24', '0')).toMatchObject({
    out: 'payments keeps 24 months. Servers delete older rows at night\n',
  });
  expect(await admin('retention', 'payments')).toMatchObject({ out: 'payments keeps 24 months\n' });
  expect(await admin('retention', 'payments', 'off')).toMatchObject({ out: 'payments keeps all rows\n' });
  const { rows } = await app.database.pool.query(
    "select before, after from audit_log where action = 'retentionSet' order by id",
  );
  expect(rows.map(({ before, after }) => [before.months, after.months])).toEqual([
    [null, 24],
    [24, null],
  ]);
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
    error: expect.stringContaining('row 2 (entry 2) was changed'),
  });
});
