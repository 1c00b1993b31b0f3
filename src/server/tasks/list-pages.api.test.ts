// Pages of long tasks: reading to the end returns every task, whatever earlier pages contained.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeTeam, prepareTasks, type Someone, type Team } from '../../../test/task-fixtures.ts';

let app: TestApp;
let team: Team;
let ids: string[];
let sprintId: string;
const count = 90;

beforeAll(async () => {
  app = await startTestApp();
  sprintId = await app.sprint();
  team = await makeTeam(app);
  ids = await prepareTasks(app.database, count, { ownerId: team.owner.id, sprintId });
  // A page of 30 is about 900 KB, so the second page is beyond the first megabyte.
  await app.database.pool.query('update tasks set summary = $1', ['x'.repeat(30_000)]);
  await app.database.pool.query(
    `insert into task_history (task_id, sprint_id, at, actor_id, actor_name, event, from_status, to_status, version)
     select id, sprint_id, '2026-11-17T10:00:00Z', $1, 'Approver', 'approved', 'INAPPROVAL', 'TODO', 2 from tasks`,
    [team.approver.id],
  );
});
afterAll(() => app.stop());

type Row = { readonly id: string };

/** Like the web: the first short page is the last one. */
async function readPages({ token }: Someone, field: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (let offset = 0; ; offset += limit) {
    const { data, code } = await app.gql(
      token,
      `query ($limit: Int!, $offset: Int!) { list: ${field.replace('(', '(limit: $limit, offset: $offset, ')} }`,
      { limit, offset },
    );
    expect(code).toBeNull();
    const page = data.list as Row[];
    found.push(...page.map(({ id }) => id));
    if (page.length < limit) return found;
  }
}

test.for([
  ['one’s own tasks', 'getTasks(sprintId: "SPRINT") { id summary }', 'owner'],
  ['somebody’s tasks', 'getTasks(userId: "OWNER") { id summary }', 'approver'],
  ['the inbox', 'inbox() { id summary }', 'approver'],
] as const)('%s: no page is cut by what the pages before it held', async ([_what, field, who]) => {
  const asked = field.replace('SPRINT', sprintId).replace('OWNER', team.owner.id);
  for (const limit of [30, 70]) {
    const found = await readPages(team[who], asked, limit);
    expect(new Set(found)).toEqual(new Set(ids));
    expect(found).toHaveLength(count);
  }
});

test('what somebody decided: no page is cut, and a decision between two pages neither repeats nor hides one', async () => {
  const page = async (after: string | null) => {
    const { data, code } = await app.gql(
      team.approver.token,
      'query ($after: ID) { decided(limit: 70, after: $after) { entry { id } task { id summary } } }',
      { after },
    );
    expect(code).toBeNull();
    return data.decided as { entry: { id: string }; task: { id: string } }[];
  };
  const first = await page(null);
  await app.database.pool.query(
    `insert into task_history (task_id, sprint_id, at, actor_id, actor_name, event, from_status, to_status, version)
     select task_id, sprint_id, '2026-11-18T10:00:00Z', actor_id, actor_name, event, from_status, to_status, 3
     from task_history where id = $1`,
    [first[0]!.entry.id],
  );
  const second = await page(first.at(-1)!.entry.id);
  expect([first.length, second.length]).toEqual([70, count - 70]);
  expect(new Set([...first, ...second].map(({ task }) => task.id))).toEqual(new Set(ids));
});

test('which of many tasks are extra is found in about the time that it takes to list them', async () => {
  const many = 3_000;
  const { owner } = await makeTeam(app);
  await prepareTasks(app.database, many, { ownerId: owner.id, sprintId });
  const list = async (fields: string) => {
    const started = performance.now();
    const { data, code } = await app.gql(owner.token, `{ getTasks { ${fields} } }`);
    expect(code).toBeNull();
    return { ms: performance.now() - started, tasks: data.getTasks as { extra: boolean }[] };
  };
  const fastest = async (fields: string) =>
    Math.min(...[await list(fields), await list(fields), await list(fields)].map(({ ms }) => ms));
  const { tasks } = await list('id extra');
  expect([tasks.length, tasks.filter(({ extra }) => extra).length]).toEqual([many, many - 5]);
  // Counting per task took more than twenty times as long.
  expect(await fastest('id extra')).toBeLessThan(6 * (await fastest('id')));
});
