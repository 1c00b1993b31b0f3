// The table of recaps. Migrations are generated from it.
import { index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { id, instant, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';
import { sprints } from './sprints/sprint-tables.ts';

/** What a person learned in a sprint, written when they close it. */
export const weekRecaps = pgTable(
  'week_recaps',
  {
    id: id(),
    sprintId: whole('sprint_id')
      .notNull()
      .references(() => sprints.id),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    learned: text('learned').notNull(),
    closedAt: instant('closed_at').notNull(),
    editedAt: instant('edited_at'),
    version: integer('version').notNull().default(1),
  },
  (table) => [
    unique('week_recaps_once').on(table.personId, table.sprintId),
    index('week_recaps_sprint').on(table.sprintId),
  ],
);
