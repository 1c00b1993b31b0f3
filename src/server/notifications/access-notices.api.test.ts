import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeTeam, someone, type Team } from '../../../test/task-fixtures.ts';
import { notifyAccessChanges } from './access-notices.ts';

let app: TestApp;
let team: Team;
beforeAll(async () => {
  app = await startTestApp();
  team = await makeTeam(app);
});
afterAll(() => app.stop());

const list = '{ notices { kind sentence detail } }';
const inboxOf = async ({ token }: { token: string }) => (await app.gql(token, list)).data.notices;

const changeApprovers = (token: string, userId: string, approverIds: string[]) =>
  app.gql(token, 'mutation ($changes: [ApproversChange!]!) { setApprovers(changes: $changes) { people { id } } }', {
    changes: [{ userId, approverIds }],
  });

async function saveRole(name: string, permissions: string[]) {
  const { rows } = await app.database.pool.query<{ id: string; version: number }>(
    'select id::text, version from roles where name = $1',
    [name],
  );
  const edits = [{ ...rows[0], permissions }];
  const difference = await app.gql(
    team.admin.token,
    'query ($edits: [RoleEdit!]!) { roleDifference(edits: $edits) { seen } }',
    { edits },
  );
  const saved = await app.gql(
    team.admin.token,
    'mutation ($edits: [RoleEdit!]!, $seen: String!) { saveRoles(edits: $edits, seen: $seen) { id } }',
    { edits, seen: difference.data.roleDifference.seen },
  );
  expect(saved.errors).toBeUndefined();
}

test('a change that is refused tells nobody', async () => {
  expect((await changeApprovers(team.stranger.token, team.owner.id, [])).code).toBe('FORBIDDEN');
  expect((await changeApprovers(team.admin.token, team.owner.id, [team.owner.id])).errors).toBeDefined();
  expect(await inboxOf(team.owner)).toEqual([]);
});

test('a person is told of other approvers, by their names', async () => {
  await changeApprovers(team.admin.token, team.owner.id, [team.otherApprover.id]);
  const { rows } = await app.database.pool.query<{ name: string }>(
    "select first_name || ' ' || last_name as name from people where id = $1",
    [team.otherApprover.id],
  );
  expect(await inboxOf(team.owner)).toEqual([
    {
      kind: 'access',
      sentence: 'Your access was changed',
      detail: `Your tasks are approved by ${rows[0]?.name}`,
    },
  ]);
});

test('everybody with a role is told what it permits now and what not any more; who changed it is not told', async () => {
  const first = await app.person({ role: 'Helpers', permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] });
  const second = await app.person({ role: 'Helpers' });
  const gone = await app.person({ role: 'Helpers' });
  await app.database.pool.query('update people set disabled_at = now() where id = $1', [gone]);
  await saveRole('Helpers', ['VIEW_DASHBOARD', 'VIEW_TOOLS']);
  for (const id of [first, second])
    expect(await inboxOf({ token: await app.signIn(id) })).toMatchObject([
      { detail: 'You now have: Tools\nYou no longer have: Sales' },
    ]);
  const { rows } = await app.database.pool.query('select 1 from notices where person_id = any($1)', [
    [gone, team.admin.id],
  ]);
  expect(rows).toEqual([]);
});

test('a person is told of what user management gave and took; an account that is disabled is told nothing', async () => {
  const id = await app.person({ role: 'Keepers', permissions: ['VIEW_DASHBOARD'] });
  const token = await app.signIn(id);
  const change = async (call: string) => {
    const mutation = `mutation ($id: ID!) { ${call} { id } }`;
    expect((await app.gql(team.admin.token, mutation, { id })).errors).toBeUndefined();
  };
  await change('setTop5(userId: $id, on: true)');
  expect(await inboxOf({ token })).toMatchObject([{ kind: 'access', detail: 'You now have: Tasks' }]);
  await change('setUserDisabled(userId: $id, disabled: true)');
  const { rows } = await app.database.pool.query('select 1 from notices where person_id = $1', [id]);
  expect(rows).toHaveLength(1);
});

