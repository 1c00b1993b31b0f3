// Reads a number's rows, newest first, with each one's part of the number's leaves.
import { type SQL, sql } from 'drizzle-orm';
import { datasetOf, hasHours } from '#core/numbers/datasets.ts';
import { representedReference } from '#core/numbers/metric-value.ts';
import type { RowPlace } from '#core/numbers/number-request.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { column, columns, fieldsOf, list, name, orderOfRows, rowsTableOf } from './dataset-columns.ts';
import { mainAmount } from './import-log.store.ts';
import { lockedTo, type Reading, type Span } from './row-conditions.ts';
import { representedBy, rowPart } from './row-parts.ts';

export type RowFound = {
  readonly id: string;
  readonly day: string;
  /** The source gives no time. */
  readonly isDayOnly: boolean;
  readonly source: string;
  readonly externalId: string;
  /** By field, as the driver returns it: instants in ISO format, money and counts as text. */
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
  readonly labels: Readonly<Record<string, string>>;
  /** By field, the source's text of what is stored otherwise. */
  readonly texts: Readonly<Record<string, string>>;
  /** One per leaf; null if the row doesn't count in it. */
  readonly parts: (string | null)[];
  /** For a donor's or order's first row: how many rows it stands for, and their amount. Null if too many. */
  readonly represented: readonly (string | null)[] | null;
};

/** The donor's or order's rows are added up to this many. */
const mostAdded = 10_000;

function representedTotals(reading: Reading, leaves: readonly string[], span: Span): SQL {
  const { dataset } = reading;
  if (leaves.some((leaf) => representedReference(dataset, leaf) === null)) return sql`null::text[]`;
  // The last of two leaves counts more rows.
  const rows = representedBy(reading, leaves.at(-1)!, 'x', 'r', span);
  const amount = name(mainAmount(dataset)!);
  return sql`(select case when count(*) <= ${mostAdded} then array[count(*), coalesce(sum(amount), 0)]::text[] else array[null, null]::text[] end
    from (select r.${amount} as amount from ${rowsTableOf(dataset)} r where ${rows} limit ${mostAdded + 1}) r)`;
}

/** Returns `limit` + 1 rows if there are more. */
export async function readRows(
  queries: Queries,
  reading: Reading,
  leaves: readonly string[],
  span: Span,
  { after, limit }: { readonly after: RowPlace | null; readonly limit: number },
): Promise<RowFound[]> {
  const parts = leaves.map((leaf) => rowPart(reading, leaf, 'x', span));
  const dataset = datasetOf(reading.dataset);
  const order = orderOfRows(dataset);
  const next = after ? sql` and (${columns('x', order)}) < (${list(placeValues(after))})` : sql``;
  const fields = fieldsOf(reading.dataset);
  const isDayOnly = hasHours(dataset) ? sql`x.hour is null` : sql`false`;
  const { rows } = await queries.execute<Record<string, unknown>>(sql`
    select x.id::text as "row id", x.day as "row day", ${isDayOnly} as "row day only", x.source as "row source", x.external_id as "row name", x.labels as "row labels", x.texts as "row texts",
      array[${list(parts.map(({ counts, amount }) => sql`case when ${counts} then ${amount} end`))}]::text[] as "row parts",
      ${representedTotals(reading, leaves, span)} as "row represented", ${columns('x', fields)}
    from ${rowsTableOf(reading.dataset)} x
    where ${lockedTo(reading, 'x')} and (${sql.join(
      parts.map(({ counts }) => sql`(${counts})`),
      sql` or `,
    )})${next}
    order by ${list(order.map((part) => sql`${column('x', part)} desc`))} limit ${limit + 1}`);
  return rows.map((row) => ({
    id: row['row id'] as string,
    day: row['row day'] as string,
    isDayOnly: row['row day only'] as boolean,
    source: row['row source'] as string,
    externalId: row['row name'] as string,
    labels: row['row labels'] as RowFound['labels'],
    texts: row['row texts'] as RowFound['texts'],
    parts: row['row parts'] as RowFound['parts'],
    represented: row['row represented'] as RowFound['represented'],
    fields: Object.fromEntries(fields.map((field) => [field, row[field] as RowFound['fields'][string]])),
  }));
}

/** In the order of `orderOfRows`. */
const placeValues = ({ day, at, id }: RowPlace): SQL[] => [
  sql`${day}::date`,
  ...(at === null ? [] : [sql`${at}::timestamptz`]),
  sql`${id}::bigint`,
];
