// What operators rely on: no demo accounts in production, and servers of one database that share their files.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { demoAccounts } from '#server/demo/demo-accounts.ts';
import { applyRows } from '#server/numbers/batch.service.ts';
import { readConfig } from '#server/platform/config/config.ts';
import { adoptFilesPlace } from '#server/platform/installation/files-place.ts';
import {
  assertInstallationFits,
  forgetLinkSecret,
  leaveProduction,
} from '#server/platform/installation/installation.service.ts';
import { createLog } from '#server/platform/log/log.ts';
import { programVersion } from '#server/platform/program.ts';
import { StartRefused } from '#server/platform/start-refused.ts';
import { openFileStore } from '#server/platform/storage/files.ts';
import { asOwner, type FreshDatabase, freshDatabase } from '../../test/database.ts';
import { openFolder } from '../../test/database-folder.ts';
import { layLine } from '../../test/line.ts';
import { bucketUrl, startBucket, type TestBucket } from '../../test/s3-server.ts';
import { signInOver } from '../../test/server-process.ts';
import { type RunningServer, startServer } from './start-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'production-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const log = createLog({ level: 'silent' });
const admin = { ADMIN_EMAIL: 'first@example.test', ADMIN_PASSWORD: 'kettle rover eleven' };
const firstAdmin = { email: admin.ADMIN_EMAIL, password: admin.ADMIN_PASSWORD };
const demoAdmin = { email: 'admin@demo.test', password: 'top-5-demo' };

let made = 0;
const newFolder = () => join(folder, `data-${++made}`);
async function newDatabase(options = {}): Promise<FreshDatabase> {
  const database = await freshDatabase(options);
  onTestFinished(() => database.drop());
  return database;
}

/** The actor of an admin command. */
const actor: Parameters<typeof adoptFilesPlace>[1] = {
  viewer: null,
  requestId: 'command',
  address: 'command',
  clock: { now: () => Temporal.Now.instant() },
};

type Env = Readonly<Record<string, string>>;
const onDatabase = ({ url }: FreshDatabase, env: Env = {}): Env => ({
  DATABASE_URL: url,
  LINK_SECRET: '0123456789abcdef0123456789abcdef',
  ...env,
});

/** Starts a server in this process; the test stops it. */
async function start(env: Env, itsLog = log): Promise<RunningServer & { url: string }> {
  const server = await startServer(readConfig({ PORT: '0', DATA_DIR: newFolder(), ...env }), itsLog);
  onTestFinished(() => server.stop());
  const url = / is at (http:\S+)/.exec(server.greeting.join('\n'))?.[1] as string;
  return { ...server, url };
}

/** The line of a refused start. */
async function refusalOf(env: Env): Promise<string> {
  const refusal = await start(env).catch((error) => error);
  expect(refusal).toBeInstanceOf(StartRefused);
  expect(refusal.message).not.toContain('\n');
  return refusal.message;
}

describe('a database that has the demo company', () => {
  let marked: FreshDatabase;
  let old: FreshDatabase;
  beforeAll(async () => {
    marked = await freshDatabase();
    await marked.database.pool.query('insert into demo_company_mark default values');
    // A version before 0.2 loaded it and left no mark.
    old = await freshDatabase();
    const { email } = demoAccounts[0]!;
    await old.database.pool.query("insert into people (email, first_name, last_name) values ($1, 'A', 'B')", [email]);
  });
  afterAll(async () => {
    await marked.drop();
    await old.drop();
  });

  test.each([
    ['in production', { APP_ENV: 'production', PUBLIC_URL: 'https://staff.example.test' }, 'APP_ENV is production'],
    ['where the first admin is named', admin, 'ADMIN_EMAIL asks for your own company'],
    ['where DEMO is 0', { DEMO: '0' }, 'DEMO is 0'],
    ['on an address that other machines reach', { HOST: '0.0.0.0' }, 'HOST is 0.0.0.0, so other machines can reach it'],
    ['behind a public address', { PUBLIC_URL: 'https://a.example.test' }, 'PUBLIC_URL is https://a.example.test, so'],
    ['behind a proxy', { TRUSTED_PROXIES: 'loopback' }, 'TRUSTED_PROXIES is set, so other machines can reach it'],
  ])('is not served %s', async (_where, env, reason) => {
    for (const database of [marked, old]) {
      const line = await refusalOf(onDatabase(database, env as Env));
      expect(line).toContain('This database has the demo company, whose passwords are public');
      expect(line).toContain(reason);
      expect(line).toContain(
        'Set DATABASE_URL to an empty database, or DATA_DIR to a new folder, for example DATA_DIR=company.',
      );
    }
  });

  test('is served on this machine, and elsewhere to whoever asks for it by name', async () => {
    const DATA_DIR = newFolder();
    await start(onDatabase(marked, { DATA_DIR }));
    const { greeting } = await start(onDatabase(marked, { DATA_DIR, HOST: '0.0.0.0', DEMO: '1' }));
    expect(greeting.join('\n')).toMatch(/ is at http:\S+ and at every other address of this machine$/m);
  });
});

