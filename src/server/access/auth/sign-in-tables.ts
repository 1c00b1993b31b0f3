// The tables of sessions, of signing in, and of what happened to an account. Migrations are generated from them.
import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { AccountEventDetail } from '#core/access/account-events.ts';
import { bytes, id, instant, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';

/** A signed-in browser. Only the hash of its token is kept (D14). */
export const sessions = pgTable(
  'sessions',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    address: text('address'),
    agent: text('agent'),
    /** When the person last proved who they are in this session. Null: when it began. */
    verifiedAt: instant('verified_at'),
    /** When the person last proved it with a second factor. */
    factorVerifiedAt: instant('factor_verified_at'),
    /** The known device of the session's browser. Null: it sent no token. */
    deviceHash: bytes('device_hash'),
    /** Written once a minute at most. Null: not since it began. */
    lastUsedAt: instant('last_used_at'),
    /** How the person signed in. Null: kept by a server of an earlier version. */
    method: text('method'),
    /** What the session may do: everything, or only finish signing in. */
    level: text('level').notNull().default('full'),
  },
  (table) => [
    index('sessions_person').on(table.personId),
    index('sessions_expiry').on(table.expiresAt),
    check('sessions_level', sql`${table.level} in ('full', 'needsSecondFactor', 'needsEnrollment')`),
  ],
);

/** A browser that signed in before, and the address it last did so from; both as hashes. */
export const knownDevices = pgTable(
  'known_devices',
  {
    tokenHash: bytes('token_hash').notNull(),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    addressKey: bytes('address_key').notNull(),
    createdAt: instant('created_at').notNull(),
    usedAt: instant('used_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tokenHash, table.personId] }),
    index('known_devices_person').on(table.personId),
  ],
);

/** Wrong guesses of passwords and codes, counted before any hashing and shared by all servers. `key` is a hash. */
export const signInFailures = pgTable(
  'sign_in_failures',
  { id: id(), key: bytes('key').notNull(), at: instant('at').notNull().defaultNow() },
  (table) => [index('sign_in_failures_key').on(table.key, table.at)],
);

/**
 * A link by which a person sets a password, good once: an invitation, or the way back in. A person has one at most, so a new
 * one ends the one before; using it takes the row away. Only the hash of its token is kept.
 */
export const accountLinks = pgTable(
  'account_links',
  {
    personId: whole('person_id')
      .primaryKey()
      .references(() => people.id),
    tokenHash: bytes('token_hash').notNull().unique('account_links_token'),
    kind: text('kind').notNull(),
    /** Who saw the link, and so could use it. Null: it went to the mailbox, or a command made it. */
    shownTo: whole('shown_to').references(() => people.id),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [check('account_links_kind', sql`${table.kind} in ('invite', 'reset')`)],
);

/** Sign-ins, and every change to how an account is reached, as its owner reads them. */
export const accountEvents = pgTable(
  'account_events',
  {
    id: id(),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    at: instant('at').notNull(),
    kind: text('kind').notNull(),
    address: text('address'),
    agent: text('agent'),
    method: text('method'),
    detail: jsonb('detail').$type<AccountEventDetail>().notNull().default({}),
    /** Who did it. Null: the person, or somebody who isn't signed in. */
    actorId: whole('actor_id').references(() => people.id),
    /** When the person said that it was them. */
    acknowledgedAt: instant('acknowledged_at'),
  },
  (table) => [index('account_events_person').on(table.personId, table.id), index('account_events_at').on(table.at)],
);
