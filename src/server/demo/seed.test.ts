import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPassword } from '#server/access/auth/passwords.ts';
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts';
import { demoAccounts } from './demo-accounts.ts';
import { seedDemo } from './seed.ts';

let fresh: FreshDatabase;
const now = Temporal.Instant.from('2026-11-20T14:00:00Z');
const options = { now, zone: 'Europe/Berlin', password: 'top-5-demo', log: { info() {}, warn() {}, error() {} } };

const rows = async <Row extends Record<string, unknown>>(query: ReturnType<typeof sql>) =>
  (await fresh.database.drizzle.execute<Row>(query)).rows;

beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

test('a database that somebody lives in is left alone', async () => {
  const inhabited = await freshDatabase();
  await inhabited.database.drizzle.execute(
    sql`insert into people (email, first_name, last_name) values ('a@b.test', 'A', 'B')`,
  );
  expect(await seedDemo(inhabited.database, options)).toBe(false);
  const { rows: tasks } = await inhabited.database.drizzle.execute(sql`select 1 from tasks`);
  expect(tasks).toEqual([]);
  await inhabited.drop();
});

test('servers that start at once load the company once', async () => {
  const seeded = await Promise.all([seedDemo(fresh.database, options), seedDemo(fresh.database, options)]);
  expect(seeded.sort()).toEqual([false, true]);
  const [counted] = await rows(
    sql`select (select count(*)::int from people) people, (select count(*)::int from sprints) sprints, (select count(*)::int from roles) roles`,
  );
  expect(counted).toEqual({ people: 40 + demoAccounts.length, sprints: 28, roles: 6 });
});

test('every account signs in with the password of the demo, and nobody else can', async () => {
  const people = await rows<{ email: string; hash: string | null; role: string | null }>(
    sql`select email, role, password_hash as hash from people order by id`,
  );
  const accounts = people.filter(({ email }) => demoAccounts.some((account) => account.email === email));
  expect(accounts).toHaveLength(demoAccounts.length);
  expect(new Set(accounts.map(({ hash }) => hash)).size).toBe(1);
  expect(await isPassword(accounts[0]!.hash!, options.password)).toBe(true);
  // Team leads can sign in, to make them approvers, but nobody knows how.
  const others = people.filter((person) => !accounts.includes(person) && person.hash !== null);
  expect(new Set(others.map(({ role }) => role))).toEqual(new Set(['Team lead']));
  expect(await isPassword(others[0]!.hash!, options.password)).toBe(false);
});

test('new people and tasks are numbered behind those of the demo', async () => {
  const [person] = await rows<{ id: string }>(
    sql`insert into people (email, first_name, last_name) values ('new@demo.test', 'New', 'One') returning id`,
  );
  expect(Number(person!.id)).toBe(40 + demoAccounts.length + 1);
  const [{ last }] = (await rows(sql`select max(id)::int as last from tasks`)) as [{ last: number }];
  const [task] = await rows<{ id: string }>(sql`
    insert into tasks (owner_id, sprint_id, title, category, created_by) select id, (select max(id) from sprints), 'x', 'Give', id from people limit 1 returning id`);
  expect(Number(task!.id)).toBe(last + 1);
});

test('the recorded results are those that the tasks and their histories give', async () => {
  // A settled sprint without corrections: its tasks match the record.
  const wrong = await rows(sql`
    select s.name, r.person_id from sprint_results r join sprints s on s.id = r.sprint_id
    where s.result_at is not null
      and not exists (select 1 from task_history h join tasks t on t.id = h.task_id where h.sprint_id = s.id and t.owner_id = r.person_id and h.at > s.result_at)
      and (r.counts->>'DONE')::int <> (select count(*) from sprint_standings x where x.sprint_id = s.id and x.owner_id = r.person_id and x.status = 'DONE')`);
  expect(wrong).toEqual([]);
  const [{ checked }] = (await rows(
    sql`select count(*)::int as checked from sprint_results where counts is not null`,
  )) as [{ checked: number }];
  expect(checked).toBeGreaterThan(900);
  const [{ corrections }] = (await rows(
    sql`select count(*)::int as corrections from task_history where correction`,
  )) as [{ corrections: number }];
  expect(corrections).toBeGreaterThan(10);
});

test('people were told of the latest decisions on their tasks, and of nobody else’s', async () => {
  const [told] = await rows<{ unread: number; read: number; wrong: number }>(sql`
    select count(*) filter (where read_at is null)::int as unread, count(*) filter (where read_at is not null)::int as read,
      count(*) filter (where n.person_id <> t.owner_id or n.mail_at is not null)::int as wrong
    from notices n join tasks t on t.id = n.task_id`);
  expect(told!.unread).toBeGreaterThan(10);
  expect(told!.read).toBeGreaterThan(told!.unread);
  expect(told!.wrong).toBe(0);
});

test('the statements of the bonus are those of the recorded results, by the version of their sprint', async () => {
  const wrong = await rows(sql`
    select b.id from bonus_statements b join sprint_results r on r.sprint_id = b.sprint_id and r.person_id = b.person_id
    where (select count(*) from jsonb_array_elements(b.tasks) t where t->>'status' = 'DONE') <> (r.counts->>'DONE')::int
      or b.amount <> (select sum((l->>'amount')::numeric * 10000) from jsonb_array_elements(b.lines) l)`);
  expect(wrong).toEqual([]);
  const [made] = await rows(sql`
    select (select count(*)::int from bonus_statements) > 900 as many, (select count(distinct plan_id)::int from bonus_statements) as plans,
      (select array_agg(is_question order by id) from bonus_messages) as messages`);
  expect(made).toEqual({ many: true, plans: 2, messages: [true, false, true] });
});
