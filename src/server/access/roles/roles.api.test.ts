import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminRole } from '#core/access/access.ts';
import { type Permission, permissionKeys } from '#core/access/permissions.ts';
import { changeAccount } from '#server/people/account-changes.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { answer, roleCalls } from '../../../../test/role-calls.ts';

let server: TestApp;
let api: ReturnType<typeof roleCalls>;
let admin: string;
let editor: string;
beforeAll(async () => {
  server = await startTestApp();
  admin = await server.signIn(await server.person({ role: 'admin', firstName: 'Ada' }));
  editor = await server.signIn(
    await server.person({ role: 'Editors', permissions: ['VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR'] }),
  );
  api = roleCalls(server, admin);
});
afterAll(() => server.stop());

test('who does not edit roles neither sees, makes, changes nor deletes one', async () => {
  const stranger = await server.signIn(await server.person({ permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] }));
  const role = await api.made('Secret');
  expect((await server.gql(stranger, '{ roles { id } }')).code).toBe('FORBIDDEN');
  expect((await server.gql(stranger, `{ roleHolders(id: "${role.id}") { id } }`)).code).toBe('FORBIDDEN');
  expect((await server.gql(stranger, `{ roleHistory(id: "${role.id}") { id } }`)).code).toBe('FORBIDDEN');
  expect((await api.create(stranger, 'Mine')).code).toBe('FORBIDDEN');

  expect((await api.remove(stranger, role.id, 1)).code).toBe('FORBIDDEN');
  expect(await api.roleOf(role.id)).toEqual(role);
});

test('admin is no role among them', async () => {
  expect((await api.roles()).map(({ name }: { name: string }) => name)).not.toContain('admin');
});

test.each<[string, Permission]>([
  ['USER_MANAGEMENT', 'USER_MANAGEMENT'],
  ['what they lack themselves', 'READ_GREEN'],
])(
  'a role editor who is no admin cannot give %s: not in a new role, not in a change, not by a copy (D38, T14)',
  async (_, wanted) => {
    const role = await api.made('Plain');
    const edits = [{ id: role.id, version: 1, permissions: ['VIEW_DASHBOARD', wanted] }];
    const refusal = {
      code: 'FORBIDDEN',
      field: 'permissions',
      message: expect.stringContaining('permissions that you don’t have'),
    };
    expect(answer(await api.create(editor, api.own('Copy'), [wanted]))).toMatchObject(refusal);
    expect(answer(await api.difference(editor, edits))).toMatchObject(refusal);
    // With a difference that someone else reviewed.
    const { seen } = (await api.difference(admin, edits)).data.roleDifference;
    expect(answer(await api.save(editor, edits, seen))).toMatchObject(refusal);
    expect(await api.roleOf(role.id)).toEqual(role);
  },
);

test('a role editor may give what they hold, and take away what they do not', async () => {
  const role = await api.made('Plain', ['VIEW_DASHBOARD', 'VIEW_TOOLS']);
  const permissions = ['VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR'];
  expect((await api.apply(editor, [{ id: role.id, version: 1, permissions }])).code).toBeNull();
  expect((await api.roleOf(role.id)).permissions).toEqual(permissions);
});

test.each([
  ['the right to edit roles', ['VIEW_DASHBOARD']],
  ['the application', ['VIEW_ROLE_EDITOR']],
])('nobody takes %s from themselves', async (_, permissions) => {
  const own = await api.named('Editors');
  const edits = [{ id: own.id, version: own.version, permissions }];
  expect(answer(await api.difference(editor, edits))).toMatchObject({ code: 'FORBIDDEN', field: 'permissions' });
  const { seen } = (await api.difference(admin, edits)).data.roleDifference;
  expect(answer(await api.save(editor, edits, seen))).toMatchObject({ code: 'FORBIDDEN', field: 'permissions' });
  expect((await api.roles(editor)).length).toBeGreaterThan(0);
});

test('who holds the right by a grant of their own may take it from the role', async () => {
  const role = api.own('Granted');
  const token = await server.signIn(
    await server.person({ role, permissions: ['VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR'], grants: ['VIEW_ROLE_EDITOR'] }),
  );
  const own = await api.named(role);
  expect((await api.apply(token, [{ id: own.id, version: 1, permissions: ['VIEW_DASHBOARD'] }])).code).toBeNull();
});

