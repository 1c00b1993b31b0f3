import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';

let server: TestApp;
let ids: { admin: string; approver: string; staff: string; plain: string; keeper: string };
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestApp();
  const admin = await server.person({ email: 'ada@example.test', role: 'admin', firstName: 'Ada', lastName: 'Admin' });
  const approver = await server.person({
    firstName: 'Ben',
    lastName: 'Boss',
    permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'],
    team: 'connect',
  });
  const staff = await server.person({
    firstName: 'Cat',
    lastName: 'Crew',
    permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'],
    approvers: [approver],
  });
  const plain = await server.person({ firstName: 'Dan', lastName: 'Desk' });
  const keeper = await server.person({
    firstName: 'Eve',
    lastName: 'Ever',
    permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'],
  });
  ids = { admin, approver, staff, plain, keeper };
  for (const [name, id] of Object.entries(ids)) tokens[name] = await server.signIn(id);
});
afterAll(() => server.stop());

const lists =
  '{ getUsers { getLoggedUsers { id } getPermittedUsers { id permissions approverId role top5Invisible email } } }';

test.each([
  'getUsers { getLoggedUsers { id } }',
  'users { getPermittedUsers { id } }',
  'getLoggedUsers { id }',
  'getPermittedUsers { id }',
  'approvers { approverId }',
])('the user lists are refused to whoever lacks user management: %s', async (field) => {
  for (const name of ['staff', 'approver', 'plain']) {
    const { code, data } = await server.gql(tokens[name] as string, `{ ${field} }`);
    expect([name, code, data]).toEqual([name, 'FORBIDDEN', null]);
  }
});

test('permittedUsers have the top-5 permission and loggedUsers lack it (spec 3)', async () => {
  const { data } = await server.gql(tokens.keeper as string, lists);
  const logged = data.getUsers.getLoggedUsers.map(({ id }: { id: string }) => id);
  expect(logged).toEqual([ids.approver, ids.plain, ids.keeper]);
  expect(data.getUsers.getPermittedUsers.map(({ id }: { id: string }) => id)).toEqual([ids.admin, ids.staff]);
  expect(data.getUsers.getPermittedUsers[1]).toMatchObject({
    permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'],
    approverId: [ids.approver],
    top5Invisible: false,
  });
});

test('each list is asked for alone as well (spec 7)', async () => {
  const { data } = await server.gql(
    tokens.keeper as string,
    '{ getLoggedUsers { id } getPermittedUsers { id } users { getLoggedUsers { id } } }',
  );
  expect(data.getLoggedUsers).toEqual(data.users.getLoggedUsers);
  expect(data.getPermittedUsers).toHaveLength(2);
});

test('approvers map each approver to the people that this person approves (spec 3)', async () => {
  const { data } = await server.gql(tokens.keeper as string, '{ approvers { approverId userIds } }');
  expect(data.approvers).toEqual([{ approverId: ids.approver, userIds: [ids.staff] }]);
});

test('an approver gets the own people, an admin everybody who keeps tasks', async () => {
  const own = await server.gql(tokens.approver as string, '{ people { id displayName team } }');
  expect(own.data.people).toEqual([{ id: ids.staff, displayName: 'Cat Crew', team: null }]);
  expect((await server.gql(tokens.admin as string, '{ people { id email } }')).data.people).toEqual([
    { id: ids.staff, email: null },
  ]);
});

test('those whose tasks one decides are found by name, address or team, a page at a time, and nobody else', async () => {
  const { pool } = server.database;
  await pool.query(
    `insert into people (email, first_name, last_name, team, grants, created_at)
     select n || '@many.test', case when n <= 50 then 'Zoë' else 'Many' end, 'Kaya', case when n = 3 then 'connect' end, '{VIEW_TOP_5}', now()
     from generate_series(1, 1100) n`,
  );
  type Found = { id: string; displayName: string; email: string | null }[];
  const ask = async (args: string, token = tokens.admin as string) =>
    (await server.gql<{ people: Found }>(token, `{ people(${args}) { id displayName email } }`)).data.people;
  const { code, errors } = await server.gql(tokens.admin as string, '{ people { id } }');
  expect([code, errors?.[0]?.message]).toEqual([
    'QUERY_TOO_LARGE',
    'There are more than 1,000 people. Read them in pages, with limit and after',
  ]);
  expect(await ask('find: "ZOE kaya", limit: 1')).toEqual([
    { id: expect.any(String), displayName: 'Zoë Kaya', email: expect.stringMatching(/@many.test$/) },
  ]);
  expect((await ask('find: "kaya"')).length).toBe(50);
  expect((await ask('find: "(3@many.test) connect"')).length).toBe(1);
  const read: string[] = [];
  for (let page = await ask('limit: 1000'); page.length > 0; page = await ask(`limit: 1000, after: "${read.at(-1)}"`))
    read.push(...page.map(({ id }) => id));
  expect([read.length, new Set(read).size]).toEqual([1101, 1101]);
  const asked = `ids: ["${ids.staff}", "${ids.admin}", "${ids.plain}", "${read.find((id) => id !== ids.staff)}"]`;
  expect((await ask(asked)).length).toBe(3);
  expect(await ask(asked, tokens.approver)).toEqual([{ id: ids.staff, displayName: 'Cat Crew', email: null }]);
  expect(await ask('find: "kaya"', tokens.approver)).toEqual([]);
  await pool.query("delete from people where email like '%@many.test'");
});

