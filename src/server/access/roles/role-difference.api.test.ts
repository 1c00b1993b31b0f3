import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Permission } from '#core/access/permissions.ts';
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

test('a difference is shown to nobody who does not edit roles, and saved by nobody', async () => {
  const stranger = await server.signIn(await server.person({ permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] }));
  const edits = [{ id: (await api.made('Theirs')).id, version: 1, permissions: [] }];
  expect((await api.difference(stranger, edits)).code).toBe('FORBIDDEN');
  const { seen } = (await api.difference(admin, edits)).data.roleDifference;
  expect((await api.save(stranger, edits, seen)).code).toBe('FORBIDDEN');
});

test('people follow a role that is renamed, and open what they opened before', async () => {
  const role = api.own('Before');
  const id = await server.person({ role, permissions: ['VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR'] });
  const token = await server.signIn(id);
  const { id: roleId } = await api.named(role);
  const edits = [{ id: roleId, version: 1, name: api.own('After') }];
  expect((await api.difference(admin, edits)).data.roleDifference).toMatchObject({
    roles: [{ name: api.own('After'), renamedFrom: role, given: [], taken: [], people: 1 }],
    pages: [],
    groups: [],
  });
  expect((await api.apply(admin, edits)).code).toBeNull();
  expect((await api.roles(token)).find((each: { id: string }) => each.id === roleId)).toMatchObject({
    name: api.own('After'),
    people: 1,
  });
  const { rows } = await server.database.pool.query('select role from people where id = $1', [id]);
  expect(rows).toEqual([{ role: api.own('After') }]);
});

test('the difference names the real people and their pages, and a changed role counts with their next request (D14)', async () => {
  const role = api.own('Sellers');
  const permissions: Permission[] = [
    'VIEW_DASHBOARD',
    'VIEW_SALES',
    'VIEW_GREEN_SALES',
    'READ_GREEN',
    'VIEW_ROLE_EDITOR',
  ];
  const ben = await server.person({ role, permissions, firstName: 'Ben', lastName: 'B' });
  // Has the tab by a direct grant and keeps it.
  await server.person({
    role,
    permissions,
    firstName: 'Cleo',
    lastName: 'C',
    grants: ['VIEW_GREEN_SALES', 'VIEW_ROLE_EDITOR', 'VIEW_TOOLS'],
  });
  const gone = await server.person({ role, permissions, firstName: 'Dan' });
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [gone]);
  const own = await api.named(role);
  expect(own).toMatchObject({ people: 2, disabledPeople: 1 });
  const token = await server.signIn(ben);
  const edits = [{ id: own.id, version: 1, permissions: ['VIEW_DASHBOARD', 'VIEW_SALES', 'READ_GREEN', 'VIEW_TOOLS'] }];
  const seen = (await api.difference(admin, edits)).data.roleDifference;
  expect(seen).toMatchObject({
    roles: [{ id: own.id, given: ['VIEW_TOOLS'], taken: ['VIEW_GREEN_SALES', 'VIEW_ROLE_EDITOR'], people: 2 }],
    groups: [
      {
        gained: [{ address: '/tools' }],
        lost: [{ address: '/sales?product=green' }, { address: '/role-editor' }],
        landing: { from: '/sales?product=green', to: '/dashboard' },
        shutOut: false,
        people: [{ id: ben, displayName: 'Ben B' }],
      },
    ],
  });
  expect(seen.pages).toContainEqual({ address: '/tools', gained: 1, lost: 0 });
  expect((await api.roles(token)).length).toBeGreaterThan(0);
  expect((await api.save(admin, edits, seen.seen)).code).toBeNull();
  expect((await server.gql(token, '{ roles { id } }')).code).toBe('FORBIDDEN');
});

test('saving is refused when the difference is another than the one looked at, and nothing is half applied', async () => {
  const [first, second] = [await api.made('First'), await api.made('Second')];
  const edits = [
    { id: first.id, version: 1, permissions: [] },
    { id: second.id, version: 1, permissions: [] },
  ];
  const { seen } = (await api.difference(admin, edits)).data.roleDifference;
  // Someone got the role in the meantime: the change would shut them out, which nobody has reviewed.
  await server.person({ role: second.name });
  expect(answer(await api.save(admin, edits, seen))).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('is different now'),
  });
  expect(await api.roleOf(first.id)).toEqual(first);
  expect((await api.apply(admin, edits)).code).toBeNull();
});

