// Statements that are asked all the time are read and planned once a connection: for a task with its notes and files that is
// more than half of the database's work.
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type { Queries } from './database.ts';

const dialect = new PgDialect();
const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `statement_${names.size + 1}`;
  names.set(text, name);
  return name;
}

/** Like `execute`, prepared. For statements with a handful of texts: every text stays prepared as long as its connection. */
export async function executePrepared<Row extends pg.QueryResultRow>(
  queries: Queries,
  statement: SQL,
): Promise<pg.QueryResult<Row>> {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  const { $client } = queries as Queries & { readonly $client: pg.Pool | pg.PoolClient };
  return $client.query<Row>({ name: nameOf(text), text, values: params });
}
