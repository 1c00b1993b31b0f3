// SQL of backups: the list of tables, reading their rows in one snapshot, and restoring them.
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import type { StoredContent } from './backup-folder.ts';

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

/** Loads one table's rows in COPY format. Returns their number. */
async function copyIn(
  client: pg.Client,
  { name, columns }: TableShape,
  { content, verified }: StoredContent,
): Promise<number> {
  const into = client.query(from(`copy ${quoted(name)} (${listOf(columns)}) from stdin`));
  await pipeline(content, into);
  await verified;
  return into.rowCount;
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

type Filling = {
  readonly tables: readonly (TableShape & { readonly rows: number })[];
  readonly sequences: readonly { readonly name: string; readonly lastValue: string }[];
  readonly contentOf: (table: TableShape) => Promise<StoredContent>;
};

/**
 * Fills the empty tables, all or none. Foreign keys are checked at the end, so the tables' order doesn't
 * matter. Triggers are off, because their results are among the rows.
 */
export async function fillTables(client: pg.Client, { tables, sequences, contentOf }: Filling): Promise<void> {
  await client.query(settings);
  await client.query('begin');
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of references) await client.query(`alter table ${table} drop constraint ${quoted(name)}`);
  for (const table of tables) {
    if (passing.includes(table.name)) continue;
    await client.query(`alter table ${quoted(table.name)} disable trigger user`);
    // Removes what a migration inserted, because the backup includes it.
    await client.query(`delete from ${quoted(table.name)}`);
    const rows = await copyIn(client, table, await contentOf(table));
    if (rows !== table.rows) throw new DoesNotFit(`${table.name} came to ${rows} rows instead of ${table.rows}`);
    const empty = (emptied[table.name] ?? []).filter((column) => table.columns.includes(column)).map(quoted);
    if (empty.length > 0)
      await client.query(
        `update ${quoted(table.name)} set ${empty.map((column) => `${column} = null`).join(', ')} where ${empty.map((column) => `${column} is not null`).join(' or ')}`,
      );
    await client.query(`alter table ${quoted(table.name)} enable trigger user`);
  }
  for (const { name, lastValue } of sequences)
    await client.query('select setval($1::regclass, $2::bigint)', [`public.${quoted(name)}`, lastValue]);
  for (const { table, name, definition } of references)
    await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`);
  await client.query('commit');
}
