// The tables of the platform and those that every area refers to. Migrations are generated from them.
import { type SQL, sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, id, instant, searchWordsSql, whole } from './columns.ts';

/** A role from the role editor. `admin` isn't a row: it has every permission (D11). */
export const roles = pgTable(
  'roles',
  {
    name: text('name').primaryKey(),
    /** Doesn't change when the role is renamed. */
    id: whole('id').notNull().unique('roles_id').generatedAlwaysAsIdentity(),
    permissions: text('permissions').array().notNull(),
    /** Counts every change of the role. */
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('roles_name').on(sql`lower(${table.name})`),
    check('roles_named', sql`btrim(${table.name}) <> '' and lower(${table.name}) <> 'admin'`),
  ],
);

/** The searched words of a name. The index works for exactly this expression. */
export const personWords = (firstName: string, lastName: string): SQL =>
  sql.raw(searchWordsSql(`${firstName} || ' ' || ${lastName}`));

export const people = pgTable(
  'people',
  {
    id: id(),
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** `admin`, a role's name, or null. A role in use can't be deleted; renaming it updates this. */
    role: text('role'),
    /** The role's row, which ensures that the role exists. */
    madeRole: text('made_role')
      .generatedAlwaysAs(sql`nullif(role, 'admin')`)
      .references(() => roles.name),
    /** Permissions given to the person directly, in addition to the role's. */
    grants: text('grants').array().notNull().default(sql`'{}'`),
    team: text('team'),
    topFiveInvisible: boolean('top5_invisible').notNull().default(false),
    /** Null: can't sign in with a password. */
    passwordHash: text('password_hash'),
    /** Null: never set, or set before the product recorded this. */
    passwordChangedAt: instant('password_changed_at'),
    disabledAt: instant('disabled_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** The import's source of this person; unique together with the external id. */
    source: text('source'),
    externalId: text('external_id'),
  },
  (table) => [
    uniqueIndex('people_email').on(sql`lower(${table.email})`),
    index('people_role').on(table.role),
    index('people_team').on(table.team),
    index('people_words').using('gin', personWords('first_name', 'last_name')),
    uniqueIndex('people_source').on(table.source, table.externalId),
  ],
);

/** Limits how much heavy work runs at once across all servers. The row of a dead server expires. */
export const workSlots = pgTable(
  'work_slots',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    /** The person the work is for, when each person has a limit. */
    holder: text('holder'),
    endsAt: instant('ends_at').notNull(),
  },
  (table) => [index('work_slots_kind').on(table.kind)],
);

/** Who did what, written in the same transaction; before and after never have secrets. Rows never change. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: id(),
    at: instant('at').notNull().defaultNow(),
    actorId: whole('actor_id').references(() => people.id),
    action: text('action').notNull(),
    subjectType: text('subject_type').notNull(),
    subjectId: text('subject_id').notNull(),
    before: jsonb('before').$type<Record<string, unknown>>(),
    after: jsonb('after').$type<Record<string, unknown>>(),
    requestId: text('request_id'),
    address: text('address'),
    /** Each salt is deleted when its text is erased. Without it, nobody can find the text by guessing. */
    valuesSalt: uuid('values_salt').defaultRandom(),
    addressSalt: uuid('address_salt').defaultRandom(),
    /** The row of the erasure that removed before and after, or the address. */
    erasedIn: whole('erased_in'),
  },
  (table) => [
    index('audit_log_at').on(table.at),
    index('audit_log_subject').on(table.subjectType, table.subjectId),
    index('audit_log_actor').on(table.actorId, table.id),
    index('audit_log_action').on(table.action, table.id),
    index('audit_log_roles')
      .on(table.subjectId, table.id)
      .where(sql`${table.subjectType} = 'person' and ${table.after} ? 'role'`),
  ],
);

/** Written only by the migrations' `seal_audit`. Rows never change. */
export const auditChain = pgTable('audit_chain', {
  /** 1, 2, 3 without a gap. */
  position: whole('position').primaryKey(),
  auditId: whole('audit_id').notNull().unique(),
  /**
   * Hashes of before and after and of the address, each with its own salt. They can be erased without
   * breaking the chain.
   */
  valuesHash: bytes('values_hash').notNull(),
  addressHash: bytes('address_hash').notNull(),
  /** Hash of the previous hash, the rest of the row and the two hashes above. */
  hash: bytes('hash').notNull(),
});

/**
 * Rows waiting to be sealed, queued as they are written. Uncommitted rows aren't visible and are sealed
 * later.
 */
export const auditUnsealed = pgTable('audit_unsealed', { auditId: whole('audit_id').primaryKey() });

/** What a call with an `Idempotency-Key` created, to answer the same call again. Kept for a day. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    key: text('key').notNull(),
    requestHash: bytes('request_hash').notNull(),
    /** The id of what the call created or changed. */
    made: text('made').notNull(),
    at: instant('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.key] }), index('idempotency_keys_at').on(table.at)],
);

/** One-time permission to download an export. Only the hash is stored, so reading the table doesn't help. */
export const exportTickets = pgTable(
  'export_tickets',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    /** `sessionIdOf` the session that asked, and ends it. Null: made by an earlier version, opens nothing. */
    sessionId: text('session_id'),
    request: jsonb('request').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('export_tickets_expiry').on(table.expiresAt)],
);

/** Settings that differ from the defaults in `core/admin/settings.ts`. */
export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  /** Null for the default, whatever it becomes. The JSON null is a value. */
  value: jsonb('value'),
  /** Counts the changes; a setting without a row has 0. */
  version: integer('version').notNull().default(1),
  changedAt: instant('changed_at').notNull().defaultNow(),
  /** Null: changed by a command. */
  changedBy: whole('changed_by').references(() => people.id),
});
