import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';

let server: TestApp;
let ids: Record<'admin' | 'editor' | 'staff' | 'boss', string>;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestApp();
  const admin = await server.person({ role: 'admin' });
  const editor = await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR'] });
  const boss = await server.person({ role: 'Boss', firstName: 'Ben', lastName: 'Boss' });
  const staff = await server.person({
    role: 'Staff',
    firstName: 'Cat',
    lastName: 'Crew',
    grants: ['VIEW_TOP_5'],
    approvers: [boss],
  });
  ids = { admin, editor, staff, boss };
  for (const [name, id] of Object.entries(ids)) tokens[name] = await server.signIn(id);
});
afterAll(() => server.stop());

const explain = (personId: string, path: string, product?: string) =>
  server.gql(
    tokens.editor as string,
    `query ($personId: ID!, $path: String!, $product: String) { explainedAccess(personId: $personId, path: $path, product: $product) {
      sees message checks { name outcome sentence } mends { kind permission roles } } }`,
    { personId, path, product },
  );
const findings = async () =>
  (await server.gql(tokens.editor as string, '{ permissionFindings { kind about key name detail } }')).data
    .permissionFindings;

test('the doctor is refused to whoever edits no roles', async () => {
  for (const query of [
    '{ permissionFindings { key } }',
    '{ peopleToExplain { id } }',
    `{ explainedAccess(personId: "${ids.boss}", path: "/sales") { sees } }`,
  ])
    expect((await server.gql(tokens.staff as string, query)).code).toBe('FORBIDDEN');
});

test('a page that nobody is let into, or a person who is not there, is no question', async () => {
  for (const path of ['/', '/logout', '/error', '/nowhere', '__proto__', '/sales/'])
    expect([path, (await explain(ids.staff, path)).code]).toEqual([path, 'BAD_INPUT']);
  expect((await explain('999999', '/sales')).code).toBe('NOT_FOUND');
});

test('it finds what is stored wrong: the misspelt key, unknown names, approvers who may not approve', async () => {
  await server.database.pool.query(
    "update roles set permissions = permissions || array['IEW_WHO_LIVES_DONATIONS', 'VIEW_MOON'] where name = 'Staff'",
  );
  const found = await findings();
  expect(found).toContainEqual({
    ...{ kind: 'misspeltPermission', about: 'role', key: 'Staff', name: 'Staff' },
    detail: 'IEW_WHO_LIVES_DONATIONS, treated as VIEW_WHO_LIVES_DONATIONS',
  });
  expect(found).toContainEqual({
    kind: 'unknownPermission',
    about: 'role',
    key: 'Staff',
    name: 'Staff',
    detail: 'VIEW_MOON',
  });
  expect(found[0]).toEqual({
    kind: 'approverWithoutPermission',
    about: 'person',
    key: ids.boss,
    name: 'Ben Boss',
    detail: 'Approves 1 person',
  });
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [ids.boss]);
  expect((await findings())[0]).toMatchObject({ kind: 'approverDisabled', key: ids.boss });
});

test('it tells which check fails and what would mend it, as things are now', async () => {
  const { data } = await explain(ids.staff, '/role-editor');
  expect(data.explainedAccess).toMatchObject({
    ...{ sees: false, message: "You don't have permission for this page" },
    mends: [{ kind: 'permission', permission: 'VIEW_ROLE_EDITOR' }],
  });
  expect(data.explainedAccess.mends[0].roles).toHaveLength(1);
  expect(data.explainedAccess.checks.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'passed',
    'failed',
    'notReached',
    'notReached',
  ]);
  expect((await explain(ids.staff, '/donations', 'who-lives')).data.explainedAccess.mends[0].permission).toBe(
    'VIEW_DONATIONS',
  );
  expect((await explain(ids.staff, '/top-5/tasks')).data.explainedAccess.sees).toBe(true);
  await server.database.pool.query('delete from approvers where person_id = $1', [ids.staff]);
  expect((await explain(ids.staff, '/top-5/tasks')).data.explainedAccess).toMatchObject({
    sees: false,
    mends: [{ kind: 'approver' }],
  });
  expect((await explain(ids.admin, '/role-qualifications')).data.explainedAccess.sees).toBe(true);
});

test('people are found by name, admins last, or one by id', async () => {
  const { data } = await server.gql(
    tokens.editor as string,
    '{ peopleToExplain(search: "Crëw cat") { id name role } }',
  );
  expect(data.peopleToExplain).toEqual([{ id: ids.staff, name: 'Cat Crew', role: 'Staff' }]);
  const one = 'query ($id: ID) { peopleToExplain(id: $id) { name } }';
  const { peopleToExplain } = (await server.gql(tokens.editor as string, one, { id: ids.staff })).data;
  expect(peopleToExplain).toEqual([{ name: 'Cat Crew' }]);
  const all = (await server.gql(tokens.editor as string, '{ peopleToExplain { id } }')).data.peopleToExplain;
  expect(all.at(-1).id).toBe(ids.admin);
});
