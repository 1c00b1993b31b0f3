// Which tasks were handed over, and who decides them too (D41). Nothing is stored: how long a task has waited
// decides, and a changed setting or approver counts immediately.
import { type SQL, sql } from 'drizzle-orm';
import { adminRole, type Viewer } from '#core/access/access.ts';
import { subtractWorkingHours } from '#core/base/working-hours.ts';
import { displayName } from '#core/people/people.ts';
import { canSeeTasksOf, decisionEvents, type HandOver, type TaskOwner } from '#core/tasks/task.ts';
import { awaitingStatuses, type TaskStatus } from '#core/tasks/task-status.ts';
import type { Delegation } from '#server/people/absences.service.ts';
import { type ActingPerson, actsFor } from '#server/platform/acts-for.ts';
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { literals } from '#server/platform/db/literals.ts';
import { executePrepared } from '#server/platform/db/prepared.ts';
import { mayDecide } from '#server/platform/may-decide.ts';
import { workCalendar } from '#server/platform/settings/settings.service.ts';
import { companyDay } from '#server/platform/viewer.ts';
import { awaits, hasWaitedSince } from './awaiting-tasks.ts';

type Ruling = Pick<Services, 'clock' | 'config' | 'settings'>;

/** `before`: tasks that have waited since then or longer are handed over. `today`: the company's day. */
export type HandOverDue = { readonly before: Temporal.Instant; readonly today: string };

/** Null while the setting is off. */
export function handOverDue({ clock, config, settings }: Ruling): HandOverDue | null {
  const { handOverHours } = settings();
  if (handOverHours === 0) return null;
  const before = subtractWorkingHours(clock.now(), handOverHours, workCalendar({ config, settings }));
  return { before, today: companyDay({ clock, config }) };
}

/** `waitsSince` of awaiting-tasks.ts. */
type Waiting = { readonly status: TaskStatus; readonly waitsSince: string; readonly withdrawn: boolean };

const isAwaiting = ({ status, withdrawn }: Waiting): boolean => !withdrawn && awaitingStatuses.includes(status);

/** Whether the task has waited so long that the next in line may decide it. */
export const waitsTooLong = (task: Waiting, due: HandOverDue): boolean =>
  isAwaiting(task) && Temporal.Instant.compare(Temporal.Instant.from(task.waitsSince), due.before) <= 0;

const waitedTooLong = (due: HandOverDue): SQL => sql`${awaits} and ${hasWaitedSince(due.before.toString())}`;

/** The absences of today, with the delegate if that one decides (`delegateProblem` of the core). */
const awayOn = (today: string): SQL => sql`(
  select x.person_id, (
      select p.id from people p left join roles r on r.name = p.role
      where p.id = x.delegate_id and p.disabled_at is null and ${mayDecide} and not exists (
        select from absences y where y.person_id = p.id and ${today}::date between y.first_day and y.last_day)) as delegate_id
  from absences x where ${today}::date between x.first_day and x.last_day) w`;

/** The approvers of people who may decide. Not planned into what it is part of. */
const deciding = ({ today }: HandOverDue, condition: SQL): SQL => sql`(
  select e.person_id, p.id as approver_id, w.person_id is not null as is_absent, w.delegate_id
  from effective_approvers e join people p on p.id = e.approver_id and p.disabled_at is null left join roles r on r.name = p.role
    left join ${awayOn(today)} on w.person_id = p.id
  where ${mayDecide} and ${condition} offset 0) n`;

/**
 * Rows of `owner_id`, the person next in line with `id`, and the `approver_id` whose approver that person is.
 * `is_away`: and no delegate decides for that person. The owner doesn't, and an approver already let it wait.
 */
const inLine = (approvers: SQL): SQL => sql`(
  select a.person_id as owner_id, n.approver_id as id, a.approver_id,
    n.is_absent and (n.delegate_id is null or n.delegate_id = a.person_id or exists (
      select from effective_approvers o where o.person_id = a.person_id and o.approver_id = n.delegate_id)) as is_away
  from effective_approvers a join lateral ${approvers} on n.person_id = a.approver_id
  where n.approver_id <> a.person_id and not exists (
    select from effective_approvers o where o.person_id = a.person_id and o.approver_id = n.approver_id))`;