test('whoever has no approver of their own is told of another default approver, and nobody else', async () => {
  await changeApprovers(team.admin.token, team.owner.id, []);
  const unread = (await inboxOf(team.stranger)).length;
  const known = (await inboxOf(team.owner)).length;
  const chosen = await app.gql(
    team.admin.token,
    'mutation ($approverId: ID) { setDefaultApprover(approverId: $approverId) { defaultApproverId } }',
    { approverId: team.approver.id },
  );
  expect(chosen.data.setDefaultApprover.defaultApproverId).toBe(team.approver.id);
  const inbox = await inboxOf(team.owner);
  expect(inbox).toHaveLength(known + 1);
  expect(inbox[0].detail).toMatch(/^Your tasks are approved by \S/);
  expect(await inboxOf(team.stranger)).toHaveLength(unread);
});

test('only who manages people asks for a role, and only for a person without one', async () => {
  const ask = (token: string, id: string) =>
    app.gql(token, 'mutation ($id: ID!) { askForRole(userId: $id) { id } }', { id });
  const roleless = await app.person({ role: null });
  expect((await ask(team.owner.token, roleless)).code).toBe('FORBIDDEN');
  expect((await ask(team.admin.token, team.owner.id)).code).toBe('CONFLICT');
});

test('an approver hears of a new person who keeps tasks, and no more once that is undone', async () => {
  const heard = async () => (await inboxOf(team.approver)).filter(({ kind }: { kind: string }) => kind === 'approvee');
  const id = await app.person({
    role: 'Nobody yet',
    permissions: ['VIEW_DASHBOARD'],
    firstName: 'Nora',
    lastName: 'Lind',
  });
  await changeApprovers(team.admin.token, id, [team.approver.id]);
  expect(await heard()).toEqual([]);
  await saveRole('Nobody yet', ['VIEW_DASHBOARD', 'VIEW_TOP_5']);
  expect(await heard()).toEqual([
    { kind: 'approvee', sentence: 'You now approve the tasks of Nora Lind', detail: null },
  ]);
  await changeApprovers(team.admin.token, id, [team.otherApprover.id]);
  expect(await heard()).toEqual([]);
});

describe('of many new people an approver hears once', () => {
  const words = async (approver: { token: string }) =>
    (await inboxOf(approver))
      .filter(({ kind }: { kind: string }) => kind === 'approvee')
      .map(({ sentence }: { sentence: string }) => sentence);

  test('when their role changes, by one message, and people who are taken away again leave it', async () => {
    const approver = await someone(app, { permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] });
    const first = await app.person({
      role: 'Many',
      permissions: ['VIEW_DASHBOARD'],
      firstName: 'Ines',
      lastName: 'Moor',
    });
    const { rows } = await app.database.pool.query<{ id: string }>(
      `insert into people (email, first_name, last_name, role)
       select 'many' || n || '@example.test', '', '', 'Many' from generate_series(1, 1199) n returning id::text`,
    );
    const people = [first, ...rows.map(({ id }) => id)];
    await app.database.pool.query('insert into approvers (person_id, approver_id) select unnest($1::bigint[]), $2', [
      people,
      approver.id,
    ]);
    const messages: (readonly string[])[] = [];
    const stop = app.parts.live.on('noticesChanged', ({ personIds }) => messages.push(personIds));
    await saveRole('Many', ['VIEW_DASHBOARD', 'VIEW_TOP_5']);
    await vi.waitFor(() => expect(new Set(messages.flat()).size).toBe(people.length + 1));
    stop();
    expect(messages.filter((ids) => ids.includes(approver.id))).toHaveLength(1);
    expect(await words(approver)).toEqual(['You now approve the tasks of 1,200 people']);
    for (const userId of [people[5]!, people[6]!]) await changeApprovers(team.admin.token, userId, []);
    expect(await words(approver)).toEqual(['You now approve the tasks of 1,198 people']);
    await saveRole('Many', ['VIEW_DASHBOARD']);
    expect(await words(approver)).toEqual([]);
  });

  test('when they come one after another; of those who come after it was read, again', async () => {
    const approver = await someone(app, { permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] });
    const create = async (email: string) => {
      const { data } = await app.gql(
        team.admin.token,
        'mutation ($email: String!, $approvers: [ID!]!) { createUser(email: $email, role: "Owners", approverId: $approvers) { id } }',
        { email, approvers: [approver.id] },
      );
      return data.createUser.id as string;
    };
    await app.person({ role: 'Owners', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] });
    const first = await create('a@many.test');
    await create('b@many.test');
    expect(await words(approver)).toEqual(['You now approve the tasks of 2 people']);
    await changeApprovers(team.admin.token, first, []);
    expect(await words(approver)).toEqual(['You now approve the tasks of b@many.test']);
    await app.database.pool.query('update notices set read_at = now() where person_id = $1', [approver.id]);
    await create('c@many.test');
    expect(await words(approver)).toEqual(['You now approve the tasks of c@many.test']);
    expect((await app.gql(approver.token, '{ unreadNotices }')).data.unreadNotices).toBe(1);
  });

  test('with as many statements as for one', async () => {
    const approver = await someone(app, { permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] });
    const access = { role: 'Many', permissions: [], approvers: [], ownApproverIds: [approver.id] };
    const statements = (count: number) =>
      app.database.transaction(async (queries) => {
        const execute = vi.spyOn(queries, 'execute');
        const changes = Array.from({ length: count }, (_, index) => ({
          ...{ personId: String(9_000 + index), name: `Nora ${index}`, before: { ...access, role: null } },
          after: { ...access, permissions: ['VIEW_TOP_5'] as const },
        }));
        await notifyAccessChanges({ ...app.parts, viewer: null }, queries, changes);
        return execute.mock.calls.length;
      });
    expect(await statements(300)).toBe(await statements(1));
  });
});