test.each([
  ['blank', '  ', 'must not be blank'],
  ['reserved', 'Admin', 'has every permission'],
  ['too long', 'x'.repeat(61), 'longer than 60'],
])('a role is not made with a name that is %s', async (_, name, message) => {
  expect(answer(await api.create(admin, name))).toMatchObject({
    code: 'BAD_INPUT',
    field: 'name',
    message: expect.stringContaining(message),
  });
});

test('a name that another role has, in whatever case, is refused to a new role and to a renamed one', async () => {
  const [first, second] = [await api.made('First'), await api.made('Second')];
  expect(answer(await api.create(admin, first.name.toUpperCase()))).toMatchObject({ code: 'BAD_INPUT', field: 'name' });
  const edits = [{ id: second.id, version: 1, name: ` ${first.name.toLowerCase()} ` }];
  expect(answer(await api.difference(admin, edits))).toMatchObject({ code: 'BAD_INPUT', field: 'name' });
});

test('a misspelt key is refused, the one of the specification is read as the intended one (D9)', async () => {
  expect(answer(await api.create(admin, api.own('Keys'), ['VIEW_EVERYTHING']))).toMatchObject({
    code: 'BAD_INPUT',
    field: 'permissions.0',
  });
  const role = (await api.create(admin, api.own('Keys'), ['IEW_WHO_LIVES_DONATIONS'])).data.createRole;
  expect(role.permissions).toEqual(['VIEW_WHO_LIVES_DONATIONS']);
});

test('a name with a script is kept as it is: text', async () => {
  const name = `<script>${api.own('alert')}</script>`;
  expect((await api.create(admin, name)).data.createRole.name).toBe(name);
});

test('the same creating call twice, with its key, makes one role', async () => {
  const call = (name: string) =>
    server.call({
      method: 'POST',
      url: '/graphql',
      headers: { authorization: `Bearer ${admin}`, 'idempotency-key': api.own('role').replace(' ', '-') },
      payload: { query: `mutation { createRole(name: "${name}", permissions: []) { id } }` },
    });
  const [first, again, other] = [await call('Once'), await call('Once'), await call('Another')];
  expect(again.json().data).toEqual(first.json().data);
  expect(other.json().errors[0].extensions.code).toBe('KEY_REUSED');
});

test('of two roles of one name made at once, one is made and the other told why not', async () => {
  const answers = await Promise.all([api.create(admin, api.own('Twin')), api.create(admin, api.own('twin'))]);
  expect(answers.map(({ code }) => code).sort()).toEqual(['BAD_INPUT', null].sort());
});

test('a role in use is not deleted, and the answer says who has it, disabled accounts too', async () => {
  const role = await api.made('Used');
  const eve = await server.person({ role: role.name, firstName: 'Eve', lastName: 'E' });
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [eve]);
  expect(answer(await api.remove(admin, role.id, 1))).toMatchObject({
    code: 'STILL_USED',
    message: '1 person has this role: Eve E. Give them another role first',
  });
  const { data } = await server.gql(admin, `{ roleHolders(id: "${role.id}") { id displayName disabled } }`);
  expect(data.roleHolders).toEqual([{ id: eve, displayName: 'Eve E', disabled: true }]);
  await server.database.pool.query('update people set role = null where id = $1', [eve]);
  expect((await api.remove(admin, role.id, 1)).data.deleteRole).toBe(role.id);
  expect(await api.roleOf(role.id)).toBeUndefined();
  expect((await server.gql(admin, `{ roleHolders(id: "${role.id}") { id } }`)).data.roleHolders).toEqual([]);
});

test('a role is not deleted while somebody is just being given it, and nobody is given one that is gone', async () => {
  const role = await api.made('Just given');
  const id = await server.person();
  const { promise: given, resolve: giveNow } = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const viewer = { id: '0', role: adminRole, team: null, permissions: permissionKeys, approverIds: [] };
  const giver = { ...server.parts, viewer, actorId: null, requestId: 'test', address: 'test' };
  const giving = server.database.transaction(async (queries) => {
    await changeAccount(queries, giver, id, { role: role.name });
    held.resolve();
    await given;
  });
  await held.promise;
  const deleting = api.remove(admin, role.id, 1);
  giveNow();
  await giving;
  expect((await deleting).code).toBe('STILL_USED');
  await expect(server.database.pool.query(`update people set role = 'nothing' where id = $1`, [id])).rejects.toThrow(
    'made_role',
  );
});
