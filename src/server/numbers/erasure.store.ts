// Counts and clears the rows of one customer or donor, and the undo data about them.
import { type SQL, sql } from 'drizzle-orm';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { changeRows, rollUpChanges, touchedReferences, writtenColumns } from './batch.store.ts';
import { columns, list, name, names, rowsTableOf } from './dataset-columns.ts';
import { type Cleared, clearedColumns, type HashText, marksOf, orderKey, type Reference } from './erased-person.ts';

const stepRows = 8_000;
/** Most have other references, and are only read. */
const keptPerStep = 20_000;

/** Their index begins with the scope, which has few values. */
function isOfPerson({ dataset, reference }: Reference): SQL {
  const { fields, scope, person } = datasetOf(dataset);
  const scopes = fields[scope!]!.type as readonly string[];
  return sql`${name(scope!)} = any(${sql.param([...scopes])}::text[]) and ${name(person!.field)} = ${reference}`;
}

export type RowsOfPerson = {
  readonly source: string;
  readonly rows: number;
  readonly firstDay: string;
  readonly lastDay: string;
};

/** By source. More than `most` rows aren't counted further. */
export async function countPerson(queries: Queries, person: Reference, most: number): Promise<RowsOfPerson[]> {
  const { rows } = await queries.execute<RowsOfPerson>(sql`
    select source, count(*)::int as rows, min(day)::text as "firstDay", max(day)::text as "lastDay"
    from (select source, day from ${rowsTableOf(person.dataset)} where ${isOfPerson(person)} limit ${most + 1}) found
    group by source order by source`);
  return rows;
}

type Found = Readonly<Record<string, string>> & { readonly id: string; readonly source: string };

/** What is read of a row: its ids, its order, and whether it has labels. */
function foundColumns(dataset: DatasetKey): SQL {
  const { scope, currency, person } = datasetOf(dataset);
  const read = names(['source', 'external_id', scope!, currency!, ...person!.references]);
  return sql`id::text as id, ${read}, labels <> '{}' as "hasLabels"`;
}

/** An order number with more rows that name nobody is a placeholder, not an order. */
const mostOfOrder = 1_000;

type OfOrders = { readonly rows: readonly Found[]; readonly placeholders: ReadonlySet<string> };

/** Rows without a person in the orders of these rows: refunds, or further lines. */
async function rowsOfOrders(queries: Queries, dataset: DatasetKey, rows: readonly Found[]): Promise<OfOrders> {
  const { scope, currency, person } = datasetOf(dataset);
  const found: Found[] = [];
  const placeholders = new Set<string>();
  for (const reference of person!.references) {
    const key = [scope!, currency!, reference];
    const orders = [...new Map(rows.map((row) => [orderKey(dataset, reference, row), row])).values()];
    const lists = key.map((part) => sql`${sql.param(orders.map((row) => row[part]))}::text[]`);
    const { rows: others } = await queries.execute<Found>(sql`
      select o.* from unnest(${list(lists)}) as k (${names(key)}) cross join lateral (
        select ${foundColumns(dataset)} from ${rowsTableOf(dataset)} t
        where (${columns('t', key)}) = (${columns('k', key)}) and t.${name(person!.field)} is null limit ${mostOfOrder + 1}) o`);
    for (const [order, ofOrder] of Map.groupBy(others, (row) => orderKey(dataset, reference, row)))
      if (ofOrder.length > mostOfOrder) placeholders.add(order);
      else found.push(...ofOrder);
  }
  return { rows: found, placeholders };
}

const asPatch = (cleared: object): string => JSON.stringify({ ...cleared, labels: {} });

type Erased = {
  readonly rows: number;
  /** By which later imports recognize the rows. */
  readonly marks: readonly string[];
  readonly orders: readonly string[];
};

/**
 * Erases some rows, and those of the same orders, in the caller's transaction, which has locked the dataset.
 * Null if there are none left.
 */
