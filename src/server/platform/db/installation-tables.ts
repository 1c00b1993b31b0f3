// What a database knows about its installation: its id, where its files are, and which versions used it.
import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'string', precision: 3 });
const onlyRow = () => boolean('only_row').primaryKey().default(true);

/** The file store has the same id, which reveals a server that looks elsewhere. Not in backups. */
export const installation = pgTable(
  'installation',
  {
    onlyRow: onlyRow(),
    id: uuid('id').notNull().defaultRandom(),
    /** Null until the first server has recorded it. */
    filesPlace: text('files_place'),
    /** HMAC of LINK_SECRET. Null until the first server has started with one. */
    linkSecretFingerprint: text('link_secret_fingerprint'),
    /** A server with APP_ENV=production has used it. */
    isProduction: boolean('is_production').notNull().default(false),
  },
  (table) => [check('installation_only_row', sql`${table.onlyRow}`)],
);

export const installedVersions = pgTable('installed_versions', {
  version: text('version').primaryKey(),
  firstAt: instant('first_at').notNull().defaultNow(),
});

/** A row means the demo company was loaded, whose passwords are public. Included in backups. */
export const demoCompanyMark = pgTable(
  'demo_company_mark',
  { onlyRow: onlyRow(), loadedAt: instant('loaded_at').notNull().defaultNow() },
  (table) => [check('demo_company_mark_only_row', sql`${table.onlyRow}`)],
);
