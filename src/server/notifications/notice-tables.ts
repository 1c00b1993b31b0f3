// The tables of notices: what people are told, where they want to be told it, and the mails that take it out of the house.
import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { NoticeFacts } from '#core/notifications/notices.ts';
import { id, instant, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';
import { tasks } from '#server/tasks/task-tables.ts';

/** A mail that is under way, left or failed. Its content is the notices that name it. */
export const noticeMails = pgTable(
  'notice_mails',
  {
    id: id(),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    /** When it is to be tried, or tried again should the server that has it end. Null: it left, or failed for good. */
    dueAt: instant('due_at'),
    tries: integer('tries').notNull().default(0),
    /** The same at every try, so that a mail that arrives twice is shown once. */
    messageId: uuid('message_id').notNull().defaultRandom(),
    sentAt: instant('sent_at'),
    failedAt: instant('failed_at'),
    /** What the mail server said last. */
    reason: text('reason'),
    /** Null: the address that the person has when it leaves. Set where it goes to the one they had before. */
    toAddress: text('to_address'),
  },
  (table) => [
    index('notice_mails_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index('notice_mails_failed').on(table.failedAt).where(sql`${table.failedAt} is not null`),
    index('notice_mails_person').on(table.personId),
  ],
);

/** One event as one person is told it, written in the transaction of the event. */
export const notices = pgTable(
  'notices',
  {
    id: id(),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    kind: text('kind').notNull(),
    /** Names the event: nobody is told it twice. */
    key: text('key').notNull(),
    taskId: whole('task_id').references(() => tasks.id),
    facts: jsonb('facts').$type<NoticeFacts>().notNull(),
    at: instant('at').notNull(),
    /** In the inbox, as the person had chosen. */
    inApp: boolean('in_app').notNull(),
    readAt: instant('read_at'),
    /** When it is to be mailed. Null: it is not, or is in a mail already. */
    mailAt: instant('mail_at'),
    /** No mail of it after this: a boundary that is past. */
    mailBefore: instant('mail_before'),
    mailId: whole('mail_id').references(() => noticeMails.id, { onDelete: 'set null' }),
  },
  (table) => [
    unique('notices_once').on(table.personId, table.key),
    index('notices_inbox').on(table.personId, table.id).where(sql`${table.inApp}`),
    index('notices_unread').on(table.personId).where(sql`${table.inApp} and ${table.readAt} is null`),
    index('notices_to_mail').on(table.mailAt).where(sql`${table.mailAt} is not null`),
    index('notices_mail').on(table.mailId),
    index('notices_key').on(table.key),
    index('notices_task').on(table.taskId),
    index('notices_read').on(table.readAt),
  ],
);

/** Only what somebody chose otherwise than `core/notifications/notices.ts` has it. */
export const noticeChoices = pgTable(
  'notice_choices',
  {
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    kind: text('kind').notNull(),
    inApp: boolean('in_app').notNull(),
    mail: boolean('mail').notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.kind] })],
);

/** What was told to everybody whom it concerns, so that of several servers one does it: a digest's quarter of an hour, a boundary. */
export const noticeRuns = pgTable('notice_runs', { key: text('key').primaryKey(), at: instant('at').notNull() });