export async function eraseStep(queries: Queries, person: Reference, hash: HashText): Promise<Erased | null> {
  const { dataset } = person;
  const { rows } = await queries.execute<Found>(sql`
    select ${foundColumns(dataset)} from ${rowsTableOf(dataset)} where ${isOfPerson(person)} limit ${stepRows}`);
  if (rows.length === 0) return null;
  const others = await rowsOfOrders(queries, dataset, rows);
  const orders = datasetOf(dataset)
    .person!.references.flatMap((reference) => rows.map((row) => orderKey(dataset, reference, row)))
    .filter((order) => !others.placeholders.has(order));
  const given = [...rows, ...others.rows].map((row) => ({ row, cleared: clearedColumns(person, row, hash) }));
  const isChanged = ({ row, cleared }: (typeof given)[number], index: number) =>
    index < rows.length || row.hasLabels || namesOf(dataset).some((part) => cleared[part] !== row[part]);
  const changed = given.filter(isChanged);
  await clearRows(queries, dataset, changed);
  const marks = changed.flatMap(({ row, cleared }) => marksOf(dataset, row.source, row, cleared, others.placeholders));
  return { rows: changed.length, marks, orders };
}

const namesOf = (dataset: DatasetKey): string[] => ['external_id', ...datasetOf(dataset).person!.references];

async function clearRows(
  queries: Queries,
  dataset: DatasetKey,
  rows: readonly { readonly row: Found; readonly cleared: Cleared }[],
): Promise<void> {
  const table = rowsTableOf(dataset);
  const written = writtenColumns(dataset);
  const all = [...written, 'external_id'];
  await changeRows(
    queries,
    dataset,
    sql`
    with given as (
      select * from unnest(${sql.param(rows.map(({ row }) => row.id))}::bigint[],
        ${sql.param(rows.map(({ cleared }) => asPatch(cleared)))}::text[]) as g (id, patch)),
    old as materialized (select t.*, t as stored, g.patch from given g join ${table} t on t.id = g.id),
    fresh as materialized (select f.* from old cross join lateral jsonb_populate_record(old.stored, old.patch::jsonb) f),
    updated as (
      update ${table} t set (${names(all)}) = (select ${columns('f', all)}) from fresh f where t.id = f.id),
    moves as materialized (
      select 1 as sign, ${names(written)} from fresh
      union all
      select -1, ${names(written)} from old)
    ${rollUpChanges(dataset)}
    select ${touchedReferences(dataset)} as touched`,
    null,
  );
}

/** `orderKey` of an earlier state. */
function keyBefore(dataset: DatasetKey, reference: string): SQL {
  const { scope, currency } = datasetOf(dataset);
  return sql`concat_ws(chr(10), ${list([scope!, currency!, reference].map((part) => sql`p.before ->> ${part}::text`))})`;
}

type Place = { readonly run: string; readonly id: string };

/**
 * Erases the person from a batch of undo data that starts after a position, including rows of the orders that
 * name nobody. `next` is null after the last batch.
 */
export async function eraseKeptStep(
  queries: Queries,
  person: Reference,
  orders: readonly string[],
  hash: HashText,
  after: Place,
): Promise<{ readonly erased: number; readonly next: Place | null }> {
  const { dataset, reference } = person;
  const { field, references } = datasetOf(dataset).person!;
  const isOfOrder = references.map(
    (name) =>
      sql` or (p.before ->> ${field}::text is null and ${keyBefore(dataset, name)} = any(${sql.param([...orders])}::text[]))`,
  );
  const { rows } = await queries.execute<{ last: Place | null; found: (Place & { before: object })[] | null }>(sql`
    with page as materialized (
      select run_id, first_id, before from import_changes where (run_id, first_id) > (${after.run}::bigint, ${after.id}::bigint)
      order by run_id, first_id limit ${keptPerStep})
    select (select json_build_object('run', run_id::text, 'id', first_id::text) from page order by run_id desc, first_id desc limit 1)
        as last,
      (select json_agg(json_build_object('run', p.run_id::text, 'id', p.first_id::text, 'before', p.before))
        from page p join import_runs r on r.id = p.run_id
        where r.dataset = ${dataset} and (p.before ->> ${field}::text = ${reference}${sql.join(isOfOrder, sql``)})) as found`);
  const { last, found } = rows[0]!;
  const kept = found ?? [];
  if (kept.length > 0)
    await queries.execute(sql`
      update import_changes c set before = c.before || g.patch::jsonb
      from unnest(${sql.param(kept.map(({ run }) => run))}::bigint[], ${sql.param(kept.map(({ id }) => id))}::bigint[],
        ${sql.param(kept.map(({ before }) => asPatch(clearedColumns(person, before as Record<string, unknown>, hash))))}::text[])
        as g (run_id, first_id, patch)
      where c.run_id = g.run_id and c.first_id = g.first_id`);
  return { erased: kept.length, next: last };
}
