// Reads the rows behind a number, newest first, with what each adds to the leaves that the number is made of.
import { sql } from 'drizzle-orm';
import type { RowPlace } from '#core/numbers/number-request.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { column, columns, fieldsOf, list, name, rowsTableOf } from './dataset-columns.ts';
import { lockedTo, type Reading, type Span } from './row-conditions.ts';
import { rowPart } from './row-parts.ts';

export type RowFound = {
  readonly id: string;
  readonly day: string;
  readonly source: string;
  readonly externalId: string;
  /** By field of the dataset, as the driver gives it: instants ISO, money and counts as text of whole numbers. */
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
  readonly labels: Readonly<Record<string, string>>;
  /** One for each leaf; null where the row does not count in it. */
  readonly parts: (string | null)[];
};

/** One more than `limit` where there are more. */
export async function readRows(
  queries: Queries,
  reading: Reading,
  leaves: readonly string[],
  span: Span,
  { after, limit }: { readonly after: RowPlace | null; readonly limit: number },
): Promise<RowFound[]> {
  const parts = leaves.map((leaf) => rowPart(reading, leaf, 'x', span));
  const behind = after ? sql` and (x.day, x.id) < (${after.day}::date, ${after.id}::bigint)` : sql``;
  const fields = fieldsOf(reading.dataset);
  const { rows } = await queries.execute<Record<string, unknown>>(sql`
    select x.id::text as "row id", x.day as "row day", x.source as "row source", x.external_id as "row name", x.labels as "row labels",
      array[${list(parts.map(({ counts, amount }) => sql`case when ${counts} then ${amount} end`))}]::text[] as "row parts", ${columns('x', fields)}
    from ${rowsTableOf(reading.dataset)} x
    where ${lockedTo(reading, 'x')} and (${sql.join(
      parts.map(({ counts }) => sql`(${counts})`),
      sql` or `,
    )})${behind}
    order by ${column('x', 'day')} desc, ${name('id')} desc limit ${limit + 1}`);
  return rows.map((row) => ({
    id: row['row id'] as string,
    day: row['row day'] as string,
    source: row['row source'] as string,
    externalId: row['row name'] as string,
    labels: row['row labels'] as RowFound['labels'],
    parts: row['row parts'] as RowFound['parts'],
    fields: Object.fromEntries(fields.map((field) => [field, row[field] as RowFound['fields'][string]])),
  }));
}
