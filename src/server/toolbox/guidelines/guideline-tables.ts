// The tables of the guidelines: the document's versions, and who confirmed which.
import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, pgView, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';

/** Numbered without gaps; the highest one is current. Rows never change. */
export const guidelineVersions = pgTable(
  'guideline_versions',
  {
    version: integer('version').primaryKey(),
    text: text('text').notNull(),
    /** What changed, in the publisher's words. */
    note: text('note').notNull(),
    publishedBy: whole('published_by')
      .notNull()
      .references(() => people.id),
    publishedAt: instant('published_at').notNull(),
  },
  (table) => [check('guideline_versions_from_one', sql`${table.version} >= 1`)],
);

/** A person has read this version. Rows never change. */
export const guidelineConfirmations = pgTable(
  'guideline_confirmations',
  {
    version: integer('version')
      .notNull()
      .references(() => guidelineVersions.version),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    confirmedAt: instant('confirmed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.version, table.personId] }),
    index('guideline_confirmations_person').on(table.personId),
  ],
);

/** Who has confirmed the current version: the single source of "guidelines read". */
export const currentGuidelineConfirmations = pgView('current_guideline_confirmations', {
  personId: whole('person_id').notNull(),
  version: integer('version').notNull(),
  confirmedAt: instant('confirmed_at').notNull(),
}).as(sql`
  select person_id, version, confirmed_at from guideline_confirmations
  where version = (select max(version) from guideline_versions)`);
