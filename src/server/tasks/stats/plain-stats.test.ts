// Every number of the stats, for every kind of viewer, beside statements that read each task and decision by
// itself: no reach, no index and no record decides there what is read.
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Viewer } from '#core/access/access.ts';
import { type Scope, scopes } from '#core/access/brands.ts';
import type { Permission } from '#core/access/permissions.ts';
import { taskStatusKeys } from '#core/tasks/task-status.ts';
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts';
import { burnUpOf } from './burn-up.store.ts';
import * as store from './stats.store.ts';
import { reachOf, reachOfScopes, type StatsReach } from './stats-reach.ts';
import { personTrends } from './trends.store.ts';

let fresh: FreshDatabase;
const read = async <Row>(statement: SQL): Promise<Row[]> =>
  (await fresh.database.drizzle.execute(statement)).rows as Row[];

const sprints = ['1', '2', '3', '4'];
/** The last two aren't settled. */
const settled = 2;
const dayOf = (sprint: string, day: number) =>
  new Date(Date.UTC(2026, 9, 1 + (Number(sprint) - 1) * 7 + day, 10)).toISOString();
const weekOf = (sprint: string) => Array.from({ length: 10 }, (_, day) => dayOf(sprint, day));

/** A number below `most` from a row and a salt, the same in every run. */
const chance = (row: SQL, salt: number, most: number): SQL =>
  sql
    .raw(`(('x' || substr(md5((`)
    .append(row)
    .append(sql.raw(`)::text || ':${salt}'), 1, 7))::bit(28)::int % ${most})`));

const people = sql`
  insert into people (id, email, first_name, last_name, role, team, top5_invisible, disabled_at, created_at) overriding system value
  select n, 'p' || n || '@company.test', 'P', 'P' || n, (array['keeps', 'other'])[1 + (n % 7 = 0)::int],
    (array['connect', 'green', 'give', 'arcade', 'Other', null])[1 + n % 6], n % 8 = 0,
    case when n % 13 = 0 then now() end, case when n % 11 = 0 then timestamptz '2026-10-20' else timestamptz '2026-01-01' end
  from generate_series(1, 260) n`;

/** Nobody decides for persons 201 and up but the default approver. */
const approvers = sql`
  insert into approvers (person_id, approver_id)
  select n, 1 + n % 4 from generate_series(5, 200) n union all select n, 5 from generate_series(6, 200, 9) n`;

/** An admin has more than a few people, with more than a few tasks in the first and last sprint. */
const tasks = sql`
  insert into tasks (id, owner_id, sprint_id, title, category, status, created_by, created_at, carried_over, withdrawn_at, source, external_id) overriding system value
  select n, 1 + ${chance(sql`n`, 1, 250)}, s, 'T', (array['Connect', 'Green', 'Give', 'Blue'])[1 + ${chance(sql`n`, 2, 4)}],
    (enum_range(null::task_status))[1 + ${chance(sql`n`, 3, 6)}], 1,
    timestamptz '2026-10-01T12:00Z' + (s - 1) * interval '7 days' + ${chance(sql`n`, 4, 150)} * interval '1 hour',
    case when s > 1 and ${chance(sql`n`, 5, 4)} = 0 then 1 else 0 end, case when ${chance(sql`n`, 6, 9)} = 0 then now() end,
    case when ${chance(sql`n`, 7, 5)} = 0 then 'src' end, n
  from (select n, (array[1, 1, 1, 1, 2, 3, 4, 4, 4, 4])[1 + n % 10] as s from generate_series(1, 3000) n) x`;

