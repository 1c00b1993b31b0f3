// SQL of reminders: what waits for a decision, and the end of a sprint.
import { sql } from 'drizzle-orm';
import type { NoticeKind } from '#core/notifications/notices.ts';
import { taskStatuses } from '#core/tasks/task-status.ts';
import type { Delegation } from '#server/people/absences.service.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { literals } from '#server/platform/db/literals.ts';
import { awaitingByDecider, hasWaitedSince } from '#server/tasks/awaiting-tasks.ts';
import { type HandOverDue, handedOverByDecider } from '#server/tasks/hand-over.ts';

/** Takes the run with this name, or reports that it is taken or done. Takes effect on commit. */
export async function takeRun(queries: Queries, key: string, at: string): Promise<boolean> {
  const { rowCount } = await queries.execute(
    sql`insert into notice_runs (key, at) values (${key}, ${at}::timestamptz) on conflict (key) do nothing`,
  );
  return rowCount === 1;
}

export async function isRunDone(queries: Queries, key: string): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`select 1 from notice_runs where key = ${key}`);
  return (rowCount ?? 0) > 0;
}

const person = sql.raw(`p.id::text, p.role, coalesce(r.permissions, '{}') || p.grants as stored`);
const joinedRole = sql.raw('left join roles r on r.name = p.role');

export type DeciderRow = {
  id: string;
  role: string | null;
  stored: string[];
  count: number;
  newest: string;
  lastAt: string | null;
  lastUpTo: string | null;
};

/** People with decisions due by `slot`, with what their last digest contained. */
export async function decidersWithWork(
  queries: Queries,
  slot: string,
  delegations: readonly Delegation[],
): Promise<DeciderRow[]> {
  const { rows } = await queries.execute<DeciderRow>(sql`
    with pairs as (${awaitingByDecider(sql`t.status_at`, sql`t.status_at <= ${slot}::timestamptz`, delegations)}),
      work as (select decider_id, count(*)::int as count, max(status_at) as newest from pairs group by decider_id)
    select ${person}, work.count, work.newest, last.at as "lastAt", last.facts->>'upTo' as "lastUpTo"
    from work join people p on p.id = work.decider_id and p.disabled_at is null ${joinedRole}
      left join lateral (
        select n.at, n.facts from notices n where n.person_id = p.id and n.kind = 'waiting' order by n.id desc limit 1) last on true`);
  return rows;
}

/** Runs of hand-overs are marked with the waiting time until which they told: that of the last one, or null. */
export async function lastHandOver(queries: Queries): Promise<string | null> {
  const { rows } = await queries.execute<{ at: string | null }>(
    sql`select max(at) as at from notice_runs where key like 'handedOver:%'`,
  );
  return rows[0]?.at ?? null;
}

/** The people who tasks were handed over to since the last run, with how many. */
export async function peopleHandedOverTo(
  queries: Queries,
  since: string | null,
  due: HandOverDue,
  delegations: readonly Delegation[],
): Promise<Pick<DeciderRow, 'id' | 'role' | 'stored' | 'count'>[]> {
  const { rows } = await queries.execute<Pick<DeciderRow, 'id' | 'role' | 'stored' | 'count'>>(sql`
    with handed as (${handedOverByDecider(since === null ? sql`true` : sql`not ${hasWaitedSince(since)}`, due, delegations)}),
      work as (select decider_id, count(*)::int as count from handed group by decider_id)
    select ${person}, work.count from work join people p on p.id = work.decider_id and p.disabled_at is null ${joinedRole}`);
  return rows;
}

/** Keeps only the newest of a kind that counts everything that waits. */
export async function hideEarlier(
  queries: Queries,
  personIds: readonly string[],
  kind: NoticeKind,
  { key, at }: { readonly key: string; readonly at: string },
): Promise<void> {
  await queries.execute(sql`
    update notices set in_app = false, read_at = coalesce(read_at, ${at}::timestamptz)
    where person_id = any(${sql.param([...personIds])}::bigint[]) and kind = ${kind} and (in_app or mail_at is not null) and key <> ${key}`);
}

export type SprintRow = { id: string; name: string; endAt: string };

export async function sprintAtInstant(queries: Queries, now: string): Promise<SprintRow | undefined> {
  const { rows } = await queries.execute<SprintRow>(sql`
    select id::text, name, end_at as "endAt" from sprints where start_at <= ${now}::timestamptz and end_at > ${now}::timestamptz
    order by start_at desc limit 1`);
  return rows[0];
}

export type ConcernedRow = { id: string; role: string | null; stored: string[]; open: number; waiting: number };

const open = literals(
  Object.entries(taskStatuses)
    .filter(([, status]) => status.open)
    .map(([key]) => key),
);

/** People with open tasks of this sprint, or tasks of it to decide, also handed-over ones. */
export async function peopleWithOpenWork(
  queries: Queries,
  sprintId: string,
  due: HandOverDue | null,
  delegations: readonly Delegation[],
): Promise<ConcernedRow[]> {
  const ofSprint = sql`t.sprint_id = ${sprintId}::bigint`;
  // Each task once, also for a delegate who is next in line too.
  const handedOver = due && sql`union ${handedOverByDecider(ofSprint, due, delegations)}`;
  const { rows } = await queries.execute<ConcernedRow>(sql`
    with own as (
        select owner_id as id, count(*)::int as count from tasks
        where sprint_id = ${sprintId} and withdrawn_at is null and status in (${open}) group by owner_id),
      pairs as (${awaitingByDecider(sql`t.id`, ofSprint, delegations)} ${handedOver ?? sql``}),
      work as (select decider_id as id, count(*)::int as count from pairs group by decider_id)
    select ${person}, coalesce(own.count, 0) as open, coalesce(work.count, 0) as waiting
    from own full join work on work.id = own.id
      join people p on p.id = coalesce(own.id, work.id) and p.disabled_at is null ${joinedRole}`);
  return rows;
}
