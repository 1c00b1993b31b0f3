// The tables of tasks, their notes, files and history. Migrations are generated from them.
import { type SQL, sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  pgView,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { repeatKeys } from '#core/tasks/repeat.ts';
import { decisionEvents, type TaskChanges, taskEventKinds } from '#core/tasks/task.ts';
import { taskStatusKeys } from '#core/tasks/task-status.ts';
import { bytes, id, instant, searchWordsSql, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';
import { sprints } from './sprints/sprint-tables.ts';

export const taskStatus = pgEnum('task_status', taskStatusKeys as [string, ...string[]]);
export const taskEvent = pgEnum('task_event', taskEventKinds as [string, ...string[]]);
export const taskRepeat = pgEnum('task_repeat', repeatKeys);

/** The searched words of a task. The index works for exactly this expression. */
export const taskWords = (title: string, summary: string): SQL =>
  sql.raw(searchWordsSql(`${title} || ' ' || ${summary}`));

export const tasks = pgTable(
  'tasks',
  {
    id: id(),
    ownerId: whole('owner_id')
      .notNull()
      .references(() => people.id),
    sprintId: whole('sprint_id')
      .notNull()
      .references(() => sprints.id),
    title: text('title').notNull(),
    summary: text('summary').notNull().default(''),
    category: text('category').notNull(),
    change: text('change').notNull().default(''),
    /** What the last denial or send-back asked for, until the next approval (D16). */
    reason: text('reason'),
    status: taskStatus('status').notNull().default('INAPPROVAL'),
    version: integer('version').notNull().default(1),
    createdBy: whole('created_by')
      .notNull()
      .references(() => people.id),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When its status last changed: its age in the inbox, and how long it waited. */
    statusAt: instant('status_at').notNull().defaultNow(),
    carriedOver: smallint('carried_over').notNull().default(0),
    withdrawnAt: instant('withdrawn_at'),
    /** Its owner let it go, unfinished, after its sprint. It counts there as before. */
    leftUndoneAt: instant('left_undone_at'),
    /** The task that is added again in later sprints; each new one takes this over. */
    repeats: taskRepeat('repeats'),
    source: text('source'),
    externalId: text('external_id'),
  },
  (table) => [
    index('tasks_owner').on(table.ownerId, table.sprintId),
    // All that the stats count by: a week is read from the index alone, or only its tasks of some categories.
    index('tasks_standing')
      .on(
        ...[table.sprintId, table.category, table.ownerId, table.status, table.id, table.createdAt],
        ...[table.carriedOver, table.source],
      )
      .where(sql`${table.withdrawnAt} is null`),
    index('tasks_carried').on(table.ownerId).where(sql`${table.carriedOver} > 0`),
    index('tasks_awaiting')
      .on(table.ownerId, table.statusAt)
      .where(sql`${table.status} in ('INAPPROVAL', 'INREVIEW') and ${table.withdrawnAt} is null`),
    index('tasks_repeats').on(table.sprintId, table.repeats).where(sql`${table.repeats} is not null`),
    uniqueIndex('tasks_source').on(table.source, table.externalId),
    index('tasks_words').using('gin', taskWords('title', 'summary')),
  ],
);

/** The order that a person gave their tasks of a sprint. A task that moves on has no place in the next one. */
export const taskOrders = pgTable(
  'task_orders',
  {
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    sprintId: whole('sprint_id')
      .notNull()
      .references(() => sprints.id),
    taskIds: whole('task_ids').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.sprintId] })],
);

export const taskNotes = pgTable(
  'task_notes',
  {
    id: id(),
    taskId: whole('task_id')
      .notNull()
      .references(() => tasks.id),
    authorId: whole('author_id').references(() => people.id),
    /** The author's name at that time. */
    authorName: text('author_name').notNull(),
    text: text('text').notNull(),
    at: instant('at').notNull().defaultNow(),
    editedAt: instant('edited_at'),
    removedAt: instant('removed_at'),
    /** Null if it was removed before this was kept. */
    removedBy: whole('removed_by').references(() => people.id),
  },
  (table) => [index('task_notes_task').on(table.taskId), index('task_notes_author').on(table.authorId, table.at)],
);

