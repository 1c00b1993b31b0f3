// The tables of number imports: service tokens, saved mappings, and imports.
import { sql } from 'drizzle-orm';
import { boolean, check, date, index, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { bytes, id, instant, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';

/** Another system's credential for some datasets. The token is shown once and only its hash is stored. */
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
  /** Null: created by an earlier version, and valid for a year. */
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

/** An import on the server. A `running` one not seen for a while died with its server. */
export const importRuns = pgTable(
  'import_runs',
  {
    id: id(),
    dataset: text('dataset').notNull(),
    source: text('source').notNull(),
    mapping: text('mapping').notNull(),
    fileName: text('file_name').notNull(),
    isDryRun: boolean('is_dry_run').notNull(),
    /** How it came: `wizard`, `http` or `command`. */
    way: text('way').notNull().default('http'),
    /** SHA-256 of the file as sent. Null: imported before hashes were stored. */
    fileHash: bytes('file_hash'),
    /** The mapping's rule for the rows' ids. Null: removals, and imports before it was stored. */
    idRule: text('id_rule'),
    personId: whole('person_id').references(() => people.id),
    serviceTokenId: whole('service_token_id').references(() => serviceTokens.id),
    state: text('state').notNull(),
    startedAt: instant('started_at').notNull(),
    seenAt: instant('seen_at').notNull(),
    /** Someone wants it to stop; its server sees this with the next progress report. */
    stopAskedAt: instant('stop_asked_at'),
    size: whole('size').notNull(),
    bytesRead: whole('bytes_read').notNull().default(sql`0`),
    rows: whole('rows').notNull().default(sql`0`),
    inserted: whole('inserted').notNull().default(sql`0`),
    updated: whole('updated').notNull().default(sql`0`),
    unchanged: whole('unchanged').notNull().default(sql`0`),
    refused: whole('refused').notNull().default(sql`0`),
    /** By a rule of the mapping. */
    leftOut: whole('left_out').notNull().default(sql`0`),
    /** Why it ended early. */
    reason: text('reason'),
    /** The first faults, for the answer. */
    faults: jsonb('faults').notNull().default([]),
    /** Why rows were refused or left out, with counts, the most frequent first. */
    reasons: jsonb('reasons').notNull().default([]),
    /** Rows, amount and days of the file by product or cause and currency, most rows first. */
    totals: jsonb('totals').notNull().default([]),
    /** `running`, `done` or `failed`; null until someone undoes it. */
    undoState: text('undo_state'),
    undoBy: whole('undo_by').references(() => people.id),
    undoSeenAt: instant('undo_seen_at'),
    /** Rows removed or restored so far. */
    undoRows: whole('undo_rows').notNull().default(sql`0`),
    undoReason: text('undo_reason'),
  },
  (table) => [
    index('import_runs_started').on(table.startedAt),
    index('import_runs_file').on(table.dataset, table.fileHash),
    index('import_runs_running').on(table.dataset, table.source).where(sql`state = 'running'`),
  ],
);

/**
 * What a run did to its dataset's rows, kept until it is undone or too old. New rows are a range of ids. A
 * changed row has an entry with its previous state.
 */
export const importChanges = pgTable(
  'import_changes',
  {
    runId: whole('run_id')
      .notNull()
      .references(() => importRuns.id, { onDelete: 'cascade' }),
    firstId: whole('first_id').notNull(),
    lastId: whole('last_id').notNull(),
    before: jsonb('before'),
  },
  (table) => [primaryKey({ columns: [table.runId, table.firstId] })],
);

/**
 * Existing rows that a run brought, changed or not, as a few ranges of ids per batch. An earlier import can't
 * be undone while a later one brought its rows too.
 */
export const importMatches = pgTable(
  'import_matches',
  {
    runId: whole('run_id')
      .notNull()
      .references(() => importRuns.id, { onDelete: 'cascade' }),
    firstId: whole('first_id').notNull(),
    lastId: whole('last_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.firstId] })],
);

/** What a run changed in all, by currency, for the preview of its undo. */
export const importTotals = pgTable(
  'import_totals',
  {
    runId: whole('run_id')
      .notNull()
      .references(() => importRuns.id, { onDelete: 'cascade' }),
    /** Null if the dataset has none. */
    currency: text('currency'),
    /** The days of the rows before and after. */
    firstDay: date('first_day').notNull(),
    lastDay: date('last_day').notNull(),
    /** Rows as the run left them, new or changed. */
    written: whole('written').notNull(),
    /** Changed rows as they were before. */
    replaced: whole('replaced').notNull(),
    /** By how much the dataset's main amount changed; 0 if it has none. */
    amount: whole('amount').notNull(),
  },
  (table) => [unique('import_totals_key').on(table.runId, table.currency).nullsNotDistinct()],
);

/**
 * Customers and donors who were erased, their orders and replaced ids: later imports bring such rows without
 * the reference.
 */
export const erasedReferences = pgTable(
  'erased_references',
  {
    dataset: text('dataset').notNull(),
    /** The keyed hash of the reference, or of an order or id. */
    hash: bytes('hash').notNull(),
    erasedAt: instant('erased_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.dataset, table.hash] })],
);

/** One row, made by the first erasure. */
export const erasureKeys = pgTable(
  'erasure_keys',
  { id: boolean('id').primaryKey().default(true), key: bytes('key').notNull() },
  (table) => [check('erasure_keys_one', sql`${table.id}`)],
);

/** The datasets whose old rows are deleted every night. */
export const numberRetention = pgTable('number_retention', {
  dataset: text('dataset').primaryKey(),
  months: integer('months').notNull(),
  /** The last run, by the company's day. */
  ranOn: date('ran_on'),
  /** By the last run. */
  deleted: whole('deleted').notNull().default(sql`0`),
  /** False while it runs, or if its server died: the next one records it. */
  isAudited: boolean('is_audited').notNull().default(true),
});

/** The report of a run's bad rows, gzip, in sequential parts. */
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