/** For each task: what it did in an earlier sprint, then in its current one, then a carry-over that was undone. */
const history = sql`
  insert into task_history (task_id, sprint_id, at, actor_id, actor_name, for_id, event, from_status, to_status, version, waited, correction)
  select t.id, e.sprint_id, t.created_at + e.k * interval '9 hours', 1 + ${chance(sql`t.id * 100 + e.k`, 8, 5)}, 'A',
    case when ${chance(sql`t.id * 100 + e.k`, 9, 5)} = 0 then 5 end, e.event::task_event,
    (enum_range(null::task_status))[1 + ${chance(sql`t.id * 100 + e.k`, 10, 6)}],
    (enum_range(null::task_status))[1 + ${chance(sql`t.id * 100 + e.k`, 11, 6)}], e.k,
    ${chance(sql`t.id * 100 + e.k`, 12, 90_000)}, e.sprint_id <= ${settled} and ${chance(sql`t.id * 100 + e.k`, 13, 4)} = 0
  from tasks t cross join lateral (
    select k, greatest(t.sprint_id - 1, 1) as sprint_id, (array['approved', 'denied', 'undone', 'moved'])[1 + ${chance(sql`t.id * 100 + k`, 14, 4)}] as event
      from generate_series(1, 3) k where t.carried_over > 0 or t.source is not null
    union all select 4, t.sprint_id - 1, 'carriedOver' where t.carried_over > 0 and ${chance(sql`t.id`, 15, 3)} = 0
    union all select 5, t.sprint_id - 1, 'carryOverUndone' where t.carried_over > 0 and ${chance(sql`t.id`, 15, 3)} = 0
    union all select 6, t.sprint_id - 1, 'carriedOver' where t.carried_over > 0
    union all select 6 + k, t.sprint_id, (array['approved', 'denied', 'signedOff', 'sentBack', 'undone', 'moved'])[1 + ${chance(sql`t.id * 100 + 6 + k`, 14, 6)}]
      from generate_series(1, 5) k
    union all select 12 + k, t.sprint_id, (array['carriedOver', 'carryOverUndone'])[k] from generate_series(1, 2) k
      where t.carried_over = 0 and ${chance(sql`t.id`, 16, 6)} = 0) e (k, sprint_id, event)
  order by t.id, e.k`;

/** Not what the tasks say now, and not of everyone. */
const results = sql`
  insert into sprint_results (sprint_id, person_id, committed, counts, carried_out)
  select s.id, p.id, 5, case when p.id % 5 > 0 then jsonb_build_object('DONE', p.id % 4, 'TODO', 1 + s.id % 3, 'DENIED', 2) end, 0
  from sprints s, people p where s.id <= ${settled + 1} and p.id % 3 > 0`;

beforeAll(async () => {
  fresh = await freshDatabase();
  await read(sql`insert into roles (name, permissions) values ('keeps', '{VIEW_TOP_5}'), ('other', '{}')`);
  await read(sql`
    insert into sprints (id, name, start_at, end_at, result_at) overriding system value
    select n, 'W' || n, timestamptz '2026-10-01T10:00Z' + (n - 1) * interval '7 days', timestamptz '2026-10-08T10:00Z' + (n - 1) * interval '7 days',
      case when n <= ${settled} then timestamptz '2026-10-10T10:00Z' + (n - 1) * interval '7 days' end from generate_series(1, 4) n`);
  await read(sql`insert into settings (key, value) values ('defaultApprover', '"5"')`);
  for (const statement of [people, approvers, tasks, history, results, sql`analyze`]) await read(statement);
});
afterAll(() => fresh.drop());

/** Everything the plain statements know of a viewer. */
type Plain = {
  readonly shown: readonly string[];
  readonly whole: readonly string[];
  readonly categories: readonly string[];
};
type Case = {
  readonly title: string;
  readonly viewer: Viewer;
  readonly scope?: Scope;
  readonly actsFor: readonly string[];
};

const staff = (id: string, permissions: Permission[], more: Partial<Viewer> = {}): Viewer => ({
  ...{ id, role: 'keeps', permissions, approverIds: [], ...more },
});
const admin: Viewer = { id: '6', role: 'admin', permissions: [], approverIds: [] };
const stats: Permission[] = ['VIEW_DASHBOARD', 'VIEW_TOP_5_STATS'];
const two: Permission[] = [...stats, 'VIEW_TOP_5_STATS_CONNECT', 'VIEW_TOP_5_STATS_ARCADE'];
const delegated = { delegateOf: ['1', '2'], delegateIn: { stats: ['2'], bonus: [], time: [] } };
const cases: readonly Case[] = [
  { title: 'an admin', viewer: admin, actsFor: [] },
  { title: 'an admin in one scope', viewer: admin, scope: 'green', actsFor: [] },
  { title: 'an admin in a scope without a category', viewer: admin, scope: 'arcade', actsFor: [] },
  { title: 'an approver', viewer: staff('1', stats), actsFor: ['1'] },
  { title: 'an invisible person without people', viewer: staff('16', stats), actsFor: ['16'] },
  { title: 'the default approver', viewer: staff('5', stats), actsFor: ['5'] },
  { title: 'a delegate', viewer: staff('3', stats, delegated), actsFor: ['3', '2'] },
  { title: 'a delegate with scopes', viewer: staff('3', two, delegated), actsFor: ['3', '2'] },
  { title: 'an approver with scopes', viewer: staff('1', two), actsFor: ['1'] },
  { title: 'an approver in one of two scopes', viewer: staff('1', two), scope: 'connect', actsFor: ['1'] },
  { title: 'a person with scopes only', viewer: staff('17', two), actsFor: ['17'] },
  { title: 'a person without the permission', viewer: staff('9', ['VIEW_DASHBOARD', 'VIEW_TOP_5']), actsFor: ['9'] },
];

