// SQL of pinned numbers.
import { sql } from 'drizzle-orm';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type Pin = {
  readonly dataset: DatasetKey;
  readonly metric: string;
  readonly scope: string | null;
  /** The days, filters and currency of its page, as its address has them. */
  readonly search: string;
};

/** In the order in which they were pinned. */
export async function readPins(queries: Queries, personId: string): Promise<Pin[]> {
  const { rows } = await queries.execute<Pin>(sql`
    select dataset, metric, scope, search from pinned_numbers where person_id = ${personId}
    order by pinned_at, dataset, metric, scope, search`);
  return rows;
}

/** Serializes changes of one person's pins, so the limit can't be exceeded. */
export async function lockPins(queries: Queries, personId: string): Promise<void> {
  await queries.execute(sql`select 1 from people where id = ${personId} for no key update`);
}

export async function insertPin(
  queries: Queries,
  personId: string,
  { dataset, metric, scope, search }: Pin,
  at: string,
): Promise<void> {
  await queries.execute(sql`
    insert into pinned_numbers (person_id, dataset, metric, scope, search, pinned_at)
    values (${personId}, ${dataset}, ${metric}, ${scope}, ${search}, ${at})
    on conflict do nothing`);
}

export async function deletePin(
  queries: Queries,
  personId: string,
  { dataset, metric, scope, search }: Pin,
): Promise<void> {
  await queries.execute(sql`
    delete from pinned_numbers
    where person_id = ${personId} and dataset = ${dataset} and metric = ${metric} and scope is not distinct from ${scope} and search = ${search}`);
}
