// The tables of second factors and other ways in besides a password.
import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, id, instant, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';

export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    credentialId: bytes('credential_id').notNull(),
    publicKey: bytes('public_key').notNull(),
    /** The signature counter, which only increases. */
    counter: whole('counter').notNull(),
    transports: text('transports').array().notNull().default(sql`'{}'`),
    name: text('name').notNull(),
    deviceType: text('device_type').notNull(),
    backedUp: boolean('backed_up').notNull(),
    aaguid: text('aaguid'),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [
    uniqueIndex('passkeys_credential').on(table.credentialId),
    index('passkeys_person').on(table.personId),
    check('passkeys_counter', sql`${table.counter} >= 0`),
  ],
);

/** An authenticator app. A person has one at most. */
export const authenticators = pgTable('authenticators', {
  personId: whole('person_id')
    .primaryKey()
    .references(() => people.id),
  /** Encrypted; see sealed-secret.ts. */
  secret: bytes('secret').notNull(),
  /** Null until its first code was right: before that it isn't usable. */
  confirmedAt: instant('confirmed_at'),
  /** The time step of the last used code: no code works twice. */
  lastStep: whole('last_step'),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at'),
});

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: id(),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    codeHash: bytes('code_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [uniqueIndex('recovery_codes_code').on(table.personId, table.codeHash)],
);

/** An unfinished step of signing in or adding a way in. Taking it deletes the row, so it works once. */
export const challenges = pgTable(
  'challenges',
  {
    /** Only a hash of the browser's key. */
    keyHash: bytes('key_hash').primaryKey(),
    kind: text('kind').notNull(),
    personId: whole('person_id').references(() => people.id),
    sessionHash: bytes('session_hash'),
    /** Unused. A server of the build before names it in every insert. */
    addressKey: bytes('address_key'),
    challenge: text('challenge').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('challenges_person').on(table.personId, table.createdAt),
    index('challenges_address').on(table.addressKey, table.createdAt),
    index('challenges_expiry').on(table.expiresAt),
  ],
);