test('on an empty folder the named admin gets in, and no demo account does', async () => {
  const server = await start({ ...admin, DATA_DIR: join(openFolder('production'), 'data') });
  expect(await signInOver(server.url, firstAdmin)).toBeTruthy();
  await expect(signInOver(server.url, demoAdmin)).rejects.toThrow('401');
});

test('a DATA_DIR below a folder that is gone, as after a move of the checkout, starts no second company', async () => {
  const before = join(openFolder('production'), 'checkout');
  expect(await refusalOf({ ...admin, DATA_DIR: join(before, 'data') })).toBe(
    `DATA_DIR is ${before}/data, and there is no folder ${before}. If the checkout or the data was moved, set DATA_DIR to the folder that has the data now. To start empty, first run: mkdir -p ${before}`,
  );
  expect(existsSync(before)).toBe(false);
});

test('the demo company that a server loaded is known to it from then on', async () => {
  const database = await newDatabase();
  const server = await start(onDatabase(database, { DEMO: '1' }));
  expect(await signInOver(server.url, demoAdmin)).toBeTruthy();
  await asOwner(
    database.url,
    "update people set email = 'someone@example.test' where email like '%@demo.test' and id = 1",
  );
  await asOwner(database.url, "update people set email = id || '@example.test'");
  expect(await refusalOf(onDatabase(database, { APP_ENV: 'production' }))).toContain('has the demo company');
});

describe('the start says', () => {
  test('that nobody can sign in to an empty database, and what to do', async () => {
    const { greeting } = await start(onDatabase(await newDatabase()));
    expect(greeting).toContain(
      'Nobody can sign in yet because the database is empty. Set ADMIN_EMAIL and ADMIN_PASSWORD and restart.',
    );
  });
  test('that ADMIN_EMAIL does nothing where there are people already, unless it names an admin', async () => {
    const database = await newDatabase();
    const named = { ...admin, DATA_DIR: newFolder() };
    await start(onDatabase(database, named));
    const again = await start(onDatabase(database, named));
    expect(again.greeting.join('\n')).not.toContain('ADMIN_EMAIL');
    const created = "select after, address from audit_log where action = 'personCreated'";
    const after = { email: admin.ADMIN_EMAIL, role: 'admin' };
    expect((await database.database.pool.query(created)).rows).toEqual([{ after, address: 'start' }]);
    const other = await start(onDatabase(database, { ...named, ADMIN_EMAIL: 'other@example.test' }));
    expect(other.greeting[0]).toMatch(/^ADMIN_EMAIL and ADMIN_PASSWORD are ignored: this database already has people/);
    await expect(signInOver(other.url, { ...firstAdmin, email: 'other@example.test' })).rejects.toThrow('401');
  });
  test('in production that PUBLIC_URL is missing', async () => {
    const { greeting } = await start(onDatabase(await newDatabase(), { ...admin, APP_ENV: 'production' }));
    expect(greeting.join('\n')).toContain('PUBLIC_URL isn’t set. Set it to the https address');
  });
  test('that its time zone isn’t the one in which the numbers’ days were counted', async () => {
    const database = await newDatabase();
    const DATA_DIR = newFolder();
    const warned = async (COMPANY_TIME_ZONE: string) => {
      const { greeting } = await start(onDatabase(database, { ...admin, DATA_DIR, COMPANY_TIME_ZONE }));
      return greeting.filter((line) => line.startsWith('Warning: The days of'));
    };
    expect(await warned('UTC')).toEqual([]);
    const states = "values ('affiliate_activity', 'UTC', now()), ('orders', 'UTC', now())";
    await database.database.pool.query(`insert into number_states (dataset, zone, as_of) ${states}`);
    expect(await warned('Asia/Tokyo')).toEqual([]);
    const values = { product: 'connect', order_ref: '1', occurred_at: '2026-11-01T12:00:00Z', status: 'completed' };
    const order = { externalId: '1', values: { ...values, gross: 1n, currency: 'USD' }, labels: {}, texts: {} };
    await database.database.transaction((queries) =>
      applyRows(queries, 'orders', [order], { zone: 'UTC', source: 'shop' }),
    );
    expect(await warned('UTC')).toEqual([]);
    expect(await warned('Asia/Tokyo')).toEqual([
      'Warning: The days of orders were counted in UTC, but COMPANY_TIME_ZONE is Asia/Tokyo here. Set it to UTC. If the company’s time zone has changed, run npm run admin -- rebuild-numbers',
    ]);
  });
  test('its version, which the database remembers', async () => {
    const database = await newDatabase();
    const { greeting } = await start(onDatabase(database, admin));
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(programVersion()).toBe(version);
    expect(greeting.join('\n')).toContain(`Staff dashboard ${version} is at http:`);
    expect(greeting[0]).toMatch(/^Files are in .*\/files\.$/);
    expect(await asOwner(database.url, 'select version from installed_versions')).toEqual([{ version }]);
  });
});

