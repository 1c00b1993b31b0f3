// Imports tasks in batches. Every batch is one transaction, and every task is recognized by its source and
// id, so an interrupted import can be run again with the same result.
import { ownAddress } from '#core/admin/audit-log.ts';
import { noTasks, type TaskStatus } from '#core/tasks/task-status.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import { analyzeTables } from '#server/platform/db/analyze-tables.ts';
import type { Database } from '#server/platform/db/database.ts';
import { repeatedId, stillRepeats } from '#server/platform/imports/correctable-rows.ts';
import type { FaultReport } from '#server/platform/imports/fault-report.ts';
import { type Fault, ImportError } from '#server/platform/imports/import-error.ts';
import type { Row } from '#server/platform/imports/mapping-rules.ts';
import type { SourceRow } from '#server/platform/imports/source-row.ts';
import { publishGap } from '#server/platform/live/live.service.ts';
import { type ImportedTask, type ReadingTime, readTask } from './imported-task.ts';
import { type BatchCounts, importBatch } from './task-batch.ts';
import * as store from './tasks-import.store.ts';
import { columnsOfMapping, type TasksMapping } from './tasks-mapping.ts';

export type TasksImport = ReadingTime & {
  readonly database: Database;
  readonly rows: AsyncIterable<SourceRow>;
  readonly mapping: TasksMapping;
  readonly report: FaultReport;
  /** Email of the new people's approver; by default the mapping's. */
  readonly approver?: string | undefined;
  /** Reads and compares everything without writing. */
  readonly isDryRun: boolean;
  readonly onProgress?: (rows: number) => void;
};

export type TasksImported = BatchCounts & {
  readonly rows: number;
  readonly refused: number;
  /** The file's valid tasks, by the source's status. */
  readonly byStatus: Readonly<Record<TaskStatus, number>>;
  /** Columns in the mapping that no row has: probably misspelled. */
  readonly missingColumns: readonly string[];
  /** Parts of rows that were left out by reason, the most frequent first. */
  readonly leftOut: readonly LeftOut[];
};

type LeftOut = { readonly reason: string; readonly count: number; readonly firstLine: number };

/** Later reasons are counted together. */
const mostReasons = 100;

/** Large enough to be fast, small enough for memory and one statement. */
const batchLimits = { tasks: 200, characters: 4_000_000 };

export async function importTasks(job: TasksImport): Promise<TasksImported> {
  const settlingHours = await store.settlingHours(job.database.drizzle);
  const run = new Run(job, await approverOf(job), settlingHours);
  try {
    for await (const row of job.rows) await run.take(row);
  } catch (error) {
    // A truncated file: the rows before the end are imported.
    if (error instanceof ImportError) await run.flush();
    // Reports why the import stopped, even if the database is gone too.
    await recordRun(job, run.imported(), false).catch(() => {});
    throw error;
  }
  await run.flush();
  if (!job.isDryRun) await analyzeTables(job.database.drizzle, store.writtenTables);
  await recordRun(job, run.imported(), true);
  return run.imported();
}

/** One audit entry for the run; open pages reload if it changed anything. */
async function recordRun(
  { database, mapping, now, isDryRun }: TasksImport,
  { missingColumns: _missingColumns, leftOut: _leftOut, ...counts }: TasksImported,
  complete: boolean,
): Promise<void> {
  if (isDryRun) return;
  await database.transaction(async (queries) => {
    const actor = { viewer: null, clock: { now: () => now }, requestId: 'npm run import', address: ownAddress.import };
    const after = { ...counts, complete };
    await recordAudit(queries, actor, {
      action: 'tasksImported',
      subjectType: 'import',
      subjectId: mapping.source,
      after,
    });
    if (counts.created + counts.changed > 0) await publishGap(queries);
  });
}

async function approverOf({ database, approver, mapping }: TasksImport): Promise<string | null> {
  const email = approver ?? mapping.approver;
  if (email === undefined) return null;
  const id = await store.personByEmail(database.drizzle, email);
  if (id === null) throw new ImportError(`No account with the email address ${email} can approve the imported tasks`);
  return id;
}

