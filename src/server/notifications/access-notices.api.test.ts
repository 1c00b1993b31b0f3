import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { instantText } from '#server/platform/instant-text.ts';
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
  app.gql(token, 'mutation ($changes: [ApproversChange!]!) { setApprovers(changes: $changes) { defaultApproverId } }', {
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
      sentence: 'Your access changed',
      detail: `Your approver is now ${rows[0]?.name}`,
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
      { detail: 'New permissions: Tools\nRemoved permissions: Sales' },
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
  expect(await inboxOf({ token })).toMatchObject([{ kind: 'access', detail: 'New permissions: S.T.A.R.T' }]);
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
  expect(inbox[0].detail).toMatch(/^Your approver is now \S/);
  expect(await inboxOf(team.stranger)).toHaveLength(unread);
});

test('only who manages people asks for a role, and only for one that the person doesn’t have', async () => {
  const ask = (token: string, id: string, role: string) =>
    app.gql(token, 'mutation ($id: ID!, $role: String!) { askForRole(userId: $id, role: $role) { version } }', {
      ...{ id, role },
    });
  const roleless = await app.person({ role: null });
  const { rows } = await app.database.pool.query('select role from people where id = $1', [team.owner.id]);
  expect((await ask(team.owner.token, roleless, rows[0].role)).code).toBe('FORBIDDEN');
  expect((await ask(team.admin.token, team.owner.id, rows[0].role)).errors?.[0]?.message).toContain('already');
  expect((await ask(team.admin.token, team.admin.id, rows[0].role)).code).toBe('CONFLICT');
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
  expect(await heard()).toEqual([{ kind: 'approvee', sentence: 'You’re now an approver for Nora Lind', detail: null }]);
  await changeApprovers(team.admin.token, id, [team.otherApprover.id]);
  expect(await heard()).toEqual([]);
});

test('a change of access that is undone within half a minute leaves no message, or news to an approver who knew', async () => {
  const approver = await someone(app, { permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] });
  const id = await app.person({ role: 'Undone', permissions: ['VIEW_DASHBOARD'] });
  await changeApprovers(team.admin.token, id, [approver.id]);
  const token = await app.signIn(id);
  const set = async (on: boolean) => {
    const { errors } = await app.gql(
      team.admin.token,
      'mutation ($id: ID!, $on: Boolean!) { setTop5(userId: $id, on: $on) { id } }',
      { id, on },
    );
    expect(errors).toBeUndefined();
  };
  await set(true);
  await app.database.pool.query('update notices set read_at = now() where person_id = any($1)', [[id, approver.id]]);
  const [toPerson, toApprover] = [await inboxOf({ token }), await inboxOf(approver)];
  await app.database.pool.query("update notices set at = at - interval '31 seconds'");
  await set(false);
  expect(await inboxOf({ token })).toHaveLength(toPerson.length + 1);
  await set(true);
  expect([await inboxOf({ token }), await inboxOf(approver)]).toEqual([toPerson, []]);
  expect(toApprover).toMatchObject([{ kind: 'approvee' }]);
  // What was read is taken back in words.
  for (const seen of ['read_at', 'seen_at']) {
    const { length } = await inboxOf({ token });
    await set(false);
    await app.database.pool.query(`update notices set ${seen} = now() where person_id = $1`, [id]);
    await set(true);
    const inbox = await inboxOf({ token });
    expect([inbox.length, inbox[0].detail]).toEqual([length + 2, 'New permissions: S.T.A.R.T']);
    expect(await inboxOf(approver)).toEqual([]);
  }
});

test('a person stays told of an approver who had their tasks for a moment', async () => {
  const [approver, another] = [team.approver.id, team.otherApprover.id];
  const id = await app.person({ role: 'Both', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], approvers: [approver] });
  const token = await app.signIn(id);
  await changeApprovers(team.admin.token, id, [approver, another]);
  const told = await inboxOf({ token });
  expect(told).toHaveLength(1);
  await changeApprovers(team.admin.token, id, [approver]);
  expect(await inboxOf({ token })).toEqual([expect.objectContaining({ kind: 'access' }), ...told]);
});

test('an approver who had not heard of a person hears of them after an undo', async () => {
  const approver = await someone(app, { permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] });
  const id = await app.person({ role: 'Both', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] });
  const heard = async () => (await inboxOf(approver)).map(({ kind }: { kind: string }) => kind);
  await changeApprovers(team.admin.token, id, [approver.id]);
  expect(await heard()).toEqual(['approvee']);
  await changeApprovers(team.admin.token, id, [team.otherApprover.id]);
  expect(await heard()).toEqual([]);
  await changeApprovers(team.admin.token, id, [approver.id]);
  expect(await heard()).toEqual(['approvee']);
});