test('someone who left or no longer uses S.T.A.R.T is found by those who decide their tasks, and by nobody else', async () => {
  const start = ['VIEW_DASHBOARD', 'VIEW_TOP_5'] as const;
  const gone = await server.person({ firstName: 'Marcus', lastName: 'Gone', permissions: start });
  const without = await server.person({ firstName: 'Nora', lastName: 'Without', approvers: [ids.approver] });
  const { pool } = server.database;
  await pool.query('update people set disabled_at = now() where id = $1', [gone]);
  const ask = async (token: string, args: string) =>
    (await server.gql(token, `{ people(${args}) { id disabled keepsTasks } }`)).data.people;
  const byId = `ids: ["${gone}", "${without}", "${ids.staff}"]`;
  const nora = { id: without, disabled: false, keepsTasks: false };
  const staff = { id: ids.staff, disabled: false, keepsTasks: true };
  expect(await ask(tokens.approver!, byId)).toEqual([staff, nora]);
  const marcus = { id: gone, disabled: true, keepsTasks: true };
  expect(await ask(tokens.admin!, byId)).toEqual([staff, marcus, nora]);
  expect(await ask(tokens.admin!, 'find: "marcus"')).toEqual([marcus]);
  // They don't crowd out those who are here.
  expect(await ask(tokens.admin!, 'find: ""')).toEqual([staff]);
  // What the answer names is what the task list gives.
  for (const [token, id, sees] of [
    [tokens.approver!, gone, 'NOT_FOUND'],
    [tokens.approver!, without, null],
    [tokens.admin!, gone, null],
  ] as const) {
    const sprint = (await server.gql(token, '{ sprints { id current } }')).data.sprints[0].id;
    const { code } = await server.gql(token, `{ sprintResult(userId: "${id}", sprintId: "${sprint}") { committed } }`);
    expect([id, code]).toEqual([id, sees]);
  }
  await pool.query('delete from approvers where person_id = $1', [without]);
  await pool.query('delete from people where id = any($1)', [[gone, without]]);
});

test('a disabled person is in no list', async () => {
  const gone = await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] });
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [gone]);
  const { data } = await server.gql(tokens.keeper as string, lists);
  expect(JSON.stringify(data)).not.toContain(`"${gone}"`);
});

test('more than a thousand people are refused whole and read in pages, each person once on one of the lists', async () => {
  await server.database.pool.query(
    "insert into people (email, first_name, last_name, grants, created_at) select n || '@many.test', 'Many', 'Many', case when n % 3 = 0 then array['VIEW_TOP_5'] else '{}' end, now() from generate_series(1, 2000) n",
  );
  const ask = (query: string) => server.gql(tokens.keeper as string, query);
  for (const query of ['{ getUsers { next } }', '{ users { next } }', '{ getLoggedUsers { id } }']) {
    const { code, errors } = await ask(query);
    expect([code, errors?.[0]?.message]).toEqual([
      'QUERY_TOO_LARGE',
      'There are more than 1,000 people. Read them in pages, with limit and after',
    ]);
  }
  expect((await ask('{ getPermittedUsers { id } }')).data.getPermittedUsers).toHaveLength(2 + 666);
  expect((await ask('{ getUsers(limit: 1001) { next } }')).code).toBe('BAD_INPUT');
  const read = { logged: [] as string[], permitted: [] as string[] };
  type Users = { id: string }[];
  type Lists = { getLoggedUsers: Users; getPermittedUsers: Users; next: string | null };
  const idsOf = (users: Users) => users.map(({ id }) => id);
  for (let after: string | null = null, first = true; first || after !== null; first = false) {
    const page: string = `(limit: 900${after === null ? '' : `, after: "${after}"`})`;
    const { data: answer } = await ask(`{ getUsers${page} { getLoggedUsers { id } getPermittedUsers { id } next } }`);
    const getUsers: Lists = answer.getUsers;
    read.logged.push(...idsOf(getUsers.getLoggedUsers));
    read.permitted.push(...idsOf(getUsers.getPermittedUsers));
    after = getUsers.next;
  }
  expect([new Set(read.logged).size, new Set(read.permitted).size]).toEqual([3 + 1334, 2 + 666]);
  expect([read.logged.length, read.permitted.length]).toEqual([3 + 1334, 2 + 666]);
  const { data } = await ask(`{ getLoggedUsers(limit: 1000, after: "${read.logged.at(-3)}") { id } }`);
  expect(idsOf(data.getLoggedUsers)).toEqual(read.logged.slice(-2));
  await server.database.pool.query("delete from people where email like '%@many.test'");
});

test('of people with tasks, those with the same name show their addresses', async () => {
  const permissions = ['VIEW_DASHBOARD', 'VIEW_TOP_5'] as const;
  const id = await server.person({ firstName: 'Cat', lastName: 'Crew', permissions });
  const { people } = (await server.gql(tokens.admin as string, '{ people { id email } }')).data;
  expect(new Set(people.map((person: { id: string }) => person.id))).toEqual(new Set([ids.staff, id]));
  for (const { email } of people) expect(email).toMatch(/@/);
});
