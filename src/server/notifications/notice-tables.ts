// The tables of notifications: what people are told, their choices, and the mails.
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { NoticeFacts } from '#core/notifications/notice-facts.ts';
import { id, instant, isWallTime, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';
import { tasks } from '#server/tasks/task-tables.ts';

/** A mail that is being sent, was sent or failed. Its content is the notices that name it. */
export const noticeMails = pgTable(
  'notice_mails',
  {
    id: id(),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    /** When to try, or to retry if the server dies. Null: sent, or failed permanently. */
    dueAt: instant('due_at'),
    tries: integer('tries').notNull().default(0),
    /** The same for every try, so a mail that arrives twice is shown once. */
    messageId: uuid('message_id').notNull().defaultRandom(),
    sentAt: instant('sent_at'),
    failedAt: instant('failed_at'),
    /** The mail server's last answer. */
    reason: text('reason'),
    /** Null: the person's address when it is sent. Set when it goes to their previous one. */
    toAddress: text('to_address'),
  },
  (table) => [
    index('notice_mails_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index('notice_mails_failed').on(table.failedAt).where(sql`${table.failedAt} is not null`),
    index('notice_mails_person').on(table.personId),
  ],
);

/** One event for one person, written in the event's transaction. */
export const notices = pgTable(
  'notices',
  {
    id: id(),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    kind: text('kind').notNull(),
    /** Identifies the event: nobody is told twice. */
    key: text('key').notNull(),
    taskId: whole('task_id').references(() => tasks.id),
    facts: jsonb('facts').$type<NoticeFacts>().notNull(),
    at: instant('at').notNull(),
    /** Whether it is in the inbox, by the person's choice. */
    inApp: boolean('in_app').notNull(),
    readAt: instant('read_at'),
    /** When its words were first shown to the person: what they saw isn't taken back without a word. */
    seenAt: instant('seen_at'),
    /** When to mail it. Null: not at all, or it is in a mail already. */
    mailAt: instant('mail_at'),
    /** No mail after this: the boundary is past. */
    mailBefore: instant('mail_before'),
    mailId: whole('mail_id').references(() => noticeMails.id, { onDelete: 'set null' }),
  },
  (table) => [
    unique('notices_once').on(table.personId, table.key),
    index('notices_inbox').on(table.personId, table.id).where(sql`${table.inApp}`),
    index('notices_unread').on(table.personId).where(sql`${table.inApp} and ${table.readAt} is null`),
    index('notices_to_mail').on(table.mailAt).where(sql`${table.mailAt} is not null`),
    // A few among as many as there are people.
    index('notices_first_to_mail')
      .on(table.mailAt)
      .where(sql`${table.mailAt} is not null and ${table.kind} = 'accountChanged'`),
    index('notices_mail').on(table.mailId),
    index('notices_key').on(table.key),
    index('notices_task').on(table.taskId),
    index('notices_read').on(table.readAt),
    index('notices_access').on(table.at).where(sql`${table.kind} = 'access'`),
  ],
);

/** Only choices that differ from `core/notifications/notices.ts`. */
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

/** When a person's mails wait, in company time. Without a row: never. */
export const quietHours = pgTable(
  'quiet_hours',
  {
    personId: whole('person_id')
      .primaryKey()
      .references(() => people.id),
    /** Off keeps the times. */
    isOn: boolean('is_on').notNull(),
    startsAt: text('starts_at').notNull(),
    endsAt: text('ends_at').notNull(),
    daysOff: boolean('days_off').notNull(),
  },
  (table) => [
    check('quiet_hours_times', sql`${isWallTime(table.startsAt)} and ${isWallTime(table.endsAt)}`),
    check('quiet_hours_span', sql`${table.startsAt} <> ${table.endsAt}`),
  ],
);

/**
 * Marks of what everyone concerned was told, so only one server does it: a digest's quarter hour, a boundary.
 */
export const noticeRuns = pgTable('notice_runs', { key: text('key').primaryKey(), at: instant('at').notNull() });
