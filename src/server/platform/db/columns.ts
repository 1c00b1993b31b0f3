// Columns that tables of every area share. Instants are UTC.
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'string', precision: 3 });
/** Also for foreign keys. */
export const whole = (name: string) => bigint(name, { mode: 'bigint' });
export const id = () => whole('id').primaryKey().generatedAlwaysAsIdentity();
