// Migrates the database to this program's tables. If several servers start together, one migrates.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DrizzleQueryError } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { manual, programVersion } from '../program.ts';
import { StartRefused } from '../start-refused.ts';
import { isLocked, isOutOfSpace, isUnavailable } from './database-failures.ts';
import { HostClient } from './host-client.ts';
import type { Log } from './log.ts';
import { prepareServerRole } from './server-role.ts';

// One server migrates at a time; the others wait for it, but not for a lock that nobody migrates with.

// An arbitrary number that nothing else in the database locks.
const LOCK = 7_317_001;

const migratorName = 'staff-dashboard migrate';

type LockPatience = { readonly lookMs: number; readonly idleMs: number };
const usualPatience: LockPatience = { lookMs: 5_000, idleMs: 120_000 };

type Holder = { readonly pid: number; readonly name: string; readonly isBusy: boolean; readonly changed: string };

/** Waits as long as the holder works. Throws StartRefused once it has done nothing for `idleMs`. */
async function lockMigrations(client: pg.Client, log: Log, patience = usualPatience): Promise<void> {
  const { lookMs, idleMs } = patience;
  let last: Holder | undefined;
  let workedAt = performance.now();
  await client.query("select set_config('lock_timeout', $1, false)", [`${lookMs}ms`]);
  while (!(await isLockedWithin(client))) {
    const holder = await holderOf(client);
    if (holder === undefined) continue;
    if (holder.pid !== last?.pid) log.warn(`Waiting for ${described(holder)}, which holds the lock for migrations ...`);
    // Another name: a pooler has given the connection to someone else.
    const works = holder.name === migratorName && (holder.isBusy || holder.changed !== last?.changed);
    if (works || holder.pid !== last?.pid) workedAt = performance.now();
    if (performance.now() - workedAt > idleMs) throw new StartRefused(stuck(holder));
    last = holder;
  }
  await client.query('reset lock_timeout');
}

async function isLockedWithin(client: pg.Client): Promise<boolean> {
  return client.query('select pg_advisory_lock($1)', [LOCK]).then(
    () => true,
    (error) => {
      if (isLocked(error)) return false;
      throw error;
    },
  );
}

/** Undefined if it has ended. What another user's connection does is not visible: it counts as busy. */
async function holderOf(client: pg.Client): Promise<Holder | undefined> {
  const { rows } = await client.query<Holder>(
    `select pid, application_name as name, coalesce(state, 'active') not like 'idle%' as "isBusy", state_change::text as changed
     from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and (classid, objid, objsubid) = (0, $1, 1)
       and pg_locks.database = (select oid from pg_database where datname = current_database())`,
    [LOCK],
  );
  return rows[0];
}

const described = ({ pid, name }: Holder): string => `process ${pid} of PostgreSQL${name === '' ? '' : ` (${name})`}`;

function stuck(holder: Holder): string {
  const { pid } = holder;
  return `The lock for migrations is held by ${described(holder)}, which is idle. Make sure that no server is starting, then end that process in the database: select pg_terminate_backend(${pid}). If it belongs to a pooler, also set DATABASE_DIRECT_URL`;
}

// Which versions of this program have used a database.

/** The newest version that has used the database; undefined before 0.2, which recorded none. */
async function installedVersion(client: Pick<pg.ClientBase, 'query'>): Promise<string | undefined> {
  const { rows } = await client.query("select to_regclass('public.installed_versions') is not null as known");
  if (!rows[0].known) return undefined;
  const newest = await client.query('select version from installed_versions order by first_at desc limit 1');
  return newest.rows[0]?.version;
}

async function recordVersion(client: pg.Client): Promise<void> {
  await client.query('insert into installed_versions (version) values ($1) on conflict do nothing', [programVersion()]);
}

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** The tables don't match this program; the message says what to do. */
export class SchemaMismatch extends StartRefused {
  override name = 'SchemaMismatch';
}

/** A newer version of this program has migrated the database. */
export class DatabaseIsNewer extends SchemaMismatch {
  override name = 'DatabaseIsNewer';
}

/** How a database's tables compare with this program's. A version is a number of migrations. */
export type SchemaVersion = {
  /** `unknown`: has migrations that this program doesn't. */
  readonly state: 'empty' | 'older' | 'current' | 'newer' | 'unknown';
  readonly found: number;
  readonly expected: number;
  /** The creation time of the newest applied migration in milliseconds; 0 without any. */
  readonly newestMigration: number;
  /** The newest release of this program that used the database. */
  readonly release?: string | undefined;
};

const oldestPostgres = 15;

