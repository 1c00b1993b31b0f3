// SQL of changing approvers, and of approver management. Only this file writes the table `approvers`;
// reads use the view `effective_approvers`.
import { type SQL, sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import type { SettingKey } from '#core/admin/settings.ts';
import { decisionEvents } from '#core/tasks/task.ts';
import { awaitingStatuses, type TaskStatus } from '#core/tasks/task-status.ts';
import { canSignInSql } from '#server/platform/can-sign-in.ts';
import type { Queries } from '#server/platform/db/database.ts';

const idList = (ids: readonly string[]): SQL => sql`${sql.param([...ids])}::bigint[]`;
/** The approvers a person `p` was given, without the default one: shown where they are edited. */
export const givenApproverIds = sql`array(select a.approver_id::text from approvers a where a.person_id = p.id order by a.approver_id)`;
const own = sql`${givenApproverIds} as "ownApproverIds"`;
const names = sql`p.id::text as id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role, p.disabled_at is not null as disabled`;
const canSignIn = sql`${sql.raw(canSignInSql('p'))} as "canSignIn"`;
const stored = sql`coalesce(r.permissions, '{}') || p.grants as "storedPermissions"`;

export type ApproverRow = {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: string | null;
  readonly disabled: boolean;
  readonly storedPermissions: readonly string[];
  readonly ownApproverIds: string[];
};

/** Whether a person `p` approves someone by name. */
export const approvesSomeone = sql`exists (select from approvers a where a.approver_id = p.id) as approves`;

/** The approvers that this person took away from someone since then. */
export async function readTakenOff(queries: Queries, by: string, since: string): Promise<ReadonlySet<string>> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    select distinct taken.id from audit_log l, jsonb_array_elements_text(l.before -> 'approverIds') taken(id)
    where l.actor_id = ${by}::bigint and l.action = 'approversChanged' and l.at >= ${since}::timestamptz
      and not exists (select from jsonb_array_elements_text(l.after -> 'approverIds') kept(id) where kept.id = taken.id)`);
  return new Set(rows.map(({ id }) => id));
}

/** These people, locked until the transaction ends: their approvers and disabled state can't change. */
export async function lockPeople(
  queries: Queries,
  ids: readonly string[],
): Promise<(ApproverRow & { readonly approves: boolean })[]> {
  await queries.execute(
    sql`select p.id from people p where p.id = any(${idList(ids)}) order by p.id for no key update`,
  );
  // Read after locking: a waiting statement would see the approvers from before the wait.
  const { rows } = await queries.execute<ApproverRow & { approves: boolean }>(
    sql`select ${names}, ${stored}, ${own}, ${approvesSomeone} from people p left join roles r on r.name = p.role where p.id = any(${idList(ids)})`,
  );
  return rows;
}

/** Replaces these people's approvers. */
export async function saveApprovers(
  queries: Queries,
  approversOf: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const rows = [...approversOf].flatMap(([personId, ids]) => ids.map((approverId) => [personId, approverId] as const));
  const given = sql`unnest(${idList(rows.map(([personId]) => personId))}, ${idList(rows.map(([, id]) => id))})`;
  await queries.execute(sql`
    delete from approvers where person_id = any(${idList([...approversOf.keys()])})
      and (person_id, approver_id) not in (select * from ${given})`);
  await queries.execute(
    sql`insert into approvers (person_id, approver_id) select * from ${given} on conflict do nothing`,
  );
}

/** This person's effective approvers, by name. */
export async function readApproversOf(
  queries: Queries,
  personId: string,
): Promise<(ApproverRow & { readonly canSignIn: boolean })[]> {
  const { rows } = await queries.execute<ApproverRow & { readonly canSignIn: boolean }>(sql`
    select ${names}, ${stored}, ${own}, ${canSignIn} from people p left join roles r on r.name = p.role
    where p.id in (select a.approver_id from effective_approvers a where a.person_id = ${personId}::bigint)
    order by lower(p.last_name), lower(p.first_name), p.id`);
  return rows;
}

/** Admins who can sign in, other than this person. */
export async function readAdminsBut(queries: Queries, personId: string, limit: number): Promise<ApproverRow[]> {
  const { rows } = await queries.execute<ApproverRow>(sql`
    select ${names}, ${stored}, ${own} from people p left join roles r on r.name = p.role
    where p.role = ${adminRole} and p.id <> ${personId}::bigint and ${sql.raw(canSignInSql('p'))}
    order by lower(p.last_name), lower(p.first_name), p.id limit ${limit}`);
  return rows;
}

export type ManagedRow = ApproverRow & {
  readonly canSignIn: boolean;
  readonly team: string | null;
  readonly toApprove: number;
  readonly toSignOff: number;
  readonly decided: number;
  /** Seconds that tasks waited for this person's decisions. */
  readonly medianWaited: number | null;
  readonly p90Waited: number | null;
};

const literals = (values: readonly string[]): SQL => sql.raw(values.map((value) => `'${value}'`).join(', '));
const [toApprove, toSignOff] = awaitingStatuses;

/**
 * The people of approver management, by name: enabled accounts, and disabled ones that approve someone or
 * have waiting tasks. Waiting counts are theirs; others' wait times count from `since`.
 */
export async function readManaged(
  queries: Queries,
  since: string,
  defaultApproverId: string | null,
): Promise<ManagedRow[]> {
  const { rows } = await queries.execute<ManagedRow>(sql`
    with waiting as (
      select t.owner_id, count(*) filter (where t.status = ${literals([toApprove as string])})::int as to_approve,
        count(*) filter (where t.status = ${literals([toSignOff as string])})::int as to_sign_off
      from tasks t where t.status in (${literals(awaitingStatuses)}) and t.withdrawn_at is null group by t.owner_id),
    clock as (
      select h.actor_id, count(*)::int as decided, percentile_cont(0.5) within group (order by h.waited) as median,
        percentile_cont(0.9) within group (order by h.waited) as p90
      from task_history h where h.event in (${literals(decisionEvents)}) and h.at >= ${since}::timestamptz group by h.actor_id)
    select ${names}, ${stored}, ${own}, ${canSignIn}, p.team, coalesce(w.to_approve, 0) as "toApprove", coalesce(w.to_sign_off, 0) as "toSignOff",
      coalesce(c.decided, 0) as decided, c.median as "medianWaited", c.p90 as "p90Waited"
    from people p left join roles r on r.name = p.role left join waiting w on w.owner_id = p.id left join clock c on c.actor_id = p.id
    where p.disabled_at is null or w.owner_id is not null or p.id = ${defaultApproverId}::bigint
      or exists (select from approvers a where a.approver_id = p.id)
    order by lower(p.last_name), lower(p.first_name), p.id`);
  return rows;
}

export type PendingRow = {
  readonly id: string;
  readonly title: string;
  readonly status: TaskStatus;
  readonly statusAt: string;
  readonly ownerId: string;
  readonly sprintId: string;
  readonly ownerApproverIds: string[];
};

/** What waits for these people's approvers, oldest first. */
export async function readPending(queries: Queries, ownerIds: readonly string[], limit: number): Promise<PendingRow[]> {
  const { rows } = await queries.execute<PendingRow>(sql`
    select t.id::text as id, t.title, t.status, t.status_at as "statusAt", t.owner_id::text as "ownerId", t.sprint_id::text as "sprintId",
      array(select a.approver_id::text from effective_approvers a where a.person_id = t.owner_id) as "ownerApproverIds"
    from tasks t where t.status in (${literals(awaitingStatuses)}) and t.withdrawn_at is null and t.owner_id = any(${idList(ownerIds)})
    order by t.status_at, t.id limit ${limit}`);
  return rows;
}

const chosenKey: SettingKey = 'defaultApprover';
const environmentKey = 'defaultApproverOfEnvironment';

/** The choice made in the product (undefined: none, null: nobody) and the environment's value. */
export async function readDefaultApprover(queries: Queries): Promise<{
  readonly chosen: string | null | undefined;
  readonly ofEnvironment: string | null;
  readonly version: number;
}> {
  const { rows } = await queries.execute<{ key: string; id: string | null; isSet: boolean; version: number }>(sql`
    select s.key, s.value #>> '{}' as id, s.value is not null as "isSet", s.version from settings s
    where s.key in (${chosenKey}, ${environmentKey})`);
  const [chosen, environment] = [chosenKey, environmentKey].map((key) => rows.find((row) => row.key === key));
  return {
    chosen: chosen?.isSet ? chosen.id : undefined,
    ofEnvironment: environment?.id ?? null,
    version: chosen?.version ?? 0,
  };
}

/** Stores the environment's value for the view; null removes it. Returns false for an unknown id. */
export async function keepEnvironmentDefault(queries: Queries, id: string | null): Promise<boolean> {
  await queries.execute(
    sql`delete from settings where key = ${environmentKey} and value is distinct from to_jsonb(${id}::text)`,
  );
  if (id === null) return true;
  const { rows } = await queries.execute(sql`
    insert into settings (key, value) select ${environmentKey}, to_jsonb(p.id::text) from people p where p.id = ${id}::bigint
    on conflict (key) do update set value = excluded.value returning key`);
  return rows.length === 1;
}
