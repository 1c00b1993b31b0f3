// Statements that are asked all the time are read and planned once a connection: for a task with its notes and files that is
// more than half of the database's work.
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { Name, Param, SQL as Statement, StringChunk } from 'drizzle-orm/sql';
import type pg from 'pg';
import type { Queries } from './database.ts';

const dialect = new PgDialect();
const names = new Map<string, string>();
/** Every text stays prepared as long as its connection, and what a query asks for makes texts: beyond so many they are not kept. */
const mostPrepared = 500;

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= mostPrepared) return known;
  const name = `statement_${names.size + 1}`;
  names.set(text, name);
  return name;
}

class Unknown extends Error {}

/** Text and values of a statement made of texts, names, values and other statements, as the dialect gives them in several times the time. */
function written(statement: SQL): { text: string; params: unknown[] } {
  const params: unknown[] = [];
  const write = (chunk: unknown): string => {
    if (chunk instanceof StringChunk) return chunk.value.length === 1 ? chunk.value[0]! : chunk.value.join('');
    if (chunk instanceof Name) return dialect.escapeName(chunk.value);
    if (chunk instanceof Statement) {
      let text = '';
      for (const part of chunk.queryChunks) text += write(part);
      return text;
    }
    const value = chunk instanceof Param ? chunk.encoder.mapToDriverValue(chunk.value) : chunk;
    if (value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value)))
      throw new Unknown();
    if (Array.isArray(value) && !(chunk instanceof Param)) throw new Unknown();
    params.push(value);
    return `$${params.length}`;
  };
  return { text: write(statement), params };
}

/** Tables and columns of the schema, and values of other kinds, are for the dialect to write. */
function readStatement(statement: SQL): { text: string; params: unknown[] } {
  try {
    return written(statement);
  } catch (error) {
    if (!(error instanceof Unknown)) throw error;
    const { sql: text, params } = dialect.sqlToQuery(statement);
    return { text, params };
  }
}

/** Like `execute`, prepared. For statements with a handful of texts. */
export async function executePrepared<Row extends pg.QueryResultRow>(
  queries: Queries,
  statement: SQL,
): Promise<pg.QueryResult<Row>> {
  const { text, params } = readStatement(statement);
  const { $client } = queries as Queries & { readonly $client: pg.Pool | pg.PoolClient };
  return $client.query<Row>({ name: nameOf(text), text, values: params });
}
