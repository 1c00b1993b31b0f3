// `staff-dashboard check` with real components: each is checked, and each failure is one line without a
// secret.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { backupName } from '#server/admin/backup/backup-folder.ts';
import { builtMain } from '../../../test/built-server.ts';
import { asOwner, type FreshDatabase, freshDatabase } from '../../../test/database.ts';
import { openFolder } from '../../../test/database-folder.ts';
import { client, startIdentityProvider, type TestProvider } from '../../../test/identity-provider.ts';
import { type MailServer, startMailServer } from '../../../test/mail-server.ts';
import { bucketUrl, startBucket, type TestBucket } from '../../../test/s3-server.ts';

const folder = openFolder('check');
const dataDir = join(folder, 'data');
const login = { user: 'dash', password: 'mail-Pa55word' };
let database: FreshDatabase;
let empty: FreshDatabase;
let provider: TestProvider;
let mail: MailServer;
let bucket: TestBucket;
let right: Record<string, string>;

beforeAll(async () => {
  [database, empty, provider, mail, bucket] = await Promise.all([
    freshDatabase(),
    freshDatabase({ bare: true }),
    startIdentityProvider('http://127.0.0.1:1/api/auth/sso/callback'),
    startMailServer({ login }),
    startBucket(join(folder, 'bucket')),
  ]);
  right = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    LINK_SECRET: '0123456789abcdef0123456789abcdef',
    PUBLIC_URL: 'https://staff.company.test',
    SMTP_URL: `smtp://${login.user}:${login.password}@127.0.0.1:${mail.port}`,
    MAIL_FROM: 'dashboard@company.test',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
  };
});
afterAll(async () => {
  await Promise.all([database.drop(), empty.drop(), provider.stop(), mail.stop(), bucket.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

async function check(env: Record<string, string>, ...words: string[]) {
  const child = spawn(process.execPath, [builtMain, 'check', ...words], { env: { PATH: process.env.PATH, ...env } });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, error, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const lines = out.trim().split('\n');
  return {
    code,
    error,
    lines,
    states: Object.fromEntries(lines.map((line) => line.split(/ {2,}/).slice(0, 2).reverse())),
  };
}

it('a wrong configuration is one line for each fault', async () => {
  const { code, error, lines } = await check({ ...right, PORT: 'none', COMPANY_TIME_ZONE: 'Mars/Olympus' });
  expect([code, error]).toEqual([1, '']);
  expect(lines).toEqual([
    expect.stringMatching(/^failed {3}configuration {6}PORT is "none"/),
    expect.stringMatching(/^failed {3}configuration {6}COMPANY_TIME_ZONE is "Mars\/Olympus"/),
  ]);
});

it('the newest complete backup is too old, missing, or fine, without a configuration', async () => {
  const backups = join(folder, 'backups');
  const lay = (hours: number, complete = true) => {
    const name = backupName(Temporal.Now.instant().subtract({ hours }));
    mkdirSync(join(backups, name), { recursive: true });
    if (complete) writeFileSync(join(backups, name, 'manifest.json.sha256'), '');
    return name;
  };
  const ask = async () => {
    const { code, lines } = await check({ PORT: 'none' }, '--backups', backups);
    return [code, ...lines];
  };
  expect(await ask()).toEqual([1, expect.stringMatching(/^failed {3}backup +.*backups/)]);
  const old = lay(27);
  lay(1, false);
  mkdirSync(join(backups, 'staff-dashboard-2099-01-01T00-00-00Z.partial'));
  expect(await ask()).toEqual([1, expect.stringContaining(`The newest is ${old}, 27 hours old.`)]);
  lay(-1_000);
  for (const name of ['staff-dashboard-2026-13-01T00-00-00.000Z', 'others'])
    mkdirSync(join(backups, name), { recursive: true });
  const fresh = lay(2);
  expect(await ask()).toEqual([0, `ok       backup             ${fresh}, 2 hours old`]);
});

it('everything that is there is found, nothing is left behind and no mail is sent', async () => {
  mkdirSync(join(dataDir, 'files'), { recursive: true });
  const { code, error, lines, states } = await check(right);
  expect([code, error]).toEqual([0, '']);
  expect(states).toEqual({
    configuration: 'ok',
    database: 'ok',
    address: 'ok',
    storage: 'ok',
    mail: 'ok',
    'identity provider': 'ok',
  });
  expect(lines[1]).toMatch(
    /PostgreSQL \d+\S*, database staff_test_\w+, version \d+, user \w+, servers work as staff_dashboard$/,
  );
  expect([readdirSync(join(dataDir, 'files')), readdirSync(join(dataDir, 'incoming'))]).toEqual([[], []]);
  expect(mail.mails).toEqual([]);
});

it('each part that fails is one line, without a password, and the others are still asked', async () => {
  writeFileSync(join(folder, 'a-file'), '');
  const { code, error, lines, states } = await check({
    ...right,
    DATABASE_URL: 'postgres://dash:data-Pa55word@127.0.0.1:1/dash',
    DATA_DIR: join(folder, 'a-file', 'data'),
    SMTP_URL: `smtp://dash:wrong-Pa55word@127.0.0.1:${mail.port}`,
    OIDC_ISSUER: 'http://127.0.0.1:1',
  });
  expect([code, error]).toEqual([1, '']);
  expect(states).toMatchObject({
    database: 'failed',
    storage: 'failed',
    mail: 'failed',
    'identity provider': 'failed',
  });
  expect(lines).toHaveLength(6);
  expect(lines.join('\n')).not.toContain('Pa55word');
});

it('a bucket is written, read and cleared; one that is not there fails', async () => {
  const found = await check({ ...right, FILES_URL: bucketUrl(bucket.port) });
  expect(found.lines[3]).toBe('ok       storage            bucket attachments: wrote, read and removed a file');
  const gone = await check({ ...right, FILES_URL: bucketUrl(1) });
  expect([gone.code, gone.states.storage, gone.states.mail]).toEqual([1, 'failed', 'ok']);
  expect(gone.lines.join('\n')).not.toContain('S3RVER');
});

it('settings that no server of this database has fail, as its start would, and make no folder', async () => {
  const id = "insert into installation (files_place, is_production) values ('elsewhere', true) returning id";
  const [row] = await asOwner<{ id: string }>(database.url, id);
  try {
    const development = await check(right);
    expect([development.code, development.states.database]).toEqual([1, 'failed']);
    expect(development.lines[1]).toContain('This database is in production, and APP_ENV is "development"');
    const production = { ...right, APP_ENV: 'production' };
    const place = await check(production);
    expect(place.lines[1]).toMatch(/The files of this database are in elsewhere, not in .*set FILES_URL or DATA_DIR/);
    const nowhere = await check({ ...production, DATA_DIR: join(folder, 'nowhere') });
    expect([nowhere.states.database, nowhere.states.storage]).toEqual(['failed', 'skipped']);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
    const fingerprint = `update installation set link_secret_fingerprint = 'other' where id = '${row?.id}'`;
    await asOwner(database.url, fingerprint);
    expect((await check(production)).lines[1]).toContain("LINK_SECRET isn't the one of this database");
  } finally {
    await asOwner(database.url, 'delete from installation');
  }
});

it('a host of another machine fails, as the start would', async () => {
  const { code, lines } = await check({ ...right, HOST: '192.0.2.1' });
  expect([code, lines[2]]).toEqual([1, expect.stringMatching(/^failed {3}address {12}HOST is "192\.0\.2\.1", but/)]);
});

it('a new database beside the files of another one fails, and only what a start needs is asked', async () => {
  const place = join(folder, 'of-another');
  mkdirSync(join(place, 'files'), { recursive: true });
  writeFileSync(join(place, 'files', 'installation-id'), 'another');
  const { code, lines, states } = await check({ ...right, DATABASE_URL: empty.url, DATA_DIR: place }, '--start');
  expect([code, states]).toEqual([1, { configuration: 'ok', database: 'failed', address: 'ok' }]);
  expect(lines[1]).toContain('This database is new, but the files in');
});

it('a database whose user may create no tables fails', async () => {
  const url = new URL(empty.url);
  Object.assign(url, { username: 'staff_test_guest', password: 'guest' });
  await asOwner(empty.superuserUrl, "create role staff_test_guest login password 'guest'");
  try {
    const { code, lines } = await check({ ...right, DATABASE_URL: url.href });
    expect([code, lines[1]]).toEqual([1, expect.stringContaining('its user may not create tables there.')]);
  } finally {
    await asOwner(empty.superuserUrl, 'drop role staff_test_guest');
  }
});

it('a folder that no server starts on fails, also before there is a database in it', async () => {
  const { code, states } = await check({ DATA_DIR: '/proc/self/data' });
  expect([code, states.database, states.storage]).toEqual([1, 'failed', 'failed']);
});

it('what is not configured is skipped, and an empty database gets no table', async () => {
  const { DATABASE_URL: _, ...rest } = right;
  const { code, states } = await check({
    DATA_DIR: rest.DATA_DIR!,
    DATABASE_URL: empty.url,
    LINK_SECRET: rest.LINK_SECRET!,
  });
  expect([code, states.mail, states['identity provider']]).toEqual([0, 'skipped', 'skipped']);
  const { rows } = await empty.database.pool.query(
    "select from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  expect(rows).toEqual([]);
  const none = await check({ DATA_DIR: join(folder, 'none') });
  expect([none.code, none.states.database, none.states.storage]).toEqual([0, 'skipped', 'skipped']);
  expect(existsSync(join(folder, 'none'))).toBe(false);
});
