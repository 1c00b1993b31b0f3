// SQL of changing approvers. Only this file writes the table `approvers`; reads use the view
// `effective_approvers`.
import { type SQL, sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import type { SettingKey } from '#core/admin/settings.ts';
import type { ApproverFacts } from '#core/people/approvers.ts';
import { awaitingStatuses, type TaskStatus } from '#core/tasks/task-status.ts';
import { takenOffLately } from '#server/access/auth/account-control.ts';
import { canSignInSql } from '#server/platform/can-sign-in.ts';
import type { Clock } from '#server/platform/db/clock.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { literals } from '#server/platform/db/literals.ts';
import { mayDecide, mayManagePeople } from '#server/platform/may-decide.ts';

export const idList = (ids: readonly string[]): SQL => sql`${sql.param([...ids])}::bigint[]`;
/** The approvers a person `p` was given, without the default one: shown where they are edited. */
export const givenApproverIds = sql`array(select a.approver_id::text from approvers a where a.person_id = p.id order by a.approver_id)`;
/** Their names, in the same order. */
export const givenApprovers = sql`(
  select coalesce(json_agg(json_build_object('firstName', q.first_name, 'lastName', q.last_name, 'email', q.email,
    'disabled', q.disabled_at is not null) order by q.id), '[]')
  from approvers a join people q on q.id = a.approver_id where a.person_id = p.id)`;
export const hasNoApprover = sql`not exists (select from approvers a where a.person_id = p.id)`;
const own = sql`${givenApproverIds} as "ownApproverIds"`;
const names = sql`p.id::text as id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role, p.disabled_at is not null as disabled`;
const canSignIn = sql`${sql.raw(canSignInSql('p'))} as "canSignIn"`;
const stored = sql`coalesce(r.permissions, '{}') || p.grants as "storedPermissions"`;

/** An `ApproverRow` with `canSignIn`, of the person `p` with the role `r`. */
export const approverColumns = sql`${names}, ${stored}, ${own}, ${canSignIn}`;

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

/** For a person `p` and their role `r`: whether they are in the list of permitted users (spec 3). */
export const hasTopFive = sql`(p.role is not distinct from ${adminRole} or ${topFivePermission} = any(coalesce(r.permissions, '{}') || p.grants))`;

/** Whether the person `p`, who has the role of an admin, is the only enabled one besides these people. */
const onlyAdminBut = (ids: readonly string[]): SQL => sql`not exists (select from people o
  where o.role = ${adminRole} and o.disabled_at is null and o.id <> p.id and o.id <> all(${idList(ids)}))`;
export const isOnlyAdmin = onlyAdminBut([]);

/**
 * For an enabled person `p` and their role `r`: whether someone has to decide on their tasks, once these
 * people are no admins.
 */
export const needsApproverWithout = (ids: readonly string[]): SQL =>
  sql`case when p.role = ${adminRole} then ${onlyAdminBut(ids)} else ${hasTopFive} end`;
export const needsApprover = needsApproverWithout([]);

/** The ids of those who can decide on tasks. */
export const deciders = sql`
  select p.id from people p left join roles r on r.name = p.role where ${mayDecide} and ${sql.raw(canSignInSql('p'))}`;

/** Whether a person `p` approves someone by name. */
export const approves = sql`exists (select from approvers a where a.approver_id = p.id)`;
export const approvesSomeone = sql`${approves} as approves`;

const handOverKey: SettingKey = 'handOverHours';

/** `actsFor` of the core. The database's day may be the company's next one. */
export async function readActsFor(queries: Queries, personId: string): Promise<ApproverFacts['actsFor']> {
  const { rows } = await queries.execute<{ id: string; isNext: boolean }>(sql`
    with absent as (
      select person_id from absences where delegate_id = ${personId}::bigint and last_day >= current_date - 1)
    select person_id::text as id, false as "isNext" from absent
    union
    select e.person_id::text, e.approver_id = ${personId}::bigint from effective_approvers e
    where (e.approver_id = ${personId}::bigint or e.approver_id in (select person_id from absent))
      and exists (select from settings s where s.key = ${handOverKey} and s.value > '0'::jsonb)`);
  const delegated = new Set(rows.flatMap(({ id, isNext }) => (isNext ? [] : [id])));
  return new Map(rows.map(({ id }) => [id, delegated.has(id) ? 'delegate' : 'nextInLine'] as const));
}

/** The approvers that this person took away lately, with the people they were taken from. */
export async function readTakenOff(
  queries: Queries,
  clock: Clock,
  by: string,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await queries.execute<{ id: string; people: string[] }>(sql`
    select approver_id as id, array_agg(person_id) as people from ${takenOffLately(clock)} t
    where t.by = ${by}::bigint group by 1`);
  return new Map(rows.map(({ id, people }) => [id, new Set(people)]));
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
    select ${approverColumns} from people p left join roles r on r.name = p.role
    where p.id in (select a.approver_id from effective_approvers a where a.person_id = ${personId}::bigint)
    order by lower(p.last_name), lower(p.first_name), p.id`);
  return rows;
}

/** People other than this one who can sign in and manage people: admins last. */
export async function readContacts(queries: Queries, personId: string, limit: number): Promise<ApproverRow[]> {
  const { rows } = await queries.execute<ApproverRow>(sql`
    select ${names}, ${stored}, ${own} from people p left join roles r on r.name = p.role
    where ${mayManagePeople} and p.id <> ${personId}::bigint and ${sql.raw(canSignInSql('p'))}
    order by p.role is not distinct from ${adminRole}, lower(p.last_name), lower(p.first_name), p.id limit ${limit}`);
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

export type PendingRow = {
  readonly id: string;
  readonly title: string;
  readonly status: TaskStatus;
  readonly statusAt: string;
  readonly ownerId: string;
  readonly sprintId: string;
  readonly ownerApproverIds: string[];
};

/** Tasks that wait for a decision. Literals, to match their partial index. */
export const awaits = sql`t.status in (${literals(awaitingStatuses)}) and t.withdrawn_at is null`;

/** What waits for these people's approvers, oldest first. */
export async function readPending(queries: Queries, ownerIds: readonly string[], limit: number): Promise<PendingRow[]> {
  const { rows } = await queries.execute<PendingRow>(sql`
    select t.id::text as id, t.title, t.status, t.status_at as "statusAt", t.owner_id::text as "ownerId", t.sprint_id::text as "sprintId",
      array(select a.approver_id::text from effective_approvers a where a.person_id = t.owner_id) as "ownerApproverIds"
    from tasks t where ${awaits} and t.owner_id = any(${idList(ownerIds)})
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
