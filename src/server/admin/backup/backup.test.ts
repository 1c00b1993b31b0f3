import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { createGunzip, gunzipSync, gzipSync } from 'node:zlib';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { failureLines } from '#server/commands/failure-lines.ts';
import { migrate, newestMigration } from '#server/platform/db/migrate.ts';
import { assertInstallationFits } from '#server/platform/installation/installation.service.ts';
import { type FileStore, FilesUnavailable, openFileStore } from '#server/platform/storage/files.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { asOwner, type FreshDatabase, freshDatabase } from '../../../../test/database.ts';
import { needs } from '../../../../test/needs.ts';
import { bucketUrl, startBucket } from '../../../../test/s3-server.ts';
import { prepareTasks } from '../../../../test/task-fixtures.ts';
import { type BackupJob, makeBackup } from './backup.service.ts';
import { backupName, openedWith, passed, readStored, type Sealing, sealedFor, unsealed } from './backup-folder.ts';
import { checkBackup, checkQuickly, RestoreRefused } from './check-backup.ts';
import { authenticationCode, backupLimits, type FileList, type Manifest } from './manifest.ts';
import { type RestoreJob, restoreBackup } from './restore.service.ts';

const log = { info() {}, warn() {}, error() {} };
const folder = mkdtempSync(join(tmpdir(), 'backup-test-'));
const secrets = { LINK_SECRET: 'a'.repeat(64), METABASE_SECRET_KEY: undefined };
const linkSecrets = [secrets.LINK_SECRET];
const opened: FreshDatabase[] = [];
const usualLimits = { ...backupLimits };
let app: TestApp;
let ownerId: string;
let sprintId: string;
let plain: string;

beforeAll(async () => {
  // The 20 files are in three lists.
  backupLimits.filesInList = 8;
  app = await startTestApp();
  ownerId = await app.person({ role: 'Staff', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], firstName: 'Zoë\t"\\' });
  sprintId = await app.sprint();
  const tasks = await prepareTasks(app.database, 200, { ownerId, sprintId, title: 'Tab\tand\nline \\N' });
  for (const task of tasks.slice(0, 20)) await attach(task, Buffer.from(`content of ${task}\0\r\n`));
  await app.signIn(ownerId);
  plain = (await make(unsealed)).path;
});
afterAll(async () => {
  Object.assign(backupLimits, usualLimits);
  await Promise.all(opened.map((one) => one.drop()));
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A file like an upload leaves it. */
async function attach(taskId: string, content: Buffer): Promise<void> {
  const key = `${randomUUID().slice(0, 2)}/${randomUUID()}`;
  const draft = join(app.parts.files.incoming, randomUUID());
  writeFileSync(draft, content);
  await app.parts.files.keep(key, draft);
  await app.database.pool.query(
    `insert into task_attachments (task_id, author_id, author_name, file_name, mime, size, storage_key)
     values ($1, $2, 'Zoë', 'a.txt', 'text/plain', $3, $4)`,
    [taskId, ownerId, content.length, key],
  );
}

const make = (sealing: Sealing, how: Partial<BackupJob> = {}) =>
  makeBackup({
    url: app.databaseUrl,
    files: app.parts.files,
    folder: mkdtempSync(join(folder, 'made-')),
    sealing,
    secrets,
    linkSecret: secrets.LINK_SECRET,
    companyTimeZone: 'UTC',
    tell: () => {},
    ...how,
  });

type Target = { readonly url: string; readonly files: FileStore };

/** An empty machine. */
async function emptyTarget(): Promise<Target> {
  const database = await freshDatabase({ bare: true });
  opened.push(database);
  const dataDir = mkdtempSync(join(folder, 'restored-'));
  return { url: database.url, files: await openFileStore({ dataDir, url: undefined }) };
}

/** Its tables were created before the restore. */
async function migratedTarget(): Promise<Target> {
  const { files } = await emptyTarget();
  const database = await freshDatabase();
  opened.push(database);
  return { url: database.url, files };
}

type How = Partial<Omit<RestoreJob, 'url' | 'files' | 'folder'>>;

const checkOf = (path: string) => ({
  folder: path,
  sealing: unsealed,
  secrets,
  linkSecrets,
  acceptsUnverified: false,
  acceptsOtherSecrets: false,
});

async function restore(path: string, target: Target, how: How = {}) {
  const check = {
    ...checkOf(path),
    takesOverFiles: false,
    isProduction: false,
    log,
    tell() {},
    ...how,
  };
  const checked = await checkBackup(check);
  await restoreBackup({ ...check, ...target }, checked);
  return checked;
}

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<Row>(text).finally(() => client.end())).rows;
}

