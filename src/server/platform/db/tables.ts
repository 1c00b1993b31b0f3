// The tables that every area refers to, and those of the platform. Migrations are generated from them.
import { sql } from 'drizzle-orm';
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
import { bytes, id, instant, whole } from './columns.ts';

/** A role made in the role editor. `admin` is not a row: it holds everything (D11). */
export const roles = pgTable(
  'roles',
  {
    name: text('name').primaryKey(),
    /** Stays when the role is renamed. */
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

export const people = pgTable(
  'people',
  {
    id: id(),
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** `admin`, the name of a role, or null. A role in use cannot be deleted, a renamed one follows. */
    role: text('role'),
    /** The row of that role: nobody can have one that is not there. */
    madeRole: text('made_role')
      .generatedAlwaysAs(sql`nullif(role, 'admin')`)
      .references(() => roles.name),
    /** Permissions given to the person directly, besides the role's. */
    grants: text('grants').array().notNull().default(sql`'{}'`),
    team: text('team'),
    topFiveInvisible: boolean('top5_invisible').notNull().default(false),
    /** Null: no password sign-in. */
    passwordHash: text('password_hash'),
    /** Null: set before the product kept this, or never. */
    passwordChangedAt: instant('password_changed_at'),
    disabledAt: instant('disabled_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Where an imported person comes from; unique together. */
    source: text('source'),
    externalId: text('external_id'),
  },
  (table) => [
    uniqueIndex('people_email').on(sql`lower(${table.email})`),
    index('people_role').on(table.role),
    uniqueIndex('people_source').on(table.source, table.externalId),
  ],
);

/** Work of which only so much may run at once, on all servers together. A row whose server died ends by itself. */
export const workSlots = pgTable(
  'work_slots',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    /** The person the work is for, where one person may not take every slot. */
    holder: text('holder'),
    endsAt: instant('ends_at').notNull(),
  },
  (table) => [index('work_slots_kind').on(table.kind)],
);

/** Who did what, in the transaction that did it; before and after hold no secrets. Rows are never changed. */
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
    /** Each goes when what it salts is erased: without it nobody can find out by trying what the hash was made of. */
    valuesSalt: uuid('values_salt').defaultRandom(),
    addressSalt: uuid('address_salt').defaultRandom(),
    /** The row of the erasure that took before and after, or the address, away. */
    erasedIn: whole('erased_in'),
  },
  (table) => [
    index('audit_log_at').on(table.at),
    index('audit_log_subject').on(table.subjectType, table.subjectId),
    index('audit_log_actor').on(table.actorId, table.id),
    index('audit_log_action').on(table.action, table.id),
  ],
);

/** Written by `seal_audit` of the migrations alone. Rows are never changed. */
export const auditChain = pgTable('audit_chain', {
  /** 1, 2, 3 without a gap. */
  position: whole('position').primaryKey(),
  auditId: whole('audit_id').notNull().unique(),
  /** Of before and after, and of the address, each with its salt: so they can be erased and the chain still holds. */
  valuesHash: bytes('values_hash').notNull(),
  addressHash: bytes('address_hash').notNull(),
  /** Of the hash before, the rest of the row and the two hashes above. */
  hash: bytes('hash').notNull(),
});

/** Rows that wait to be sealed, put here as they are written. What is not committed yet is not seen, and is sealed later. */
export const auditUnsealed = pgTable('audit_unsealed', { auditId: whole('audit_id').primaryKey() });

/** What a call with an `Idempotency-Key` has made, so that the same call again makes nothing. Kept for a day. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    key: text('key').notNull(),
    requestHash: bytes('request_hash').notNull(),
    /** The id of what the call made or changed. */
    made: text('made').notNull(),
    at: instant('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.key] }), index('idempotency_keys_at').on(table.at)],
);

/** Leave to download one export once. Only the hash is kept, so that whoever reads the table cannot use it. */
export const exportTickets = pgTable(
  'export_tickets',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    request: jsonb('request').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('export_tickets_expiry').on(table.expiresAt)],
);

/** What an administrator changed from the defaults of `core/admin/settings.ts`. */
export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  /** Null: back at the default, whatever that will be. The JSON null is a value. */
  value: jsonb('value'),
  /** Counts the changes; a setting without a row has 0. */
  version: integer('version').notNull().default(1),
  changedAt: instant('changed_at').notNull().defaultNow(),
  /** Null: by a command. */
  changedBy: whole('changed_by').references(() => people.id),
});
