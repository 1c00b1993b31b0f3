// SQL of approver management: which people and approvers a page has, in which order, and the counts. What a
// person's state means is decided in core/people/approver-map.ts; a test compares the two.
import { type SQL, sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import { searchParts } from '#core/base/search-words.ts';
import type { MapApproversChoice, MapCounts, MapPeopleChoice } from '#core/people/approver-map.ts';
import type { approverFilters } from '#core/people/people-search.ts';
import { decisionEvents } from '#core/tasks/task.ts';
import { awaitingStatuses } from '#core/tasks/task-status.ts';
import { canSignInSql } from '#server/platform/can-sign-in.ts';
import { contains } from '#server/platform/db/contains.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { literals } from '#server/platform/db/literals.ts';
import { byKey, folded, nameByLast, shownName } from '#server/platform/db/pages.ts';
import { mayDecide } from '#server/platform/may-decide.ts';
import {
  type ApproverRow,
  approverColumns,
  approves,
  awaits,
  deciders,
  hasNoApprover,
  idList,
  isOnlyAdmin,
  needsApprover,
} from './approvers.store.ts';

const canSignIn = sql.raw(canSignInSql('p'));

/** The ids of people with tasks but no approver who can decide: `isUnapproved` of the core. */
export const unapproved = sql`(
  select p.id from people p left join roles r on r.name = p.role
  where p.disabled_at is null and ${needsApprover}
    and p.id not in (
      select e.person_id from effective_approvers e where e.approver_id in (${deciders})))`;

/** The map has enabled accounts, and disabled ones that approve someone or have waiting tasks. */
const isManaged = (defaultApproverId: string | null): SQL => sql`(
  p.disabled_at is null or p.id = ${defaultApproverId}::bigint or ${approves}
  or exists (select from tasks t where t.owner_id = p.id and ${awaits}))`;

const [toApprove, toSignOff] = awaitingStatuses.map((status) => literals([status]));
const waitingCounts = sql`
  count(*) filter (where t.status = ${toApprove})::int as to_approve,
  count(*) filter (where t.status = ${toSignOff})::int as to_sign_off`;
/** Rows of `owner_id`: everyone with waiting tasks. */
const waiting = sql`(select t.owner_id, ${waitingCounts} from tasks t where ${awaits} group by t.owner_id)`;

export type ManagedRow = ApproverRow & {
  readonly canSignIn: boolean;
  readonly team: string | null;
  readonly toApprove: number;
  readonly toSignOff: number;
  readonly isOnlyAdmin: boolean;
};

/** These people, with their tasks that wait. */
export async function readManaged(queries: Queries, ids: readonly string[]): Promise<ManagedRow[]> {
  const { rows } = await queries.execute<ManagedRow>(sql`
    select ${approverColumns}, p.team, w.to_approve as "toApprove", w.to_sign_off as "toSignOff",
      p.role is not distinct from ${adminRole} and ${isOnlyAdmin} as "isOnlyAdmin"
    from people p left join roles r on r.name = p.role
      cross join lateral (select ${waitingCounts} from tasks t where t.owner_id = p.id and ${awaits}) w
    where p.id = any(${idList(ids)})`);
  return rows;
}

/** The approvers of everyone who approves someone: enough to find the circles. */
export async function readApproversOfApprovers(queries: Queries): Promise<Map<string, string[]>> {
  const { rows } = await queries.execute<{ id: string; approverIds: string[] }>(sql`
    select e.person_id::text as id, array_agg(e.approver_id::text) as "approverIds" from effective_approvers e
    where e.person_id in (select approver_id from effective_approvers) group by e.person_id`);
  return new Map(rows.map(({ id, approverIds }) => [id, approverIds]));
}

export async function readMapCounts(
  queries: Queries,
  defaultApproverId: string | null,
): Promise<Omit<MapCounts, 'circle'>> {
  const { rows } = await queries.execute<Omit<MapCounts, 'circle'>>(sql`
    with managed as materialized (
      select p.id, p.disabled_at is not null as disabled, ${hasNoApprover} as has_none,
        coalesce(w.to_approve + w.to_sign_off, 0) as tasks
      from people p left join ${waiting} w on w.owner_id = p.id where ${isManaged(defaultApproverId)}),
    approving as materialized (
      select e.approver_id from effective_approvers e where e.person_id in (select id from managed)
      union select id from managed where id = ${defaultApproverId}::bigint)
    select count(*) filter (where not disabled)::int as active, count(*) filter (where disabled)::int as disabled,
      count(*) filter (where has_none)::int as none, count(*) filter (where tasks > 0)::int as waiting,
      coalesce(sum(tasks), 0)::int as tasks, (select count(*)::int from ${unapproved} u) as undecided,
      (select count(*)::int from approving) as approvers,
      (select count(*)::int from people p left join roles r on r.name = p.role
        where p.id in (select approver_id from approving)
          and (p.disabled_at is not null or not ${mayDecide} or not ${canSignIn})) as unable
    from managed`);
  return rows[0]!;
}

const always = sql`true`;

/** The ids of a page in order, one more than `limit` if there are more, and how many match. */
export type MapPage<Row = string> = { readonly found: readonly Row[]; readonly total: number };

type Listing = {
  readonly key: SQL | null;
  readonly desc: boolean | undefined;
  readonly from: SQL;
  readonly where: SQL;
};

const inOrder = ({ key, desc, from, where }: Listing, columns: SQL = sql``): SQL =>
  sql`select p.id, row_number() over (order by ${byKey(key, desc)}) as place ${columns} from ${from} where ${where}`;

type Paging = { readonly after?: string | undefined; readonly limit: number };

/** The rows of `ordered` after the one that the last page ended with. */
const pageOf = ({ after, limit }: Paging): SQL => sql`(
  select * from ordered
  where ${after === undefined ? always : sql`place > (select place from ordered where id = ${after}::bigint)`}
  order by place limit ${limit + 1})`;

type Asked<Choice> = Omit<Choice, 'limit'> & { readonly limit: number; readonly defaultApproverId: string | null };

/** `circleIds`: the people in circles, where they are asked for. */
export async function readPeoplePage(
  queries: Queries,
  choice: Asked<MapPeopleChoice> & { readonly circleIds: readonly string[] },
): Promise<MapPage> {
  const { id, approverId, show, search = '', sort, desc, defaultApproverId, circleIds } = choice;
  const shown: Readonly<Record<(typeof approverFilters)[number], SQL>> = {
    undecided: sql`p.id in ${unapproved}`,
    none: hasNoApprover,
    circle: sql`p.id = any(${idList(circleIds)})`,
    waiting: sql`exists (select from tasks t where t.owner_id = p.id and ${awaits})`,
  };
  const keys: Readonly<Record<NonNullable<typeof sort>, SQL>> = {
    person: folded(nameByLast('p')),
    team: folded('p.team'),
    approvers: folded('n.names'),
    waiting: sql`coalesce(w.to_approve + w.to_sign_off, 0)`,
  };
  const parts = searchParts(search);
  const namesOfApprovers = sql`left join (
    select e.person_id, string_agg(${sql.raw(shownName('q'))}, ' ' order by q.id) as names
    from effective_approvers e join people q on q.id = e.approver_id group by e.person_id) n on n.person_id = p.id`;
  const ordered = inOrder({
    key: sort === undefined ? null : keys[sort],
    desc,
    from: sql`people p ${parts.length > 0 || sort === 'approvers' ? namesOfApprovers : sql``}
      ${sort === 'waiting' ? sql`left join ${waiting} w on w.owner_id = p.id` : sql``}`,
    where: sql`${isManaged(defaultApproverId)}
      and ${id === undefined ? always : sql`p.id = ${id}::bigint`}
      and ${approverId === undefined ? always : sql`p.id in (select e.person_id from effective_approvers e where e.approver_id = ${approverId}::bigint)`}
      and ${show === undefined ? always : shown[show]}
      and ${contains(parts, `${shownName('p')} || ' ' || coalesce(p.team, '') || ' ' || p.email || ' ' || coalesce(n.names, '')`)}`,
  });
  const { rows } = await queries.execute<MapPage>(sql`
    with ordered as materialized (${ordered})
    select coalesce(array_agg(page.id::text order by page.place), '{}') as found,
      (select count(*)::int from ordered) as total from ${pageOf(choice)} page`);
  return rows[0]!;
}

export type LoadRow = {
  readonly id: string;
  readonly people: number;
  readonly toApprove: number;
  readonly toSignOff: number;
};

/** `since`: the wait times that can order the page begin then. */
export async function readApproversPage(
  queries: Queries,
  choice: Asked<MapApproversChoice> & { readonly since: string },
): Promise<MapPage<LoadRow>> {
  const { id, search = '', sort, desc, defaultApproverId, since } = choice;
  const isByWait = sort === 'median' || sort === 'p90';
  const keys: Readonly<Record<NonNullable<typeof sort>, SQL>> = {
    approver: folded(nameByLast('p')),
    people: sql`coalesce(l.people, 0)`,
    waiting: sql`coalesce(l.to_approve + l.to_sign_off, 0)`,
    median: sql`h."medianWaited"`,
    p90: sql`h."p90Waited"`,
    warning: sql`case when p.disabled_at is not null then 'disabled' when not ${mayDecide} then 'mayNotDecide'
      when not ${canSignIn} then 'cannotSignIn' end`,
  };
  const isWanted = (column: SQL) => (id === undefined ? always : sql`${column} = ${id}::bigint`);
  const parts = searchParts(search);
  const names = parts.length === 0 ? sql`null` : sql`string_agg(${sql.raw(shownName('p'))}, ' ')`;
  const ordered = inOrder(
    {
      key: sort === undefined ? null : keys[sort],
      desc,
      from: sql`people p left join roles r on r.name = p.role left join loads l on l.approver_id = p.id
        ${isByWait ? sql`left join lateral (${waitsSince(since, sql`= p.id`)}) h on true` : sql``}`,
      where: sql`(l.approver_id is not null or p.id = ${defaultApproverId}::bigint) and ${isWanted(sql`p.id`)}
        and ${contains(parts, `${shownName('p')} || ' ' || coalesce(p.team, '') || ' ' || coalesce(l.names, '')`)}`,
    },
    sql`, coalesce(l.people, 0) as people, coalesce(l.to_approve, 0) as "toApprove", coalesce(l.to_sign_off, 0) as "toSignOff"`,
  );
  const { rows } = await queries.execute<MapPage<LoadRow>>(sql`
    with loads as materialized (
      select e.approver_id, count(*)::int as people, ${names} as names,
        sum(w.to_approve)::int as to_approve, sum(w.to_sign_off)::int as to_sign_off
      from effective_approvers e join people p on p.id = e.person_id left join ${waiting} w on w.owner_id = p.id
      where ${isWanted(sql`e.approver_id`)} and ${isManaged(defaultApproverId)} group by e.approver_id),
    ordered as materialized (${ordered})
    select coalesce(json_agg(json_build_object('id', page.id::text, 'people', page.people,
        'toApprove', page."toApprove", 'toSignOff', page."toSignOff") order by page.place), '[]') as found,
      (select count(*)::int from ordered) as total from ${pageOf(choice)} page`);
  return rows[0]!;
}

/**
 * `equals` names the people: there are indexes of who decided, none of when something happened. What a
 * delegate decided waited for the absent approver.
 */
function waitsSince(since: string, equals: SQL): SQL {
  const decided = sql`task_history h where h.event in (${literals(decisionEvents)}) and h.at >= ${since}::timestamptz`;
  return sql`
    select approver_id, percentile_cont(0.5) within group (order by waited) as "medianWaited",
      percentile_cont(0.9) within group (order by waited) as "p90Waited"
    from (select h.actor_id as approver_id, h.waited from ${decided} and h.for_id is null and h.actor_id ${equals}
      union all select h.for_id, h.waited from ${decided} and h.for_id ${equals}) waits
    group by approver_id`;
}

export type WaitRow = { readonly id: string; readonly medianWaited: number; readonly p90Waited: number };

/** How many seconds tasks waited for each of these people since then. */
export async function readWaits(queries: Queries, since: string, ids: readonly string[]): Promise<WaitRow[]> {
  const { rows } = await queries.execute<WaitRow>(sql`
    select w.approver_id::text as id, w."medianWaited", w."p90Waited"
    from (${waitsSince(since, sql`= any(${idList(ids)})`)}) w`);
  return rows;
}
