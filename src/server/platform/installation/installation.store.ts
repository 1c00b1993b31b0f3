import { eq, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Queries } from '../db/database.ts';
import { installation } from '../db/installation-tables.ts';

export type Installation = typeof installation.$inferSelect;

/** Locked until the end of the transaction: of several starting servers, one records the installation. */
export async function lockInstallation(queries: Queries): Promise<Installation> {
  await queries.insert(installation).values({}).onConflictDoNothing();
  const [row] = await queries.select().from(installation).for('update');
  return row!;
}

export async function readInstallation(queries: Queries): Promise<Installation | undefined> {
  const [row] = await queries.select().from(installation);
  return row;
}

/** For tables of any version: null if the table or row doesn't exist yet. Missing columns are empty. */
export async function readInstallationOf(client: Pick<pg.ClientBase, 'query'>): Promise<Installation | null> {
  const { rows: tables } = await client.query("select to_regclass('installation') as name");
  if (tables[0].name === null) return null;
  const { rows } = await client.query('select to_jsonb(i) as row from installation i');
  if (!rows[0]) return null;
  const { id, files_place, link_secret_fingerprint, is_production } = rows[0].row;
  return {
    onlyRow: true,
    id,
    filesPlace: files_place ?? null,
    linkSecretFingerprint: link_secret_fingerprint ?? null,
    isProduction: is_production ?? false,
  };
}

export async function recordInstallation(
  queries: Queries,
  change: Partial<Omit<Installation, 'onlyRow' | 'id'>>,
): Promise<void> {
  await queries.update(installation).set(change).where(eq(installation.onlyRow, true));
}

/** After a restore. Keeps what the database knew already. */
export async function recordOriginOf(
  client: Pick<pg.ClientBase, 'query'>,
  { linkSecretFingerprint, isProduction }: Pick<Installation, 'linkSecretFingerprint' | 'isProduction'>,
): Promise<void> {
  await client.query(
    `update installation set link_secret_fingerprint = coalesce($1, link_secret_fingerprint),
       is_production = is_production or $2`,
    [linkSecretFingerprint, isProduction],
  );
}

/** Keys of stored files, newest first. */
export async function readKeys(queries: Queries, most: number | null = null): Promise<string[]> {
  const { rows } = await queries.execute<{ key: string }>(
    sql`select storage_key as key from task_attachments where storage_key is not null order by id desc limit ${most}`,
  );
  return rows.map(({ key }) => key);
}
