// The tables of user management beside `people`. Migrations are generated from them.
import { sql } from 'drizzle-orm';
import { bigint, check, customType, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { people } from './tables.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'string', precision: 3 });

/**
 * A link by which a person sets a password, good once: an invitation, or the way back in. A person has one at most, so a new
 * one ends the one before; using it takes the row away. Only the hash of its token is kept.
 */
export const accountLinks = pgTable(
  'account_links',
  {
    personId: bigint('person_id', { mode: 'bigint' })
      .primaryKey()
      .references(() => people.id),
    tokenHash: bytes('token_hash').notNull().unique('account_links_token'),
    kind: text('kind').notNull(),
    /** Who saw the link, and so could use it. Null: it went to the mailbox, or a command made it. */
    shownTo: bigint('shown_to', { mode: 'bigint' }).references(() => people.id),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [check('account_links_kind', sql`${table.kind} in ('invite', 'reset')`)],
);