/** For a few owners: each one's approvers are looked up. */
const inLineOfFew = (due: HandOverDue): SQL => inLine(deciding(due, sql`e.person_id = a.approver_id`));
/** For all owners: the approvers of everyone who approves someone are read once. */
const inLineOfAll = (due: HandOverDue): SQL =>
  inLine(deciding(due, sql`e.person_id in (select b.approver_id from effective_approvers b)`));

const approved = sql`(select a.person_id from effective_approvers a)`;

/** The ids of the tasks that were handed over to this person. */
export function handedOverTo(decider: ActingPerson, alsoToAdmins: boolean, due: HandOverDue): SQL {
  const overdue = sql`select t.id from tasks t where ${waitedTooLong(due)} and t.owner_id <> ${decider.id}`;
  const byPlace = sql`${overdue} and t.owner_id in (
    select a.person_id from effective_approvers n cross join lateral (
      select e.person_id from effective_approvers e where e.approver_id = n.person_id and e.person_id <> n.approver_id offset 0) a
    where ${actsFor(decider, sql`n.approver_id`)})`;
  if (!alsoToAdmins) return byPlace;
  return sql`${byPlace} union all ${overdue} and t.owner_id in ${approved}
    and t.owner_id not in (select l.owner_id from ${inLineOfAll(due)} l where not l.is_away)`;
}

const decidedFor = (actorId: string): SQL =>
  sql`h.actor_id = ${actorId} and h.for_id is not null and h.event in (${literals(decisionEvents)})`;

const isDecidedFor = (taskId: SQL, actorId: string): SQL =>
  sql`exists (select from task_history h where h.task_id = ${taskId} and ${decidedFor(actorId)})`;

/**
 * A condition on `t`: it was handed over to the viewer, or the viewer decided it when it was, and it doesn't
 * wait again. Admins see all tasks anyway.
 */
export const isHandedOverTo = (
  viewer: Viewer,
  due: HandOverDue,
): SQL => sql`(t.owner_id <> ${viewer.id} and t.withdrawn_at is null
  and case when ${awaits} then ${hasWaitedSince(due.before.toString())} else ${isDecidedFor(sql`t.id`, viewer.id)} end
  and exists (select from effective_approvers a join effective_approvers n on n.person_id = a.approver_id
    where a.person_id = t.owner_id and n.approver_id <> t.owner_id and ${actsFor(viewer, sql`n.approver_id`)}))`;

/** The `id` and `owner_id` of all these tasks, where a condition on each would be slow. */
export const handedOverTasks = (viewer: Viewer, due: HandOverDue): SQL => sql`
  select t.id, t.owner_id from tasks t
  where t.id in (${handedOverTo(viewer, false, due)} union all select h.task_id from task_history h where ${decidedFor(viewer.id)})
    and ${isHandedOverTo(viewer, due)}`;

type Name = { readonly id: string; readonly displayName: string };

/** With the names to show. */
export type NamedHandOver = HandOver & {
  readonly approvers: readonly Name[];
  readonly nextInLine: readonly (Name & { readonly approverId: string })[];
};

type NameRow = { id: string; firstName: string; lastName: string; email: string };
type Row = {
  ownerId: string;
  approvers: NameRow[] | null;
  nextInLine: (NameRow & { approverId: string; isAway: boolean })[] | null;
  hasAdmin: boolean;
};

const nameOf = sql.raw(`'id', p.id::text, 'firstName', p.first_name, 'lastName', p.last_name, 'email', p.email`);
const named = (row: NameRow): Name => ({ id: row.id, displayName: displayName(row) });

/** Who is next in line for these people; only of those with an approver. */
export async function readHandOvers(
  queries: Queries,
  ownerIds: readonly string[],
  due: HandOverDue,
): Promise<Map<string, NamedHandOver>> {
  const { rows } = await executePrepared<Row>(
    queries,
    sql`
    select o.id::text as "ownerId",
      (select json_agg(json_build_object(${nameOf}) order by p.id)
        from effective_approvers a join people p on p.id = a.approver_id where a.person_id = o.id) as approvers,
      (select json_agg(json_build_object(${nameOf}, 'approverId', l.approver_id::text, 'isAway', l.is_away) order by p.id, l.approver_id)
        from ${inLineOfFew(due)} l join people p on p.id = l.id where l.owner_id = o.id) as "nextInLine",
      exists (select from people p where p.role = ${adminRole} and p.disabled_at is null and p.id <> o.id and not exists (
        select from effective_approvers a where a.person_id = o.id and a.approver_id = p.id)) as "hasAdmin"
    from unnest(${sql.param([...ownerIds])}::bigint[]) as o (id)`,
  );
  return new Map(
    rows.flatMap((row) => {
      const handOver = handOverOfRow(row);
      return handOver ? [[row.ownerId, handOver] as const] : [];
    }),
  );
}