/** Throws StartRefused for an unsupported PostgreSQL; `version` is its `server_version_num`. */
export function assertServerVersion(version: number): void {
  const major = Math.floor(version / 10_000);
  if (major < oldestPostgres)
    throw new StartRefused(
      `DATABASE_URL points to PostgreSQL ${major}, and this program needs ${oldestPostgres} or later. Upgrade PostgreSQL.`,
    );
}

/** Throws StartRefused for a database that can't store every name. */
export async function assertUtf8(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query(
    "select current_database() as name, current_setting('server_encoding') as encoding",
  );
  const { name, encoding } = rows[0];
  if (encoding !== 'UTF8')
    throw new StartRefused(
      `The encoding of the database ${name} is ${encoding}, which can't store every name. Create a database with UTF8: create database NAME encoding 'UTF8' template template0`,
    );
}

/** Reads the version without changing anything. Throws StartRefused if PostgreSQL is too old. */
export async function readSchemaVersion(client: Pick<pg.ClientBase, 'query'>): Promise<SchemaVersion> {
  const { rows: settings } = await client.query("select current_setting('server_version_num')::int as version");
  assertServerVersion(settings[0].version);
  const known = knownMigrations();
  const expected = known.length;
  const newest = await newestApplied(client);
  if (newest === 0) return { state: 'empty', found: 0, expected, newestMigration: 0 };
  const index = known.indexOf(newest);
  if (index >= 0)
    return { state: index + 1 < expected ? 'older' : 'current', found: index + 1, expected, newestMigration: newest };
  const { rows } = await client.query('select count(*)::int as found from drizzle.__drizzle_migrations');
  const state = newest > (known.at(-1) ?? 0) ? 'newer' : 'unknown';
  return { state, found: rows[0].found, expected, newestMigration: newest, release: await installedVersion(client) };
}

/**
 * Like `readSchemaVersion` on its own connection. `look` reads more of the database, which may have no tables
 * yet.
 */
