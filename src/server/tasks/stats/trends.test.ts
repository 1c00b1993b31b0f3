import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scopeKeys, scopes } from '#core/access/brands.ts';
import { statusRule, type TaskStatus, taskStatusKeys } from '#core/tasks/task-status.ts';
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts';
import { scopeTrends } from './trends.store.ts';

let fresh: FreshDatabase;
const read = async <Row>(statement: SQL): Promise<Row[]> =>
  (await fresh.database.drizzle.execute(statement)).rows as Row[];

// Of six weeks, four are settled, and 70 people have up to nine tasks in each.
beforeAll(async () => {
  fresh = await freshDatabase();
  await read(sql`
    insert into people (email, first_name, last_name, role, team, top5_invisible)
    select 'p' || n || '@company.test', 'P', 'P', (select min(name) from roles),
      (array['connect', 'green', 'give', 'arcade', 'codex', 'Other', null])[1 + n % 7], n % 11 = 0
    from generate_series(1, 70) n`);
  await read(sql`
    insert into sprints (name, start_at, end_at, result_at)
    select 'W' || n, timestamptz '2026-10-05' + n * interval '7 days', timestamptz '2026-10-12' + n * interval '7 days',
      case when n <= 4 then timestamptz '2026-10-14' + n * interval '7 days' end from generate_series(1, 6) n`);
  await read(sql`
    with seed as (select setseed(0.17))
    insert into tasks (owner_id, sprint_id, title, category, status, created_by)
    select p.id, s.id, 'T', (array['Connect', 'Green', 'Give', 'Blue', 'All Brands'])[ceil(5 * random())::int],
      (enum_range(null::task_status))[1 + n % ${sql.raw(String(taskStatusKeys.length))}], p.id
    from seed, people p, sprints s, generate_series(1, 9) n where random() < 0.5`);
  await read(sql`
    insert into sprint_results (sprint_id, person_id, committed, counts, carried_out)
    select s.id, p.id, 5, case when p.id % 5 > 0 then json_build_object('DONE', p.id % 4, 'TODO', 1 + s.id % 3, 'DENIED', 2) end, 0
    from sprints s, people p where s.result_at is not null and p.id % 3 > 0`);
});
afterAll(() => fresh.drop());

test('nobody without a scope is told of one', async () => {
  expect(await scopeTrends(fresh.database.drizzle, [], ['1'])).toEqual([]);
});

test('a scope’s week counts its team’s record once it is settled, until then its tasks, and its category’s always', async () => {
  const sprints = await read<{ id: string; settled: boolean }>(
    sql`select id::text, result_at is not null as settled from sprints order by start_at`,
  );
  const people = await read<{ id: string; team: string | null }>(
    sql`select id::text, team from people where not top5_invisible`,
  );
  const teamOf = new Map(people.map(({ id, team }) => [id, team]));
  const tasks = await read<{ sprint: string; owner: string; category: string; status: TaskStatus }>(
    sql`select sprint_id::text as sprint, owner_id::text as owner, category, status from tasks`,
  );
  const results = await read<{ sprint: string; person: string; counts: Partial<Record<TaskStatus, number>> | null }>(
    sql`select sprint_id::text as sprint, person_id::text as person, counts from sprint_results`,
  );
  const expected = scopeKeys.map((key) => {
    const weeks = sprints.map(({ id, settled }) => {
      const recorded = results.filter(({ sprint, person }) => settled && sprint === id && teamOf.get(person) === key);
      const live = tasks.filter(({ sprint, owner, category }) => {
        if (sprint !== id || !teamOf.has(owner)) return false;
        return teamOf.get(owner) === key ? !settled : category === scopes[key].category;
      });
      const count = (share: 'approved' | 'completed') =>
        taskStatusKeys
          .filter((status) => statusRule(status)[share])
          .reduce(
            (total, status) =>
              total +
              live.filter((task) => task.status === status).length +
              recorded.reduce((sum, { counts }) => sum + (counts?.[status] ?? 0), 0),
            0,
          );
      return [count('approved'), count('completed')];
    });
    return [key, weeks] as const;
  });
  const ids = sprints.map(({ id }) => id);
  const found = await scopeTrends(fresh.database.drizzle, scopeKeys, ids);
  const trendOf = new Map(
    found.map(({ key, weeks, approved, completed }) => [
      key,
      new Map(weeks.map((week, index) => [week, [approved[index], completed[index]]])),
    ]),
  );
  for (const [key, weeks] of expected)
    expect([key, ids.map((_, index) => trendOf.get(key)?.get(index + 1) ?? [0, 0])]).toEqual([key, weeks]);
  expect(expected.find(([key]) => key === 'green')![1].every(([approved]) => approved! > 0)).toBe(true);
});
