// What a database knows about its installation: who it is, where its files are, which versions worked with it.
import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'string', precision: 3 });
const onlyRow = () => boolean('only_row').primaryKey().default(true);

/** The place of the files carries the same id, so that a server which looks elsewhere is found out. Not in backups. */
export const installation = pgTable(
  'installation',
  {
    onlyRow: onlyRow(),
    id: uuid('id').notNull().defaultRandom(),
    /** Null until the first server has looked. */
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

/** A row means that the demo company was loaded, whose passwords are public. In backups, so that it stays known. */
export const demoCompanyMark = pgTable(
  'demo_company_mark',
  { onlyRow: onlyRow(), loadedAt: instant('loaded_at').notNull().defaultNow() },
  (table) => [check('demo_company_mark_only_row', sql`${table.onlyRow}`)],
);