async function plainOf({ title, viewer, scope, actsFor }: Case): Promise<Plain> {
  const rows = await read<{ id: string; team: string | null; invisible: boolean; approvers: string[] }>(sql`
    select p.id::text, p.team, p.top5_invisible as invisible, array(select approver_id::text from approvers a where a.person_id = p.id) as approvers from people p`);
  const everyone = rows.map(({ approvers: own, ...row }) => ({
    ...row,
    approvers: own.length === 0 && row.id !== '5' ? ['5'] : own,
  }));
  const ids = (which: (row: (typeof everyone)[number]) => boolean) => everyone.filter(which).map(({ id }) => id);
  const isOwn = (row: (typeof everyone)[number]) =>
    row.id === viewer.id || row.approvers.some((approver) => actsFor.includes(approver));
  const keys: Scope[] = scope
    ? [scope]
    : viewer.permissions.includes('VIEW_TOP_5_STATS_CONNECT')
      ? ['connect', 'arcade']
      : [];
  const isAdmin = viewer.role === 'admin';
  return {
    shown: ids((row) => isAdmin || !row.invisible || isOwn(row)),
    whole: ids((row) => {
      if (title === 'a person without the permission') return row.id === viewer.id;
      if (scope === undefined && (isAdmin || isOwn(row))) return true;
      return keys.some((key) => key === row.team);
    }),
    categories: keys.flatMap((key) => scopes[key].category ?? []),
  };
}

const idList = (ids: readonly string[]): SQL => sql`${sql.param([...ids])}::bigint[]`;

/** `counted`: every task of the sprint that counts; `recorded`: the results that count in its place. */
const plainCounted = ({ shown, whole, categories }: Plain, sprint: string): SQL => sql`
  counted as materialized (
    select x.*, p.top5_invisible as invisible, p.id = any(${idList(whole)}) as whole from (
      select sprint_id, id as task_id, owner_id, category, status, false as carried_out, created_at, carried_over
        from tasks where withdrawn_at is null
      union all
      select h.sprint_id, h.task_id, t.owner_id, t.category, h.to_status, true, t.created_at, t.carried_over
        from task_history h join tasks t on t.id = h.task_id
        where h.event = 'carriedOver' and t.carried_over > 0 and t.withdrawn_at is null and (
          select u.event::text from task_history u
          where u.task_id = h.task_id and u.id > h.id and u.event::text in ('carriedOver', 'carryOverUndone')
          order by u.id limit 1) is distinct from 'carryOverUndone') x join people p on p.id = x.owner_id
    where x.sprint_id = ${sprint} and p.id = any(${idList(shown)})
      and (p.id = any(${idList(whole)}) or x.category = any(${sql.param([...categories])}::text[]))),
  recorded as (
    select r.person_id, r.counts from sprint_results r join sprints s on s.id = r.sprint_id
    where r.sprint_id = ${sprint} and s.result_at is not null and r.counts is not null
      and r.person_id = any(${idList(shown)}) and r.person_id = any(${idList(whole)}))`;

const plainDecided = (sprint: string): SQL => sql`
  events as (
    select h.task_id, c.owner_id, c.invisible, h.event, coalesce(h.for_id, h.actor_id) as approver_id, h.waited, h.correction, h.sprint_id = ${sprint} as here,
      lead(h.event) over (partition by h.task_id order by h.id) as next_event
    from counted c join task_history h on h.task_id = c.task_id and h.event in ('approved', 'denied', 'signedOff', 'sentBack', 'undone')),
  decided as (
    select *, bool_or(event = 'denied') over (partition by task_id) as was_denied
    from events where event <> 'undone' and next_event is distinct from 'undone' and not (correction and here))`;

const plainQuality = sql`
  count(distinct task_id) filter (where event = 'approved' and not was_denied)::int as "firstPass",
  count(distinct task_id) filter (where event in ('approved', 'denied'))::int as "firstDecided",
  count(*) filter (where event = 'sentBack' and here)::int as "sendBacks",
  count(*) filter (where event = 'signedOff' and here)::int as "signOffs",
  percentile_cont(0.5) within group (order by waited) filter (where here) as waited`;