test('what is undone for one of many people stays known to the others', async () => {
  const choose = async ({ id }: { id: string }) => {
    const mutation = 'mutation ($id: ID) { setDefaultApprover(approverId: $id) { defaultApproverId } }';
    expect((await app.gql(team.admin.token, mutation, { id })).errors).toBeUndefined();
  };
  await choose(team.approver);
  const one = await app.person({ role: 'Both', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] });
  const other = await app.person({ role: 'Both', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] });
  const inboxes = async () => [
    (await inboxOf({ token: await app.signIn(one) })).length,
    (await inboxOf({ token: await app.signIn(other) })).length,
  ];
  await choose(team.otherApprover);
  expect(await inboxes()).toEqual([1, 1]);
  await changeApprovers(team.admin.token, one, [team.approver.id]);
  expect(await inboxes()).toEqual([0, 1]);
  // The approver had not heard of them.
  expect((await inboxOf(team.approver)).map(({ kind }: { kind: string }) => kind)).toEqual(['approvee']);
  await app.database.pool.query('delete from notices where person_id = $1', [team.approver.id]);
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
    await expect.poll(() => new Set(messages.flat()).size).toBe(people.length + 1);
    stop();
    expect(messages.filter((ids) => ids.includes(approver.id))).toHaveLength(1);
    expect(await words(approver)).toEqual(['You’re now an approver for Ines Moor and 1,199 others']);
    for (const userId of [people[5]!, people[6]!]) await changeApprovers(team.admin.token, userId, []);
    expect(await words(approver)).toEqual(['You’re now an approver for Ines Moor and 1,197 others']);
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
    expect(await words(approver)).toEqual(['You’re now an approver for a@many.test and 1 other']);
    await changeApprovers(team.admin.token, first, []);
    expect(await words(approver)).toEqual(['You’re now an approver for b@many.test']);
    await app.database.pool.query('update notices set read_at = now() where person_id = $1', [approver.id]);
    await create('c@many.test');
    expect(await words(approver)).toEqual(['You’re now an approver for c@many.test']);
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
  expect(words(await inboxOf(team.approver))).toEqual(['You’re now an approver for new@example.test']);
  expect(words(await inboxOf(team.admin))).toEqual([]);
});

test('only admins hear who needs which role, once a day, and not after the person has it', async () => {
  const keeper = await app.person({ role: 'People', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] });
  const token = await app.signIn(keeper);
  const id = await app.person({ role: null, firstName: 'Nora', lastName: 'Lind' });
  const query =
    'mutation ($id: ID!, $role: String!) { askForRole(userId: $id, role: $role) { rolesAsked { role at } } }';
  const ask = (role: string) => app.gql(token, query, { id, role });
  expect((await ask('No such role')).errors?.[0]?.message).toBe('There is no role “No such role”');
  const first = app.clock.now();
  expect((await ask('People')).data.askForRole.rolesAsked).toEqual([{ role: 'People', at: instantText(first) }]);
  const again = await ask('People');
  expect([again.code, again.errors?.[0]?.message]).toEqual([
    'CONFLICT',
    expect.stringMatching(/ already requested this role$/),
  ]);
  const requests = async (who: { token: string }) =>
    (await app.gql(who.token, '{ notices { kind sentence path } }')).data.notices.filter(
      ({ kind }: { kind: string }) => kind === 'roleAsked',
    );
  const wanted = (role: string) => [
    {
      kind: 'roleAsked',
      sentence: expect.stringMatching(new RegExp(` requested the role ${role} for Nora Lind$`)),
      path: `/usermanagement?person=${id}`,
    },
  ];
  expect(await requests(team.admin)).toEqual(wanted('People'));
  expect(await requests({ token })).toEqual([]);
  await app.database.pool.query("update people set password_hash = 'used' where id = $1", [team.admin.id]);
  const help = '{ accessHelp { admins { displayName email } roleAsked { role } } }';
  const { accessHelp } = (await app.gql(await app.signIn(id), help)).data;
  expect(accessHelp.roleAsked).toEqual({ role: 'People' });
  expect(accessHelp.admins).toContainEqual({ displayName: expect.any(String), email: expect.stringContaining('@') });
  // Another role replaces the request; the same one is asked again a day later.
  expect((await ask('Nobody yet')).code).toBe(null);
  expect(await requests(team.admin)).toEqual(wanted('Nobody yet'));
  for (const role of ['People', 'Nobody yet']) expect([role, (await ask(role)).code]).toEqual([role, 'CONFLICT']);
  app.clock.set(first.add({ hours: 24 }));
  const later = await app.signIn(keeper);
  expect((await app.gql(later, query, { id, role: 'People' })).code).toBe(null);
  expect(await requests({ token: await app.signIn(team.admin.id) })).toEqual(wanted('People'));
  const admin = await app.signIn(team.admin.id);
  const detail = async () =>
    (await app.gql(admin, 'query ($id: ID!) { managedUser(userId: $id) { version rolesAsked { role } } }', { id })).data
      .managedUser;
  // A certificate for the role is recorded before it is given.
  await app.asOwner(
    `insert into audit_log (actor_id, action, subject_type, subject_id, after)
     values ($1, 'evidenceRecorded', 'person', $2, '{"role": "People"}')`,
    [team.admin.id, id],
  );
  const { version, rolesAsked } = await detail();
  expect(rolesAsked).toEqual([{ role: 'People' }]);
  const given = await app.gql(
    admin,
    'mutation ($id: ID!, $version: String!) { updateUser(userId: $id, version: $version, role: "People") { role } }',
    { id, version },
  );
  expect(given.data.updateUser).toEqual({ role: 'People' });
  expect(await requests({ token: admin })).toEqual([]);
  expect((await detail()).rolesAsked).toEqual([]);
  app.clock.set(first);
});

