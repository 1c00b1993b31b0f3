// How long a dataset's rows are kept, and what the last night deleted.
import { sql } from 'drizzle-orm';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type StoredRetention = {
  readonly dataset: DatasetKey;
  readonly months: number;
  readonly ranOn: string | null;
  readonly deleted: number;
  readonly isAudited: boolean;
};

const columns = sql.raw(
  `dataset, months, ran_on::text as "ranOn", deleted::float8 as deleted, is_audited as "isAudited"`,
);

export async function readRetention(queries: Queries): Promise<StoredRetention[]> {
  const { rows } = await queries.execute<StoredRetention>(sql`select ${columns} from number_retention`);
  return rows;
}

/** Blocks the night's batches until the transaction ends. */
export async function lockRetention(queries: Queries, dataset: DatasetKey): Promise<StoredRetention | null> {
  const { rows } = await queries.execute<StoredRetention>(
    sql`select ${columns} from number_retention where dataset = ${dataset} for update`,
  );
  return rows[0] ?? null;
}

/** A new one begins with the next night. */
export async function saveRetention(
  queries: Queries,
  dataset: DatasetKey,
  months: number | null,
  today: string,
): Promise<void> {
  await queries.execute(
    months === null
      ? sql`delete from number_retention where dataset = ${dataset}`
      : sql`insert into number_retention (dataset, months, ran_on) values (${dataset}, ${months}, ${today})
          on conflict (dataset) do update set months = excluded.months`,
  );
}

/** Begins the day's run, for one of all servers. */
export async function claimRun(queries: Queries, dataset: DatasetKey, today: string): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`
    update number_retention set ran_on = ${today}, deleted = 0, is_audited = false
    where dataset = ${dataset} and is_audited and (ran_on is null or ran_on < ${today}::date)`);
  return rowCount === 1;
}

/** Counts a batch in its transaction. False if rows are no longer deleted, or by another number of months. */
export async function noteDeleted(
  queries: Queries,
  { dataset, months }: Pick<StoredRetention, 'dataset' | 'months'>,
  rows: number,
): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`
    update number_retention set deleted = deleted + ${rows} where dataset = ${dataset} and months = ${months}`);
  return rowCount === 1;
}

export async function markAudited(queries: Queries, dataset: DatasetKey): Promise<void> {
  await queries.execute(sql`update number_retention set is_audited = true where dataset = ${dataset}`);
}

/** Why the imports can no longer be undone. */
export async function noteUndoReason(queries: Queries, runs: readonly string[], reason: string): Promise<void> {
  await queries.execute(sql`
    update import_runs set undo_reason = ${reason} where id = any(${sql.param([...runs])}::bigint[]) and undo_state is null`);
}