export const taskAttachments = pgTable(
  'task_attachments',
  {
    id: id(),
    taskId: whole('task_id')
      .notNull()
      .references(() => tasks.id),
    authorId: whole('author_id').references(() => people.id),
    authorName: text('author_name').notNull(),
    fileName: text('file_name').notNull(),
    mime: text('mime').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    sha256: bytes('sha256'),
    /** A random key in the store. Null: only the name is known (an imported task). */
    storageKey: text('storage_key').unique('task_attachments_key'),
    at: instant('at').notNull().defaultNow(),
    removedAt: instant('removed_at'),
    /** Null if it was removed before this was kept. */
    removedBy: whole('removed_by').references(() => people.id),
  },
  (table) => [
    index('task_attachments_task').on(table.taskId),
    index('task_attachments_author').on(table.authorId, table.at),
  ],
);

/** Every decision, edit and move, written in its transaction. Rows never change. */
export const taskHistory = pgTable(
  'task_history',
  {
    id: id(),
    taskId: whole('task_id')
      .notNull()
      .references(() => tasks.id),
    /** The sprint in which it happened; a carry-over shows in both (`sprintId` is the old one). */
    sprintId: whole('sprint_id')
      .notNull()
      .references(() => sprints.id),
    at: instant('at').notNull().defaultNow(),
    actorId: whole('actor_id').references(() => people.id),
    actorName: text('actor_name').notNull(),
    /** The absent approver that a delegate decided for (D40). */
    forId: whole('for_id').references(() => people.id),
    event: taskEvent('event').notNull(),
    from: taskStatus('from_status').notNull(),
    to: taskStatus('to_status').notNull(),
    change: text('change'),
    before: jsonb('before').$type<TaskChanges>().notNull().default({}),
    after: jsonb('after').$type<TaskChanges>().notNull().default({}),
    /** The task's version after it. */
    version: integer('version').notNull(),
    /** Seconds that the task had spent in its previous status. */
    waited: bigint('waited', { mode: 'number' }).notNull().default(0),
    /** The sprint was already settled: shown as a correction, outside the recorded result (D39). */
    correction: boolean('correction').notNull().default(false),
  },
  (table) => [
    index('task_history_task').on(table.taskId, table.id),
    index('task_history_actor').on(table.actorId, table.at),
    index('task_history_for').on(table.forId, table.at).where(sql`${table.forId} is not null`),
    index('task_history_sprint').on(table.sprintId, table.event),
    // A week's decisions, read from the index alone.
    index('task_history_decisions')
      .on(
        ...[table.sprintId, table.taskId, table.id, table.event, table.actorId, table.forId],
        ...[table.waited, table.correction],
      )
      .where(
        sql`${table.event} in (${sql.raw([...decisionEvents, 'undone'].map((event) => `'${event}'`).join(', '))})`,
      ),
    // Few rows, read for every settled sprint.
    index('task_history_corrections').on(table.sprintId).where(sql`${table.correction}`),
  ],
);

/**
 * The tasks as they count in a sprint: current ones, and carried-over ones with the status they left in,
 * which count as not completed (D39). Withdrawn tasks don't count anywhere (D15), nor does an undone
 * carry-over; its event is compared as text, because a migration can't use the enum value it adds.
 */
export const sprintStandings = pgView('sprint_standings', {
  sprintId: whole('sprint_id').notNull(),
  taskId: whole('task_id').notNull(),
  ownerId: whole('owner_id').notNull(),
  category: text('category').notNull(),
  status: taskStatus('status').notNull(),
  carriedOut: boolean('carried_out').notNull(),
  statusAt: instant('status_at').notNull(),
  createdAt: instant('created_at').notNull(),
  carriedOver: smallint('carried_over').notNull(),
  imported: boolean('imported').notNull(),
}).as(sql`
  select sprint_id, id as task_id, owner_id, category, status, false as carried_out, status_at, created_at, carried_over,
      source is not null as imported
    from tasks where withdrawn_at is null
  union all
  select h.sprint_id, h.task_id, t.owner_id, t.category, h.to_status, true, t.status_at, t.created_at, t.carried_over,
      t.source is not null
    from task_history h join tasks t on t.id = h.task_id
    where h.event = 'carriedOver' and t.carried_over > 0 and t.withdrawn_at is null and (
      select u.event::text from task_history u
      where u.task_id = t.id and u.id > h.id and u.event::text in ('carriedOver', 'carryOverUndone')
      order by u.id limit 1) is distinct from 'carryOverUndone'`);