/** A task with a file that no store has. */
async function addLostFile({ database: { pool } }: FreshDatabase): Promise<void> {
  await pool.query("insert into people (email, first_name, last_name) values ('a@x.test', 'A', 'B')");
  await pool.query(
    "insert into sprints (name, start_at, end_at) values ('s', '2026-11-16T10:00Z', '2026-11-23T10:00Z') on conflict do nothing",
  );
  await pool.query(
    "insert into tasks (owner_id, sprint_id, title, category, created_by) select p.id, s.id, 't', 'business', p.id from people p, sprints s limit 1",
  );
  await pool.query(
    `insert into task_attachments (task_id, author_id, author_name, file_name, mime, size, storage_key)
     select t.id, t.owner_id, 'A', 'a.txt', 'text/plain', 1, 'ab/gone' from tasks t`,
  );
}

describe.each(['folder', 'bucket'] as const)('two servers of one database with their files in a %s', (kind) => {
  const buckets: TestBucket[] = [];
  afterAll(async () => {
    for (const bucket of buckets) await bucket.stop();
  });
  async function newPlace(): Promise<Env> {
    const DATA_DIR = newFolder();
    if (kind === 'folder') return { DATA_DIR };
    const bucket = await startBucket(newFolder());
    buckets.push(bucket);
    return { DATA_DIR, FILES_URL: bucketUrl(bucket.port) };
  }

  test('agree on the place, or the second one does not start and says what to set', async () => {
    const database = await newDatabase();
    const [shared, elsewhere] = [await newPlace(), await newPlace()];
    await start(onDatabase(database, { ...admin, ...shared }));
    await start(onDatabase(database, { ...shared, ...(kind === 'bucket' ? { DATA_DIR: newFolder() } : {}) }));
    const line = await refusalOf(onDatabase(database, elsewhere));
    expect(line).toContain(
      kind === 'folder' ? `are in ${shared.DATA_DIR}/files` : 'are in the bucket attachments at 127.0.0.1:',
    );
    expect(line).toContain('or the checkout moved, set FILES_URL or DATA_DIR to their new location');
    expect(line).not.toContain('S3RVER');
    // Else the right folder, renamed to this one later, would lie inside it.
    expect(existsSync(elsewhere.DATA_DIR!)).toBe(false);
  });

  test('agree on the place where one has a copy of the files, with their mark', async () => {
    const database = await newDatabase();
    const [shared, copy] = [await newPlace(), await newPlace()];
    const env = { PORT: '0', ...onDatabase(database, { ...admin, ...shared }) };
    const first = await startServer(readConfig(env), log);
    const [from, to] = await Promise.all(
      [shared, copy].map(({ DATA_DIR, FILES_URL }) => openFileStore({ dataDir: DATA_DIR!, url: FILES_URL })),
    );
    await to!.writeMark((await from!.readMark())!);
    expect(await refusalOf(onDatabase(database, copy))).toContain('Another server of this database keeps its files in');
    await first.stop();
    // A folder can have moved. To a bucket, files may have been added since.
    if (kind === 'folder') await (await startServer(readConfig({ ...env, ...copy }), log)).stop();
    else expect(await refusalOf(onDatabase(database, copy))).toContain('this is the new location');
    // A former folder lacks the newest file.
    await addLostFile(database);
    expect(await refusalOf(onDatabase(database, kind === 'folder' ? shared : copy))).toContain(
      'this is the new location',
    );
  });

  test('do not start where the place has lost its files, as when a disk is not mounted', async () => {
    const database = await newDatabase();
    const place = await newPlace();
    await (await startServer(readConfig({ PORT: '0', ...onDatabase(database, { ...admin, ...place }) }), log)).stop();
    const files = await openFileStore({ dataDir: place.DATA_DIR as string, url: place.FILES_URL });
    await files.remove('installation-id');
    await addLostFile(database);
    expect(await refusalOf(onDatabase(database, place))).toMatch(
      /^The files of this database are missing from .* If they’re lost: .* adopt-files --accept-missing-files$/,
    );
    const config = { dataDir: place.DATA_DIR as string, filesUrl: place.FILES_URL };
    const adopt = (acceptMissing: boolean) =>
      adoptFilesPlace({ database: database.database, files, config }, actor, { acceptMissing });
    expect(await adopt(true)).toMatchObject({ hasChanged: true });
    await start(onDatabase(database, place));
    // Its mark doesn't bring back a file.
    await expect(adopt(false)).rejects.toThrow('0 of the 1 files');
    expect(await adopt(true)).toMatchObject({ hasChanged: false });
  });

  test.each([true, false])(
    'do not take a place that belongs to another database, and leave the new one empty (bare: %s)',
    async (bare) => {
      const place = await newPlace();
      await start(onDatabase(await newDatabase(), { ...admin, ...place }));
      const database = await newDatabase({ bare });
      expect(await refusalOf(onDatabase(database, { ...admin, ...place }))).toMatch(
        /^This database is new, but the files in .* belong to another one\. .* back it up and restore it/,
      );
      const [{ there } = { there: null }] = await asOwner<{ there: string | null }>(
        database.url,
        "select to_regclass('people') as there",
      );
      expect(there).toBe(bare ? null : 'people');
      if (!bare) expect(await asOwner(database.url, 'select from people')).toEqual([]);
    },
  );

  test('take a new place that the operator names, with a line in the audit log', async () => {
    const database = await newDatabase();
    const [before, after] = [await newPlace(), await newPlace()];
    await start(onDatabase(database, { ...admin, ...before }));
    const files = await openFileStore({ dataDir: after.DATA_DIR as string, url: after.FILES_URL });
    const config = { dataDir: after.DATA_DIR as string, filesUrl: after.FILES_URL };
    const adopt = () => adoptFilesPlace({ database: database.database, files, config }, actor);
    expect(await adopt()).toMatchObject({ before: expect.any(String), hasChanged: true });
    expect((await adopt()).hasChanged).toBe(false);
    await start(onDatabase(database, after));
    const rows = await asOwner<{ after: unknown }>(
      database.url,
      "select after from audit_log where action = 'filesPlaceChanged'",
    );
    expect(rows).toHaveLength(1);
    for await (const keys of files.keys()) expect(keys).toEqual([]);
  });

  test('do not let adopt-files take the files of another database, unless that is named', async () => {
    const [theirs, ours] = [await newPlace(), await newPlace()];
    await start(onDatabase(await newDatabase(), { ...admin, ...theirs }));
    const database = await newDatabase();
    await start(onDatabase(database, { ...admin, ...ours }));
    const config = { dataDir: theirs.DATA_DIR as string, filesUrl: theirs.FILES_URL };
    const files = await openFileStore({ dataDir: config.dataDir, url: config.filesUrl });
    const mark = await files.readMark();
    const place = { database: database.database, files, config };
    await expect(adoptFilesPlace(place, actor)).rejects.toThrow(
      /^(\S+ on \S+|the bucket .*) has the files of another database, .*--from-another-database$/,
    );
    expect(await files.readMark()).toBe(mark);
    await adoptFilesPlace(place, actor, { fromAnotherDatabase: true });
    expect(await files.readMark()).not.toBe(mark);
  });

  test('with files from before 0.2: a place that has none of them is refused', async () => {
    const database = await newDatabase();
    await addLostFile(database);
    expect(await refusalOf(onDatabase(database, await newPlace()))).toContain('has none of the files of this database');
  });

  test('do not let adopt-files take a place without the files, unless they are lost', async () => {
    const database = await newDatabase();
    await addLostFile(database);
    const { DATA_DIR: dataDir = '', FILES_URL: filesUrl } = await newPlace();
    const files = await openFileStore({ dataDir, url: filesUrl });
    const place = { database: database.database, files, config: { dataDir, filesUrl } };
    await expect(adoptFilesPlace(place, actor)).rejects.toThrow(
      /^0 of the 1 files that this database references are in .* Copy the others there\. .*--accept-missing-files$/,
    );
    expect(await files.readMark()).toBe(null);
    await adoptFilesPlace(place, actor, { acceptMissing: true });
    await files.writeMark('other');
    const draft = join(files.incoming, 'draft');
    writeFileSync(draft, 'x');
    await files.keep('ab/gone', draft);
    await adoptFilesPlace(place, actor, { fromAnotherDatabase: true });
  });
});

