// When people are away, and who decides for them. Migrations are generated from them.
import { sql } from 'drizzle-orm';
import { check, date, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { id, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';

/** Days on the company's calendar, both away. One person's absences don't overlap. */
export const absences = pgTable(
  'absences',
  {
    id: id(),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    firstDay: date('first_day').notNull(),
    lastDay: date('last_day').notNull(),
    /** Decides for the person on these days, if both can decide (`delegateProblem`, D40). */
    delegateId: whole('delegate_id').references(() => people.id),
    note: text('note').notNull().default(''),
    version: integer('version').notNull().default(1),
  },
  (table) => [
    unique('absences_start').on(table.personId, table.firstDay),
    index('absences_delegate').on(table.delegateId, table.lastDay).where(sql`${table.delegateId} is not null`),
    index('absences_end').on(table.lastDay),
    check('absences_days', sql`${table.firstDay} <= ${table.lastDay}`),
    check('absences_not_self', sql`${table.personId} <> ${table.delegateId}`),
  ],
);
