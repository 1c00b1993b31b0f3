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
  expect((await server.gql(tokens.admin as string, '{ people { id } }')).data.people).toEqual([{ id: ids.staff }]);
});

test('a disabled person is in no list', async () => {
  const gone = await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] });
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [gone]);
  const { data } = await server.gql(tokens.keeper as string, lists);
  expect(JSON.stringify(data)).not.toContain(`"${gone}"`);
});
