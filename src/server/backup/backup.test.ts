import { createHash, randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts';
import { bucketUrl } from '../../../test/s3-server.ts';
import { prepareTasks } from '../../../test/task-fixtures.ts';
import { migrate, newestMigration } from '../db/migrate.ts';
import { type FileStore, FilesUnavailable, openFileStore } from '../outside/files.ts';
import { makeBackup } from './backup.service.ts';
import { openedWith, type Sealing, sealedFor, unsealed } from './backup-folder.ts';
import type { Manifest } from './manifest.ts';
import { checkBackup, restoreBackup } from './restore.service.ts';

const log = { info() {}, warn() {}, error() {} };
const folder = mkdtempSync(join(tmpdir(), 'backup-test-'));
const secrets = { LINK_SECRET: 'a'.repeat(64), METABASE_SECRET_KEY: undefined };
const opened: FreshDatabase[] = [];
let app: TestApp;
let ownerId: string;
let sprintId: string;
let plain: string;

beforeAll(async () => {
  app = await startTestApp();
  ownerId = await app.person({ role: 'Staff', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], firstName: 'Zoë\t"\\' });
  sprintId = await app.sprint();
  const tasks = await prepareTasks(app.database, 200, { ownerId, sprintId, title: 'Tab\tand\nline \\N' });
  for (const task of tasks.slice(0, 20)) await attach(task, Buffer.from(`content of ${task}\0\r\n`));
  await app.signIn(ownerId);
  plain = (await make(unsealed)).path;
});
afterAll(async () => {
  await Promise.all(opened.map((one) => one.drop()));
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A file as an upload leaves it. */
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

const make = (sealing: Sealing, url = app.databaseUrl, files = app.parts.files) =>
  makeBackup({
    url,
    files,
    folder: mkdtempSync(join(folder, 'made-')),
    sealing,
    secrets,
    companyTimeZone: 'UTC',
    tell: () => {},
  });

type Target = { readonly url: string; readonly files: FileStore };

/** A machine with nothing on it. */
async function emptyTarget(): Promise<Target> {
  const database = await freshDatabase({ bare: true });
  opened.push(database);
  const dataDir = mkdtempSync(join(folder, 'restored-'));
  return { url: database.url, files: await openFileStore({ dataDir, url: undefined }) };
}

type How = { readonly sealing?: Sealing; readonly secrets?: Record<string, string>; readonly accepts?: boolean };

async function restore(path: string, target: Target, { sealing = unsealed, accepts = false, ...how }: How = {}) {
  const check = {
    folder: path,
    sealing,
    secrets: how.secrets ?? secrets,
    acceptsOtherSecrets: accepts,
    log,
    tell() {},
  };
  await restoreBackup({ ...check, ...target }, await checkBackup(check));
}

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<Row>(text).finally(() => client.end())).rows;
}

/** Count and hash of the rows of every table, and where the identities go on. */
async function contentOf(url: string): Promise<Record<string, unknown>> {
  const tables = await ask<{ name: string }>(
    url,
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in ('sessions', 'installation', 'installed_versions') order by 1",
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

/** A copy of the backup with something wrong in it. */
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

/** A copy whose manifest says something else and has its right hash, as whoever writes to the store of backups can make it. */
const forged = (change: (manifest: Manifest) => unknown): string =>
  spoilt(plain, (copy) => {
    const text = JSON.stringify(change(JSON.parse(readFileSync(join(copy, 'manifest.json'), 'utf8'))));
    writeFileSync(join(copy, 'manifest.json'), text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    writeFileSync(join(copy, 'manifest.json.sha256'), `${sha256}  manifest.json\n`);
  });

test('a backup of a newer version, of other secrets or for a database in use is refused with what to do', async () => {
  const newer = forged((manifest) => ({ ...manifest, newestMigration: newestMigration() + 1 }));
  await expect(restore(newer, await emptyTarget())).rejects.toThrow(/newer version/);
  const other = { LINK_SECRET: 'b'.repeat(64) };
  await expect(restore(plain, await emptyTarget(), { secrets: other })).rejects.toThrow(/another LINK_SECRET/);
  await restore(plain, await emptyTarget(), { secrets: other, accepts: true });
  await expect(restore(plain, { url: app.databaseUrl, files: app.parts.files })).rejects.toThrow(/has people in it/);
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

test.each([
  ['a key', '../../outside', undefined],
  ['a key', '/tmp/outside', undefined],
  ['a key', 'ab/../../outside', undefined],
  ['a key', 'installation-id', undefined],
  ['a path', undefined, 'files/../../outside'],
  ['a path', undefined, 'files/..'],
])(
  'a manifest with %s that leads elsewhere (%s %s) is refused before anything is written',
  async (_what, key, file) => {
    const path = forged((manifest) => ({
      ...manifest,
      files: manifest.files.map((item) => ({ ...item, key: key ?? item.key, file: file ?? item.file })),
    }));
    const target = await emptyTarget();
    const before = readdirSync(folder);
    await expect(restore(path, target)).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(before);
    expect(await filesOf(target.files)).toEqual({});
  },
);

test('a file that is gone is listed as missing; a store that cannot be asked makes no backup', async () => {
  const key = `ab/${randomUUID()}`;
  await app.database.pool.query(
    `insert into task_attachments (task_id, author_id, author_name, file_name, mime, size, storage_key)
     select task_id, author_id, author_name, file_name, mime, size, $1 from task_attachments limit 1`,
    [key],
  );
  const { manifest } = await make(unsealed);
  expect([manifest.missing, manifest.files.length]).toEqual([[key], 20]);
  const dataDir = mkdtempSync(join(folder, 'down-'));
  const down = await openFileStore({ dataDir, url: bucketUrl(1) });
  await expect(make(unsealed, app.databaseUrl, down)).rejects.toThrow(FilesUnavailable);
  await app.database.pool.query('delete from task_attachments where storage_key = $1', [key]);
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
  await expect(restore(path, await emptyTarget(), { sealing: stranger })).rejects.toThrow(/identity is not one/);
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
  const { path } = await make(unsealed, old.url);
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