test('a server that is refused leaves a database of another version as it is', async () => {
  const database = await newDatabase();
  const place = { DATA_DIR: newFolder() };
  const right = { ...admin, ...place, APP_ENV: 'production' };
  await (await startServer(readConfig({ PORT: '0', ...onDatabase(database, right) }), log)).stop();
  // Its tables lack this program's newest migration.
  await asOwner(
    database.url,
    'delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)',
  );
  const migrations = () => asOwner(database.url, 'select id, created_at from drizzle.__drizzle_migrations order by id');
  const before = await migrations();
  for (const [env, words] of [
    [{ ...place }, 'This database is in production'],
    [{ ...right, LINK_SECRET: 'fedcba9876543210fedcba9876543210' }, "LINK_SECRET doesn't match this database"],
    [{ ...right, DATA_DIR: newFolder() }, 'The files of this database are in'],
  ] as const) {
    expect(await refusalOf(onDatabase(database, env))).toContain(words);
    expect(await migrations()).toEqual(before);
  }
});

test('a server of a trial whose DATABASE_DIRECT_URL still leads to another database doesn’t start, and leaves it alone', async () => {
  const [trial, live] = [await newDatabase(), await newDatabase()];
  const tables = () => asOwner(live.url, "select count(*)::int from pg_tables where schemaname = 'public'");
  const before = await tables();
  expect(
    await refusalOf({ ...onDatabase(trial, { DATA_DIR: newFolder(), ...admin }), DATABASE_DIRECT_URL: live.url }),
  ).toBe(
    'DATABASE_DIRECT_URL leads to another database than DATABASE_URL. Fix one of them, or remove DATABASE_DIRECT_URL.',
  );
  expect(
    await refusalOf({ ...onDatabase(trial, { DATA_DIR: newFolder(), ...admin }), DATABASE_REPLICA_URL: live.url }),
  ).toContain('DATABASE_REPLICA_URL leads to another database');
  expect(await tables()).toEqual(before);
});

