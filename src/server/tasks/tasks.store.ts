// Reads of tasks: each answers a screen with one statement.
import { type SQL, sql } from 'drizzle-orm';
import type { TaskEventKind } from '#core/task.ts';
import type { TaskStatus } from '#core/task-status.ts';
import type { Queries } from '../db/database.ts';
import { executePrepared } from '../db/prepared.ts';
import { awaits, ownersDecidedBy } from './awaiting-tasks.ts';
import { allTaskParts, columnsOf, selectOf, type TaskPart, type TaskRow, tablesOf } from './task-columns.ts';

export type Page = { readonly limit?: number | undefined; readonly offset?: number | undefined };
export type TaskFilter = Page & {
  readonly taskId?: string | undefined;
  readonly ownerId?: string | undefined;
  readonly sprintId?: string | undefined;
  readonly status?: readonly TaskStatus[] | undefined;
};

const pageOf = ({ limit, offset }: Page): SQL =>
  sql`${limit === undefined ? sql`` : sql`limit ${limit}`} ${offset ? sql`offset ${offset}` : sql``}`;

/** The tasks of the filter among the visible ones, newest first. A withdrawn task is found by its id alone (D15). */
export async function findTasks(
  queries: Queries,
  visible: SQL,
  filter: TaskFilter,
  parts: readonly TaskPart[] = allTaskParts,
): Promise<TaskRow[]> {
  const { taskId, ownerId, sprintId, status } = filter;
  const conditions = [visible];
  if (taskId === undefined) conditions.push(sql`t.withdrawn_at is null`);
  else conditions.push(sql`t.id = ${taskId}`);
  if (ownerId !== undefined) conditions.push(sql`t.owner_id = ${ownerId}`);
  if (sprintId !== undefined) conditions.push(sql`t.sprint_id = ${sprintId}`);
  if (status !== undefined) conditions.push(sql`t.status = any(${sql.param([...status])}::task_status[])`);
  const { rows } = await executePrepared<TaskRow>(
    queries,
    sql`select ${selectOf(parts)} where ${sql.join(conditions, sql` and `)} order by t.created_at desc, t.id desc ${pageOf(filter)}`,
  );
  return rows;
}

/** The task with this id, whoever asks: the caller has settled that it may be seen. */
export async function taskById(queries: Queries, id: string): Promise<TaskRow> {
  const { rows } = await executePrepared<TaskRow>(queries, sql`select ${selectOf(allTaskParts)} where t.id = ${id}`);
  return rows[0] as TaskRow;
}

/** Tasks of these people that the viewer may see, for the lists that group them by sprint. */
export async function tasksOfPeople(queries: Queries, visible: SQL, ownerIds: readonly string[]): Promise<TaskRow[]> {
  const { rows } = await executePrepared<TaskRow>(
    queries,
    sql`select ${selectOf(allTaskParts)} where ${visible} and t.owner_id = any(${sql.param([...ownerIds])}::bigint[]) and t.withdrawn_at is null order by t.sprint_id, t.id`,
  );
  return rows;
}

/** The person's tasks of this sprint, and the open ones of the latest `weeks` sprints that ended before `now`; newest first. */
export async function tasksOfWeek(
  queries: Queries,
  week: { ownerId: string; sprintId: string; open: readonly TaskStatus[]; now: string; weeks: number },
): Promise<TaskRow[]> {
  const { ownerId, sprintId, open, now, weeks } = week;
  const { rows } = await executePrepared<TaskRow>(
    queries,
    sql`
    select ${selectOf(allTaskParts)}
    where t.owner_id = ${ownerId} and t.withdrawn_at is null and (t.sprint_id = ${sprintId} or (
      t.status = any(${sql.param([...open])}::task_status[])
      and t.sprint_id in (select id from sprints where end_at <= ${now} order by end_at desc limit ${weeks})))
    order by t.created_at desc, t.id desc`,
  );
  return rows;
}

