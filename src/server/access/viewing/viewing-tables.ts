// Viewing as someone else: who, the subject, and until when.
import { sql } from 'drizzle-orm';
import { check, index, pgTable } from 'drizzle-orm/pg-core';
import { instant, whole } from '#server/platform/db/columns.ts';
import { people, roles } from '#server/platform/db/tables.ts';

/** Each one is recorded before it starts, so nobody views as someone else without an audit entry. */
export const viewings = pgTable(
  'viewings',
  {
    id: whole('id').primaryKey().generatedAlwaysAsIdentity(),
    impersonatorId: whole('looker_id')
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
