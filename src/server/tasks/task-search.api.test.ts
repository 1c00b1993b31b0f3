import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { personWords } from '#server/platform/db/tables.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeTeam, prepareTask, type Team } from '../../../test/task-fixtures.ts';
import { taskWords } from './task-tables.ts';

let app: TestApp;
let team: Team;
let sprintId: string;

beforeAll(async () => {
  app = await startTestApp();
  team = await makeTeam(app);
  sprintId = await app.sprint();
  const { pool } = app.database;
  await pool.query("update people set first_name = 'José', last_name = 'Álvarez' where id = $1", [team.owner.id]);
  await pool.query("update people set first_name = 'Josefine', last_name = 'Beck' where id = $1", [team.stranger.id]);
  const add = async ({ id }: { id: string }, title: string, summary = '') => {
    const task = await prepareTask(app.database, { ownerId: id, sprintId, title });
    await pool.query('update tasks set summary = $2 where id = $1', [task, summary]);
    return task;
  };
  await add(team.owner, 'Quarterly report', 'Numbers of the café');
  await add(team.owner, 'Call the bank');
  await add(team.stranger, 'Quarterly plan');
  const withdrawn = await add(team.owner, 'Quarterly mistake');
  await pool.query('update tasks set withdrawn_at = now() where id = $1', [withdrawn]);
});
afterAll(() => app.stop());

const find = async ({ token }: { token: string }, text: string) => {
  const { data, code } = await app.gql(token, 'query ($find: String) { getTasks(find: $find, limit: 20) { title } }', {
    find: text,
  });
  return code ?? data.getTasks.map(({ title }: { title: string }) => title);
};

test('without access to tasks nothing is found, and nobody finds what they may not see', async () => {
  const nobody = { token: await app.signIn(await app.person({ permissions: ['VIEW_DASHBOARD'] })) };
  expect(await find(nobody, 'quarterly')).toBe('FORBIDDEN');
  for (const text of ['report', 'jose', 'alvarez quarterly'])
    expect(await find(team.stranger, text)).not.toContain('Quarterly report');
  expect(await find(team.otherApprover, 'jose')).toEqual(['Quarterly plan']);
  expect(await find(team.approver, 'beck')).toEqual([]);
});

test('every word begins a word of the title, the summary or the owner’s name, without accents and case', async () => {
  const found = { report: 'Quarterly report', 'QUART rep': 'Quarterly report', 'cafe report': 'Quarterly report' };
  for (const [text, title] of Object.entries(found))
    for (const who of [team.owner, team.approver, team.admin])
      expect([text, await find(who, text)]).toEqual([text, [title]]);
  expect(await find(team.approver, 'Jose bank')).toEqual(['Call the bank']);
  expect(await find(team.approver, 'alvarez')).toEqual(['Call the bank', 'Quarterly report']);
  expect(await find(team.admin, 'jose quarterly')).toEqual(['Quarterly plan', 'Quarterly report']);
  for (const text of ['port', 'report bank', 'mistake', '', '!', 'a', "x':* | report", '%'])
    expect([text, await find(team.owner, text)]).toEqual([text, []]);
});

test('the newest 20 are found', async () => {
  const person = { token: team.admin.token };
  for (let made = 0; made < 21; made += 1)
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title: `Bulk ${made}` });
  const titles = await find(person, 'bulk');
  expect([titles.length, titles[0], titles.at(-1)]).toEqual([20, 'Bulk 20', 'Bulk 1']);
});

test('of a few tasks and of thousands, the viewer’s are searched, and nobody else’s', async () => {
  const find20 = () =>
    Promise.all([team.owner, team.approver, team.stranger, team.admin].map((who) => find(who, 'archived')));
  const archive = (count: number) =>
    app.database.pool.query(
      `insert into tasks (owner_id, sprint_id, title, category, created_by, created_at)
       select $1, $2, case when n % 500 = 1 then 'Archived ' || n else 'Old' end, 'All Brands', $1, now() + make_interval(secs => n)
       from generate_series($3::int, $4::int) n`,
      [team.owner.id, sprintId, count === 1 ? 1 : 2, count],
    );
  await archive(1);
  expect(await find20()).toEqual([['Archived 1'], ['Archived 1'], [], ['Archived 1']]);
  await archive(5_600);
  const found = Array.from({ length: 12 }, (_, at) => `Archived ${(11 - at) * 500 + 1}`);
  expect(await find20()).toEqual([found, found, [], found]);
});

test('words between signs are found as they are typed', async () => {
  const titles = [
    'Plan Q3/Q4',
    'Move example.com',
    'Review Top-5',
    'Ship by 2026-11-25',
    'Größe: m²–Preise (€)',
    'Отчёт/план',
  ];
  for (const title of titles) await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title });
  const searches = ['q4', 'Q3/Q4', 'com', 'example.com', '5 top', 'Top-5', '11 25', '2026-11-25', 'preise', 'план'];
  const found = await Promise.all(searches.map((text) => find(team.owner, text)));
  expect(found).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 5].map((at) => [titles[at]]));
  await app.database.pool.query("update people set last_name = 'O’Neil-Smith' where id = $1", [team.owner.id]);
  expect(await find(team.owner, 'smith neil q4')).toEqual([titles[0]]);
});

test('a search that takes too long asks for another word, and isn’t one to try again', async () => {
  const holder = await app.database.pool.connect();
  onTestFinished(() => holder.release(true));
  await holder.query('begin; lock table tasks in access exclusive mode');
  expect(await find(team.owner, 'quarterly')).toBe('QUERY_TOO_LARGE');
});

test.each([
  ['tasks_words', 'tasks', taskWords('t.title', 't.summary')],
  ['people_words', 'people', personWords('t.first_name', 't.last_name')],
])('the words are found by the index %s', async (index, table, words) => {
  const plan = await app.database.transaction(async (queries) => {
    await queries.execute(sql`set local enable_seqscan = off`);
    const query = sql`explain select from ${sql.identifier(table)} t where ${words} @@ to_tsquery('simple', '''report'':*')`;
    return (await queries.execute<{ 'QUERY PLAN': string }>(query)).rows;
  });
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain(index);
});
