// SQL of the mappings that are saved by name.
import { sql } from 'drizzle-orm';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type SavedMapping = {
  readonly name: string;
  readonly dataset: DatasetKey;
  readonly mapping: object;
  readonly savedAt: string;
};

const columns = sql`name, dataset, mapping, saved_at as "savedAt"`;

export async function saveMapping(
  queries: Queries,
  { name, dataset, mapping, savedAt }: SavedMapping,
  savedBy: string,
): Promise<void> {
  await queries.execute(sql`
    insert into import_mappings (name, dataset, mapping, saved_by, saved_at)
    values (${name}, ${dataset}, ${JSON.stringify(mapping)}::jsonb, ${savedBy}, ${savedAt})
    on conflict (name) do update set dataset = excluded.dataset, mapping = excluded.mapping, saved_by = excluded.saved_by, saved_at = excluded.saved_at`);
}

/** How many mappings exist besides this name, and how many of them are for these datasets. */
export async function countOtherMappings(
  queries: Queries,
  name: string,
  datasets: readonly DatasetKey[],
): Promise<{ readonly all: number; readonly visible: number }> {
  const { rows } = await queries.execute<{ all: number; visible: number }>(sql`
    select count(*)::int as all, (count(*) filter (where dataset = any(${sql.param(datasets)}::text[])))::int as visible
    from import_mappings where name <> ${name}`);
  return rows[0]!;
}

export async function savedMappings(queries: Queries, datasets: readonly DatasetKey[]): Promise<SavedMapping[]> {
  const { rows } = await queries.execute<SavedMapping>(
    sql`select ${columns} from import_mappings where dataset = any(${sql.param(datasets)}::text[]) order by name`,
  );
  return rows;
}

export async function savedMapping(
  queries: Queries,
  name: string,
  /** Nobody deletes it or saves another one until the transaction ends. */
  isLocked = false,
): Promise<SavedMapping | null> {
  const lock = isLocked ? sql`for update` : sql``;
  const { rows } = await queries.execute<SavedMapping>(
    sql`select ${columns} from import_mappings where name = ${name} ${lock}`,
  );
  return rows[0] ?? null;
}

/** Returns what was deleted. */
export async function deleteMapping(queries: Queries, name: string): Promise<SavedMapping | undefined> {
  const { rows } = await queries.execute<SavedMapping>(
    sql`delete from import_mappings where name = ${name} returning ${columns}`,
  );
  return rows[0];
}

/** Nobody else saves a mapping until the transaction ends, so a name and the limit are only given once. */
export async function lockMappings(queries: Queries): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtext('import mappings'))`);
}