test.each([
  [
    'changed',
    'Someone changed the role',
    (role: { id: string }) => api.apply(admin, [{ id: role.id, version: 1, permissions: ['VIEW_TOOLS'] }]),
  ],
  ['deleted', 'Someone deleted this role', (role: { id: string }) => api.remove(admin, role.id, 1)],
])(
  'a role that was %s while it was edited elsewhere: a clear answer, and nothing half applied',
  async (_, said, meanwhile) => {
    const [first, second] = [await api.made('First'), await api.made('Second')];
    const edits = [
      { id: first.id, version: 1, permissions: [] },
      { id: second.id, version: 1, permissions: [] },
    ];
    const { seen } = (await api.difference(admin, edits)).data.roleDifference;
    await meanwhile(second);
    const refusal = { code: 'CONFLICT', changed: [second.id], message: expect.stringContaining(said) };
    expect(answer(await api.save(admin, edits, seen))).toMatchObject(refusal);
    expect(answer(await api.difference(admin, edits))).toMatchObject(refusal);
    expect(answer(await api.remove(admin, second.id, 1))).toMatchObject(refusal);
    expect(await api.roleOf(first.id)).toEqual(first);
  },
);

test('of two who save the same role at once, one wins and the other is told', async () => {
  const role = await api.made('Contended');
  const edits = (permissions: readonly string[]) => [{ id: role.id, version: 1, permissions }];
  const [one, two] = [edits(['VIEW_TOOLS']), edits(['VIEW_SALES'])];
  const seen = [await api.difference(admin, one), await api.difference(admin, two)].map(
    ({ data }) => data.roleDifference.seen,
  );
  const answers = await Promise.all([api.save(admin, one, seen[0]), api.save(admin, two, seen[1])]);
  expect(answers.filter(({ code }) => code === 'CONFLICT')).toHaveLength(1);
  expect(await api.roleOf(role.id)).toMatchObject({ version: 2 });
});

test.each([
  ['who is being given the role', 'update people set role = $2 where id = $1', 0],
  ['whose own permissions are being changed', "update people set role = $2, grants = '{VIEW_TOOLS}' where id = $1", 1],
] as const)('a save waits for someone %s, and asks again', async (_, change, before) => {
  const held = await server.database.pool.connect();
  try {
    for (const edit of [{ permissions: ['VIEW_SALES', 'VIEW_TOOLS'] }, { name: api.own(`Renamed ${before}`) }]) {
      const role = await api.made(`Given ${before} ${Object.keys(edit).join()}`, ['VIEW_DASHBOARD']);
      const person = await server.person(before === 1 ? { role: role.name } : {});
      const edits = [{ id: role.id, version: 1, ...edit }];
      const { seen } = (await api.difference(admin, edits)).data.roleDifference;
      await held.query('begin');
      // What a change of a person does.
      await held.query('select from people where id = $1 for update', [person]);
      await held.query('select from roles where id = $1 for share', [role.id]);
      await held.query(change, [person, role.name]);
      const saved = api.save(admin, edits, seen);
      const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => (await server.asOwner(waits)).length).toBeGreaterThan(0);
      await held.query('commit');
      const isSame = before === 1 && 'name' in edit;
      expect((await saved).code).toBe(isSame ? null : 'CONFLICT');
      if (!isSame)
        expect((await api.difference(admin, edits)).data.roleDifference.roles).toMatchObject([{ people: 1 }]);
    }
  } finally {
    held.release();
  }
});

