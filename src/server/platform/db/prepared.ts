// Named statements, which PostgreSQL parses and plans once per connection. That was a third of the cost of
// reading tasks.
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type { Queries } from './database.ts';

const dialect = new PgDialect();
const names = new Map<string, string>();
/** A connection keeps every named statement, so beyond this limit statements are sent without a name. */
const mostPrepared = 500;

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= mostPrepared) return known;
  const name = `statement_${names.size + 1}`;
  names.set(text, name);
  return name;
}

/** Like `execute`, for statements with few different texts. */
export async function executePrepared<Row extends pg.QueryResultRow>(
  queries: Queries,
  statement: SQL,
): Promise<pg.QueryResult<Row>> {
  const { sql: text, params: values } = dialect.sqlToQuery(statement);
  const { $client } = queries as Queries & { readonly $client: pg.Pool | pg.PoolClient };
  return $client.query<Row>({ name: nameOf(text), text, values });
}