/** Null where nobody else could decide. */
function handOverOfRow({ approvers, nextInLine: all, hasAdmin }: Row): NamedHandOver | null {
  if (approvers === null || (all === null && !hasAdmin)) return null;
  // A person who approves several of the approvers is in line once.
  const people = (all ?? []).filter(({ id }, index, line) => line.findIndex((other) => other.id === id) === index);
  return {
    approvers: approvers.map(named),
    nextInLine: people.map((row) => ({ ...named(row), approverId: row.approverId })),
    toAdmins: hasAdmin && people.every(({ isAway }) => isAway),
  };
}

/** A task with what tells whether it was handed over. */
export type HandedTask = Waiting & {
  readonly id: string;
  readonly ownerId: string;
  readonly approverIds: readonly string[];
};

/**
 * The hand-over of a task, while it waits, and after a decision for the viewer who made it. Otherwise null.
 */
export async function handOverOf(
  context: Ruling,
  queries: Queries,
  viewer: Viewer,
  task: HandedTask,
): Promise<NamedHandOver | null> {
  const due = handOverDue(context);
  if (due === null || task.withdrawn) return null;
  const isDue = isAwaiting(task) ? waitsTooLong(task, due) : await hasDecidedFor(queries, viewer, task);
  return isDue ? ((await readHandOvers(queries, [task.ownerId], due)).get(task.ownerId) ?? null) : null;
}

async function hasDecidedFor(queries: Queries, viewer: Viewer, task: HandedTask): Promise<boolean> {
  if (canSeeTasksOf(viewer, { id: task.ownerId, approverIds: task.approverIds })) return false;
  const { rows } = await executePrepared<{ decided: boolean }>(
    queries,
    sql`select ${isDecidedFor(sql`${task.id}::bigint`, viewer.id)} as decided`,
  );
  return rows[0]?.decided === true;
}

/** The owner of a task that was read, as the rules need it. */
export async function ownerOfTask(
  context: Ruling & Pick<Services, 'database'>,
  viewer: Viewer,
  task: HandedTask,
): Promise<TaskOwner> {
  const handOver = await handOverOf(context, context.database.drizzle, viewer, task);
  return { id: task.ownerId, approverIds: task.approverIds, handOver };
}

/**
 * Rows of `decider_id` and `id`, one per task with this condition on `t` and person it was handed over to,
 * delegates included.
 */
export function handedOverByDecider(condition: SQL, due: HandOverDue, delegations: readonly Delegation[]): SQL {
  const ids = (key: 'approverId' | 'delegateId') => sql.param(delegations.map((one) => one[key]));
  const isNoApprover = (id: SQL) => sql`not exists (
    select from effective_approvers o where o.person_id = d.owner_id and o.approver_id = ${id})`;
  return sql`(
    with due as materialized (
        select t.id, t.owner_id from tasks t
        where ${waitedTooLong(due)} and ${condition} and t.owner_id in ${approved}),
      line as materialized (
        select l.* from (select distinct owner_id from due) o join ${inLineOfAll(due)} l on l.owner_id = o.owner_id),
      pairs as (
        select d.id, l.id as decider_id from due d join line l on l.owner_id = d.owner_id
        union
        select d.id, s.delegate_id from due d join line l on l.owner_id = d.owner_id
          join unnest(${ids('approverId')}::bigint[], ${ids('delegateId')}::bigint[]) as s (approver_id, delegate_id) on s.approver_id = l.id
        where s.delegate_id <> d.owner_id and ${isNoApprover(sql`s.delegate_id`)}
        union
        select d.id, p.id from due d join people p on p.role = ${adminRole} and p.id <> d.owner_id
        where not exists (select from line l where l.owner_id = d.owner_id and not l.is_away) and ${isNoApprover(sql`p.id`)})
    select decider_id, id from pairs)`;
}