class Run {
  readonly #job: TasksImport;
  readonly #approverId: string | null;
  readonly #settlingHours: number;
  readonly #unseenColumns: Set<string>;
  readonly #lineOfId = new Map<string, number>();
  readonly #made = new Set<string>();
  readonly #byStatus = { ...noTasks };
  readonly #counts = {
    created: 0,
    changed: 0,
    unchanged: 0,
    people: 0,
    sprints: 0,
    notes: 0,
    attachments: 0,
    moves: 0,
  };
  readonly #leftOut = new Map<string, { count: number; firstLine: number }>();
  #rows = 0;
  #refused = 0;
  #batch: ImportedTask[] = [];
  #characters = 0;

  constructor(job: TasksImport, approverId: string | null, settlingHours: number) {
    this.#job = job;
    this.#approverId = approverId;
    this.#settlingHours = settlingHours;
    this.#unseenColumns = new Set(columnsOfMapping(job.mapping));
  }

  async take({ line, text, row, fault }: SourceRow): Promise<void> {
    this.#rows += 1;
    if (row) this.#noteColumns(row);
    const task = row
      ? readTask(row, this.#job.mapping, this.#job)
      : [{ column: '', reason: fault ?? 'cannot be read' }];
    const faults = 'externalId' in task ? this.#repeated(task, line, row!) : task;
    if (faults.length > 0) await this.#refuse(line, text, faults);
    else if ('externalId' in task) {
      this.#countLeftOut(task, line);
      await this.#accept(task, text);
    }
    this.#job.onProgress?.(this.#rows);
  }

  #noteColumns(row: Row): void {
    for (const column of this.#unseenColumns) {
      if (Object.hasOwn(row, column) || Object.hasOwn(row, column.split('.', 1)[0]!))
        this.#unseenColumns.delete(column);
    }
  }

  /**
   * Two rows with the same id would replace each other at every import, so no run would ever be unchanged.
   */
  #repeated({ externalId }: ImportedTask, line: number, row: Row): Fault[] {
    if (stillRepeats(row, externalId)) return [repeatedId('id', externalId, null)];
    const earlier = this.#lineOfId.get(externalId);
    if (earlier === undefined) this.#lineOfId.set(externalId, line);
    return earlier === undefined ? [] : [repeatedId('id', externalId, earlier)];
  }

  async #refuse(line: number, text: string, faults: readonly Fault[]): Promise<void> {
    this.#refused += 1;
    await this.#job.report.add(line, text, faults);
  }

  #countLeftOut({ leftOut }: ImportedTask, line: number): void {
    for (const found of leftOut) {
      const isRoom = this.#leftOut.size < mostReasons || this.#leftOut.has(found);
      const reason = isRoom ? found : 'other reasons';
      const { count, firstLine } = this.#leftOut.get(reason) ?? { count: 0, firstLine: line };
      this.#leftOut.set(reason, { count: count + 1, firstLine });
    }
  }

  async #accept(task: ImportedTask, text: string): Promise<void> {
    this.#byStatus[task.status] += 1;
    this.#batch.push(task);
    this.#characters += text.length;
    if (this.#batch.length >= batchLimits.tasks || this.#characters >= batchLimits.characters) await this.flush();
  }

  async flush(): Promise<void> {
    const tasks = this.#batch;
    this.#batch = [];
    this.#characters = 0;
    if (tasks.length === 0) return;
    const { database, mapping, now, zone, isDryRun } = this.#job;
    const job = {
      now,
      zone,
      isDryRun,
      source: mapping.source,
      approverId: this.#approverId,
      settlingHours: this.#settlingHours,
      made: this.#made,
    };
    const done = await database.transaction((queries) => importBatch(queries, job, tasks));
    // Counted after the commit.
    for (const key of done.made) this.#made.add(key);
    for (const key of Object.keys(this.#counts) as (keyof BatchCounts)[]) this.#counts[key] += done.counts[key];
  }

  imported(): TasksImported {
    return {
      ...this.#counts,
      rows: this.#rows,
      refused: this.#refused,
      byStatus: this.#byStatus,
      missingColumns: [...this.#unseenColumns],
      leftOut: [...this.#leftOut]
        .map(([reason, found]) => ({ reason, ...found }))
        .toSorted((one, other) => other.count - one.count),
    };
  }
}