test('without a recent proof nobody asks for a role', async () => {
  const keeper = await app.person({ role: 'People', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] });
  const token = await app.signIn(keeper);
  const id = await app.person({ role: null });
  const call = 'mutation ($id: ID!) { askForRole(userId: $id, role: "People") { rolesAsked { role } } }';
  app.clock.advance({ minutes: 11 });
  expect((await app.gql(token, call, { id })).code).toBe('CONFIRM_IDENTITY');
  expect((await app.gql(await app.signIn(keeper), call, { id })).code).toBeNull();
});

test('nobody asks for more roles in a day than admins can read', async () => {
  const keeper = await app.person({ role: 'People', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] });
  const id = await app.person({ role: null });
  const ask = async () =>
    app.gql(
      await app.signIn(keeper),
      'mutation ($id: ID!) { askForRole(userId: $id, role: "People") { rolesAsked { role } } }',
      { id },
    );
  await app.database.pool.query(
    `insert into audit_log (actor_id, action, subject_type, subject_id, after, at)
     select $1::bigint, 'roleAsked', 'person', $1::bigint, '{"role": "People"}', $2::timestamptz from generate_series(1, 50)`,
    [keeper, app.clock.now().toString()],
  );
  expect((await ask()).errors?.[0]?.message).toMatch(/^You requested 50 roles in the last 24 hours/);
  app.clock.advance({ hours: 24 });
  expect((await ask()).data.askForRole.rolesAsked).toEqual([{ role: 'People' }]);
});

test('of two requests at once only one is the last of the day', async () => {
  const keeper = await app.person({ role: 'People', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] });
  const people = [await app.person({ role: null }), await app.person({ role: null })];
  await app.database.pool.query(
    `insert into audit_log (actor_id, action, subject_type, subject_id, after, at)
     select $1::bigint, 'roleAsked', 'person', $1::bigint, '{"role": "People"}', $2::timestamptz from generate_series(1, 49)`,
    [keeper, app.clock.now().toString()],
  );
  const token = await app.signIn(keeper);
  const call = 'mutation ($id: ID!) { askForRole(userId: $id, role: "People") { rolesAsked { role } } }';
  // Each call has counted when it waits to notify the admins.
  const blocker = await app.database.pool.connect();
  await blocker.query('begin; lock table notices in share row exclusive mode');
  const answers = Promise.all(people.map((id) => app.gql(token, call, { id })));
  const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await app.asOwner(waits)).length).toBe(2);
  await blocker.query('commit');
  blocker.release();
  expect((await answers).map(({ code }) => code).sort()).toEqual(['CONFLICT', null]);
});

