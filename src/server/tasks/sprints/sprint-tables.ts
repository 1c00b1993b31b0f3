// The tables of sprints and their results. Migrations are generated from them.
import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { id, instant, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';

/** A week. The server creates the rows; the clock decides which one is current (D27, D39). */
export const sprints = pgTable(
  'sprints',
  {
    id: id(),
    name: text('name').notNull(),
    startAt: instant('start_at').notNull().unique('sprints_start'),
    endAt: instant('end_at').notNull(),
    commitmentAt: instant('commitment_at'),
    resultAt: instant('result_at'),
    /** When repeating tasks were added to it. */
    repeatedAt: instant('repeated_at'),
  },
  (table) => [index('sprints_end').on(table.endAt), check('sprints_order', sql`${table.startAt} < ${table.endAt}`)],
);

/** A person's commitment at a sprint's start and result after settling; each written once (D39). */
export const sprintResults = pgTable(
  'sprint_results',
  {
    sprintId: whole('sprint_id')
      .notNull()
      .references(() => sprints.id),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    /** Tasks approved when the sprint started. Null: the commitment was not recorded (an imported sprint). */
    committed: integer('committed'),
    /** Tasks by status at the end of settling, and those carried over. Null until then. */
    counts: jsonb('counts').$type<Record<string, number>>(),
    carriedOut: integer('carried_out'),
  },
  (table) => [
    primaryKey({ columns: [table.sprintId, table.personId] }),
    index('sprint_results_person').on(table.personId),
  ],
);
