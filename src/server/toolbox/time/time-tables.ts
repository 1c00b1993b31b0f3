// The tables of the time tracker: entries on tasks, and weeks marked final by their person.
import { sql } from 'drizzle-orm';
import { check, date, index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';
import { tasks } from '#server/tasks/task-tables.ts';

/** Removing an entry deletes it: its person sees everything that is stored. */
export const timeEntries = pgTable(
  'time_entries',
  {
    id: whole('id').primaryKey().generatedAlwaysAsIdentity(),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    taskId: whole('task_id')
      .notNull()
      .references(() => tasks.id),
    startAt: instant('start_at').notNull(),
    /** Null while it is running. */
    endAt: instant('end_at'),
  },
  (table) => [
    uniqueIndex('time_entries_running').on(table.personId).where(sql`${table.endAt} is null`),
    index('time_entries_person').on(table.personId, table.startAt),
    check('time_entries_order', sql`${table.startAt} < ${table.endAt}`),
  ],
);

/** Weeks by their Monday in the company's zone. */
export const timeWeeks = pgTable(
  'time_weeks',
  {
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    monday: date('monday').notNull(),
    finalAt: instant('final_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.monday] })],
);