/** Count and hash of every table's rows, and where the identities continue. */
async function contentOf(url: string): Promise<Record<string, unknown>> {
  const tables = await ask<{ name: string }>(
    url,
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all (array['sessions', 'installation', 'installed_versions']) order by 1",
  );
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::int as rows, md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as hash from "${name}" t`,
  );
  const rows = await ask<{ name: string }>(url, parts.join(' union all '));
  const sequences = await ask<{ name: string }>(
    url,
    'select sequencename as name, last_value from pg_sequences where last_value is not null',
  );
  return Object.fromEntries([...rows, ...sequences].map((row) => [row.name, row]));
}

async function filesOf(store: FileStore): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const keys of store.keys())
    for (const key of keys) found[key] = (await buffer(await store.read(key))).toString('hex');
  return found;
}

/** A damaged copy of the backup. */
function spoilt(path: string, spoil: (copy: string) => void): string {
  const copy = mkdtempSync(join(folder, 'spoilt-'));
  cpSync(path, copy, { recursive: true });
  spoil(copy);
  return copy;
}

function flipByte(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(file, bytes);
}

test.each([
  [
    'a byte of the rows was flipped',
    (copy: string) => flipByte(join(copy, 'tables/tasks.copy.gz')),
    /tasks\.copy\.gz was changed/,
  ],
  ['a file is gone', (copy: string) => rmSync(join(copy, 'tables/people.copy.gz')), /people\.copy\.gz cannot be read/],
  ['the manifest was changed', (copy: string) => flipByte(join(copy, 'manifest.json')), /manifest\.json was changed/],
  ['it was cut off before its end', (copy: string) => rmSync(join(copy, 'manifest.json.sha256')), /no complete backup/],
])('a backup is refused when %s, and nothing is written', async (_name, spoil, reason) => {
  const target = await emptyTarget();
  await expect(restore(spoilt(plain, spoil), target)).rejects.toThrow(reason);
  expect(await ask(target.url, "select 1 from pg_class where relname = 'people'")).toEqual([]);
  expect(await filesOf(target.files)).toEqual({});
});

/** Replaces the manifest, with a matching hash. The code isn't renewed, because that needs LINK_SECRET. */
function layManifest(copy: string, content: string): void {
  writeFileSync(join(copy, 'manifest.json'), content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  writeFileSync(join(copy, 'manifest.json.sha256'), `${sha256}  manifest.json\n`);
}

const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));

const listOf = (path: string, number: number): FileList =>
  JSON.parse(readFileSync(join(path, `lists/${number}.json`), 'utf8'));

/** What all lists name together. */
function listedIn(path: string): FileList {
  const lists = readdirSync(join(path, 'lists')).map((_name, at) => listOf(path, at + 1));
  return { files: lists.flatMap(({ files }) => files), missing: lists.flatMap(({ missing }) => missing) };
}

/** A copy with a changed manifest, as anyone with write access to the backup store can make it. */
const forged = (change: (manifest: Manifest) => unknown): string =>
  spoilt(plain, (copy) => layManifest(copy, JSON.stringify(change(manifestOf(copy)))));

const unverified = { acceptsUnverified: true };

test('a backup that somebody changed is refused, whatever was changed, unless that is accepted by name', async () => {
  const one = forged((manifest) => ({ ...manifest, madeAt: '2026-01-01T00:00:00Z' }));
  await expect(restore(one, await emptyTarget())).rejects.toThrow(/another LINK_SECRET, or someone changed it/);
  expect(await restore(one, await emptyTarget(), unverified)).toMatchObject({ isAuthenticated: false });
  const target = await emptyTarget();
  await expect(restore(plain, target, { linkSecrets: [] })).rejects.toThrow(
    /LINK_SECRET isn’t set.* from the server’s \.env \(under systemd: \/etc\/staff-dashboard\/environment\)/,
  );
  await expect(restore(plain, target, { linkSecrets: ['b'.repeat(64)] })).rejects.toThrow(
    /another LINK_SECRET.* restore it with --accept-unverified --accept-other-secrets$/,
  );
  const both = { linkSecrets: ['b'.repeat(64), ...linkSecrets], secrets: { LINK_SECRET: 'b'.repeat(64) } };
  expect(await restore(plain, target, both)).toMatchObject({ isAuthenticated: true });
});

test('one without its signature is refused: it was removed, because this version signs every backup', async () => {
  const sealing = sealedFor(await identityToRecipient(await generateX25519Identity()));
  for (const { path } of [{ path: plain }, await make(sealing)]) {
    const bare = spoilt(path, (copy) => rmSync(join(copy, 'manifest.json.hmac')));
    await expect(checkQuickly(checkOf(bare))).rejects.toThrow(
      /its signature, manifest\.json\.hmac, is missing.* with --accept-unverified$/,
    );
  }
});

test('a manifest that nobody signed is refused without being parsed', async () => {
  const bytes = Buffer.from(`{\n "format": 2,${'['.repeat(1_000)}`);
  for (const code of [null, 'a'.repeat(64)]) {
    const copy = spoilt(plain, (path) => rmSync(join(path, 'lists'), { recursive: true }));
    writeFileSync(join(copy, 'manifest.json'), bytes);
    writeFileSync(join(copy, 'manifest.json.sha256'), `${hashOf(bytes)}  manifest.json\n`);
    if (code === null) rmSync(join(copy, 'manifest.json.hmac'));
    else writeFileSync(join(copy, 'manifest.json.hmac'), code);
    const words = code === null ? /manifest\.json\.hmac, is missing/ : /another LINK_SECRET, or someone changed it/;
    await expect(checkQuickly(checkOf(copy))).rejects.toThrow(words);
  }
});

test('one of before 0.2.0 has no code: it is refused, said to be unauthenticated where that is accepted, and restored', async () => {
  const old = spoilt(plain, () => {});
  await asFormat1(manifestOf(plain), old, unsealed);
  rmSync(join(old, 'manifest.json.hmac'));
  await expect(restore(old, await emptyTarget())).rejects.toThrow(/older than version 0\.2\.0, or someone changed it/);
  const target = await emptyTarget();
  expect(await restore(old, target, unverified)).toMatchObject({ isAuthenticated: false });
  expect(await contentOf(target.url)).toEqual(await contentOf(app.databaseUrl));
});

test('a restored database knows its LINK_SECRET and its environment, so servers with others are refused', async () => {
  const check = async (path: string, how: How = {}, appEnv: 'production' | 'staging' = 'staging') => {
    const target = await emptyTarget();
    await restore(path, target, how);
    const client = new pg.Client({ connectionString: target.url });
    await client.connect();
    const refusal = async (linkSecret: string) =>
      assertInstallationFits(client, { appEnv, linkSecret, linkSecretAlso: undefined }).then(
        () => 'fits',
        (error: Error) => error.message.split(',')[0],
      );
    return Promise.all([secrets.LINK_SECRET, 'b'.repeat(64)].map(refusal)).finally(() => client.end());
  };
  const otherSecret = "LINK_SECRET doesn't match this database";
  const production = 'This database is in production';
  expect(await check(plain)).toEqual(['fits', otherSecret]);
  const rotated = { linkSecrets: ['b'.repeat(64), ...linkSecrets], secrets: { LINK_SECRET: 'b'.repeat(64) } };
  expect(await check(plain, rotated)).toEqual(['fits', otherSecret]);
  expect(await check(plain, { isProduction: true })).toEqual([production, production]);
  const lost = { ...unverified, linkSecrets: [], secrets: {} };
  expect(
    await check(
      forged((manifest) => manifest),
      lost,
    ),
  ).toEqual(['fits', 'fits']);
  await ask(
    app.databaseUrl,
    'insert into installation (is_production) values (true) on conflict (only_row) do update set is_production = true',
  );
  try {
    const { path } = await make(unsealed);
    expect(await check(path)).toEqual([production, production]);
    expect(await check(path, {}, 'production')).toEqual(['fits', otherSecret]);
  } finally {
    await ask(app.databaseUrl, 'delete from installation');
  }
});

test('a file that is exchanged after the check is found out while it is read, and no row stays', async () => {
  const copy = spoilt(plain, () => {});
  const job = { folder: copy, sealing: unsealed, secrets, linkSecrets, log, tell() {} };
  const accepted = { acceptsUnverified: false, acceptsOtherSecrets: false, takesOverFiles: false };
  const how = { ...job, ...accepted, isProduction: false };
  const checked = await checkBackup(how);
  flipByte(join(copy, listedIn(copy).files[0]!.file));
  const target = await emptyTarget();
  await expect(restoreBackup({ ...how, ...target }, checked)).rejects.toThrow(/was changed/);
  flipByte(join(copy, listedIn(copy).files[0]!.file));
  const rows = join(copy, 'tables/people.copy.gz');
  writeFileSync(rows, gzipSync(Buffer.from(`${gunzipSync(readFileSync(rows))}`.replaceAll('Staff', 'admin'))));
  await expect(restoreBackup({ ...how, ...target }, checked)).rejects.toThrow(RestoreRefused);
  expect(await ask(target.url, 'select count(*)::int as count from people')).toEqual([{ count: 0 }]);
});

test.each([
  ['as its manifest says', (manifest: Manifest) => manifest],
  [
    'of an older backup, whose manifest names only rows',
    (manifest: Manifest) => ({
      ...manifest,
      tables: manifest.tables.map(({ unpacked: _, ...table }) => table),
    }),
  ],
])('rows that are exchanged after the check for far more are not unpacked, %s', async (_name, change) => {
  const copy = spoilt(plain, (path) => laySigned(path, change(manifestOf(path))));
  const how = { ...checkOf(copy), takesOverFiles: false, isProduction: false, log, tell() {} };
  const checked = await checkBackup(how);
  const table = checked.manifest.tables.find(({ name }) => name === 'tasks')!;
  const rows = gunzipSync(readFileSync(join(copy, table.file)));
  // As long as the right one, so what it unpacks to is all that is too much. Read in many pieces.
  const more = gzipSync(Buffer.concat(Array.from({ length: 100 }, () => rows)), { level: 0 });
  table.bytes = more.length;
  writeFileSync(join(copy, table.file), more);
  const target = await emptyTarget();
  await expect(restoreBackup({ ...how, ...target }, checked)).rejects.toThrow(
    `${table.file} was changed: it has extra rows`,
  );
  expect(await ask(target.url, 'select count(*)::int as count from tasks')).toEqual([{ count: 0 }]);
});

test('a file whose packed content ends before it does is found out, though what was unpacked is whole', async () => {
  const copy = mkdtempSync(join(folder, 'padded-'));
  const padded = Buffer.concat([gzipSync('forged'), Buffer.alloc(8_000_000)]);
  writeFileSync(join(copy, 'rows.gz'), padded);
  const item = { file: 'rows.gz', bytes: padded.length, sha256: createHash('sha256').update('right').digest('hex') };
  const { content, verified } = await readStored(copy, item, unsealed);
  expect(await text(passed(content, createGunzip()))).toBe('forged');
  await expect(verified).rejects.toThrow('rows.gz was changed');
});

test('a backup of a newer version, of other secrets or for a database in use is refused with what to do', async () => {
  const newer = forged((manifest) => ({ ...manifest, newestMigration: newestMigration() + 1 }));
  await expect(restore(newer, await emptyTarget(), unverified)).rejects.toThrow(/newer version/);
  const other = { secrets: { ...secrets, METABASE_SECRET_KEY: 'b'.repeat(64) } };
  const withKey = (await make(unsealed, { secrets: { ...secrets, METABASE_SECRET_KEY: 'c' } })).path;
  await expect(restore(withKey, await emptyTarget(), other)).rejects.toThrow(/another METABASE_SECRET_KEY/);
  await restore(withKey, await emptyTarget(), { ...other, acceptsOtherSecrets: true });
  const inUse = { url: app.databaseUrl, files: app.parts.files };
  await expect(restore(plain, inUse)).rejects.toThrow(
    /^The database staff_test_\w+ on \S+ has people in it.* A server uses it\. Create a new database/,
  );
});

test('a restore of a wrong path says so', async () => {
  const target = await emptyTarget();
  const several = join(folder, 'several');
  await expect(restore(several, target)).rejects.toThrow(`There is no folder ${several}`);
  const name = backupName(Temporal.Now.instant());
  mkdirSync(join(several, name), { recursive: true });
  writeFileSync(join(several, 'notes.txt'), '');
  await expect(restore(join(several, 'notes.txt'), target)).rejects.toThrow('cannot be restored');
  await expect(restore(several, target)).rejects.toThrow(`${several} cannot be restored: it has no complete backup`);
});

test('a restore over data offers another place for it, and nothing that deletes what is there', async () => {
  const unserved = await freshDatabase();
  onTestFinished(() => unserved.drop());
  await asOwner(
    unserved.superuserUrl,
    "insert into people (email, first_name, last_name) values ('a@example.test', 'Ada', 'L')",
  );
  const target = { url: unserved.url, files: app.parts.files };
  const said = async (more: Partial<RestoreJob>) =>
    restore(plain, target, more).then(
      () => 'restored',
      (error: Error) => error.message,
    );
  const rule = 'has people in it, and a backup is only restored into an empty one.';
  expect(await said({ embeddedIn: '/srv/data' })).toBe(
    `The database in /srv/data ${rule} For a trial, set DATA_DIR to a new folder. To go back to the backup, restore it into a new DATA_DIR, then use that, as in docs/production.md (under systemd: docs/deployment.md)`,
  );
  expect(await said({})).toMatch(
    new RegExp(
      `^The database staff_test_\\w+ on \\S+ ${rule} Create a new database for the backup\\. To go back to it`,
    ),
  );
});

test('the code is of the manifest that was made, whatever the store of backups gives back', async () => {
  const target = mkdtempSync(join(folder, 'swapped-'));
  const forged = '{"format":1}';
  const watcher = watch(target, { recursive: true }, (_event, name) => {
    if (!name?.endsWith('.partial/manifest.json')) return;
    const file = join(target, name);
    // Only if it isn't forged yet: each write triggers another event, which would never end.
    if (existsSync(file) && readFileSync(file, 'utf8') !== forged) writeFileSync(file, forged);
  });
  const { path } = await make(unsealed, { folder: target }).finally(() => watcher.close());
  layManifest(path, forged);
  await expect(restore(path, await emptyTarget())).rejects.toThrow(/someone changed it/);
});

test('a backup goes into no folder that was there before it, and a pipe in one is refused at once', async () => {
  const target = mkdtempSync(join(folder, 'laid-'));
  const elsewhere = mkdtempSync(join(folder, 'elsewhere-'));
  const now = Temporal.Now.instant();
  for (let milliseconds = 0; milliseconds < 20_000; milliseconds += 1) {
    const name = now.add({ milliseconds }).toString({ smallestUnit: 'millisecond' }).replaceAll(':', '-');
    symlinkSync(elsewhere, join(target, `staff-dashboard-${name}.partial`));
  }
  await expect(make(unsealed, { folder: target })).rejects.toThrow(/already exists\. Move it away, or try again$/);
  expect(readdirSync(elsewhere)).toEqual([]);
  for (const name of ['manifest.json.sha256', 'manifest.json', 'manifest.json.hmac']) {
    const piped = spoilt(plain, (copy) => {
      rmSync(join(copy, name));
      execFileSync('mkfifo', [join(copy, name)]);
    });
    await expect(restore(piped, await emptyTarget())).rejects.toThrow(RestoreRefused);
  }
});

test.each(['a link', 'a folder'])(
  'a draft that is exchanged for %s while it is written makes no backup',
  async (kind) => {
    const target = mkdtempSync(join(folder, 'exchanged-'));
    const elsewhere = mkdtempSync(join(folder, 'elsewhere-'));
    const watcher = watch(target, { recursive: true }, (_event, name) => {
      if (!name?.endsWith('.copy.gz') || existsSync(join(target, 'kept'))) return;
      const draft = join(target, dirname(name.slice(0, name.indexOf('/tables') + 7)));
      renameSync(draft, join(target, 'kept'));
      if (kind === 'a link') symlinkSync(elsewhere, draft);
      else mkdirSync(draft);
    });
    const made = make(unsealed, { folder: target }).finally(() => watcher.close());
    await expect(made).rejects.toThrow(/was changed while the backup was made/);
    expect(readdirSync(target).filter((name) => !name.endsWith('.partial'))).toEqual(['kept']);
  },
);

const isRoot = process.geteuid?.() === 0;

test.each([
  ['group', 0o770, /other users can write to .*\/open\. Run chmod go-w .*\/open, or use another folder\.$/],
  ['everyone', 0o707, /other users can write to .*\/open\. Run chmod go-w/],
])(
  'a folder that the %s can write to takes no backup, whichever folder of the path it is',
  async (_who, mode, line) => {
    const top = mkdtempSync(join(folder, 'exposed-'));
    const open = join(top, 'open');
    mkdirSync(join(open, 'inner'), { recursive: true });
    symlinkSync(join(open, 'inner'), join(top, 'link'));
    chmodSync(open, mode);
    for (const target of [open, join(open, 'inner'), join(open, 'new', 'deeper'), join(top, 'link')])
      await expect(make(unsealed, { folder: target })).rejects.toThrow(line);
    expect(readdirSync(open, { recursive: true })).toEqual(['inner']);
    chmodSync(open, mode | 0o1000);
    await make(unsealed, { folder: join(open, 'new') });
  },
);

test(
  'a folder of another user, or a link that one made, takes no backup',
  needs('to run as root, who can give a folder away', isRoot),
  async () => {
    const target = mkdtempSync(join(folder, 'given-'));
    const link = join(folder, 'given-link');
    symlinkSync(mkdtempSync(join(folder, 'own-')), link);
    chownSync(target, 1234, 1234);
    lchownSync(link, 1234, 1234);
    for (const place of [target, join(target, 'new'), link])
      await expect(make(unsealed, { folder: place })).rejects.toThrow(/another user owns /);
    expect(readdirSync(target)).toEqual([]);
  },
);

test('a folder in a draft that is moved away and linked while it is written makes no backup', async () => {
  const target = mkdtempSync(join(folder, 'linked-'));
  const elsewhere = join(folder, 'linked-elsewhere');
  const watcher = watch(target, { recursive: true }, (_event, name) => {
    if (!name?.endsWith('.copy.gz') || existsSync(elsewhere)) return;
    const tables = join(target, name.slice(0, name.indexOf('/tables') + 7));
    renameSync(tables, elsewhere);
    symlinkSync(elsewhere, tables);
  });
  const made = make(unsealed, { folder: target }).finally(() => watcher.close());
  await expect(made).rejects.toThrow(/was changed while the backup was made/);
  expect(readdirSync(target)).toEqual([]);
});

test.each([
  ['manifest.json.sha256', 600 * 1024 * 1024, /manifest\.json\.sha256 is larger than 1 KB$/],
  ['manifest.json.hmac', 600 * 1024 * 1024, /manifest\.json\.hmac is larger than 1 KB$/],
  ['manifest.json', 101 * 1024 * 1024, /manifest\.json is larger than 102400 KB$/],
])('a backup whose %s is huge is refused in one line, and little of it is read', async (name, bytes, line) => {
  const huge = spoilt(plain, (copy) => truncateSync(join(copy, name), bytes));
  await expect(restore(huge, await emptyTarget())).rejects.toThrow(line);
});

test('every folder of a backup is synced, so that a crash loses none of its entries', async () => {
  const handle = await open(folder, 'r');
  const { prototype } = handle.constructor as unknown as { prototype: FileHandle };
  await handle.close();
  const synced = new Set<number>();
  const sync = prototype.sync;
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    synced.add((await this.stat()).ino);
    return sync.call(this);
  });
  const { path } = await make(unsealed, { folder: mkdtempSync(join(folder, 'synced-')) }).finally(() =>
    vi.restoreAllMocks(),
  );
  const folders = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
  expect(folders.length).toBeGreaterThan(2);
  for (const one of [path, ...folders]) expect([one, synced.has(statSync(one).ino)]).toEqual([one, true]);
});

/**
 * A corpus: the manifest with each value replaced, removed or added to, and files with every kind of damage.
 */
const strange = [
  null,
  true,
  -1,
  1.5,
  1e300,
  '',
  'x\n',
  '../../outside',
  '/etc/passwd',
  '..',
  '{}',
  {},
  [],
  [[]],
  ['a'],
];

/** Paths to every value of the manifest; only a list's first item, because the others are alike. */
function pathsIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (Array.isArray(value)) return [path, ...(value.length > 0 ? pathsIn(value[0], [...path, 0]) : [])];
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...path, name]))];
}

type Tree = Record<string | number, unknown>;

function changedAt(
  root: object,
  path: readonly (string | number)[],
  change: (parent: Tree, name: string | number) => void,
) {
  const copy = structuredClone(root) as unknown as Tree;
  const parent = path.slice(0, -1).reduce((inner, name) => inner[name] as Tree, copy);
  change(parent, path.at(-1)!);
  return copy;
}

/** Changes without an effect: any valid time, zone or fingerprint could be the backup's own. */
function isHarmless(path: readonly (string | number)[], value: unknown): boolean {
  const [first] = path;
  if (path.join('.') === 'tables.0.unpacked') return value === undefined;
  if (path.length === 1 && ['files', 'missing', 'lists', 'sequences'].includes(first as string))
    return Array.isArray(value) && (value.length === 0 || first === 'missing') && !value.some(Array.isArray);
  // Only the database knows a table's columns.
  if (path.join('.') === 'tables.0.columns') return JSON.stringify(value) === '["a"]';
  if (path.length === 1 && first === 'fingerprints') return JSON.stringify(value) === '{}';
  return path.length === 1 && first === 'companyTimeZone' && typeof value === 'string' && value !== '';
}

function mutated(root: object): [string, string][] {
  const made: [string, string][] = [];
  for (const path of pathsIn(root).slice(1)) {
    const name = path.join('.');
    for (const value of strange)
      if (!isHarmless(path, value))
        made.push([
          `${name} is ${JSON.stringify(value)}`,
          JSON.stringify(
            changedAt(root, path, (parent, key) => {
              parent[key] = value;
            }),
          ),
        ]);
    const isOptional = (path[0] === 'fingerprints' && path.length === 2) || isHarmless(path, undefined);
    if (!isOptional && typeof path.at(-1) === 'string')
      made.push([
        `${name} is gone`,
        JSON.stringify(
          changedAt(root, path, (parent, key) => {
            delete parent[key];
          }),
        ),
      ]);
  }
  for (const [list, items] of Object.entries(root))
    if (Array.isArray(items) && items.length > 0)
      made.push([`${list} has its first item twice`, JSON.stringify({ ...root, [list]: [items[0], ...items] })]);
  made.push(
    ['something is added', JSON.stringify({ ...root, more: 1 })],
    ['it is no JSON', JSON.stringify(root).slice(0, -1)],
    ['it nests without end', '['.repeat(100_000)],
    ['it is empty', ''],
    ['its bytes are no text', '\0\xff'.repeat(100)],
  );
  return made;
}

async function expectRefused(path: string, what: string, how: { acceptsUnverified?: boolean } = {}): Promise<string> {
  const refused: Error = await checkBackup({ ...checkOf(path), ...how }).then(
    () => new Error('taken'),
    (error) => error,
  );
  expect(refused, what).toBeInstanceOf(RestoreRefused);
  expect(refused.message, what).toMatch(/^[^\n]{20,700}$/);
  return refused.message;
}

test('a corpus of mutated manifests is refused, each in one line, before anything is written', async () => {
  const corpus = mutated(manifestOf(plain));
  expect(corpus.length).toBeGreaterThan(200);
  const copy = spoilt(plain, () => {});
  const around = readdirSync(folder);
  for (const acceptsUnverified of [false, true])
    for (const [what, content] of corpus) {
      layManifest(copy, content);
      await expectRefused(copy, what, { acceptsUnverified });
    }
  expect(readdirSync(folder)).toEqual(around);
});

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** With a code that only who has LINK_SECRET can make. */
function laySigned(copy: string, manifest: object): void {
  layManifest(copy, JSON.stringify(manifest));
  const code = authenticationCode(secrets.LINK_SECRET, readFileSync(join(copy, 'manifest.json')));
  writeFileSync(join(copy, 'manifest.json.hmac'), code);
}

/** Replaces a list, and signs a manifest with its hash. */
function layList(copy: string, number: number, content: string): void {
  const file = `lists/${number}.json`;
  writeFileSync(join(copy, file), content);
  const manifest = manifestOf(copy);
  const now = { file, bytes: Buffer.byteLength(content), sha256: hashOf(content) };
  laySigned(copy, { ...manifest, lists: manifest.lists.map((one) => (one.file === file ? now : one)) });
}

test('a corpus of mutated lists of files is refused, each in one line, though the manifest is authentic', async () => {
  const copy = spoilt(plain, () => {});
  const manifest = manifestOf(copy);
  laySigned(copy, { ...manifest, tables: manifest.tables.slice(0, 1) });
  const corpus = mutated({ ...listOf(copy, 1), missing: [] });
  expect(corpus.length).toBeGreaterThan(80);
  const around = readdirSync(folder);
  for (const [what, content] of corpus) {
    layList(copy, 1, content);
    await expectRefused(copy, what);
  }
  expect(readdirSync(folder)).toEqual(around);
});

const badLists: [string, (copy: string) => unknown, RegExp][] = [
  ['is changed', (copy) => flipByte(join(copy, 'lists/2.json')), /lists\/2\.json was changed/],
  ['is cut off', (copy) => truncateSync(join(copy, 'lists/2.json'), 9), /lists\/2\.json has 9 bytes instead of/],
  ['is huge', (copy) => truncateSync(join(copy, 'lists/2.json'), 600 * 1024 * 1024), /lists\/2\.json has more bytes/],
  ['is missing', (copy) => rmSync(join(copy, 'lists/3.json')), /lists\/3\.json cannot be read: ENOENT/],
  [
    'is of another backup',
    async (copy) => {
      backupLimits.filesInList = 5;
      const { path } = await make(unsealed).finally(() => {
        backupLimits.filesInList = 8;
      });
      cpSync(join(path, 'lists/1.json'), join(copy, 'lists/1.json'));
    },
    /lists\/1\.json has \d+ bytes instead of/,
  ],
  [
    'is another one of this backup',
    (copy) => cpSync(join(copy, 'lists/1.json'), join(copy, 'lists/2.json')),
    /lists\/2\.json (was changed|has)/,
  ],
  [
    'leads out of the backup',
    (copy) => {
      rmSync(join(copy, 'lists/1.json'));
      symlinkSync(join(plain, 'lists/1.json'), join(copy, 'lists/1.json'));
    },
    /lists\/1\.json leads out of the backup/,
  ],
  [
    'names a path outside',
    (copy) => {
      const { files, missing } = listOf(copy, 1);
      const outside = { ...files[0]!, file: 'files/../../outside' };
      layList(copy, 1, JSON.stringify({ files: [outside, ...files.slice(1)], missing }));
    },
    /lists\/1\.json is wrong at files\.0\.file/,
  ],
  [
    'names a file of another list',
    (copy) => {
      const { files, missing } = listOf(copy, 2);
      layList(copy, 2, JSON.stringify({ files: [listOf(copy, 1).files[0], ...files], missing }));
    },
    /lists\/2\.json is wrong: .* is out of order/,
  ],
];

test('a backup with a list of files that is too large to be read whole is refused before it is read', async () => {
  const copy = spoilt(plain, () => {});
  const manifest = manifestOf(copy);
  const [first, ...rest] = manifest.lists;
  laySigned(copy, { ...manifest, lists: [{ ...first, bytes: backupLimits.wholeBytes + 1 }, ...rest] });
  expect(await expectRefused(copy, 'a large list')).toMatch(/its manifest is wrong at lists\.0\.bytes/);
});

test('a quick check reads the files although a table alone is larger than what it reads', async () => {
  const copy = spoilt(plain, () => {});
  const manifest = manifestOf(copy);
  const bytes = 1_100_000_000;
  const [large] = manifest.tables;
  truncateSync(join(copy, large!.file), bytes);
  laySigned(copy, { ...manifest, tables: manifest.tables.map((one) => (one === large ? { ...one, bytes } : one)) });
  expect(await checkQuickly(checkOf(copy))).toMatchObject({ faults: [], unreadBytes: bytes });
  const { file } = listOf(copy, 3).files[0]!;
  flipByte(join(copy, file));
  expect((await checkQuickly(checkOf(copy))).faults).toEqual([`${file} was changed: its SHA-256 doesn’t match`]);
});

test.each(badLists)('a backup is refused in one line when a list of its files %s', async (what, spoil, reason) => {
  const copy = spoilt(plain, () => {});
  await spoil(copy);
  expect(await expectRefused(copy, what)).toMatch(reason);
  expect((await checkQuickly(checkOf(copy))).faults).toEqual([expect.stringMatching(reason)]);
});

/** As versions before the lists made it: the manifest, and next to an encrypted one the parts, name all files. */
async function asFormat1(manifest: Manifest, copy: string, sealing: Sealing): Promise<void> {
  const { files, missing } = listedIn(copy);
  rmSync(join(copy, 'lists'), { recursive: true });
  const { lists: _lists, ...rest } = manifest;
  const old = JSON.stringify({ ...rest, format: 1, files, missing }, null, 1);
  const bytes = await buffer(await sealing.through(Readable.from([Buffer.from(old)])));
  const name = `manifest.json${sealing.suffix}`;
  writeFileSync(join(copy, name), bytes);
  writeFileSync(join(copy, 'manifest.json.sha256'), `${hashOf(bytes)}  ${name}\n`);
  writeFileSync(join(copy, 'manifest.json.hmac'), authenticationCode(secrets.LINK_SECRET, bytes));
  if (sealing.suffix === '') return;
  const parts = [...manifest.tables, ...files].map(({ file, bytes, sha256 }) => ({ file, bytes, sha256 }));
  const { madeAt } = manifest;
  const list = JSON.stringify({ format: 1, madeAt, manifest: hashOf(bytes), missing: missing.length, parts });
  const code = authenticationCode(secrets.LINK_SECRET, Buffer.from(list), 'parts');
  writeFileSync(join(copy, 'manifest.json.parts'), `${code}\n${list}`);
}

test.each(['a plain', 'an encrypted'])(
  '%s backup names its files in several lists, or in the manifest of an older version: both are checked and restored',
  async (kind) => {
    const identity = await generateX25519Identity();
    const isPlain = kind === 'a plain';
    const sealing = isPlain ? unsealed : sealedFor(await identityToRecipient(identity));
    const opening = isPlain ? unsealed : openedWith(identity);
    const { path, manifest } = await make(sealing);
    expect(manifest.lists.map(({ file }, at) => [file, listOf(path, at + 1).files.length])).toEqual([
      ['lists/1.json', 8],
      ['lists/2.json', 8],
      ['lists/3.json', 4],
    ]);
    const old = spoilt(path, () => {});
    await asFormat1(manifest, old, sealing);
    const last = listOf(path, 3).files.at(-1)!.file;
    for (const folder of [path, old]) {
      // The second time without the key.
      for (const job of [{ ...checkOf(folder), sealing: opening }, checkOf(folder)]) {
        expect((await checkQuickly(job)).faults).toEqual([]);
        flipByte(join(folder, last));
        expect((await checkQuickly(job)).faults).toEqual([expect.stringContaining(`${last} was changed`)]);
        flipByte(join(folder, last));
      }
      const target = await emptyTarget();
      await restore(folder, target, { sealing: opening });
      expect(await filesOf(target.files)).toEqual(await filesOf(app.parts.files));
    }
    flipByte(join(path, 'lists/3.json'));
    expect((await checkQuickly(checkOf(path))).faults).toEqual(['lists/3.json was changed: its SHA-256 doesn’t match']);
  },
);

/** What only the database or the content can tell. */
const unfitting: [string, (manifest: Manifest, copy: string) => unknown][] = [
  [
    'a table is not there',
    ({ tables, ...rest }) => ({ ...rest, tables: tables.filter(({ name }) => name !== 'people') }),
  ],
  [
    'a table is of another name',
    ({ tables, ...rest }) => ({ ...rest, tables: [{ ...tables[0], name: 'pg_class' }, ...tables] }),
  ],
  [
    'a column is not there',
    ({ tables, ...rest }) => ({ ...rest, tables: tables.map((one) => ({ ...one, columns: one.columns.slice(0, 1) })) }),
  ],
  [
    'a column is of another name',
    ({ tables, ...rest }) => ({
      ...rest,
      tables: tables.map((one) => ({ ...one, columns: [...one.columns, 'more'] })),
    }),
  ],
  [
    'a sequence is of another name',
    ({ sequences, ...rest }) => ({ ...rest, sequences: [...sequences, { name: 'pg_class', lastValue: '1' }] }),
  ],
  [
    'a sequence goes too far',
    ({ sequences, ...rest }) => ({
      ...rest,
      sequences: sequences.map((one) => ({ ...one, lastValue: '9'.repeat(19) })),
    }),
  ],
  [
    'a table has fewer rows than it says',
    ({ tables, ...rest }) => ({ ...rest, tables: tables.map((one) => ({ ...one, rows: one.rows + 1 })) }),
  ],
  ['the migration is none of ours', (manifest) => ({ ...manifest, newestMigration: manifest.newestMigration - 1 })],
  [
    'a table is a link that leads out',
    (manifest, copy) => {
      rmSync(join(copy, 'tables/people.copy.gz'));
      symlinkSync(join(plain, 'tables/people.copy.gz'), join(copy, 'tables/people.copy.gz'));
      return manifest;
    },
  ],
  ...(['no gzip', 'cut off', 'rows of another table', 'rows that are refused'] as const).map(
    (kind): [string, (manifest: Manifest, copy: string) => unknown] => [
      `the rows of people are ${kind}`,
      (manifest, copy) => {
        const file = join(copy, 'tables/people.copy.gz');
        const whole = readFileSync(file);
        const content = {
          'no gzip': Buffer.from('no gzip'),
          'cut off': whole.subarray(0, whole.length >> 1),
          'rows of another table': readFileSync(join(copy, 'tables/roles.copy.gz')),
          'rows that are refused': gzipSync(`${gunzipSync(whole)}`.replaceAll('\t', 'x')),
        }[kind];
        writeFileSync(file, content);
        const sha256 = createHash('sha256').update(content).digest('hex');
        return {
          ...manifest,
          tables: manifest.tables.map((one) =>
            one.name === 'people' ? { ...one, bytes: content.length, sha256 } : one,
          ),
        };
      },
    ],
  ),
];

test.each(unfitting)('an unverified backup is refused in one line when %s, and no row stays', async (_what, change) => {
  const target = await emptyTarget();
  const copy = spoilt(plain, (path) => layManifest(path, JSON.stringify(change(manifestOf(path), path))));
  const refused: Error = await restore(copy, target, unverified).then(
    () => new Error('taken'),
    (error) => error,
  );
  expect(refused).toBeInstanceOf(RestoreRefused);
  expect(refused.message).toMatch(/^[^\n]{20,700}$/);
  const [there] = await ask<{ there: boolean }>(target.url, "select to_regclass('public.people') is not null as there");
  if (there!.there) expect(await ask(target.url, 'select count(*)::int as count from people')).toEqual([{ count: 0 }]);
});

test('a disk of the database that fills up is said as by every command, and not blamed on the backup', async () => {
  const target = await migratedTarget();
  const full = 'could not extend file "base/1/2"';
  for (const sql of [
    `create function full_disk() returns boolean language plpgsql as
       $$ begin raise exception '${full}' using errcode = 'disk_full'; end $$`,
    'alter table people add check (full_disk())',
  ])
    await ask(target.url, sql);
  const failure = await restore(plain, target).catch((error) => error);
  expect(failureLines(failure, {})).toEqual([`The disk is full (${full}). Free some space and try again`]);
});

test('rows and files come back to the last byte, the sessions do not, and the product goes on with new ids', async () => {
  const target = await emptyTarget();
  await restore(plain, target);
  expect(await contentOf(target.url)).toEqual(await contentOf(app.databaseUrl));
  const files = await filesOf(target.files);
  expect(Object.keys(files)).toHaveLength(20);
  expect(files).toEqual(await filesOf(app.parts.files));
  expect(await ask(target.url, 'select count(*)::int as count from sessions')).toEqual([{ count: 0 }]);
  const [added] = await ask<{ id: string }>(
    target.url,
    `insert into tasks (owner_id, sprint_id, title, category, created_by) select owner_id, sprint_id, title, category, created_by from tasks limit 1 returning id`,
  );
  const [top] = await ask<{ max: string }>(app.databaseUrl, 'select max(id) from tasks');
  expect(Number(added!.id)).toBe(Number(top!.max) + 1);
});

/** Indexes in their order, constraints and triggers, with what is set on them. */
const rulesOf = (url: string) =>
  ask(
    url,
    `select i.indrelid::regclass::text as of, c.relname as name, pg_get_indexdef(c.oid) as is,
       array[i.indisvalid, i.indisclustered, i.indisreplident]::text as marks, obj_description(c.oid, 'pg_class') as comment,
       (select string_agg(attstattarget::text, ',' order by attnum) from pg_attribute where attrelid = c.oid) as target,
       row_number() over (partition by i.indrelid order by c.oid) as place
     from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace
     union all
     select conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated::text,
       obj_description(oid, 'pg_constraint'), conindid::regclass::text, null
     from pg_constraint where connamespace = 'public'::regnamespace
     union all
     select tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), tgenabled::text, null, null, null
     from pg_trigger where not tgisinternal order by 1, 2, 3, 7`,
  );

test('a restored database has the indexes and constraints of a new one, in their order, even if the restore failed', async () => {
  const rules = await rulesOf((await migratedTarget()).url);
  const target = await emptyTarget();
  const lacksRows = forged((manifest) => ({
    ...manifest,
    tables: manifest.tables.map((table) => ({ ...table, rows: table.rows + (table.name === 'tasks' ? 1 : 0) })),
  }));
  await expect(restore(lacksRows, target, unverified)).rejects.toThrow('tasks came to 200 rows instead of 201');
  expect(await rulesOf(target.url)).toEqual(rules);
  await restore(plain, target);
  expect(await rulesOf(target.url)).toEqual(rules);
});

test('an index with properties that its definition does not have keeps them', async () => {
  const target = await migratedTarget();
  await ask(
    target.url,
    `comment on index tasks_words is 'For the search';
     alter index tasks_words alter column 1 set statistics 500;
     comment on constraint people_pkey on people is 'The key';
     alter table tasks cluster on tasks_pkey;
     alter table orders replica identity using index orders_pkey;
     alter index payments_pkey set (fillfactor = 50)`,
  );
  const unplaced = async () => (await rulesOf(target.url)).map(({ place, ...rule }) => rule);
  const rules = await unplaced();
  await restore(plain, target);
  expect(await unplaced()).toEqual(rules);
  expect(await ask(target.url, "select reloptions from pg_class where relname = 'payments_pkey'")).toEqual([
    { reloptions: ['fillfactor=50'] },
  ]);
});

test('a restored database has statistics, also of expressions, and nothing that a vacuum would have to write', async () => {
  const target = await emptyTarget();
  await restore(plain, target);
  const [found] = await ask(
    target.url,
    `select count(*) filter (where tablename = 'tasks' and attname = 'owner_id')::int as columns,
       count(*) filter (where tablename = 'tasks_words')::int as expressions,
       (select relallvisible = relpages and reltuples = 200 from pg_class where relname = 'tasks') as "isFrozen"
     from pg_stats where schemaname = 'public'`,
  );
  expect(found).toEqual({ columns: 1, expressions: 1, isFrozen: true });
});

test('a restore says which large table it fills, and what it does after that', async () => {
  const lines: string[] = [];
  backupLimits.largeTable = 200;
  await restore(plain, await emptyTarget(), { tell: (line) => lines.push(line) });
  backupLimits.largeTable = usualLimits.largeTable;
  expect(lines).toEqual([
    '20 files',
    'Loading 200 rows into task_history',
    'Building the indexes of task_history',
    'Loading 200 rows into tasks',
    'Building the indexes of tasks',
    'Checking references between tables',
    expect.stringMatching(/^\d+ rows in \d+ tables$/),
  ]);
});

test('the files of another database are not taken over, unless that is named; a complete restore marks its own', async () => {
  const target = await emptyTarget();
  const theirs = randomUUID();
  await target.files.writeMark(theirs);
  await expect(restore(plain, target)).rejects.toThrow(/the files of another database.*--from-another-database/);
  expect([await filesOf(target.files), await target.files.readMark()]).toEqual([{}, theirs]);
  expect(await ask(target.url, "select to_regclass('public.people') as people")).toEqual([{ people: null }]);
  await restore(plain, target, { takesOverFiles: true });
  const [row] = await ask<{ id: string }>(target.url, 'select id from installation');
  expect(await target.files.readMark()).toBe(row!.id);
});

test('mails that waited when the backup was made are not sent again, and nobody is told twice what was told then', async () => {
  const notice = (key: string, columns: string, values: string) =>
    app.asOwner(`insert into notices (person_id, kind, key, facts, at, in_app${columns})
                 values (${ownerId}, 'accountChanged', '${key}', '{}', now(), true${values})`);
  const [mail] = await app.asOwner<{ id: string }>(
    `insert into notice_mails (person_id, due_at) values (${ownerId}, now()) returning id`,
  );
  await notice('under way', ', mail_id', `, ${mail!.id}`);
  await notice('waiting', ', mail_at', ', now()');
  await app.asOwner("insert into notice_runs (key, at) values ('told', now())");
  const target = await emptyTarget();
  await restore((await make(unsealed)).path, target);
  expect(await ask(target.url, 'select from notice_mails')).toEqual([]);
  expect(await ask(target.url, 'select key, mail_at, mail_id from notices order by key')).toEqual([
    { key: 'under way', mail_at: null, mail_id: null },
    { key: 'waiting', mail_at: null, mail_id: null },
  ]);
  expect(await ask(target.url, 'select key from notice_runs')).toEqual([{ key: 'told' }]);
  await app.asOwner('delete from notices; delete from notice_mails; delete from notice_runs');
});

test('a file that is gone is listed as missing; a store that cannot be asked makes no backup', async () => {
  const key = `ab/${randomUUID()}`;
  await app.database.pool.query(
    `insert into task_attachments (task_id, author_id, author_name, file_name, mime, size, storage_key)
     select task_id, author_id, author_name, file_name, mime, size, $1 from task_attachments limit 1`,
    [key],
  );
  const told: string[] = [];
  const { path, manifest } = await make(unsealed, { tell: (line) => told.push(line) });
  const { files, missing } = listedIn(path);
  expect([manifest.missing, missing, files.length]).toEqual([1, [key], 20]);
  expect(told.slice(-2)).toEqual([
    '1 file missing. Bring each back, or remove it from its task:',
    expect.stringMatching(new RegExp(`^  “.+” of task \\d+: files/${key}$`)),
  ]);
  const dataDir = mkdtempSync(join(folder, 'down-'));
  const down = await openFileStore({ dataDir, url: bucketUrl(1) });
  await expect(make(unsealed, { files: down })).rejects.toThrow(FilesUnavailable);
  await app.database.pool.query('delete from task_attachments where storage_key = $1', [key]);
});

test('a backup that a restore would refuse for its size or its content fails while it is made', async () => {
  const target = mkdtempSync(join(folder, 'refused-'));
  const failure = (sealing: Sealing) =>
    make(sealing, { folder: target }).then(
      () => 'made',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  const refusal = 'BackupFailed: No backup was created, because a restore would refuse it:';
  const encrypted = sealedFor(await identityToRecipient(await generateX25519Identity()));
  onTestFinished(() => {
    Object.assign(backupLimits, usualLimits, { filesInList: 8 });
  });
  const { size } = statSync(join(plain, 'manifest.json'));
  backupLimits.wholeBytes = size - 100;
  expect(await failure(unsealed)).toMatch(`${refusal} manifest.json is larger than `);
  expect(await failure(encrypted)).toMatch(`${refusal} manifest.json.age is larger than `);
  backupLimits.wholeBytes = 1000;
  expect(await failure(unsealed)).toBe(`${refusal} lists/1.json is larger than 0.9765625 KB`);
  backupLimits.wholeBytes = usualLimits.wholeBytes;
  const key = 'x'.repeat(1001);
  await app.database.pool.query(
    `insert into task_attachments (task_id, author_id, author_name, file_name, mime, size, storage_key)
     select task_id, author_id, author_name, file_name, mime, size, $1 from task_attachments limit 1`,
    [key],
  );
  expect(await failure(unsealed)).toMatch(`${refusal} lists/3.json is wrong at missing.0: `);
  await app.database.pool.query('delete from task_attachments where storage_key = $1', [key]);
  expect(readdirSync(target)).toEqual([]);
});

test('files that are not where they were make no backup, and none is left half', async () => {
  const { superuserUrl, parts } = app;
  const [row] = await app.asOwner<{ id: string }>(
    "insert into installation (files_place) values ('here') returning id",
  );
  const target = mkdtempSync(join(folder, 'unmounted-'));
  const job = { url: superuserUrl, folder: target };
  await parts.files.writeMark(row!.id);
  await make(unsealed, job);
  const empty = await openFileStore({ dataDir: mkdtempSync(join(folder, 'empty-')), url: undefined });
  await expect(make(unsealed, { ...job, files: empty })).rejects.toThrow(/Is the disk mounted/);
  const broken = { ...parts.files, read: () => Promise.reject(new FilesUnavailable('gone')) };
  await expect(make(unsealed, { ...job, files: broken })).rejects.toThrow('gone');
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  await expect(make(unsealed, { ...job, files: { ...parts.files, read: () => Promise.reject(full) } })).rejects.toThrow(
    `No backup was created in ${target}: ENOSPC: no space left on device, write. Free some space there, or use another folder`,
  );
  expect(readdirSync(target)).toHaveLength(1);
  await app.asOwner('delete from installation');
});

test('files of a bucket come back to a bucket, one that is gone is listed, and one that changed is refused', async () => {
  const bucket = await startBucket(mkdtempSync(join(folder, 'bucket-')));
  const other = await startBucket(mkdtempSync(join(folder, 'other-bucket-')));
  try {
    const storeAt = (port: number) =>
      openFileStore({ dataDir: mkdtempSync(join(folder, 'data-')), url: bucketUrl(port) });
    const [from, to] = [await storeAt(bucket.port), await storeAt(other.port)];
    const there = await filesOf(app.parts.files);
    const [gone = '', ...keys] = Object.keys(there);
    for (const key of keys) {
      const draft = join(from.incoming, randomUUID());
      writeFileSync(draft, Buffer.from(there[key]!, 'hex'));
      await from.keep(key, draft);
    }
    const { path, manifest } = await make(unsealed, { files: from });
    expect([manifest.missing, listedIn(path).missing]).toEqual([1, [gone]]);
    const target = { ...(await emptyTarget()), files: to };
    const changed = spoilt(path, (copy) => flipByte(join(copy, listedIn(copy).files[0]!.file)));
    await expect(restore(changed, target)).rejects.toThrow(/was changed/);
    expect(await filesOf(to)).toEqual({});
    await restore(path, target);
    expect(await filesOf(to)).toEqual(Object.fromEntries(keys.map((key) => [key, there[key]])));
  } finally {
    await Promise.all([bucket.stop(), other.stop()]);
  }
});

test('what is written meanwhile is in it whole or not at all', async () => {
  let stopped = false;
  let writes = 0;
  const writing = (async () => {
    for (; !stopped; writes += 1) await prepareTasks(app.database, 3, { ownerId, sprintId, title: 'meanwhile' });
  })();
  const { path } = await make(unsealed);
  stopped = true;
  await writing;
  expect(writes).toBeGreaterThan(0);
  const target = await emptyTarget();
  await restore(path, target);
  const [counts] = await ask<{ tasks: number; without: number }>(
    target.url,
    `select count(*)::int as tasks, count(*) filter (where h.id is null)::int as without
     from tasks t left join task_history h on h.task_id = t.id where t.title = 'meanwhile'`,
  );
  expect([counts!.tasks % 3, counts!.without]).toEqual([0, 0]);
});

test('an encrypted one holds no readable name, opens with its key alone, and is told when a byte of it changed', async () => {
  const identity = await generateX25519Identity();
  const { path } = await make(sealedFor(await identityToRecipient(identity)));
  const stored = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of stored)
    expect(readFileSync(join(parentPath, name)).includes('Staff'), name).toBe(false);
  await expect(restore(path, await emptyTarget())).rejects.toThrow(/--identity/);
  const stranger = openedWith(await generateX25519Identity());
  await expect(restore(path, await emptyTarget(), { sealing: stranger })).rejects.toThrow(
    /encrypted for this identity/,
  );
  const sealing = openedWith(identity);
  const flipped = spoilt(path, (copy) => flipByte(join(copy, 'tables/people.copy.gz.age')));
  await expect(restore(flipped, await emptyTarget(), { sealing })).rejects.toThrow(/was changed/);
  const target = await emptyTarget();
  await restore(path, target, { sealing });
  expect((await contentOf(target.url)).people).toEqual((await contentOf(app.databaseUrl)).people);
  expect(await filesOf(target.files)).toEqual(await filesOf(app.parts.files));
});

test('a backup of an older version is restored and brought to this one', async () => {
  const old = await freshDatabase({ bare: true });
  opened.push(old);
  const [first] = await firstMigrations();
  await migrate({ url: old.url, log, upTo: first! });
  await ask(old.url, "insert into people (email, first_name, last_name) values ('old@x.test', 'Old', 'Hand')");
  const { path } = await make(unsealed, { url: old.url });
  const target = await emptyTarget();
  await restore(path, target);
  expect(await ask(target.url, 'select email from people')).toEqual([{ email: 'old@x.test' }]);
  expect(await ask(target.url, 'select max(created_at)::float8 as newest from drizzle.__drizzle_migrations')).toEqual([
    { newest: newestMigration() },
  ]);
});

async function firstMigrations(): Promise<number[]> {
  const rows = await ask<{ made: number }>(
    app.databaseUrl,
    'select created_at::float8 as made from drizzle.__drizzle_migrations order by 1',
  );
  return rows.map(({ made }) => made);
}