describe('a database remembers', () => {
  const [first, second, third] = ['0123456789abcdef', 'fedcba9876543210', '1032547698badcfe'].map(
    (half) => half + half,
  );
  const keys = (LINK_SECRET = '', LINK_SECRET_ALSO = '') => ({ LINK_SECRET, LINK_SECRET_ALSO });

  test('its LINK_SECRET: a server with another one does not start, and its rotation goes on with several servers', async () => {
    const database = await newDatabase();
    const place = { DATA_DIR: newFolder() };
    const startWith = (secrets: Env) => start(onDatabase(database, { ...admin, ...place, ...secrets }));
    await startWith(keys(first));
    for (const secrets of [keys(second), keys(second, third)])
      expect(await refusalOf(onDatabase(database, { ...place, ...secrets }))).toMatch(
        /^LINK_SECRET doesn't match this database.*adopt-link-secret$/,
      );
    // As with the embedded database, where only a server makes a secret that isn't set.
    const unset = { appEnv: 'development', linkSecret: undefined, linkSecretAlso: undefined } as const;
    await expect(assertInstallationFits(database.database.pool, unset)).rejects.toThrow(
      /^LINK_SECRET isn't set, but this database has one, so links/,
    );
    const steps = [keys(first, second), keys(second, first), keys(first, second), keys(second, first), keys(second)];
    for (const secrets of steps) await startWith(secrets);
    expect(await refusalOf(onDatabase(database, { ...place, ...keys(first) }))).toContain('LINK_SECRET');
    const rows = await asOwner(database.url, 'select * from installation');
    for (const secret of [first, second]) expect(JSON.stringify(rows)).not.toContain(secret);
    const forget = (linkSecret?: string, linkSecretAlso?: string) =>
      forgetLinkSecret(database.database, actor, { linkSecret, linkSecretAlso });
    await expect(forget(second)).rejects.toThrow('isn’t lost');
    await expect(forget(third, second)).rejects.toThrow('isn’t lost');
    await forget(third);
    await forget(third);
    await startWith(keys(third));
  });

  test('that it is in production: a server that lost its settings does not start', async () => {
    const database = await newDatabase();
    const place = { DATA_DIR: newFolder() };
    await start(onDatabase(database, { ...admin, ...place, APP_ENV: 'production' }));
    expect(await refusalOf(onDatabase(database, place))).toMatch(
      /^This database is in production, and APP_ENV is "development"\..*leave-production$/,
    );
    await leaveProduction(database.database, actor);
    await start(onDatabase(database, place));
  });
});

