// The tables of signing in through an identity provider.
import { index, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { bytes, instant, whole } from '#server/platform/db/columns.ts';
import { people, roles } from '#server/platform/db/tables.ts';

/** The person behind a provider's subject. Emails don't count: they can be given to someone else. */
export const identities = pgTable(
  'identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    /** The role that groups gave last. */
    ofGroups: text('of_groups'),
    connectedAt: instant('connected_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    unique('identities_person').on(table.personId, table.issuer),
  ],
);

/**
 * Which role each group of the provider gives. OIDC_GROUP_ROLES names roles; each name is bound to a role
 * when it is first seen, so later renames change nothing. The role `admin` is no row and needs no binding.
 */
export const groupRoles = pgTable('group_roles', {
  groupName: text('group_name').primaryKey(),
  /** The role's name in the configuration. Another name there binds the group again. */
  configuredName: text('configured_name').notNull(),
  /** Null: the role was deleted, and the group gives none. */
  roleId: whole('role_id').references(() => roles.id, { onDelete: 'set null' }),
  boundAt: instant('bound_at').notNull(),
});

/**
 * An unfinished sign-in, from the button to the token. The browser has the key in a cookie and only its hash
 * is here. Continuing deletes the row, so nothing is used twice.
 */
export const signInFlows = pgTable(
  'sign_in_flows',
  {
    keyHash: bytes('key_hash').primaryKey(),
    state: text('state').notNull(),
    nonce: text('nonce').notNull(),
    verifier: text('verifier').notNull(),
    goto: text('goto'),
    /** The person who connects their own account; null for a sign-in. */
    connects: whole('connects').references(() => people.id),
    /** The session that connects an identity or confirms its person: it must still be valid on return. */
    sessionHash: bytes('session_hash'),
    /** The hash of the accepted invitation's token; otherwise null. */
    invitation: bytes('invitation'),
    /** The returned person, who can take the token; null until then. */
    personId: whole('person_id').references(() => people.id),
    addressKey: bytes('address_key').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('sign_in_flows_address').on(table.addressKey, table.createdAt),
    index('sign_in_flows_expiry').on(table.expiresAt),
  ],
);
