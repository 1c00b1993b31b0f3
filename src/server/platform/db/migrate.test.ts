import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { assertServerVersion, DatabaseIsNewer, migrate } from './migrate.ts';

const name = `staff_migrate_${process.pid}`;
const url = new URL(inject('clusterUrl'));
url.pathname = `/${name}`;

async function run(database: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  return await client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

function recordingLog() {
  const migrations: object[] = [];
  return { migrations, info: (fields: object) => migrations.push(fields), warn() {}, error() {} };
}

beforeAll(() => run(inject('clusterUrl'), `create database ${name} template template0`));
afterAll(() => run(inject('clusterUrl'), `drop database ${name} with (force)`));

test('of five servers that start at once one migrates and the others wait for it', async () => {
  const log = recordingLog();
  await Promise.all(Array.from({ length: 5 }, () => migrate({ url: url.href, log })));
  expect(log.migrations).toHaveLength(1);
  const [row] = await run(url.href, `select to_regclass('public.people') is not null as there`);
  expect(row).toEqual({ there: true });
});

/** A connection that holds the lock for migrations. */
async function holdLock(name: string): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: url.href, application_name: name });
  await holder.connect();
  await holder.query('select pg_advisory_lock(7317001)');
  return holder;
}

const patience = { lookMs: 50, idleMs: 400 };

test.each(['staff-dashboard migrate', 'pooled'])(
  'a lock that %s holds and does nothing with ends the wait',
  async (name) => {
    const holder = await holdLock(name);
    const { rows } = await holder.query('select pg_backend_pid() as pid');
    const warned: unknown[] = [];
    const log = { ...recordingLog(), warn: (line: unknown) => warned.push(line) };
    const who = `process ${rows[0].pid} of PostgreSQL (${name})`;
    await expect(migrate({ url: url.href, log, patience })).rejects.toThrow(
      `The lock for migrations is held by ${who}, which is idle. Make sure that no server is starting, then end that process in the database: select pg_terminate_backend(${rows[0].pid}).`,
    );
    expect(warned).toEqual([`Waiting for ${who}, which holds the lock for migrations ...`]);
    await holder.end();
  },
);

test('a server that migrates for long is waited for', async () => {
  const holder = await holdLock('staff-dashboard migrate');
  const waiting = migrate({ url: url.href, log: recordingLog(), patience });
  await holder.query(`select pg_sleep(${(patience.idleMs * 4) / 1_000})`);
  await holder.end();
  await expect(waiting).resolves.toMatchObject({ applied: [] });
});

test('a migrated database is left as it is', async () => {
  const log = recordingLog();
  await migrate({ url: url.href, log });
  expect(log.migrations).toEqual([]);
});

test('a migration that fails is named with its reason, and undoes those before it', async () => {
  const failing = new URL(url);
  failing.pathname = `/${name}_failing`;
  await run(inject('clusterUrl'), `create database ${name}_failing template template0`);
  const { entries } = JSON.parse(readFileSync(new URL('./migrations/meta/_journal.json', import.meta.url), 'utf8'));
  const upTo = entries.find(({ tag }: { tag: string }) => tag === '0025_proofs-with-a-factor').when;
  const schema = () =>
    run(
      failing.href,
      `select array(select (table_name, column_name)::text from information_schema.columns where table_schema = 'public' order by 1) as columns,
        array(select created_at from drizzle.__drizzle_migrations order by 1) as applied`,
    );
  try {
    await migrate({ url: failing.href, log: recordingLog(), upTo });
    // What 0027 creates. 0026 succeeds before it.
    await run(failing.href, 'create table import_changes ()');
    const before = await schema();
    await expect(migrate({ url: failing.href, log: recordingLog() })).rejects.toThrow(
      /^The migration 0027_undo-imports failed: relation "import_changes" already exists\. The database is unchanged\. Start the earlier version again, as in docs\/production\.md .*, and report this$/,
    );
    expect(await schema()).toEqual(before);
    await run(failing.href, 'drop table import_changes');
    await migrate({ url: failing.href, log: recordingLog() });
  } finally {
    await run(inject('clusterUrl'), `drop database ${name}_failing with (force)`);
  }
});

test('a database of a newer version is refused', async () => {
  await run(url.href, `insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`);
  await expect(migrate({ url: url.href, log: recordingLog() })).rejects.toBeInstanceOf(DatabaseIsNewer);
});

test('a PostgreSQL before 15 is refused in one line, and 15 and later are not', () => {
  expect(() => assertServerVersion(140_013)).toThrow(
    'DATABASE_URL points to PostgreSQL 14, and this program needs 15 or later. Upgrade PostgreSQL.',
  );
  for (const version of [150_000, 150_008, 180_001]) expect(() => assertServerVersion(version)).not.toThrow();
});
