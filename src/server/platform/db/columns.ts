// Columns that tables of every area share. Instants are UTC.
import { sql } from 'drizzle-orm';
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'string', precision: 3 });
/** Also for foreign keys. */
export const whole = (name: string) => bigint(name, { mode: 'bigint' });
/** Company local time, "09:30". Not an instant, because its offset changes with the seasons. */
export const isWallTime = (column: unknown) => sql`${column} ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'`;
export const id = () => whole('id').primaryKey().generatedAlwaysAsIdentity();

/** What `withoutAccents` of the core does. */
export const withoutAccentsSql = (text: string): string =>
  `lower(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g'))`;

/** Signs in ASCII and the common blocks of Unicode, whatever the database's locale. */
const separators = [
  '\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00a9\\u00ab-\\u00b1\\u00b4\\u00b6-\\u00b8\\u00bb\\u00bf\\u00d7\\u00f7',
  '\\u2000-\\u206f\\u20a0-\\u20cf\\u2190-\\u2bff\\u3000-\\u3004\\u3008-\\u3020\\uff00-\\uff0f',
].join('');

/**
 * The words that `searchWords` of the core makes of the text, for an index: PostgreSQL alone would keep
 * "example.com" or "Q3/Q4" as one.
 */
export const searchWordsSql = (text: string): string =>
  `to_tsvector('simple', regexp_replace(${withoutAccentsSql(text)}, '[${separators}]+', ' ', 'g'))`;
