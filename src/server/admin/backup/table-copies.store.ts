// SQL of backups: the list of tables, reading their rows in one snapshot, and restoring them.
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { countWords } from '#core/base/formats.ts';
import type { StoredContent } from './backup-folder.ts';
import { backupLimits } from './manifest.ts';

export type TableShape = { readonly name: string; readonly columns: readonly string[] };

/**
 * Rows that are meaningless later: sessions of that time, and one-time links that may be used by now.
 * Everything else is backed up.
 */
export const passing: readonly string[] = [
  'sessions',
  'account_links',
  'challenges',
  'sign_in_failures',
  'sign_in_flows',
  'viewings',
  'export_tickets',
  'idempotency_keys',
  'work_slots',
  // The original database sent the waiting mails. Past notifications stay in notices and notice_runs.
  'notice_mails',
  // Each database has its own id, which its files carry too, and its list of versions.
  'installation',
  'installed_versions',
];

/** Columns that refer to such rows; a restore empties them. */
const emptied: Readonly<Record<string, readonly string[]>> = { notices: ['mail_at', 'mail_id'] };

const quoted = (name: string): string => pg.escapeIdentifier(name);
const listOf = (names: readonly string[]): string => names.map(quoted).join(', ');

/** The same settings for writing and reading. */
const settings =
  "set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set extra_float_digits = 1; set bytea_output = 'hex'";

/**
 * Starts a snapshot: all reads until `endSnapshot` see the data of one instant. Returns that instant by the
 * database's clock.
 */
export async function beginSnapshot(client: pg.Client): Promise<Temporal.Instant> {
  await client.query(settings);
  await client.query('begin isolation level repeatable read, read only');
  const { rows } = await client.query<{ milliseconds: number }>(
    'select floor(extract(epoch from now()) * 1000)::float8 as milliseconds',
  );
  return Temporal.Instant.fromEpochMilliseconds(rows[0]!.milliseconds);
}

export async function endSnapshot(client: pg.Client): Promise<void> {
  await client.query('commit');
}

/** The tables of a backup, with their stored columns. */
export async function readTables(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all ($1) group by c.relname order by c.relname`,
    [passing],
  );
  return rows;
}

export async function readSequences(client: pg.Client): Promise<{ name: string; lastValue: string }[]> {
  const { rows } = await client.query<{ name: string; lastValue: string }>(
    `select sequencename as name, last_value::text as "lastValue" from pg_sequences
     where schemaname = 'public' and last_value is not null order by sequencename`,
  );
  return rows;
}

export type NamedFile = { readonly key: string; readonly name: string; readonly taskId: string };

/** The stored files that rows name, each with one task that has it, by key. */
export async function readNamedFiles(client: pg.Client): Promise<NamedFile[]> {
  const { rows } = await client.query<NamedFile>(
    `select distinct on (storage_key collate "C") storage_key as key, file_name as name, task_id::text as "taskId"
     from task_attachments where storage_key is not null order by storage_key collate "C", id`,
  );
  return rows;
}

/** The id that the file store carries too; null if no server recorded a place, or the tables are older. */
export async function readIdOfFiles(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query("select to_regclass('public.installation') is not null as there");
  if (!rows[0].there) return null;
  return (await client.query('select id from installation where files_place is not null')).rows[0]?.id ?? null;
}

/** The database's id, which its file store carries too; null if the tables are older. */
export async function readInstallationId(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query("select to_regclass('public.installation') is not null as there");
  if (!rows[0].there) return null;
  return (await client.query<{ id: string }>('select id from installation')).rows[0]?.id ?? null;
}

/** Gives the database an id if it has none. */
export async function ensureInstallationId(client: pg.Client): Promise<string> {
  await client.query('insert into installation default values on conflict do nothing');
  return (await client.query<{ id: string }>('select id from installation')).rows[0]!.id;
}

/** The rows in COPY format; `rowCount` is known when the stream has ended. */
export const copyOut = (client: pg.Client, { name, columns }: TableShape) =>
  client.query(to(`copy ${quoted(name)} (${listOf(columns)}) to stdout`));

/** Whether the database is already in use. */
export async function hasPeople(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('public.people') is not null as there");
  if (!rows[0].there) return false;
  return (await client.query('select exists (select from people) as found')).rows[0].found;
}

/** The backup doesn't match its version's tables; the message says how. */
export class DoesNotFit extends Error {
  override name = 'DoesNotFit';
}

/**
 * Throws DoesNotFit unless the backup has exactly the database's tables and columns, apart from the passing
 * ones.
 */
export async function assertSameTables(client: pg.Client, given: readonly TableShape[], sequences: readonly string[]) {
  const tables = new Map((await readTables(client)).map(({ name, columns }) => [name, columns]));
  const known = given.filter(({ name }) => !passing.includes(name));
  for (const { name, columns } of known) {
    const found = tables.get(name);
    if (found === undefined) throw new DoesNotFit(`There is no table ${name} in its version`);
    const different = [...new Set([...found, ...columns])].filter(
      (one) => !(found.includes(one) && columns.includes(one)),
    );
    if (different.length > 0) throw new DoesNotFit(`The columns of ${name} differ: ${different.join(', ')}`);
  }
  const lacking = [...tables.keys()].filter((name) => !known.some((table) => table.name === name));
  if (lacking.length > 0) throw new DoesNotFit(`It lacks the rows of ${lacking.join(', ')}`);
  const { rows } = await client.query<{ name: string }>(
    "select sequencename as name from pg_sequences where schemaname = 'public'",
  );
  const strange = sequences.find((name) => !rows.some((row) => row.name === name));
  if (strange !== undefined) throw new DoesNotFit(`There is no sequence ${strange} in its version`);
}

type Given = TableShape & { readonly rows: number };

type Filling = {
  readonly tables: readonly Given[];
  readonly sequences: readonly { readonly name: string; readonly lastValue: string }[];
  readonly contentOf: (table: TableShape) => Promise<StoredContent>;
  readonly tell: (line: string) => void;
};

/** For sorting indexes and checking foreign keys, unless the database's own setting is higher. */
const sortMemory = `select set_config('maintenance_work_mem', '256MB', true)
  where pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes('256MB')`;

/**
 * Fills the empty tables, all or none. Foreign keys are checked at the end, so the tables' order doesn't
 * matter. Triggers are off, because their results are among the rows.
 */
export async function fillTables(client: pg.Client, filling: Filling): Promise<void> {
  const tables = filling.tables.filter(({ name }) => !passing.includes(name));
  await client.query(settings);
  await client.query('begin');
  await client.query(sortMemory);
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of references) await client.query(`alter table ${table} drop constraint ${quoted(name)}`);
  for (const table of tables) await fillTable(client, table, filling);
  for (const { name, lastValue } of filling.sequences)
    await client.query('select setval($1::regclass, $2::bigint)', [`public.${quoted(name)}`, lastValue]);
  if (tables.some(({ rows }) => rows >= backupLimits.largeTable)) filling.tell('Checking references between tables');
  for (const { table, name, definition } of references)
    await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`);
  await client.query('commit');
}

