// The tables of the import of numbers: who may send without being a person, saved mappings, and how each import went.
import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytes, id, instant, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';

/** What another system signs in with, for some datasets only. The token itself is shown once and never kept. */
export const serviceTokens = pgTable('service_tokens', {
  id: id(),
  tokenHash: bytes('token_hash').notNull().unique(),
  name: text('name').notNull(),
  datasets: text('datasets').array().notNull(),
  createdBy: whole('created_by')
    .notNull()
    .references(() => people.id),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at'),
  revokedAt: instant('revoked_at'),
  /** Null: made by a server of an earlier version, and good for a year from its creation. */
  expiresAt: instant('expires_at'),
});

export const importMappings = pgTable('import_mappings', {
  name: text('name').primaryKey(),
  dataset: text('dataset').notNull(),
  mapping: jsonb('mapping').notNull(),
  savedBy: whole('saved_by')
    .notNull()
    .references(() => people.id),
  savedAt: instant('saved_at').notNull(),
});

/** One import by the server. A run that is `running` and has not been seen for a while was ended with its server. */
export const importRuns = pgTable(
  'import_runs',
  {
    id: id(),
    dataset: text('dataset').notNull(),
    source: text('source').notNull(),
    mapping: text('mapping').notNull(),
    fileName: text('file_name').notNull(),
    isDryRun: boolean('is_dry_run').notNull(),
    personId: whole('person_id').references(() => people.id),
    serviceTokenId: whole('service_token_id').references(() => serviceTokens.id),
    state: text('state').notNull(),
    startedAt: instant('started_at').notNull(),
    seenAt: instant('seen_at').notNull(),
    /** Somebody wants it to end; the server that carries it out sees this when it tells how far it is. */
    stopAskedAt: instant('stop_asked_at'),
    size: whole('size').notNull(),
    bytesRead: whole('bytes_read').notNull().default(sql`0`),
    rows: whole('rows').notNull().default(sql`0`),
    inserted: whole('inserted').notNull().default(sql`0`),
    updated: whole('updated').notNull().default(sql`0`),
    unchanged: whole('unchanged').notNull().default(sql`0`),
    refused: whole('refused').notNull().default(sql`0`),
    /** Why it ended before its end. */
    reason: text('reason'),
    /** The first faults, as they are answered. */
    faults: jsonb('faults').notNull().default([]),
  },
  (table) => [index('import_runs_started').on(table.startedAt)],
);

/** The report of a run's bad rows, gzip, in pieces that can be read one after the other. */
export const importReportParts = pgTable(
  'import_report_parts',
  {
    runId: whole('run_id')
      .notNull()
      .references(() => importRuns.id, { onDelete: 'cascade' }),
    part: integer('part').notNull(),
    content: bytes('content').notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.part] })],
);
