// The tables of sessions, sign-ins and the account log. Migrations are generated from them.
import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { AccountEventDetail } from '#core/access/account-events.ts';
import { bytes, id, instant, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';

/** A signed-in browser. Only the hash of its token is stored (D14). */
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
    /** When the person last proved who they are in this session. Null: when it started. */
    verifiedAt: instant('verified_at'),
    /** When the person last proved it with a second factor. */
    factorVerifiedAt: instant('factor_verified_at'),
    /** The known device of the session's browser. Null: it sent no token. */
    deviceHash: bytes('device_hash'),
    /** Written once a minute at most. Null: not used since it started. */
    lastUsedAt: instant('last_used_at'),
    /** How the person signed in. Null: recorded by an earlier version. */
    method: text('method'),
    /** What the session can do: everything, or only finish signing in. */
    level: text('level').notNull().default('full'),
  },
  (table) => [
    index('sessions_person').on(table.personId),
    index('sessions_expiry').on(table.expiresAt),
    check('sessions_level', sql`${table.level} in ('full', 'needsSecondFactor', 'needsEnrollment')`),
  ],
);

/** A browser that signed in before, and its last address; both as hashes. */
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

/**
 * Wrong guesses of passwords and codes, counted before any hashing and shared by all servers. `key` is a
 * hash.
 */
export const signInFailures = pgTable(
  'sign_in_failures',
  { id: id(), key: bytes('key').notNull(), at: instant('at').notNull().defaultNow() },
  (table) => [index('sign_in_failures_key').on(table.key, table.at)],
);

/**
 * A one-time link for setting a password: an invitation or a reset. A person has one at most, so a new one
 * replaces it; using it deletes the row. Only the hash of its token is stored.
 */
export const accountLinks = pgTable(
  'account_links',
  {
    personId: whole('person_id')
      .primaryKey()
      .references(() => people.id),
    tokenHash: bytes('token_hash').notNull().unique('account_links_token'),
    kind: text('kind').notNull(),
    /** Who saw the link and could use it. Null: it was mailed, or a command made it. */
    shownTo: whole('shown_to').references(() => people.id),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [check('account_links_kind', sql`${table.kind} in ('invite', 'reset')`)],
);

/** Sign-ins and changes to the ways into an account, shown to its owner. */
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
    /** Who did it. Null: the person, or someone not signed in. */
    actorId: whole('actor_id').references(() => people.id),
    /** When the person confirmed that it was them. */
    acknowledgedAt: instant('acknowledged_at'),
  },
  (table) => [index('account_events_person').on(table.personId, table.id), index('account_events_at').on(table.at)],
);
