// Brings the database to the tables of this program. However many servers start at once, one migrates.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { HostClient } from './host-client.ts';
import type { Log } from './log.ts';
import { prepareServerRole } from './server-role.ts';

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));
// Any number that nothing else in the database locks.
const LOCK = 7_317_001;

export class DatabaseIsNewer extends Error {
  override name = 'DatabaseIsNewer';
}

/** What a database is asked to learn whether this program's newest migration is in it; newer ones may be too. */
export function isMigratedQuery(): { text: string; values: unknown[] } {
  return {
    text: 'select exists (select from drizzle.__drizzle_migrations where created_at >= $1) as migrated',
    values: [newestMigration()],
  };
}

/** Without the table of migrations nothing was migrated at all. SQLSTATE: no such table, no such schema. */
export function isNeverMigrated(error: unknown): boolean {
  return ['42P01', '3F000'].includes((error as { code?: string } | null)?.code ?? '');
}

/** When the newest migration in the database was made; 0 where there is none. */
async function newestApplied(client: pg.Client): Promise<number> {
  const table = await client.query("select to_regclass('drizzle.__drizzle_migrations') as name");
  if (table.rows[0].name === null) return 0;
  const { rows } = await client.query('select max(created_at) as made from drizzle.__drizzle_migrations');
  return Number(rows[0].made ?? 0);
}

function isUpToDate(newest: number, migrations: MigrationMeta[]): boolean {
  const last = migrations.at(-1)?.folderMillis ?? 0;
  if (newest > last) {
    throw new DatabaseIsNewer(
      `The database was migrated by a newer version of this program (${new Date(newest).toISOString()}, this one knows up to ${new Date(last).toISOString()}). Start that version, or restore a backup.`,
    );
  }
  return newest === last;
}

/** When this program's newest migration was made, in milliseconds: the version of its tables. */
export function newestMigration(): number {
  return readMigrationFiles({ migrationsFolder }).at(-1)?.folderMillis ?? 0;
}

/** Calls with a folder that holds the migrations up to one: the migrator applies whatever its folder has. */
async function withMigrationsUpTo(upTo: number, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'staff-migrations-'));
  try {
    cpSync(migrationsFolder, folder, { recursive: true });
    const journalFile = join(folder, 'meta', '_journal.json');
    const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: { when: number }[] };
    const entries = journal.entries.filter(({ when }) => when <= upTo);
    writeFileSync(journalFile, JSON.stringify({ ...journal, entries }));
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether there was anything to migrate. */
async function migrateWith(client: pg.Client, folder: string, log: Log): Promise<boolean> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  const newest = await newestApplied(client);
  // The one we waited for has done it.
  if (isUpToDate(newest, migrations)) return false;
  // Rather than stand for ever behind a long query, with everybody else behind us.
  await client.query("set lock_timeout = '60s'");
  const started = performance.now();
  await applyMigrations(drizzle(client), { migrationsFolder: folder });
  const applied = migrations.filter(({ folderMillis }) => folderMillis > newest).length;
  log.info({ applied, milliseconds: Math.round(performance.now() - started) }, 'the database was migrated');
  return true;
}

type Migrating = { readonly url: string; readonly log: Log; readonly upTo?: number };

/**
 * Applies the missing migrations, all or none, and gives the role that the server is to work as, if there can be one; or those
 * made up to `upTo`, for nobody to work with yet. Throws DatabaseIsNewer when the database is ahead of them.
 */
export async function migrate({ url, log, upTo }: Migrating): Promise<{ readonly role: string | null }> {
  // A connection of its own: without the limits of requests, and its end gives the lock back whatever happens.
  const client = new HostClient({
    connectionString: url,
    application_name: 'staff-dashboard migrate',
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  try {
    await client.query('set client_min_messages = warning');
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    if (upTo === undefined) {
      const migrated = await migrateWith(client, migrationsFolder, log);
      return { role: await prepareServerRole(client, migrated, log) };
    }
    await withMigrationsUpTo(upTo, async (folder) => void (await migrateWith(client, folder, log)));
    return { role: null };
  } finally {
    await client.end();
  }
}