/** What waits for this person's decision, oldest first. */
export async function findAwaiting(
  queries: Queries,
  deciderId: string,
  alsoUnapproved: boolean,
  page: Page,
  parts: readonly TaskPart[],
): Promise<TaskRow[]> {
  const { rows } = await executePrepared<TaskRow>(
    queries,
    sql`
    select ${selectOf(parts)}
    where ${awaits} and t.owner_id in (${ownersDecidedBy(deciderId, alsoUnapproved)})
    order by t.status_at, t.id ${pageOf(page)}`,
  );
  return rows;
}

/** How many wait, by the status they wait in. */
export async function countAwaiting(
  queries: Queries,
  deciderId: string,
  alsoUnapproved: boolean,
): Promise<Partial<Record<TaskStatus, number>>> {
  const { rows } = await executePrepared<{ status: TaskStatus; count: number }>(
    queries,
    sql`
    select t.status, count(*)::int as count from tasks t
    where ${awaits} and t.owner_id in (${ownersDecidedBy(deciderId, alsoUnapproved)})
    group by t.status`,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** The person's tasks in these statuses, of the sprints that have not ended. */
export async function countOwned(
  queries: Queries,
  ownerId: string,
  statuses: readonly TaskStatus[],
  now: string,
): Promise<number> {
  const { rows } = await queries.execute<{ count: number }>(sql`
    select count(*)::int as count from tasks t join sprints s on s.id = t.sprint_id
    where t.owner_id = ${ownerId}::bigint and t.withdrawn_at is null and s.end_at > ${now}::timestamptz
      and t.status = any(${sql.param([...statuses])}::task_status[])`);
  return rows[0]?.count ?? 0;
}

export type HistoryRow = {
  id: string;
  taskId: string;
  at: string;
  actorId: string | null;
  actorName: string;
  event: TaskEventKind;
  from: TaskStatus;
  to: TaskStatus;
  change: string | null;
  /** JSON of the values, as text. */
  before: string;
  after: string;
  version: number;
  waited: string;
  correction: boolean;
};

const historyColumns = sql.raw(`
  h.id, h.task_id as "taskId", h.at, h.actor_id as "actorId", h.actor_name as "actorName", h.event, h.from_status as "from", h.to_status as "to",
  h.change, h.before::text as before, h.after::text as after, h.version, h.waited, h.correction`);

/** The history of these tasks, oldest first. */
export async function historyOf(queries: Queries, taskIds: readonly string[]): Promise<HistoryRow[]> {
  const { rows } = await executePrepared<HistoryRow>(
    queries,
    sql`select ${historyColumns} from task_history h where h.task_id = any(${sql.param([...taskIds])}::bigint[]) order by h.id`,
  );
  return rows;
}

export type DecidedRow = { readonly entry: HistoryRow; readonly task: TaskRow };

/** What this person decided among the tasks still visible, newest first, each with the task as it is now. */
export async function findDecided(
  queries: Queries,
  visible: SQL,
  actorId: string,
  events: readonly TaskEventKind[],
  page: Page,
): Promise<DecidedRow[]> {
  const { rows } = await executePrepared<TaskRow & { entry: HistoryRow }>(
    queries,
    sql`
    select ${sql.raw(columnsOf(allTaskParts))}, entry.json as entry
    from task_history h join (${sql.raw(tablesOf(allTaskParts))}) on t.id = h.task_id
    cross join lateral (select row_to_json(e) as json from (select h.id::text, h.task_id::text as "taskId", h.at, h.actor_id::text as "actorId",
      h.actor_name as "actorName", h.event, h.from_status as "from", h.to_status as "to", h.change, h.before::text as before,
      h.after::text as after, h.version, h.waited::text as waited, h.correction) e) entry
    where h.actor_id = ${actorId} and h.event = any(${sql.param([...events])}::task_event[]) and ${visible} and t.withdrawn_at is null
    order by h.at desc, h.id desc ${pageOf(page)}`,
  );
  return rows.map(({ entry, ...task }) => ({ entry, task }));
}
