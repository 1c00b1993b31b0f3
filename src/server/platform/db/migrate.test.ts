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

test('a migrated database is left as it is', async () => {
  const log = recordingLog();
  await migrate({ url: url.href, log });
  expect(log.migrations).toEqual([]);
});

test('a database of a newer version is refused', async () => {
  await run(url.href, `insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`);
  await expect(migrate({ url: url.href, log: recordingLog() })).rejects.toBeInstanceOf(DatabaseIsNewer);
});

test('a PostgreSQL before 15 is refused in one line, and 15 and later are not', () => {
  expect(() => assertServerVersion(140_013)).toThrow(
    'DATABASE_URL leads to PostgreSQL 14, and this program needs 15 or later. Upgrade PostgreSQL.',
  );
  for (const version of [150_000, 150_008, 180_001]) expect(() => assertServerVersion(version)).not.toThrow();
});