type Count = { readonly id: string; readonly recorded: boolean } & Readonly<Record<string, unknown>>;

const plainEmployees = (plain: Plain, sprint: string) => {
  const each = (part: (status: string) => string) => sql.raw(taskStatusKeys.map(part).join(', '));
  return read<Count>(sql`
    with ${plainCounted(plain, sprint)},
    tally as (select owner_id, ${each((status) => `count(*) filter (where status = '${status}') as "${status}"`)} from counted group by owner_id)
    select p.id, p.top5_invisible as invisible, r.counts is not null as recorded,
      ${each((status) => `coalesce(case when r.counts is null then t."${status}" else (r.counts->>'${status}')::int end, 0)::int as "${status}"`)}
    from people p cross join (select end_at from sprints where id = ${sprint}) s
      left join recorded r on r.person_id = p.id left join tally t on t.owner_id = p.id
    where t.owner_id is not null or r.counts is not null
      or (p.id = any(${idList(plain.shown)}) and p.id = any(${idList(plain.whole)}) and p.role = 'keeps' and p.disabled_at is null and p.created_at < s.end_at)
    order by p.id`);
};

const byId = <Row extends object>(rows: readonly Row[], key: keyof Row) =>
  rows.toSorted((a, b) => Number(a[key]) - Number(b[key]));

async function employees(reach: StatsReach, sprint: string, more: object = {}) {
  const { rows } = await store.employeePage(fresh.database.drizzle, reach, sprint, { limit: null, ...more });
  return byId(rows, 'id').map(({ id, invisible, recorded, counts }) => ({ id, invisible, recorded, ...counts }));
}

const some = ['1', '2', '8', '9', '17', '20', '33'];

test.each(cases)('$title sees the counts and decisions of every task that counts, and only those', async (each) => {
  const reach = each.scope ? reachOfScopes(each.viewer, [each.scope]) : reachOf(each.viewer);
  const plain = await plainOf(each);
  const { drizzle } = fresh.database;
  for (const sprint of sprints) {
    const expected = await plainEmployees(plain, sprint);
    expect(expected.length).toBeGreaterThan(0);
    expect(await employees(reach, sprint)).toEqual(expected);
    expect(await employees(reach, sprint, { sort: 'waited' })).toEqual(expected);
    const chosen = expected.filter(({ id }) => some.includes(id));
    expect(await employees(reach, sprint, { ids: some })).toEqual(chosen);

    const averaged = expected.filter(({ invisible }) => !invisible);
    const total = (status: string) => averaged.reduce((sum, row) => sum + Number(row[status]), 0);
    expect(await store.totalCounts(drizzle, reach, sprint)).toEqual({
      people: averaged.length,
      ...Object.fromEntries(taskStatusKeys.map((status) => [status, total(status)])),
    });

    const decided = sql`with ${plainCounted(plain, sprint)}, ${plainDecided(sprint)}`;
    const quality = await read<store.Quality & { ownerId: string }>(
      sql`${decided} select owner_id as "ownerId", ${plainQuality} from decided group by owner_id order by owner_id`,
    );
    expect(byId(await store.qualityOf(drizzle, reach, sprint), 'ownerId')).toEqual(quality);
    expect(byId(await store.qualityOf(drizzle, reach, sprint, some), 'ownerId')).toEqual(
      quality.filter(({ ownerId }) => some.includes(ownerId)),
    );
    const [together] = await read(sql`${decided} select ${plainQuality} from decided where not invisible`);
    expect(await store.totalQuality(drizzle, reach, sprint)).toEqual(together);

    const clock = await read(sql`${decided},
      taken as (select approver_id, count(*)::int as decided, percentile_cont(0.9) within group (order by waited) as p90
        from decided where here and not invisible group by approver_id),
      open as (select a.approver_id, count(*)::int as waiting from counted c join effective_approvers a on a.person_id = c.owner_id
        where c.status in ('INAPPROVAL', 'INREVIEW') and not c.carried_out and not c.invisible group by a.approver_id)
      select approver_id as id, coalesce(decided, 0) as decided, coalesce(waiting, 0) as waiting, p90
      from taken full join open using (approver_id) order by approver_id`);
    const found = byId(await store.readTimeWithApprovers(drizzle, reach, sprint), 'id');
    expect(found.map(({ id, decided: decisions, waiting, p90 }) => ({ id, decided: decisions, waiting, p90 }))).toEqual(
      clock,
    );
  }
});

