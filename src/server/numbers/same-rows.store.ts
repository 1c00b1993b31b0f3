// Finds rows of other sources that are probably the same as those of a file: with the same id and date.
import { sql } from 'drizzle-orm';
import { type DatasetKey, datasetOf, hasHours } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { name, rowsTableOf } from './dataset-columns.ts';
import type { NumberRow } from './number-row.ts';

/**
 * How many of the rows' ids each source has, with the same date if asked. One look into the index of ids for
 * each row and source.
 */
export async function countInSources(
  queries: Queries,
  dataset: DatasetKey,
  sources: readonly string[],
  rows: readonly NumberRow[],
  { hasSameDate }: { readonly hasSameDate: boolean },
): Promise<ReadonlyMap<string, number>> {
  if (sources.length === 0 || rows.length === 0) return new Map();
  const { datedBy } = datasetOf(dataset);
  const given = rows.map(({ externalId, values }) => [externalId, values[datedBy]]);
  const type = sql.raw(hasHours(datasetOf(dataset)) ? 'timestamptz' : 'date');
  const { rows: found } = await queries.execute<{ source: string; count: number }>(sql`
    select s.source, count(*)::int as count
    from json_array_elements_text(${JSON.stringify(sources)}::json) s (source)
    cross join json_array_elements(${JSON.stringify(given)}::json) g (row)
    cross join lateral (
      select r.${name(datedBy)} as dated from ${rowsTableOf(dataset)} r
      where r.source = s.source and r.external_id = g.row ->> 0 offset 0) known
    where ${hasSameDate ? sql`known.dated = (g.row ->> 1)::${type}` : sql`true`} group by s.source`);
  return new Map(found.map((each) => [each.source, each.count]));
}
