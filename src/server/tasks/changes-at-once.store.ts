// The two statements of a change that nobody is in the way of: one that reads, one that writes everything (change-at-once.ts).
import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';
import { executePrepared } from '#server/platform/db/prepared.ts';
import type { Sized } from '#server/platform/graphql/answer-budget.ts';
import {
  assignments,
  type ChangedTask,
  insertHistory,
  type NewHistory,
  sprintRecord,
  type TaskWrite,
} from './task-changes.store.ts';
import { approverIdsOfOwner, selectTasks, type TaskPart, type TaskRow } from './task-columns.ts';

/** The task as lists read it, with what the rules ask besides. */
export type ReadTask = TaskRow & ChangedTask;

export async function readTaskToChange(
  queries: Queries,
  taskId: string,
  parts: readonly TaskPart[],
  allowance: number,
): Promise<Sized<ReadTask>> {
  const wanted: TaskPart[] = [...new Set<TaskPart>([...parts, 'approvers', 'summary'])];
  const { rows } = await executePrepared<ReadTask & { readBytes: number }>(
    queries,
    selectTasks({
      parts: wanted,
      allowance,
      where: sql`t.id = ${taskId}`,
      order: sql`t.id`,
      beside: {
        from: sql``,
        id: sql`t.sprint_id`,
        bytes: sql`0`,
        columns: sprintRecord,
        join: sql`join sprints s on s.id = t.sprint_id`,
      },
    }),
  );
  return { rows, bytes: rows[0]?.readBytes ?? 0 };
}

/** Statements that do nothing without the row of the CTE they are given. */
export type Beside = {
  readonly notice: ((changed: SQL) => SQL) | undefined;
  readonly audit: (changed: SQL) => SQL;
  /** What tells the other servers. */
  readonly notify: SQL;
};

/**
 * Writes the change if the task, the record of its sprint and the owner's approvers are as they were read, and false if they are not. A row that
 * somebody holds is not waited for: after a wait, who approves the owner might be known no more. The sprint is held
 * against a recording, as by every change.
 */
export async function writeChangeAtOnce(
  queries: Queries,
  read: ReadTask,
  write: TaskWrite,
  history: NewHistory,
  { notice, audit, notify }: Beside,
): Promise<boolean> {
  const { rowCount } = await executePrepared(
    queries,
    sql`
    with held as (
      select t.id from tasks t join sprints s on s.id = t.sprint_id
      where t.id = ${read.id} and t.version = ${read.version} and s.commitment_at is not distinct from ${read.commitmentAt}
        and s.result_at is not distinct from ${read.resultAt}
        and ${sql.raw(approverIdsOfOwner)} = ${sql.param(read.approverIds)}::text[]
      for no key update of t skip locked for key share of s skip locked),
    changed as (update tasks set ${assignments(write)} from held where tasks.id = held.id returning tasks.id),
    told as (${insertHistory(history, sql`changed`)}),
    ${notice ? sql`noticed as (${notice(sql`changed`)}),` : sql``}
    audited as (${audit(sql`changed`)})
    select ${notify} from changed`,
  );
  return rowCount === 1;
}
