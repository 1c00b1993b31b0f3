// Inserts many rows in few statements, for the demo company and imports.
import { sql } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import type { Queries } from './database.ts';

/** A row with ids as text, because it travels as JSON. Columns missing from all rows get their default. */
export type RowOf<Table extends PgTable> = {
  [Column in keyof Table['$inferSelect']]?: Extract<Table['$inferSelect'][Column], bigint> extends never
    ? Table['$inferSelect'][Column]
    : Exclude<Table['$inferSelect'][Column], bigint> | string;
};

/** Keeps a statement well below its time limit, even on a slow machine. */
const rowsPerStatement = 5_000;

/** Inserts the rows in order. Explicit ids are kept, which is only right for an empty table. */
export async function insertRows<Table extends PgTable>(
  queries: Queries,
  table: Table,
  rows: readonly RowOf<Table>[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { name, columns } = getTableConfig(table);
  const columnOfKey = new Map(columns.map((column) => [keyOf(table, column.name), column.name]));
  const keys = Object.keys(first);
  const names = keys.map((key) => columnOfKey.get(key)!);
  const list = sql.join(
    names.map((column) => sql.identifier(column)),
    sql`, `,
  );
  const rowOf = (row: RowOf<Table>) =>
    Object.fromEntries(keys.map((key, index) => [names[index], row[key as keyof typeof row]]));
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const json = JSON.stringify(rows.slice(start, start + rowsPerStatement).map(rowOf));
    await queries.execute(
      sql`insert into ${sql.identifier(name)} (${list}) overriding system value select ${list} from json_populate_recordset(null::${sql.identifier(name)}, ${json}::json)`,
    );
  }
}

function keyOf(table: PgTable, columnName: string): string {
  return Object.entries(table).find(([, column]) => (column as { name?: unknown } | null)?.name === columnName)![0];
}

/** Moves the table's identity past the explicit ids. */
export async function continueIdentity(queries: Queries, table: PgTable): Promise<void> {
  const name = sql.identifier(getTableConfig(table).name);
  await queries.execute(
    sql`select setval(pg_get_serial_sequence(${getTableConfig(table).name}, 'id'), max(id)) from ${name} having max(id) is not null`,
  );
}