async function fillTable(client: pg.Client, given: Given, { contentOf, tell }: Filling): Promise<void> {
  const { name, columns } = given;
  const table = quoted(name);
  const isLarge = given.rows >= backupLimits.largeTable;
  if (isLarge) tell(`Loading ${countWords(given.rows)} rows into ${name}`);
  const indexes = await readIndexes(client, name);
  for (const { removal } of indexes) await client.query(removal);
  await client.query(`alter table ${table} disable trigger user`);
  // Removes what a migration inserted, because the backup includes it.
  await client.query(`truncate ${table}`);
  const rows = await copyIn(client, given, await contentOf(given));
  if (rows !== given.rows) throw new DoesNotFit(`${name} came to ${rows} rows instead of ${given.rows}`);
  const empty = (emptied[name] ?? []).filter((column) => columns.includes(column)).map(quoted);
  if (empty.length > 0)
    await client.query(
      `update ${table} set ${empty.map((column) => `${column} = null`).join(', ')} where ${empty.map((column) => `${column} is not null`).join(' or ')}`,
    );
  await client.query(`alter table ${table} enable trigger user`);
  if (isLarge) tell(`Building the indexes of ${name}`);
  for (const { creation } of indexes) await client.query(creation);
  // Foreign keys are checked with its statistics, and the first requests don't wait for autovacuum.
  await client.query(`analyze ${table}`);
}

/** Loads a table's rows in COPY format. Frozen, so vacuum doesn't write them all again. Returns their number. */
async function copyIn(
  client: pg.Client,
  { name, columns }: TableShape,
  { content, verified }: StoredContent,
): Promise<number> {
  const into = client.query(from(`copy ${quoted(name)} (${listOf(columns)}) from stdin with (freeze)`));
  await pipeline(content, into);
  await verified;
  return into.rowCount;
}

/**
 * A table's indexes, which are built after its rows: a quarter of the time if they are larger than the
 * memory. In their order, because the planner prefers newer ones. Those that are marked or have a comment,
 * which their definition leaves out, stay.
 */
async function readIndexes(client: pg.Client, table: string): Promise<{ removal: string; creation: string }[]> {
  const { rows } = await client.query<{ removal: string; creation: string }>(
    `select case when k.oid is null then format('drop index %s', i.indexrelid::regclass)
         else format('alter table %s drop constraint %I', i.indrelid::regclass, k.conname) end as removal,
       case when k.oid is null then pg_get_indexdef(i.indexrelid)
         else format('alter table %s add constraint %I %s', i.indrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
         end as creation
     from pg_index i join pg_class c on c.oid = i.indexrelid
     left join pg_constraint k on k.conindid = i.indexrelid and k.conrelid = i.indrelid and k.contype in ('p', 'u', 'x')
     where i.indrelid = $1::regclass and not i.indisreplident and not i.indisclustered
       and c.reltablespace = 0 and (k.oid is null or c.reloptions is null)
       and obj_description(c.oid, 'pg_class') is null and obj_description(k.oid, 'pg_constraint') is null
       and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attstattarget >= 0)
     order by i.indexrelid`,
    [`public.${quoted(table)}`],
  );
  return rows;
}