test('an approver hears of a person who is created with tasks, but not of their own doing', async () => {
  await app.gql(
    team.admin.token,
    'mutation ($approvers: [ID!]!) { createUser(email: "new@example.test", role: "Nobody yet", approverId: $approvers) { id } }',
    { approvers: [team.approver.id, team.admin.id] },
  );
  const words = (notices: { kind: string; sentence: string }[]) =>
    notices.filter(({ kind }) => kind === 'approvee').map(({ sentence }) => sentence);
  expect(words(await inboxOf(team.approver))).toEqual(['You now approve the tasks of new@example.test']);
  expect(words(await inboxOf(team.admin))).toEqual([]);
});

test('admins alone are told who needs a role, again once they read it, and no longer once the person has one', async () => {
  const keeper = await app.person({ role: 'People', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] });
  const token = await app.signIn(keeper);
  const id = await app.person({ role: null, firstName: 'Nora', lastName: 'Lind' });
  const ask = () => app.gql(token, 'mutation ($id: ID!) { askForRole(userId: $id) { role } }', { id });
  expect((await ask()).data.askForRole).toEqual({ role: null });
  expect((await ask()).code).toBe('CONFLICT');
  const requests = async (who: { token: string }) =>
    (await app.gql(who.token, '{ notices { kind sentence path } }')).data.notices.filter(
      ({ kind }: { kind: string }) => kind === 'roleAsked',
    );
  expect(await requests(team.admin)).toEqual([
    {
      kind: 'roleAsked',
      sentence: expect.stringMatching(/ asks you to give Nora Lind a role$/),
      path: `/usermanagement?person=${id}`,
    },
  ]);
  expect(await requests({ token })).toEqual([]);
  // An admin who has read it is told again, since the person still has no role.
  await app.database.pool.query("update notices set read_at = now() where kind = 'roleAsked'");
  expect((await ask()).data.askForRole).toEqual({ role: null });
  expect(await requests(team.admin)).toHaveLength(1);
  const { version } = (
    await app.gql(team.admin.token, 'query ($id: ID!) { managedUser(userId: $id) { version } }', { id })
  ).data.managedUser;
  const given = await app.gql(
    team.admin.token,
    'mutation ($id: ID!, $version: String!) { updateUser(userId: $id, version: $version, role: "People") { role } }',
    { id, version },
  );
  expect(given.data.updateUser).toEqual({ role: 'People' });
  expect(await requests(team.admin)).toEqual([]);
});
