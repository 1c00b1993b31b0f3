// SQL of repeating tasks, which are added again when a sprint begins.
import { type SQL, sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import { applicationPermission, topFivePermission } from '#core/access/permissions.ts';
import { taskLimits } from '#core/base/limits.ts';
import type { Repeat } from '#core/tasks/repeat.ts';
import { workFields } from '#core/tasks/task.ts';
import { type Actor, insertAudits } from '#server/platform/audit/audit.service.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { shownName } from '#server/platform/db/pages.ts';
import { countedInSprint } from './task-changes.store.ts';

export type BegunSprint = { readonly id: string; readonly startAt: string };

/** The sprint at `now`, locked, if no server has added repeating tasks to it or is adding them. */
export async function lockBegunSprint(queries: Queries, now: string): Promise<BegunSprint | null> {
  const { rows } = await queries.execute<BegunSprint>(sql`
    select id, start_at as "startAt" from sprints
    where id = (select id from sprints where start_at <= ${now} and end_at > ${now} order by start_at desc limit 1)
      and repeated_at is null for no key update skip locked`);
  return rows[0] ?? null;
}

/** Which rules tasks of one sprint have. */
export type RepeatGroup = { readonly sprintId: string; readonly startAt: string; readonly repeats: Repeat };

export async function readRepeatGroups(queries: Queries): Promise<RepeatGroup[]> {
  const { rows } = await queries.execute<RepeatGroup>(sql`
    select g.sprint_id as "sprintId", g.repeats, s.start_at as "startAt"
    from (select distinct sprint_id, repeats from tasks where repeats is not null) g join sprints s on s.id = g.sprint_id`);
  return rows;
}

/** Whether person `p` keeps tasks, as `createRefusal` of the core says of a person's own. */
const keepsTasks = sql`p.disabled_at is null and (p.role = ${adminRole} or (
  exists (select from roles r where r.name = p.role
    and array[${applicationPermission}, ${topFivePermission}] <@ (r.permissions || p.grants))
  and exists (select from effective_approvers a where a.person_id = p.id)))`;

/** Whether person `p` is away on all of these days, or there are none. */
const isAwayOn = (days: readonly string[]): SQL => sql`not exists (
  select from unnest(${sql.param([...days])}::date[]) as d (day)
  where not exists (select from absences a where a.person_id = p.id and d.day between a.first_day and a.last_day))`;

export type DueTasks = {
  readonly groups: readonly RepeatGroup[];
  readonly sprintId: string;
  readonly workdays: readonly string[];
  readonly at: string;
  /** Only tasks after this id, and at most so many: they are locked until the transaction ends. */
  readonly after: string;
  readonly limit: number;
};
/** `last`: the id to go on after; null if these were all. */
export type AddedTasks = { readonly added: number; readonly last: string | null };

/**
 * Adds tasks of these groups to the sprint. Each new task takes over the rule of the one before it. No part
 * joins two others: PostgreSQL knows the size of neither, and could compare each row of one with all of the
 * other.
 */
export async function insertDueTasks(
  queries: Queries,
  { groups, sprintId, workdays, at, after, limit }: DueTasks,
  actor: Actor,
): Promise<AddedTasks> {
  const ids = sql.param(groups.map((group) => group.sprintId));
  const rules = sql.param(groups.map(({ repeats }) => repeats));
  const auditRows = sql`(
    select f.new_id::text as subject_id,
      jsonb_build_object('sprintId', ${sprintId}::bigint, 'repeats', f.repeats, 'repeatOf', f.id) as after
    from fitting f) x`;
  const work = sql.raw(workFields.join(', '));
  const { rows } = await queries.execute<AddedTasks>(sql`
    with due as (
      select t.id, t.owner_id, ${sql.raw(workFields.map((field) => `t.${field}`).join(', '))}, t.repeats
      from tasks t join people p on p.id = t.owner_id
      where (t.sprint_id, t.repeats) in (select * from unnest(${ids}::bigint[], ${rules}::task_repeat[]))
        and t.id > ${after} and ${keepsTasks} and not ${isAwayOn(workdays)}
      order by t.id limit ${limit} for no key update of t),
    placed as (
      select due.*, row_number() over (partition by owner_id order by id)
        + (select count(*) from tasks x where x.owner_id = due.owner_id and x.sprint_id = ${sprintId} and ${countedInSprint}) as place from due),
    fitting as (
      select placed.*, nextval(pg_get_serial_sequence('tasks', 'id')) as new_id from placed
      where place <= ${taskLimits.tasksInSprint} order by id),
    passed_on as (update tasks set repeats = null where id in (select id from fitting)),
    made as (
      insert into tasks (id, owner_id, sprint_id, ${work}, repeats, created_by, created_at, status_at)
      overriding system value
      select new_id, owner_id, ${sprintId}, ${work}, repeats, owner_id, ${at}, ${at} from fitting
      returning id, owner_id, sprint_id, ${work}, repeats, status, version, created_at),
    audited as (${insertAudits(actor, { action: 'taskRepeated', subjectType: 'task' }, auditRows)}),
    logged as (
      insert into task_history (task_id, sprint_id, at, actor_id, actor_name, event, from_status, to_status, after, version)
    select m.id, m.sprint_id, m.created_at, p.id, ${sql.raw(shownName('p'))},
      'created', m.status, m.status,
      jsonb_build_object(${sql.raw(workFields.map((field) => `'${field}', m.${field}`).join(', '))}, 'repeats', m.repeats), m.version
      from made m join people p on p.id = m.owner_id)
    select (select count(*)::int from made) as added,
      (select case when count(*) = ${limit} then max(id)::text end from due) as last`);
  return rows[0]!;
}

/** The rules of a person's tasks, if this person keeps tasks and isn't away on all of these days. */
export async function readOwnRepeats(
  queries: Queries,
  ownerId: string,
  workdays: readonly string[],
): Promise<Omit<RepeatGroup, 'sprintId'>[]> {
  const { rows } = await queries.execute<Omit<RepeatGroup, 'sprintId'>>(sql`
    select t.repeats, s.start_at as "startAt"
    from tasks t join people p on p.id = t.owner_id join sprints s on s.id = t.sprint_id
    where t.owner_id = ${ownerId} and t.repeats is not null and ${keepsTasks} and not ${isAwayOn(workdays)}`);
  return rows;
}

/** How many of the person's tasks repeat. Locked, so concurrent calls can't exceed the limit. */
export async function countRepeating(queries: Queries, ownerId: string): Promise<number> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`repeating tasks of ${ownerId}`}, 0))`);
  const { rows } = await queries.execute<{ count: number }>(
    sql`select count(*)::int as count from tasks where owner_id = ${ownerId} and repeats is not null`,
  );
  return rows[0]!.count;
}

/** Whether a sprint began with task `t` again: it has no rule, and nobody stopped its last one. */
const hasPassedOn = sql`t.repeats is null and (select h.after->>'repeats' from task_history h
  where h.task_id = t.id and h.event in ('created', 'repeatSet', 'repeatStopped') order by h.id desc limit 1) is not null`;

/** `line`: these tasks if they have passed on, and their later ones until one that wasn't withdrawn. */
const lineOf = (taskIds: readonly string[]): SQL => sql`
  recursive line (first_id, id, owner_id, withdrawn, repeats) as (
    select t.id, t.id, t.owner_id, true, t.repeats from tasks t where t.id = any(${sql.param([...taskIds])}::bigint[]) and ${hasPassedOn}
    union all
    select l.first_id, c.id, c.owner_id, c.withdrawn_at is not null, c.repeats
    from line l join tasks c on c.owner_id = l.owner_id and c.id > l.id
      join audit_log a on a.subject_type = 'task' and a.subject_id = c.id::text and a.action = 'taskRepeated'
        and a.after->>'repeatOf' = l.id::text
    where l.withdrawn)`;

/** Whether a sprint began with this task again, unless those were withdrawn and no longer repeat. */
export async function readPassedOn(queries: Queries, taskId: string): Promise<boolean> {
  const { rows } = await queries.execute(
    sql`with ${lineOf([taskId])} select from line where not withdrawn or repeats is not null`,
  );
  return rows.length > 0;
}

/** Those of these tasks that a later sprint has again, unless all of those were withdrawn. */
export async function readAddedAgain(queries: Queries, taskIds: readonly string[]): Promise<string[]> {
  const { rows } = await queries.execute<{ id: string }>(
    sql`with ${lineOf(taskIds)} select distinct first_id::text as id from line where not withdrawn`,
  );
  return rows.map(({ id }) => id);
}

/** Whether a task that this one repeats was carried over to its sprint or a later one. Locks those tasks. */
export async function lockCarriedOver(queries: Queries, taskId: string): Promise<boolean> {
  const { rows: earlier } = await queries.execute<{ id: string }>(sql`
    with recursive earlier (id) as (
      select ${taskId}::text
      union
      select a.after->>'repeatOf' from earlier e join audit_log a
        on a.subject_type = 'task' and a.subject_id = e.id and a.action = 'taskRepeated')
    select t.id::text as id from tasks t where t.id in (select id::bigint from earlier) and t.id <> ${taskId}
    order by t.id for no key update of t`);
  if (earlier.length === 0) return false;
  // Read after locking: one that was just carried over is in its new sprint.
  const { rows } = await queries.execute(sql`
    select from tasks t join sprints s on s.id = t.sprint_id
    where t.id = any(${sql.param(earlier.map(({ id }) => id))}::bigint[]) and t.withdrawn_at is null
      and s.start_at >= (select start_at from sprints where id = (select sprint_id from tasks where id = ${taskId}))`);
  return rows.length > 0;
}

export async function markRepeated(queries: Queries, sprintId: string, at: string): Promise<void> {
  await queries.execute(sql`update sprints set repeated_at = ${at} where id = ${sprintId}`);
}
