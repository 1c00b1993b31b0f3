// The tables of weekly meetings: the series, the exceptional weeks, and the secret addresses of calendar
// feeds.
import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, id, instant, isWallTime, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';

export const meetings = pgTable(
  'meetings',
  {
    id: id(),
    /** Identifies the series in attendees' calendars forever. */
    uid: uuid('uid').notNull().unique().defaultRandom(),
    title: text('title').notNull(),
    team: text('team'),
    /** Everyone in the team attends; without a team, everyone in the company. */
    wholeTeam: boolean('whole_team').notNull().default(false),
    chairId: whole('chair_id')
      .notNull()
      .references(() => people.id),
    /** 1 is Monday. */
    weekday: smallint('weekday').notNull(),
    time: text('time').notNull(),
    minutes: smallint('minutes').notNull(),
    place: text('place').notNull(),
    link: text('link').notNull(),
    agenda: text('agenda').notNull(),
    /** The day of the first one. */
    firstDay: date('first_day').notNull(),
    /** It doesn't repeat: the first one is the only one. */
    once: boolean('once').notNull().default(false),
    /** Counts every change; the calendars' SEQUENCE. */
    version: integer('version').notNull().default(1),
    createdBy: whole('created_by')
      .notNull()
      .references(() => people.id),
    createdAt: instant('created_at').notNull(),
    changedAt: instant('changed_at').notNull(),
    removedAt: instant('removed_at'),
  },
  (table) => [
    check('meetings_weekday', sql`${table.weekday} between 1 and 7`),
    check('meetings_first_day', sql`extract(isodow from ${table.firstDay}) = ${table.weekday}`),
    check('meetings_time', isWallTime(table.time)),
    check('meetings_minutes', sql`${table.minutes} between 1 and 1440`),
  ],
);

/** The people added by name. Disabled people keep their row, which counts again if their account is enabled. */
export const meetingAttendees = pgTable(
  'meeting_attendees',
  {
    meetingId: whole('meeting_id')
      .notNull()
      .references(() => meetings.id),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
  },
  (table) => [
    primaryKey({ columns: [table.meetingId, table.personId] }),
    index('meeting_attendees_person').on(table.personId),
  ],
);

/** One week in which a meeting is moved, or canceled if `toDay` is null. */
export const meetingExceptions = pgTable(
  'meeting_exceptions',
  {
    meetingId: whole('meeting_id')
      .notNull()
      .references(() => meetings.id),
    /** The original day. */
    day: date('day').notNull(),
    toDay: date('to_day'),
    toTime: text('to_time'),
  },
  (table) => [
    primaryKey({ columns: [table.meetingId, table.day] }),
    check('meeting_exceptions_whole', sql`(${table.toDay} is null) = (${table.toTime} is null)`),
    check('meeting_exceptions_time', isWallTime(table.toTime)),
  ],
);

/** An address from which a calendar fetches meetings without a session. Only the secret's hash is stored. */
export const calendarFeeds = pgTable(
  'calendar_feeds',
  {
    id: id(),
    tokenHash: bytes('token_hash').notNull().unique(),
    /** Its owner: it works while this person can read the schedule. */
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    /** The team whose meetings it has. Null: the person's. */
    team: text('team'),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    index('calendar_feeds_person').on(table.personId, table.createdAt),
    // A new address for the same meetings replaces the old one.
    uniqueIndex('calendar_feeds_good')
      .on(table.personId, sql`coalesce(${table.team}, '')`)
      .where(sql`${table.revokedAt} is null`),
  ],
);