test('only the person who requested a role can withdraw it, and the admins aren’t asked for it anymore', async () => {
  await app.person({ role: 'People', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] });
  await app.person({ role: 'Sales', permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] });
  const keeper = await app.signIn(await app.person({ role: 'People', firstName: 'Grace', lastName: 'Whitfield' }));
  const other = await app.signIn(await app.person({ role: 'People' }));
  const outsider = await app.signIn(await app.person({ role: 'Sales' }));
  const admin = await app.signIn(team.admin.id);
  const id = await app.person({ role: null, firstName: 'Olga', lastName: 'Berg' });
  const act = async (who: string, call: string) => {
    const query = `mutation ($id: ID!) { ${call}(userId: $id, role: "Sales") { rolesAsked { role own } } }`;
    const { code, data, errors } = await app.gql(who, query, { id });
    return code === null ? data[call].rolesAsked : [code, errors?.[0]?.message];
  };
  const waiting = async () =>
    (await inboxOf({ token: admin })).filter(
      ({ kind, sentence }: { kind: string; sentence: string }) =>
        kind === 'roleAsked' && sentence.includes('Olga Berg'),
    ).length;
  expect(await act(keeper, 'askForRole')).toEqual([{ role: 'Sales', own: true }]);
  expect((await act(outsider, 'withdrawRoleRequest'))[0]).toBe('FORBIDDEN');
  expect(await act(other, 'withdrawRoleRequest')).toEqual(['CONFLICT', 'This request was already answered']);
  expect(await waiting()).toBe(1);
  expect(await act(keeper, 'withdrawRoleRequest')).toEqual([]);
  expect(await waiting()).toBe(0);
  expect((await inboxOf({ token: keeper })).filter(({ kind }: { kind: string }) => kind === 'roleAnswered')).toEqual(
    [],
  );
  const [entry] = await app.asOwner<object>(
    `select action, subject_id as subject, after from audit_log where action = 'roleWithdrawn'`,
  );
  expect(entry).toEqual({ action: 'roleWithdrawn', subject: id, after: { role: 'Sales' } });
  // A panel that still shows it.
  for (const [who, call] of [
    [admin, 'declineRole'],
    [keeper, 'withdrawRoleRequest'],
  ] as const)
    expect(await act(who, call)).toEqual(['CONFLICT', 'Grace Whitfield withdrew this request']);
  expect(await act(keeper, 'askForRole')).toEqual([{ role: 'Sales', own: true }]);
  expect(await waiting()).toBe(1);
  expect(await act(admin, 'declineRole')).toEqual([]);
  expect((await act(keeper, 'withdrawRoleRequest'))[0]).toBe('CONFLICT');
});

test('everyone who asked for a role hears the answer, and only admins who confirmed it’s them decline', async () => {
  await app.person({ role: 'People', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] });
  for (const role of ['Sales', 'Support'])
    await app.person({ role, permissions: ['VIEW_DASHBOARD', role === 'Sales' ? 'VIEW_SALES' : 'VIEW_TOOLS'] });
  const keeper = await app.signIn(await app.person({ role: 'People' }));
  const other = await app.signIn(await app.person({ role: 'People' }));
  const admin = await app.signIn(team.admin.id);
  const id = await app.person({ role: null, firstName: 'Nora', lastName: 'Lind' });
  const act = async (who: string, call: string, role = 'Sales') => {
    const query = `mutation ($id: ID!, $role: String!) { ${call}(userId: $id, role: $role) { rolesAsked { role } } }`;
    const { code, data } = await app.gql(who, query, { id, role });
    return code ?? data[call].rolesAsked.map(({ role: name }: { role: string }) => name);
  };
  const sentences = async (token: string, kind: string) =>
    (await inboxOf({ token }))
      .filter((notice: { kind: string }) => notice.kind === kind)
      .map(({ sentence }: { sentence: string }) => sentence.replace(/^.*( requested the role| declined)/, '$1'));
  const waiting = async () =>
    (await sentences(admin, 'roleAsked')).filter((text: string) => text.includes('Nora Lind'));
  expect(await act(keeper, 'askForRole')).toEqual(['Sales']);
  expect(await act(other, 'askForRole')).toBe('CONFLICT');
  expect(await act(other, 'askForRole', 'Support')).toEqual(['Support', 'Sales']);
  expect([await act(keeper, 'declineRole'), (await waiting()).length]).toEqual(['FORBIDDEN', 2]);
  app.clock.advance({ minutes: 11 });
  expect(await act(admin, 'declineRole')).toBe('CONFIRM_IDENTITY');
  const confirmed = await app.signIn(team.admin.id);
  expect(await act(confirmed, 'declineRole')).toEqual(['Support']);
  expect(await act(confirmed, 'declineRole')).toBe('CONFLICT');
  expect(await waiting()).toEqual([' requested the role Support for Nora Lind']);
  expect(await sentences(keeper, 'roleAnswered')).toEqual([' declined the role Sales for Nora Lind']);
  expect(await sentences(other, 'roleAnswered')).toEqual([]);
  const again = await app.signIn(await app.person({ role: 'People' }));
  expect(await act(again, 'askForRole')).toBe('CONFLICT');
  const given = await app.gql(
    confirmed,
    'mutation ($change: SharedUserChange!, $users: [UserVersion!]!) { changeUsers(change: $change, users: $users) { __typename } }',
    { change: { role: 'Sales' }, users: [{ userId: id }] },
  );
  expect([given.code, await waiting()]).toEqual([null, []]);
  expect((await sentences(keeper, 'roleAnswered')).length).toBe(1);
  expect(await sentences(other, 'roleAnswered')).toEqual([
    'Nora Lind now has the role Sales, not Support as you requested',
  ]);
});
