// Looks at the product as somebody else: who looks, as whom, until when.
import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, timestamp } from 'drizzle-orm/pg-core';
import { people, roles } from './tables.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'string', precision: 3 });
const reference = (name: string) => bigint(name, { mode: 'bigint' });

/** Each one is written down before it begins, so that nobody looks without a line in the audit log. */
export const viewings = pgTable(
  'viewings',
  {
    id: reference('id').primaryKey().generatedAlwaysAsIdentity(),
    lookerId: reference('looker_id')
      .notNull()
      .references(() => people.id),
    personId: reference('person_id').references(() => people.id),
    roleId: reference('role_id').references(() => roles.id, { onDelete: 'cascade' }),
    startedAt: instant('started_at').notNull(),
    endsAt: instant('ends_at').notNull(),
  },
  (table) => [
    index('viewings_ends').on(table.endsAt),
    check('viewings_subject', sql`num_nonnulls(${table.personId}, ${table.roleId}) = 1`),
  ],
);