export async function schemaVersionAt(
  url: string,
  look: (client: pg.ClientBase, version: SchemaVersion) => Promise<unknown> = async () => {},
): Promise<SchemaVersion> {
  const client = new HostClient({
    connectionString: url,
    application_name: 'staff-dashboard version',
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  try {
    const version = await readSchemaVersion(client);
    await look(client, version);
    return version;
  } finally {
    await client.end();
  }
}

/** Throws SchemaMismatch unless the database has exactly this program's tables. */
export function assertCurrentSchema(version: SchemaVersion): void {
  const { state, found, expected } = version;
  if (state === 'empty')
    throw new SchemaMismatch(
      'The database is empty. Check DATABASE_URL and DATA_DIR. To start an empty company, run `migrate`. To bring yours back, restore a backup.',
    );
  if (state === 'older')
    throw new SchemaMismatch(
      `The database is at version ${found}, this program expects ${expected}. Upgrade as in ${manual}, which makes a backup first. Without one: \`npm run migrate\`.`,
    );
  assertKnownSchema(version);
}

/** Throws SchemaMismatch if the tables are unknown to this program; older ones are fine. */
export function assertKnownSchema({ state, found, expected, newestMigration, release }: SchemaVersion): void {
  if (state === 'newer')
    throw new DatabaseIsNewer(
      `The database is at version ${found}, this program (${programVersion()}) knows ${expected}. ${remedyForNewer(release)}`,
    );
  if (state === 'unknown')
    throw new SchemaMismatch(
      `The database was migrated by a program with other migrations (the newest is of ${new Date(newestMigration).toISOString()}). Use that program.`,
    );
}

/** `release` migrated the database. Builds between two releases can have different tables. */
function remedyForNewer(release: string | undefined): string {
  if (release === programVersion())
    return `A newer build of ${release} has migrated it. Get its sources and run \`npm run build\`.`;
  return `Use the release that migrated it${release ? ` (${release})` : ''}, or a newer one.`;
}

/** Asks whether this program's newest migration was applied; newer ones may be too. */
export function isMigratedQuery(): { text: string; values: unknown[] } {
  return {
    text: 'select exists (select from drizzle.__drizzle_migrations where created_at >= $1) as migrated',
    values: [newestMigration()],
  };
}

/** A missing migrations table means nothing was migrated. SQLSTATE: undefined table, undefined schema. */
export function isNeverMigrated(error: unknown): boolean {
  return ['42P01', '3F000'].includes((error as { code?: string } | null)?.code ?? '');
}

/** When the newest applied migration was created; 0 without any. */
async function newestApplied(client: Pick<pg.ClientBase, 'query'>): Promise<number> {
  const table = await client.query("select to_regclass('drizzle.__drizzle_migrations') as name");
  if (table.rows[0].name === null) return 0;
  const { rows } = await client.query('select max(created_at) as made from drizzle.__drizzle_migrations');
  return Number(rows[0].made ?? 0);
}

/** When this program's newest migration was created, in milliseconds. */
export function newestMigration(): number {
  return knownMigrations().at(-1) ?? 0;
}

/** Whether one of this program's migrations was created at this time, in milliseconds. */
export const isKnownMigration = (made: number): boolean => knownMigrations().includes(made);

/** The creation times of this program's migrations in milliseconds, in order. */
function knownMigrations(): number[] {
  return readJournal(migrationsFolder).entries.map(({ when }) => when);
}

type Journal = { readonly entries: readonly { readonly when: number; readonly tag: string }[] };

const journalFile = (folder: string): string => join(folder, 'meta', '_journal.json');
const readJournal = (folder: string): Journal => JSON.parse(readFileSync(journalFile(folder), 'utf8'));

/** The names of the missing migrations, in order. */
export function pendingMigrations({ newestMigration }: SchemaVersion, folder = migrationsFolder): string[] {
  return readJournal(folder)
    .entries.filter(({ when }) => when > newestMigration)
    .map(({ tag }) => tag);
}

/**
 * Calls `use` with a folder of the migrations up to `upTo`, because the migrator applies its whole folder.
 */
async function withMigrationsUpTo<T>(upTo: number, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'staff-migrations-'));
  try {
    cpSync(migrationsFolder, folder, { recursive: true });
    const journal = readJournal(folder);
    const entries = journal.entries.filter(({ when }) => when <= upTo);
    writeFileSync(journalFile(folder), JSON.stringify({ ...journal, entries }));
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Wrong settings and full disks have sentences of their own. SQLSTATE: insufficient privilege. */
function migrationFailure(error: unknown, applied: readonly string[], folder: string): unknown {
  const isKnown = isUnavailable(error) || isOutOfSpace(error);
  if (isKnown || !(error instanceof DrizzleQueryError) || !(error.cause instanceof pg.DatabaseError)) return error;
  const { code, message, detail } = error.cause;
  if (code === '42501') return error;
  const failed = applied.find((tag) =>
    readFileSync(join(folder, `${tag}.sql`), 'utf8')
      .split('--> statement-breakpoint')
      .includes(error.query),
  );
  // All of them are one transaction.
  return new StartRefused(
    `The migration ${failed ?? `to ${applied.at(-1)}`} failed: ${message}${detail ? ` (${detail})` : ''}. The database is unchanged. Start the earlier version again, as in ${manual}, and report this`,
    { cause: error },
  );
}

/** Returns the names of the applied migrations. */
async function migrateWith(client: pg.Client, folder: string, log: Log): Promise<string[]> {
  const version = await readSchemaVersion(client);
  assertKnownSchema(version);
  const applied = pendingMigrations(version, folder);
  // Another server migrated while we waited.
  if (applied.length === 0) return [];
  // Fail instead of queuing behind a long query, with everyone else queued behind us.
  await client.query("set lock_timeout = '60s'");
  const started = performance.now();
  await applyMigrations(drizzle(client), { migrationsFolder: folder }).catch((error) => {
    throw migrationFailure(error, applied, folder);
  });
  log.info({ applied, milliseconds: Math.round(performance.now() - started) }, 'the database was migrated');
  return applied;
}

export type Migrated = { readonly role: string | null; readonly applied: readonly string[] };
type Migrating = { readonly url: string; readonly log: Log; readonly upTo?: number; readonly patience?: LockPatience };

/**
 * Applies the missing migrations, all or none, and returns the role for the server, if it can have one.
 * `upTo` stops early and `patience` waits less, for tests. Throws DatabaseIsNewer when the database is ahead.
 */
export async function migrate({ url, log, upTo, patience }: Migrating): Promise<Migrated> {
  // A separate connection: it has no request limits, and closing it releases the lock.
  const client = new HostClient({
    connectionString: url,
    application_name: migratorName,
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  try {
    await assertUtf8(client);
    await client.query('set client_min_messages = warning');
    await lockMigrations(client, log, patience);
    if (upTo === undefined) {
      const applied = await migrateWith(client, migrationsFolder, log);
      await recordVersion(client);
      return { role: await prepareServerRole(client, applied.length > 0, log), applied };
    }
    return await withMigrationsUpTo(upTo, async (folder) => ({
      role: null,
      applied: await migrateWith(client, folder, log),
    }));
  } finally {
    await client.end();
  }
}