test('every change stands in the history with who, before and after, and an earlier state comes back the same way', async () => {
  const role = await api.made('Told', ['VIEW_DASHBOARD', 'VIEW_TOOLS']);
  await api.apply(admin, [{ id: role.id, version: 1, name: api.own('New name'), permissions: ['VIEW_DASHBOARD'] }]);
  const told = await api.history(role.id);
  expect(told).toEqual([
    {
      actorName: expect.stringContaining('Ada'),
      before: { name: api.own('Told'), permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS'] },
      after: { name: api.own('New name'), permissions: ['VIEW_DASHBOARD'] },
    },
    {
      actorName: expect.stringContaining('Ada'),
      before: null,
      after: { name: api.own('Told'), permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS'] },
    },
  ]);
  // Restoring is a change like any other, with the same checks.
  const back = [{ id: role.id, version: 2, ...told[1].after }];
  expect(answer(await api.difference(editor, back))).toMatchObject({ code: 'FORBIDDEN', field: 'permissions' });
  expect((await api.apply(admin, back)).code).toBeNull();
  expect(await api.roleOf(role.id)).toMatchObject({ ...told[1].after, version: 3 });
  expect(await api.history(role.id)).toHaveLength(3);
});

test('a change that changes nothing writes nothing', async () => {
  const role = await api.made('Same');
  expect(
    (await api.apply(admin, [{ id: role.id, version: 1, name: role.name, permissions: role.permissions }])).code,
  ).toBeNull();
  expect(await api.roleOf(role.id)).toEqual(role);
  expect(await api.history(role.id)).toHaveLength(1);
});

test('keys that no list knows are not shown, and are gone when the role is next saved', async () => {
  const role = await api.made('Old keys');
  await server.database.pool.query(`update roles set permissions = '{VIEW_DASHBOARD,VIEW_NOTHING}' where id = $1`, [
    role.id,
  ]);
  expect((await api.roleOf(role.id)).permissions).toEqual(['VIEW_DASHBOARD']);
  await api.apply(admin, [{ id: role.id, version: 1, permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS'] }]);
  const { rows } = await server.database.pool.query('select permissions from roles where id = $1', [role.id]);
  expect(rows).toEqual([{ permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS'] }]);
});

test('nobody but an admin keeps their own approver from deciding by changing the approver’s role', async () => {
  const deciding: Permission[] = ['VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'];
  const role = api.own('Leads');
  const [lead, colleague] = [
    await server.person({ role, permissions: deciding }),
    await server.person({ role, permissions: deciding, grants: ['VIEW_TOP_5_APPROVALS'] }),
  ];
  const permissions: Permission[] = [...deciding, 'VIEW_ROLE_EDITOR'];
  const led = await server.signIn(await server.person({ role: api.own('Led'), permissions, approvers: [lead] }));
  const other = await server.signIn(await server.person({ role: api.own('Led'), permissions, approvers: [colleague] }));
  const { id } = await api.named(role);
  const edits = [{ id, version: 1, permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] }];
  const { seen } = (await api.difference(admin, edits)).data.roleDifference;
  for (const answered of [await api.difference(led, edits), await api.save(led, edits, seen)])
    expect(answer(answered)).toMatchObject({
      code: 'FORBIDDEN',
      message: 'This would stop your approver from deciding on your tasks. Ask an admin',
    });
  // Their approver still decides.
  expect((await api.apply(other, edits)).code).toBeNull();
});

test('the difference names who would have no approver, and nobody who keeps one', async () => {
  const role = api.own('Leads');
  const permissions: Permission[] = ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'];
  const lead = await server.person({ role, permissions });
  const direct = await server.person({ role, permissions, grants: ['VIEW_TOP_5_APPROVALS'], passwordHash: 'x' });
  const approved = (firstName: string, approvers: string[]) =>
    server.person({
      firstName,
      lastName: 'Left',
      role: 'Staff',
      permissions: ['VIEW_DASHBOARD'],
      grants: ['VIEW_TOP_5'],
      approvers,
    });
  await approved('Ann', [lead]);
  await approved('Ben', [lead, direct]);
  const { id, version } = await api.named(role);
  const leftQuery = 'query ($edits: [RoleEdit!]!) { roleDifference(edits: $edits) { leftWithoutApprover } }';
  const left = async (kept: readonly Permission[]) =>
    (await server.gql(editor, leftQuery, { edits: [{ id, version, permissions: kept }] })).data.roleDifference
      .leftWithoutApprover;
  expect(await left(['VIEW_DASHBOARD'])).toEqual(['Ann Left']);
  expect(await left(['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS', 'VIEW_ROLE_EDITOR'])).toEqual([]);
  expect(await left([])).toEqual(['Ann Left', 'Ben Left']);
  // Nobody has to approve for someone who loses S.T.A.R.T in the same change.
  const leads = api.own('Leads of each other');
  const both: Permission[] = ['VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'];
  const first = await server.person({ role: leads, permissions: both, passwordHash: 'x' });
  await server.person({ role: leads, permissions: both, firstName: 'Led', lastName: 'By one', approvers: [first] });
  const theirs = await api.named(leads);
  const leftOf = async (kept: readonly Permission[]) =>
    (await server.gql(admin, leftQuery, { edits: [{ id: theirs.id, version: theirs.version, permissions: kept }] }))
      .data.roleDifference.leftWithoutApprover;
  expect(await leftOf(['VIEW_DASHBOARD', 'VIEW_TOP_5'])).toEqual(['Led By one']);
  expect(await leftOf(['VIEW_DASHBOARD'])).toEqual([]);
});
