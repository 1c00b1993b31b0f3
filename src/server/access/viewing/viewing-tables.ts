// Looks at the product as somebody else: who looks, as whom, until when.
import { sql } from 'drizzle-orm';
import { check, index, pgTable } from 'drizzle-orm/pg-core';
import { instant, whole } from '#server/platform/db/columns.ts';
import { people, roles } from '#server/platform/db/tables.ts';

/** Each one is written down before it begins, so that nobody looks without a line in the audit log. */
export const viewings = pgTable(
  'viewings',
  {
    id: whole('id').primaryKey().generatedAlwaysAsIdentity(),
    lookerId: whole('looker_id')
      .notNull()
      .references(() => people.id),
    personId: whole('person_id').references(() => people.id),
    roleId: whole('role_id').references(() => roles.id, { onDelete: 'cascade' }),
    startedAt: instant('started_at').notNull(),
    endsAt: instant('ends_at').notNull(),
  },
  (table) => [
    index('viewings_ends').on(table.endsAt),
    check('viewings_subject', sql`num_nonnulls(${table.personId}, ${table.roleId}) = 1`),
  ],
);
