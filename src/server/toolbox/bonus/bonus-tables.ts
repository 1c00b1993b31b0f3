// The tables of the bonus: versions of the plan, statements of settled sprints, and questions about them.
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core';
import type { BonusComponent, BonusCurve, BonusTask } from '#core/toolbox/bonus.ts';
import { id, instant, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';
import { sprints } from '#server/tasks/sprints/sprint-tables.ts';

/** A version of the plan. Rows never change: a new rule is a new version. */
export const bonusPlans = pgTable(
  'bonus_plans',
  {
    id: id(),
    version: integer('version').notNull().unique('bonus_plans_version'),
    fromSprintId: whole('from_sprint_id')
      .notNull()
      .references(() => sprints.id),
    /** Ten-thousandths of the currency, for one sprint (D31). */
    base: whole('base').notNull(),
    currency: text('currency').notNull(),
    fairHours: integer('fair_hours').notNull(),
    components: jsonb('components').$type<Record<BonusComponent, BonusCurve>>().notNull(),
    note: text('note').notNull().default(''),
    createdBy: whole('created_by')
      .notNull()
      .references(() => people.id),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [check('bonus_plans_base', sql`${table.base} > 0`)],
);

/** A recorded line; its amount is text, because JSON has no exact numbers. */
export type StoredLine = {
  readonly key: BonusComponent;
  readonly part: number;
  readonly whole: number;
  readonly waived: boolean;
  readonly amount: string;
};

/** A person's bonus for a sprint, written with the sprint's result and never changed (D39). */
export const bonusStatements = pgTable(
  'bonus_statements',
  {
    id: id(),
    sprintId: whole('sprint_id')
      .notNull()
      .references(() => sprints.id),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    planId: whole('plan_id')
      .notNull()
      .references(() => bonusPlans.id),
    /** The team of the team result; null for the whole company. */
    team: text('team'),
    amount: whole('amount').notNull(),
    lines: jsonb('lines').$type<StoredLine[]>().notNull(),
    /** The person's tasks at that time. */
    tasks: jsonb('tasks').$type<BonusTask[]>().notNull(),
  },
  (table) => [
    unique('bonus_statements_key').on(table.sprintId, table.personId),
    index('bonus_statements_person').on(table.personId, table.sprintId),
  ],
);

/** Questions and answers about a line of a statement, ordered by id. */
export const bonusMessages = pgTable(
  'bonus_messages',
  {
    id: id(),
    statementId: whole('statement_id')
      .notNull()
      .references(() => bonusStatements.id),
    line: text('line').notNull(),
    authorId: whole('author_id')
      .notNull()
      .references(() => people.id),
    /** The author's name at that time. */
    authorName: text('author_name').notNull(),
    isQuestion: boolean('is_question').notNull(),
    text: text('text').notNull(),
    at: instant('at').notNull(),
  },
  (table) => [index('bonus_messages_statement').on(table.statementId, table.id)],
);