test('a server starts while the bucket that its database knows cannot be reached, and not with another one', async () => {
  const database = await newDatabase();
  const bucket = await startBucket(newFolder());
  onTestFinished(() => bucket.stop());
  const line = await layLine({ host: '127.0.0.1', port: bucket.port });
  onTestFinished(() => line.close());
  const place = { DATA_DIR: newFolder(), FILES_URL: bucketUrl(line.port) };
  await (await startServer(readConfig({ PORT: '0', ...onDatabase(database, { ...admin, ...place }) }), log)).stop();
  line.become('torn');
  const warningLog = createLog({ level: 'silent' });
  const warn = vi.spyOn(warningLog, 'warn');
  const { url, greeting } = await start(onDatabase(database, place), warningLog);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(greeting[0]).toMatch(
    /^Warning: .*FILES_URL.*\. Until then, attached files can’t be opened or added\. Everything else works\.$/,
  );
  // server.sh prints warnings of the log too.
  expect(JSON.stringify([greeting, warn.mock.calls]).match(/attached files/gi)).toHaveLength(1);
  const another = { ...place, FILES_URL: place.FILES_URL.replace('attachments', 'others') };
  expect(await refusalOf(onDatabase(database, another))).toContain('are in the bucket attachments at');
});

test('a database whose files went to a bucket does not go back to their former folder where FILES_URL is lost', async () => {
  const database = await newDatabase();
  const folder = { DATA_DIR: newFolder() };
  await (await startServer(readConfig({ PORT: '0', ...onDatabase(database, { ...admin, ...folder }) }), log)).stop();
  const bucket = await startBucket(newFolder());
  onTestFinished(() => bucket.stop());
  const FILES_URL = bucketUrl(bucket.port);
  const files = await openFileStore({ dataDir: folder.DATA_DIR, url: FILES_URL });
  const config = { dataDir: folder.DATA_DIR, filesUrl: FILES_URL };
  await adoptFilesPlace({ database: database.database, files, config }, actor);
  await (await startServer(readConfig({ PORT: '0', ...onDatabase(database, { ...folder, FILES_URL }) }), log)).stop();
  expect(await refusalOf(onDatabase(database, folder))).toContain('are in the bucket attachments at');
});

test('a running server says that it is not ready while its files are not those of its database', async () => {
  const database = await newDatabase();
  const place = { DATA_DIR: newFolder() };
  const server = await start(onDatabase(database, { ...admin, ...place }));
  rmSync(join(place.DATA_DIR, 'files'), { recursive: true });
  const answer = await fetch(`${server.url}/readyz`);
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { ready: false, reasons: { files: 'are not those of this database' } },
  ]);
});
