// A search inside a text, which needs no index.
import { type SQL, sql } from 'drizzle-orm';
import { withoutAccentsSql } from './columns.ts';

/** Whether the text contains every part of the search (`searchParts` of the core). `plain` is raw SQL. */
export const contains = (parts: readonly string[], plain: string): SQL =>
  parts.length === 0
    ? sql`true`
    : sql`not exists (select from unnest(${sql.param([...parts])}::text[]) part where position(part in ${sql.raw(withoutAccentsSql(plain))}) = 0)`;
