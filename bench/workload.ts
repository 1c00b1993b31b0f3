// The company of the benchmark in the product's own tables: 2,000 people, 104 sprints up to the current one,
// and 260,000 tasks with notes in the last 26 of them. The same ones on every machine, but for the week that
// is the current one.
import pg from 'pg';
import { sprintAt, sprintBefore, sprintName } from '../src/core/tasks/sprint.ts';
import { tokenHash } from '../src/server/platform/viewer.ts';

export type Size = { readonly people: number; readonly weeks: number; readonly weeksWithTasks: number };
export const fullSize: Size = { people: 2_000, weeks: 104, weeksWithTasks: 26 };

/** Each approver has so many people; the first of all is an admin without an approver. */
const peopleOfApprover = 10;
const tasksOfPerson = 5;
export const zone = 'UTC';

/**
 * A number below `m` from a row and a salt (Knuth's multiplicative hash): chance would differ from run to
 * run.
 */
const hash = `
  create or replace function pg_temp.h(i bigint, salt int, m int) returns int immutable language sql parallel safe as
  $$ select (((((i * 2654435761 + salt * 40503) % 4294967296) # (((i * 2654435761 + salt * 40503) % 4294967296) >> 15))
     * 1103515245 % 4294967296 >> 8) % m)::int $$`;

const roles = `
  insert into roles (name, permissions) values
    ('staff', '{VIEW_DASHBOARD,VIEW_TOP_5}'), ('approver', '{VIEW_DASHBOARD,VIEW_TOP_5,VIEW_TOP_5_APPROVALS}')`;

const people = `
  insert into people (id, email, first_name, last_name, role, created_at) overriding system value
  select i, 'user' || i || '@example.com', 'First' || i, 'Last' || i,
    case when i = 1 then 'admin' when i <= $2 then 'approver' else 'staff' end, timestamptz '2024-01-01Z'
  from generate_series(1, $1::int) i`;

const approvers = `
  insert into approvers (person_id, approver_id)
  select i, (i - 1) / ${peopleOfApprover} + 1 from generate_series(2, $1::int) i`;

const sprints = `
  insert into sprints (id, name, start_at, end_at) overriding system value
  select row_number() over (order by x.start_at), x.* from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as x (name, start_at, end_at)`;

const tasks = `
  insert into tasks (id, owner_id, sprint_id, title, status, summary, change, category, created_by, created_at, status_at) overriding system value
  select n, u, s, 'Task ' || k || ' of user ' || u || ' in sprint ' || s, (case
      when s = $2 then (array['INAPPROVAL', 'INAPPROVAL', 'DENIED', 'TODO', 'TODO', 'INPROGRESS', 'INPROGRESS', 'INREVIEW', 'INREVIEW', 'DONE'])[1 + pg_temp.h(n, 1, 10)]
      when pg_temp.h(n, 1, 100) < 88 then 'DONE' when pg_temp.h(n, 1, 100) < 91 then 'DENIED' when pg_temp.h(n, 1, 100) < 95 then 'TODO'
      when pg_temp.h(n, 1, 100) < 98 then 'INPROGRESS' else 'INREVIEW' end)::task_status,
    repeat('Summary text ' || n || '. ', 1 + pg_temp.h(n, 2, 6)), case when pg_temp.h(n, 3, 4) = 0 then 'Changed scope ' || n else '' end,
    (array['All Brands', 'Connect', 'Blue', 'Switch', 'Green', 'Liberty', 'Give', 'Hardware', 'Dig', 'Grow'])[1 + pg_temp.h(n, 4, 10)], u, made, made
  from generate_series($2::int - $3::int + 1, $2::int) s cross join generate_series(1, $1::int) u cross join generate_series(1, ${tasksOfPerson}) k
    join sprints w on w.id = s
    cross join lateral (select ((s - ($2 - $3 + 1)) * $1 + u - 1) * ${tasksOfPerson} + k as n) numbered
    cross join lateral (select w.start_at + pg_temp.h(n, 5, 100000) * interval '1 second' as made) dated
  order by n`;

const notes = `
  insert into task_notes (task_id, author_id, author_name, text, at, edited_at)
  select t.id, p.id, p.first_name || ' ' || p.last_name, 'Note ' || j || ' on task ' || t.id || ': please look at the numbers again.',
    t.created_at + j * interval '1 hour', case when pg_temp.h(t.id, j, 10) = 0 then t.created_at + j * interval '2 hours' end
  from tasks t cross join lateral generate_series(1, pg_temp.h(t.id, 6, 4)) j
    join people p on p.id = case when j = 2 then (t.owner_id - 1) / ${peopleOfApprover} + 1 else t.owner_id end
  order by t.id, j`;

const history = `
  insert into task_history (task_id, sprint_id, at, actor_id, actor_name, event, from_status, to_status, version)
  select t.id, t.sprint_id, t.created_at, p.id, p.first_name || ' ' || p.last_name, 'created', 'INAPPROVAL', 'INAPPROVAL', 1
  from tasks t join people p on p.id = t.owner_id order by t.id`;

const filledTables = ['people', 'sprints', 'tasks'];

/**
 * The indexes that only make reading faster; made anew at the end, which takes less than keeping them up row
 * by row.
 */
const secondaryIndexes = `
  select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
  where i.indrelid = any('{tasks,task_notes,task_history}'::regclass[]) and not i.indisunique and not i.indisprimary`;

function weeksUpTo(now: Temporal.Instant, count: number) {
  const spans = [sprintAt(now, zone)];
  while (spans.length < count) spans.push(sprintBefore(spans.at(-1)!, zone));
  return spans.reverse();
}

/** Fills the empty tables. The last sprint is the one that `now` lies in. */
export async function fillCompany(url: string, now: Temporal.Instant, size: Size): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `${hash}; set timezone = 'UTC'; set synchronous_commit = off; set maintenance_work_mem = '256MB'`,
    );
    await client.query(roles);
    await client.query(people, [size.people, approverCount(size)]);
    await client.query(approvers, [size.people]);
    const spans = weeksUpTo(now, size.weeks);
    await client.query(sprints, [
      spans.map((span) => sprintName(span, zone)),
      spans.map(({ start }) => start.toString()),
      spans.map(({ end }) => end.toString()),
    ]);
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(secondaryIndexes);
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    await client.query(tasks, [size.people, size.weeks, size.weeksWithTasks]);
    await client.query(notes);
    await client.query(history);
    for (const { definition } of indexes) await client.query(definition);
    for (const table of filledTables)
      await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

export const approverCount = ({ people: count }: Size): number => Math.ceil(count / peopleOfApprover);

/** Everyone signed in, with a token derived from the number of the person. */
export async function signEverybodyIn(url: string, { people: count }: Size): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const ids = Array.from({ length: count }, (_, index) => index + 1);
    await client.query(
      `insert into sessions (token_hash, person_id, expires_at) select x.hash, x.id, now() + interval '1 day'
       from unnest($1::bytea[], $2::bigint[]) as x (hash, id)`,
      [ids.map((id) => tokenHash(tokenOf(id))), ids],
    );
    await client.query('vacuum analyze sessions');
  } finally {
    await client.end();
  }
}

/** Good for nothing but a database on this machine that is gone when the benchmark ends. */
export const tokenOf = (personId: number): string => `benchmark-${String(personId).padStart(33, '0')}`;
