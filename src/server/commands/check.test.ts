// `staff-dashboard check` with real components: each is checked, and each failure is one line without a
// secret.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeBackup } from '#server/admin/backup/backup.service.ts';
import { backupName, type Sealing, sealedFor, unsealed } from '#server/admin/backup/backup-folder.ts';
import { authenticationCode } from '#server/admin/backup/manifest.ts';
import { applyRows } from '#server/numbers/batch.service.ts';
import { openFileStore } from '#server/platform/storage/files.ts';
import { builtMain } from '../../../test/built-server.ts';
import { asOwner, type FreshDatabase, freshDatabase } from '../../../test/database.ts';
import { openFolder } from '../../../test/database-folder.ts';
import { root } from '../../../test/house/source.ts';
import { client, startIdentityProvider, type TestProvider } from '../../../test/identity-provider.ts';
import { type MailServer, startMailServer } from '../../../test/mail-server.ts';
import { needs } from '../../../test/needs.ts';
import { bucketUrl, startBucket, type TestBucket } from '../../../test/s3-server.ts';
import { makeKey } from './backup-options.ts';

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

it('a database that only takes reads fails, as it would stop a start', async () => {
  const readOnly = `${database.url}${database.url.includes('?') ? '&' : '?'}options=-c%20default_transaction_read_only%3Don`;
  const words = 'but the database is read-only. Use the address of the primary.';
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL']) {
    const { code, lines } = await check({ ...right, [name]: readOnly }, '--start');
    expect([code, lines.find((line) => line.includes(words))]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^failed {3}database {6,}${name} is `)),
    ]);
  }
});

const linkSecret = '0123456789abcdef0123456789abcdef';

async function makeTestBackup(folder: string, sealing: Sealing = unsealed, secrets: object = {}) {
  const made = await makeBackup({
    url: database.url,
    files: await openFileStore({ dataDir: join(folder, 'data'), url: undefined }),
    folder,
    sealing,
    secrets: { LINK_SECRET: linkSecret, ...secrets },
    linkSecret,
    companyTimeZone: 'UTC',
    tell() {},
  });
  return { ...made, name: basename(made.path) };
}

function replaceManifest(path: string, manifest: object): void {
  const bytes = Buffer.from(JSON.stringify(manifest));
  writeFileSync(join(path, 'manifest.json'), bytes);
  writeFileSync(
    join(path, 'manifest.json.sha256'),
    `${createHash('sha256').update(bytes).digest('hex')}  manifest.json`,
  );
  writeFileSync(join(path, 'manifest.json.hmac'), authenticationCode(linkSecret, bytes));
}

async function checkBackups(
  backups: string,
  env: Record<string, string> = { LINK_SECRET: linkSecret },
  ...more: string[]
) {
  const { code, error, lines } = await check(
    { PORT: 'none', DATA_DIR: dataDir, ...env },
    '--backups',
    backups,
    ...more,
  );
  return [code, ...(error === '' ? [] : [error]), ...lines.map((line) => line.replaceAll(/ {2,}/g, ' '))];
}

it('a newest backup that is missing, empty, damaged or of someone else fails, with a line for each fault', async () => {
  const backups = join(folder, 'bad-backups');
  mkdirSync(backups);
  expect(await checkBackups(backups)).toEqual([
    1,
    expect.stringMatching(/^failed backup There is no complete.*backups/),
  ]);
  expect(await checkBackups(join(backups, 'none'))).toEqual([
    1,
    `failed backup There is no folder ${join(backups, 'none')}`,
  ]);
  const { path, name, manifest } = await makeTestBackup(backups);
  expect(await checkBackups(backups, undefined, '--identity', '/none')).toEqual([
    1,
    'failed backup --identity is "/none", but there is no such file',
  ]);
  const [first, second] = manifest.tables.toSorted((one, other) => one.bytes - other.bytes);
  const original = readFileSync(join(path, first!.file));
  writeFileSync(
    join(path, first!.file),
    original.map((byte) => byte ^ 1),
  );
  rmSync(join(path, second!.file));
  const damaged = `failed backup ${name} is damaged: `;
  expect(await checkBackups(backups)).toEqual([
    1,
    `${damaged}${first!.file} was changed: its SHA-256 doesn’t match`,
    `${damaged}${second!.file} cannot be read: ENOENT`,
  ]);
  rmSync(join(path, 'tables'), { recursive: true });
  const lines = await checkBackups(backups);
  expect([lines.length, lines.at(-1)]).toEqual([12, `${damaged}and ${manifest.tables.length - 10} more files`]);
  expect(await checkBackups(backups, { LINK_SECRET: linkSecret.toUpperCase() })).toEqual([
    1,
    expect.stringContaining('it was made with another LINK_SECRET, or someone changed it'),
  ]);
  writeFileSync(join(path, 'manifest.json'), '');
  expect(await checkBackups(backups)).toEqual([1, expect.stringContaining('manifest.json was changed')]);
  writeFileSync(join(path, 'manifest.json.sha256'), '');
  expect(await checkBackups(backups)).toEqual([1, expect.stringContaining('manifest.json.sha256 was changed')]);
});

it.each([
  ['plain', async () => unsealed],
  ['encrypted', async () => sealedFor(await identityToRecipient(await generateX25519Identity()))],
])('without LINK_SECRET, an %s backup fails, because nothing shows who made it', async (kind, sealing) => {
  const backups = join(folder, `unsigned-${kind}`);
  mkdirSync(backups);
  await makeTestBackup(backups, await sealing());
  expect(await checkBackups(backups, {})).toEqual([
    1,
    expect.stringMatching(/^failed backup .*: LINK_SECRET isn’t set, so its signature can’t be checked\. Take it from/),
  ]);
});

it('a newest backup that is too old by its manifest fails; a whole one is fine, whatever lies beside it', async () => {
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  const { path, name } = await makeTestBackup(backups);
  mkdirSync(join(backups, 'staff-dashboard-2099-01-01T00-00-00Z.partial'));
  for (const other of ['staff-dashboard-2026-13-01T00-00-00.000Z', backupName(Temporal.Now.instant()), 'others'])
    mkdirSync(join(backups, other));
  expect(await checkBackups(backups)).toEqual([0, `ok backup ${name}, 0 hours old`]);
  // A copy under a later name hides what happens to the newest.
  const copy = join(backups, backupName(Temporal.Now.instant().add({ minutes: 50 })));
  cpSync(path, copy, { recursive: true });
  expect(await checkBackups(backups)).toEqual([
    1,
    expect.stringMatching(`failed backup ${basename(copy)} was renamed or copied`),
  ]);
  rmSync(copy, { recursive: true });
  // A restore would take it.
  const planted = join(backups, 'staff-dashboard-2099-01-01T00-00-00.000Z');
  mkdirSync(planted);
  writeFileSync(join(planted, 'manifest.json.sha256'), '');
  expect(await checkBackups(backups)).toEqual([1, expect.stringContaining(`${planted} cannot be restored`)]);
  rmSync(planted, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));
  const madeAt = Temporal.Now.instant().subtract({ hours: 27 });
  replaceManifest(path, { ...manifest, madeAt });
  renameSync(path, join(backups, backupName(madeAt)));
  expect(await checkBackups(backups)).toEqual([
    1,
    `failed backup The newest is ${backupName(madeAt)}, 27 hours old. See what the last backup run printed`,
  ]);
  // As of a clock that is ahead: later backups would stay unseen.
  const ahead = Temporal.Now.instant().add({ hours: 2 });
  const future = join(backups, backupName(ahead));
  renameSync(join(backups, backupName(madeAt)), future);
  replaceManifest(future, { ...manifest, madeAt: ahead });
  expect(await checkBackups(backups)).toEqual([
    1,
    `failed backup ${basename(future)} is dated in the future and hides newer backups. Move it to another folder`,
  ]);
});

it('a backup that a restore would refuse for another secret or program fails, with words for a restore', async () => {
  const backups = join(folder, 'other-backups');
  mkdirSync(backups);
  const { path } = await makeTestBackup(backups, unsealed, { METABASE_SECRET_KEY: 'a'.repeat(64) });
  const env = { LINK_SECRET: linkSecret, METABASE_SECRET_KEY: 'b'.repeat(64) };
  expect(await checkBackups(backups, env)).toEqual([
    1,
    expect.stringMatching(/made with another METABASE_SECRET_KEY\. .* or restore it with --accept-other-secrets/),
  ]);
  const manifest = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));
  replaceManifest(path, { ...manifest, newestMigration: manifest.newestMigration + 1 });
  expect(await checkBackups(backups)).toEqual([1, expect.stringContaining('was made by a newer version')]);
});

it('of an encrypted backup only the identity shows the contents', async () => {
  const backups = join(folder, 'encrypted');
  mkdirSync(backups);
  const recipient = await makeKey(join(folder, 'key.txt'));
  expect(readFileSync(join(folder, 'key.txt'), 'utf8')).toContain(recipient);
  const { path, name, manifest } = await makeTestBackup(backups, sealedFor(recipient));
  const withKey = ['--identity', join(folder, 'key.txt')] as const;
  const env = { LINK_SECRET: linkSecret };
  const unread = 'skipped backup Didn’t check whether it can be decrypted, because --identity isn’t given';
  const fine = [0, `ok backup ${name}, 0 hours old`];
  expect(await checkBackups(backups)).toEqual([...fine, unread]);
  expect(await checkBackups(backups, env, ...withKey)).toEqual(fine);
  const { file, bytes } = manifest.tables[0]!;
  truncateSync(join(path, file), bytes - 1);
  const damaged = [1, `failed backup ${name} is damaged: ${file} has ${bytes - 1} bytes instead of ${bytes}`];
  expect(await checkBackups(backups, env, ...withKey)).toEqual(damaged);
  expect(await checkBackups(backups)).toEqual(damaged);
  for (const emptied of ['tables', 'files']) rmSync(join(path, emptied), { recursive: true, force: true });
  expect(await checkBackups(backups)).toHaveLength(12);
});

it('without the identity, nobody passes off an encrypted backup as newer, or parts of another as its own', async () => {
  const backups = join(folder, 'renamed');
  mkdirSync(backups);
  const identity = await generateX25519Identity();
  const sealing = sealedFor(await identityToRecipient(identity));
  const { path } = await makeTestBackup(backups, sealing);
  const made = await makeTestBackup(join(folder, 'renamed-other'), sealing);
  const parts = join(path, 'manifest.json.parts');
  const [code, list] = readFileSync(parts, 'utf8').split('\n') as [string, string];
  const refused = [1, expect.stringMatching(/manifest\.json\.parts was changed, or belongs to another backup/)];
  const yesterday = { ...JSON.parse(list), madeAt: Temporal.Now.instant().subtract({ hours: 30 }).toString() };
  writeFileSync(parts, `${code}\n${JSON.stringify(yesterday)}`);
  expect(await checkBackups(backups)).toEqual(refused);
  writeFileSync(parts, readFileSync(join(made.path, 'manifest.json.parts')));
  expect(await checkBackups(backups)).toEqual(refused);
  writeFileSync(parts, `${authenticationCode(linkSecret, Buffer.from(list))}\n${list}`);
  expect(await checkBackups(backups)).toEqual(refused);
  const old = JSON.stringify(yesterday);
  writeFileSync(parts, `${authenticationCode(linkSecret, Buffer.from(old), 'parts')}\n${old}`);
  const renamed = join(backups, backupName(Temporal.Now.instant()));
  renameSync(path, renamed);
  expect(await checkBackups(backups)).toEqual([
    1,
    `failed backup ${basename(renamed)} was renamed or copied: its backup was made at ${yesterday.madeAt}`,
  ]);
  rmSync(join(renamed, 'manifest.json.parts'));
  expect(await checkBackups(backups)).toEqual([
    1,
    expect.stringMatching(/An older version made the backup, or someone/),
  ]);
});

it('everything that is there is found, nothing is left behind and no mail is sent', async () => {
  mkdirSync(join(dataDir, 'files'), { recursive: true });
  const { code, error, lines, states } = await check(right);
  expect([code, error]).toEqual([0, '']);
  expect(states).toEqual({
    configuration: 'ok',
    database: 'ok',
    address: 'ok',
    disk: 'ok',
    storage: 'ok',
    mail: 'ok',
    'identity provider': 'ok',
  });
  expect(lines[1]).toMatch(
    /PostgreSQL \d+\S*, database staff_test_\w+, version \d+, user \w+, servers work as staff_dashboard$/,
  );
  expect([readdirSync(join(dataDir, 'files')), existsSync(join(dataDir, 'incoming'))]).toEqual([[], false]);
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
  expect(lines).toHaveLength(7);
  expect(lines.join('\n')).not.toContain('Pa55word');
});

it('a bucket is written, read and cleared; one that is not there fails', async () => {
  const found = await check({ ...right, FILES_URL: bucketUrl(bucket.port) });
  expect(found.lines[4]).toBe('ok       storage            bucket attachments: wrote, read and removed a file');
  const fresh = join(folder, 'fresh');
  await check({ DATA_DIR: fresh, FILES_URL: bucketUrl(bucket.port) });
  mkdirSync(fresh);
  const gone = await check({ ...right, DATA_DIR: fresh, FILES_URL: bucketUrl(1) });
  expect(readdirSync(fresh)).toEqual([]);
  expect([gone.code, gone.states.storage, gone.states.mail]).toEqual([1, 'failed', 'ok']);
  expect(gone.lines.join('\n')).not.toContain('S3RVER');
});

it('says what can be deleted, and which settings don’t fit the database', async () => {
  const place = join(folder, 'moved');
  mkdirSync(join(place, 'files'), { recursive: true });
  const [old, recent] = ['link-secret.draft-7', 'link-secret.draft-8'].map((name) => join(place, name));
  for (const draft of [old!, recent!]) writeFileSync(draft, '');
  utimesSync(old!, 0, 0);
  const company = await freshDatabase();
  try {
    await asOwner(company.url, "insert into people (email, first_name, last_name) values ('a@x.test', 'A', 'B')");
    await asOwner(company.url, "insert into number_states (dataset, zone, as_of) values ('orders', 'UTC', now())");
    const values = { product: 'connect', order_ref: '1', occurred_at: '2026-11-01T12:00:00Z', status: 'completed' };
    const order = { externalId: '1', values: { ...values, gross: 1n, currency: 'USD' }, labels: {}, texts: {} };
    await company.database.transaction((queries) =>
      applyRows(queries, 'orders', [order], { zone: 'UTC', source: 'shop' }),
    );
    const { code, lines } = await check({
      DATA_DIR: place,
      DATABASE_URL: company.url,
      LINK_SECRET: linkSecret,
      FILES_URL: bucketUrl(bucket.port),
      COMPANY_TIME_ZONE: 'Asia/Tokyo',
      ADMIN_EMAIL: 'a@x.test',
      ADMIN_PASSWORD: 'correct horse battery',
      METABASE_URL: 'http://x',
    });
    const of = (what: string) => lines.filter((line) => line.startsWith(`warning  ${what} `));
    expect([code, of('configuration'), of('database'), of('disk'), of('storage')]).toEqual([
      0,
      [expect.stringContaining('METABASE_URL is ignored')],
      [
        expect.stringContaining('  The days of orders were counted in UTC'),
        expect.stringContaining('ADMIN_EMAIL and ADMIN_PASSWORD are ignored'),
      ],
      [expect.stringMatching(/you can delete: [^,]*link-secret\.draft-7$/)],
      [expect.stringContaining(`${join(place, 'files')} isn’t used, because FILES_URL is set`)],
    ]);
  } finally {
    await company.drop();
  }
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
    expect((await check(production)).lines[1]).toContain("LINK_SECRET doesn't match this database");
  } finally {
    await asOwner(database.url, 'delete from installation');
  }
});

it('a host of another machine fails, as the start would', async () => {
  const { code, lines } = await check({ ...right, HOST: '192.0.2.1' });
  expect([code, lines[2]]).toEqual([1, expect.stringMatching(/^failed {3}address {12}HOST is "192\.0\.2\.1", but/)]);
});

it('an address that another program than the restarted server has fails', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  const other = spawn('sleep', ['60']);
  try {
    const env = { ...right, METRICS_ADDRESS: `127.0.0.1:${port}` };
    const line = async (pid: number) => (await check(env, '--start', '--restarts', String(pid))).lines.at(-1);
    expect(await line(process.pid)).toBe(`ok       metrics            127.0.0.1, port ${port} is in use now`);
    expect(await line(other.pid!)).toMatch(/^failed {3}metrics {12}METRICS_ADDRESS is .*another program listens there/);
  } finally {
    other.kill();
    holder.close();
  }
});

it('a restart fails where no database is, so a wrong DATA_DIR stops no working server', async () => {
  const env = { ...right, DATABASE_URL: '', DATA_DIR: join(folder, 'mistyped') };
  const { code, lines } = await check(env, '--start', '--restarts', String(process.pid));
  expect([code, lines[1]]).toEqual([
    1,
    expect.stringMatching(/^failed {3}database {11}There is no database in .*mistyped/),
  ]);
  expect((await check(env, '--start')).states.database).toBe('skipped');
});

it(
  'a start needs 20 MB free for the database it has, and 100 for a new one, as any check',
  needs('the right to mount', spawnSync('unshare', ['--mount', 'true']).status === 0),
  () => {
    const place = join(folder, 'small-disk');
    mkdirSync(place);
    const words =
      'mount -t tmpfs -o size=$1 small "$2" && { [ "$3" = new ] || mkdir "$2/database"; } && shift 3 && "$@"';
    const diskOf = (size: string, database: 'new' | 'old', ...how: string[]) => {
      const check = [process.execPath, builtMain, 'check', ...how];
      const env = { PATH: process.env.PATH, LINK_SECRET: linkSecret, DATA_DIR: place };
      const parameters = ['--mount', 'sh', '-c', words, 'sh', size, place, database, ...check];
      return /^(\w+) +disk .*$/m.exec(spawnSync('unshare', parameters, { env, encoding: 'utf8' }).stdout)?.[1];
    };
    expect(diskOf('19m', 'old', '--start')).toBe('failed');
    expect(diskOf('39m', 'new', '--start')).toBe('failed');
    expect(diskOf('39m', 'old')).toBe('failed');
    expect(diskOf('39m', 'old', '--start')).toBe('ok');
  },
);

it('a check fails where no database is but a server has run, so monitoring sees that the data is gone', () => {
  const checkout = join(folder, 'checkout');
  const main = join(checkout, 'build/server/main.js');
  cpSync(dirname(builtMain), dirname(main), { recursive: true });
  for (const name of ['package.json', 'node_modules']) symlinkSync(join(root, name), join(checkout, name));
  const env = { PATH: process.env.PATH, LINK_SECRET: linkSecret, DATA_DIR: join(folder, 'gone') };
  const checkHere = () => {
    const { status, stdout } = spawnSync(process.execPath, [main, 'check'], { env, encoding: 'utf8' });
    return [status, stdout.split('\n')[1]];
  };
  expect(checkHere()).toEqual([0, expect.stringMatching(/^skipped {2}database {11}embedded, not created yet/)]);
  writeFileSync(join(checkout, 'server.commit'), '');
  expect(checkHere()).toEqual([1, expect.stringMatching(/^failed {3}database {11}There is no database in .*gone/)]);
  Object.assign(env, { DATABASE_URL: empty.url });
  expect(checkHere()).toEqual([1, expect.stringMatching(/^failed {3}database {11}The database is empty\. /)]);
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
    expect([code, lines[1]]).toEqual([1, expect.stringContaining('its user can’t create tables there.')]);
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