test.each(cases)('$title sees the weeks of every person', async (each) => {
  const reach = each.scope ? reachOfScopes(each.viewer, [each.scope]) : reachOf(each.viewer);
  const plain = await plainOf(each);
  const expected = new Map<string, unknown[]>();
  for (const [index, sprint] of sprints.entries()) {
    const rows = await read<{ id: string; approved: number; completed: number }>(sql`
      with ${plainCounted(plain, sprint)}, part as (
        select person_id as id, key as status, value::int as many from recorded cross join jsonb_each_text(counts)
        union all select owner_id, status::text, 1 from counted where not (whole and ${index < settled}))
      select id::text, coalesce(sum(many) filter (where status in ('TODO', 'INPROGRESS', 'INREVIEW', 'DONE')), 0)::int as approved,
        coalesce(sum(many) filter (where status in ('INREVIEW', 'DONE')), 0)::int as completed from part group by id`);
    for (const { id, approved, completed } of rows)
      expected.set(id, [...(expected.get(id) ?? []), [index + 1, approved, completed]]);
  }
  expect(expected.size).toBeGreaterThan(0);
  const shown = (rows: Awaited<ReturnType<typeof personTrends>>) =>
    byId(rows, 'key').map(({ key, weeks, approved, completed }) => [
      key,
      weeks.map((week, at) => [week, approved[at], completed[at]]),
    ]);
  const all = [...expected].toSorted(([a], [b]) => Number(a) - Number(b));
  const { drizzle } = fresh.database;
  expect(shown(await personTrends(drizzle, reach, sprints))).toEqual(all);
  expect(shown(await personTrends(drizzle, reach, sprints, some))).toEqual(all.filter(([id]) => some.includes(id)));
});

type Step = {
  readonly task: string;
  readonly at: string;
  readonly was: number;
  readonly becomes: number;
  readonly correction: boolean;
};

const level = (status: SQL): SQL => sql`
  case when ${status} in ('INREVIEW', 'DONE') then 2 when ${status} in ('TODO', 'INPROGRESS') then 1 else 0 end`;

async function plainBurnUp(plain: Plain, sprint: string, instants: readonly string[]) {
  const tasks = await read<{ id: string; at: string; level: number }>(sql`
    with ${plainCounted(plain, sprint)}
    select task_id as id, ${level(sql`status`)} as level, coalesce((
      select max(h.at) from task_history h where carried_over > 0 and h.task_id = c.task_id and h.event = 'carriedOver' and h.sprint_id < ${sprint}), created_at) as at
    from counted c where not invisible`);
  const steps = await read<Step>(sql`
    select task_id as task, at, ${level(sql`from_status`)} as was, ${level(sql`to_status`)} as becomes, correction
    from task_history where sprint_id = ${sprint} and ${level(sql`from_status`)} <> ${level(sql`to_status`)} order by id`);
  const stepsOf = Map.groupBy(steps, ({ task }) => task);
  const changes = tasks.flatMap((task) => {
    const start = Date.parse(task.at);
    const later = (stepsOf.get(task.id) ?? []).map((step) => ({ ...step, at: Math.max(Date.parse(step.at), start) }));
    const path = [{ at: start, becomes: null, correction: false }, ...later.toSorted((a, b) => a.at - b.at)];
    let before = 0;
    return path.flatMap(({ at, becomes, correction }, index) => {
      const next = index < later.length ? (path[index + 1] as { was: number } & (typeof path)[number]).was : null;
      const after = next === null ? task.level : (becomes ?? next);
      if (correction) return [];
      const change = {
        at,
        approved: Number(after > 0) - Number(before > 0),
        completed: Number(after > 1) - Number(before > 1),
      };
      before = after;
      return [change];
    });
  });
  return instants.map((instant, index) => {
    const known = changes.filter(({ at }) => index === instants.length - 1 || at < Date.parse(instant));
    const sum = (part: 'approved' | 'completed') => known.reduce((total, change) => total + change[part], 0);
    return { approved: sum('approved'), completed: sum('completed') };
  });
}

test.each(cases)('$title sees how the tasks that count grew', async (each) => {
  const reach = each.scope ? reachOfScopes(each.viewer, [each.scope]) : reachOf(each.viewer);
  const plain = await plainOf(each);
  for (const sprint of sprints) {
    const expected = await plainBurnUp(plain, sprint, weekOf(sprint));
    expect(await burnUpOf(fresh.database.drizzle, reach, sprint, weekOf(sprint))).toEqual(expected);
  }
});
