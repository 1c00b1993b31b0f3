import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';

/** What the manager gives, and so must have. */
const given = ['VIEW_TOP_5', 'VIEW_TOOLS'] as const;
let server: TestApp;
let ids: { admin: string; keeper: string; staff: string; approver: string };
let tokens: Record<keyof typeof ids, string>;

beforeAll(async () => {
  server = await startTestApp();
  const approver = await server.person({ firstName: 'Ben', lastName: 'Boss', role: 'Lead' });
  ids = {
    admin: await server.person({ email: 'ada@example.test', role: 'admin', passwordHash: 'x' }),
    keeper: await server.person({ role: 'Keeper', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT', ...given] }),
    staff: await server.person({ role: 'Staff', email: 'Cat@example.test', firstName: 'Cat', approvers: [approver] }),
    approver,
  };
  await server.person({ role: 'Imported', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], email: 'imp@example.test' });
});
beforeEach(async () => {
  const entries = await Promise.all(Object.entries(ids).map(async ([name, id]) => [name, await server.signIn(id)]));
  tokens = Object.fromEntries(entries);
});
afterAll(() => server.stop());

const directory =
  '{ managedUsers { id email displayName role team approverId top5Invisible top5From top5Bound disabled hasPassword } }';
const detail =
  'query ($id: ID!) { managedUser(userId: $id) { version grants rolePermissions user { id role team firstName lastName email approverId } waysIn { sessions { id address device } } } }';
const move = 'mutation ($id: ID!, $on: Boolean!) { setTop5(userId: $id, on: $on) { id top5From } }';
const disable =
  'mutation ($id: ID!, $disabled: Boolean!) { setUserDisabled(userId: $id, disabled: $disabled) { id disabled } }';
const update = `mutation ($id: ID!, $version: String!, $email: String, $firstName: String, $role: String, $team: String,
  $approverId: [ID!], $permissions: [String!], $top5Invisible: Boolean) {
  updateUser(userId: $id, version: $version, email: $email, firstName: $firstName, role: $role, team: $team,
    approverId: $approverId, permissions: $permissions, top5Invisible: $top5Invisible) { id email role } }`;
const create = `mutation ($email: String!, $firstName: String, $role: String, $top5: Boolean) {
  createUser(email: $email, firstName: $firstName, role: $role, top5: $top5) { id email top5From } }`;

const versionOf = async (id: string): Promise<string> =>
  (await server.gql(tokens.admin, detail, { id })).data.managedUser.version;
const lastAudit = async () => {
  const { rows } = await server.database.pool.query(
    'select actor_id::text as actor, action, subject_id as subject, before, after from audit_log order by id desc limit 1',
  );
  return rows[0];
};
const auditRows = async () => (await server.database.pool.query('select 1 from audit_log')).rowCount;

test.each([
  directory,
  '{ assignableRoles { name } }',
  '{ managedUser(userId: "1") { version } }',
  'mutation { setTop5(userId: "1", on: true) { id } }',
  'mutation { setUserDisabled(userId: "1", disabled: true) { id } }',
  'mutation { createUser(email: "x@example.test") { id } }',
  'mutation { updateUser(userId: "1", version: "x") { id } }',
  'mutation { makeSignInLink(userId: "1") { token } }',
  'mutation { endUserSessions(userId: "1") }',
  '{ accountTies(userId: "1") { approves } }',
  '{ previewUserChanges(users: [{ userId: "1" }], change: { top5: true }) { userId } }',
  'mutation { changeUsers(users: [{ userId: "1" }], change: { top5: true }) { userId } }',
])('is refused to whoever lacks user management, and nothing is written: %s', async (query) => {
  const before = await auditRows();
  for (const token of [tokens.staff, tokens.approver]) expect((await server.gql(token, query)).code).toBe('FORBIDDEN');
  expect(await auditRows()).toBe(before);
});

test('only an admin changes an admin or makes one', async () => {
  const version = await versionOf(ids.admin);
  const tries = [
    server.gql(tokens.keeper, update, { id: ids.admin, version, role: 'Staff' }),
    server.gql(tokens.keeper, update, { id: ids.admin, version, email: 'mine@example.test' }),
    server.gql(tokens.keeper, disable, { id: ids.admin, disabled: true }),
    server.gql(tokens.keeper, 'mutation ($id: ID!) { makeSignInLink(userId: $id) { token } }', { id: ids.admin }),
    server.gql(tokens.keeper, 'mutation ($id: ID!) { endUserSessions(userId: $id) }', { id: ids.admin }),
    server.gql(tokens.keeper, update, { id: ids.staff, version: await versionOf(ids.staff), role: 'admin' }),
    server.gql(tokens.keeper, create, { email: 'evil@example.test', role: 'admin' }),
  ];
  expect((await Promise.all(tries)).map(({ code }) => code)).toEqual(tries.map(() => 'FORBIDDEN'));
  expect(await versionOf(ids.admin)).toBe(version);
});

test('the last admin stays: not disabled by another, not without the role', async () => {
  const version = await versionOf(ids.admin);
  const other = await server.person({ role: 'admin' });
  const token = await server.signIn(other);
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [other]);
  expect((await server.gql(token, disable, { id: ids.admin, disabled: true })).status).toBe(401);
  expect((await server.gql(tokens.admin, disable, { id: ids.admin, disabled: true })).code).toBe('FORBIDDEN');
  expect((await server.gql(tokens.admin, update, { id: ids.admin, version, role: 'Staff' })).code).toBe('LAST_ADMIN');
});

test('the directory has everybody once, with what gives them top 5', async () => {
  const { data } = await server.gql(tokens.keeper, directory);
  const byEmail = new Map(data.managedUsers.map((user: { email: string }) => [user.email, user]));
  expect(byEmail.get('Cat@example.test')).toEqual({
    id: ids.staff,
    email: 'Cat@example.test',
    displayName: expect.stringContaining('Cat'),
    role: 'Staff',
    team: null,
    approverId: [ids.approver],
    top5Invisible: false,
    top5From: null,
    top5Bound: null,
    disabled: false,
    hasPassword: false,
  });
  expect(byEmail.get('ada@example.test')).toMatchObject({ top5From: 'admin', top5Bound: expect.any(String) });
  expect(byEmail.get('imp@example.test')).toMatchObject({
    top5From: 'role',
    top5Bound: expect.stringContaining('Imported'),
  });
  const { data: rest } = await server.gql(tokens.keeper, 'query ($after: ID) { managedUsers(after: $after) { id } }', {
    after: ids.keeper,
  });
  expect(rest.managedUsers.map(({ id }: { id: string }) => id)).not.toContain(ids.keeper);
});

test('the switch moves a person between the lists at once, and back; once written for the audit each time', async () => {
  const lists = '{ getUsers { getLoggedUsers { id } getPermittedUsers { id } } }';
  const isIn = async () => {
    const { data } = await server.gql(tokens.keeper, lists);
    const has = (list: { id: string }[]) => list.some(({ id }) => id === ids.staff);
    return [has(data.getUsers.getLoggedUsers), has(data.getUsers.getPermittedUsers)];
  };
  expect(await isIn()).toEqual([true, false]);
  expect((await server.gql(tokens.keeper, move, { id: ids.staff, on: true })).data.setTop5.top5From).toBe('direct');
  expect(await isIn()).toEqual([false, true]);
  expect(await lastAudit()).toEqual({
    actor: ids.keeper,
    action: 'topFiveGiven',
    subject: ids.staff,
    before: { grants: [] },
    after: { grants: ['VIEW_TOP_5'] },
  });
  const written = await auditRows();
  await server.gql(tokens.keeper, move, { id: ids.staff, on: true });
  expect(await auditRows()).toBe(written);
  await server.gql(tokens.keeper, move, { id: ids.staff, on: false });
  expect(await isIn()).toEqual([true, false]);
  expect((await lastAudit()).action).toBe('topFiveTaken');
});

test('what was meant for somebody else changes with the version only, and a stale one changes nothing', async () => {
  const version = await versionOf(ids.staff);
  const first = await server.gql(tokens.keeper, update, { id: ids.staff, version, team: 'green', firstName: ' Kat\n' });
  expect(first.code).toBeNull();
  const second = await server.gql(tokens.admin, update, { id: ids.staff, version, team: 'give' });
  expect([second.code, second.errors?.[0]?.message]).toEqual([
    'CONFLICT',
    'Someone else edited this person. Review the changes and try again',
  ]);
  const { data } = await server.gql(tokens.admin, detail, { id: ids.staff });
  expect(data.managedUser.user).toMatchObject({ team: 'green', firstName: 'Kat' });
  expect(await lastAudit()).toMatchObject({
    action: 'personChanged',
    before: { firstName: 'Cat', team: null },
    after: { firstName: 'Kat', team: 'green' },
  });
});

test('approvers set anywhere count in the version', async () => {
  const version = await versionOf(ids.staff);
  await server.database.pool.query('insert into approvers values ($1, $2)', [ids.staff, ids.keeper]);
  expect(await versionOf(ids.staff)).not.toBe(version);
  await server.database.pool.query('delete from approvers where person_id = $1 and approver_id = $2', [
    ids.staff,
    ids.keeper,
  ]);
  expect(await versionOf(ids.staff)).toBe(version);
});

test('role, team, approvers and grants are set and cleared; what is not there is refused by its field', async () => {
  const change = async (fields: object) =>
    server.gql(tokens.keeper, update, { id: ids.staff, version: await versionOf(ids.staff), ...fields });
  const bad: [object, string][] = [
    [{ role: 'Nobody' }, 'role'],
    [{ team: 'blue' }, 'team'],
    [{ approverId: [ids.staff] }, 'approverId'],
    [{ approverId: ['999999'] }, 'approverId'],
    [{ permissions: ['FLY'] }, 'permissions'],
    [{ email: 'ADA@example.test' }, 'email'],
    [{ email: 'no address' }, 'email'],
    [{ firstName: 'x'.repeat(101) }, 'firstName'],
  ];
  for (const [fields, field] of bad) {
    const { code, errors } = await change(fields);
    expect([fields, code, errors?.[0]?.extensions.field]).toEqual([fields, 'BAD_INPUT', field]);
  }
  expect((await change({ role: '', team: '', approverId: [], permissions: ['VIEW_TOOLS'] })).code).toBeNull();
  const { data } = await server.gql(tokens.admin, detail, { id: ids.staff });
  expect(data.managedUser).toMatchObject({
    grants: ['VIEW_TOOLS'],
    rolePermissions: [],
    user: { role: null, team: null, approverId: [] },
  });
  await change({ role: 'Staff', approverId: [ids.approver], permissions: [] });
});

test('an email is one person’s, whatever its capitals; the refusal says whose', async () => {
  const { code, errors } = await server.gql(tokens.keeper, create, { email: 'CAT@EXAMPLE.TEST' });
  expect([code, errors?.[0]?.extensions.field, errors?.[0]?.message]).toEqual([
    'BAD_INPUT',
    'email',
    expect.stringMatching(/belongs to Kat .* already/),
  ]);
});

test('a person is made once, whatever the name says, however often the call is sent', async () => {
  const call = () =>
    server.call({
      method: 'POST',
      url: '/graphql',
      headers: { authorization: `Bearer ${tokens.keeper}`, 'idempotency-key': 'new-person' },
      payload: {
        query: create,
        variables: { email: 'script@example.test', firstName: '<script>alert(1)</script>', role: 'Staff', top5: true },
      },
    });
  const answers = await Promise.all([call(), call(), call()]);
  const made = answers.map((answer) => answer.json().data?.createUser).filter(Boolean);
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect(made[0]).toMatchObject({ email: 'script@example.test', top5From: 'direct' });
  const { rows } = await server.database.pool.query(
    "select first_name from people where email = 'script@example.test'",
  );
  expect(rows).toEqual([{ first_name: '<script>alert(1)</script>' }]);
  expect((await lastAudit()).action).toBe('personCreated');
});

test('whoever is disabled is told so with the next request, and stays out after being enabled until signing in again', async () => {
  const token = await server.signIn(ids.staff);
  expect((await server.gql(token, '{ __typename }')).status).toBe(200);
  await server.gql(tokens.keeper, disable, { id: ids.staff, disabled: true });
  const answer = await server.call({ url: '/api/auth/user', headers: { authorization: `Bearer ${token}` } });
  expect([answer.statusCode, answer.json().error.code]).toEqual([401, 'ACCOUNT_DISABLED']);
  expect(answer.json().error.message).toContain('disabled');
  expect((await lastAudit()).action).toBe('personDisabled');
  await server.gql(tokens.keeper, disable, { id: ids.staff, disabled: false });
  const after = await server.call({ url: '/api/auth/user', headers: { authorization: `Bearer ${token}` } });
  expect([after.statusCode, after.json().error.code]).toEqual([401, 'NOT_SIGNED_IN']);
  expect((await lastAudit()).action).toBe('personEnabled');
});

test('sessions are seen and ended one by one or all together', async () => {
  const mine = [await server.signIn(ids.staff), await server.signIn(ids.staff)];
  const seen = async () =>
    (await server.gql(tokens.keeper, detail, { id: ids.staff })).data.managedUser.waysIn.sessions as { id: string }[];
  const statuses = () => Promise.all(mine.map(async (token) => (await server.gql(token, '{ __typename }')).status));
  const end = 'mutation ($id: ID!, $session: ID) { endUserSessions(userId: $id, sessionId: $session) }';
  const before = await seen();
  expect(await statuses()).toEqual([200, 200]);
  const one = await server.gql(tokens.keeper, end, { id: ids.staff, session: before[0]?.id });
  expect(one.data.endUserSessions).toBe(1);
  expect((await seen()).map(({ id }) => id)).toEqual(before.slice(1).map(({ id }) => id));
  expect((await server.gql(tokens.keeper, end, { id: ids.staff })).data.endUserSessions).toBe(before.length - 1);
  expect(await statuses()).toEqual([401, 401]);
  expect((await server.gql(tokens.keeper, end, { id: ids.staff })).data.endUserSessions).toBe(0);
  expect(await seen()).toEqual([]);
});

test('a role whose demands the person does not meet wants a reason, which the audit keeps', async () => {
  const { rows } = await server.database.pool.query<{ id: string }>(
    `insert into role_requirements (role_id, kind, title) select id, 'training', 'First aid' from roles where name = 'Lead' returning id::text`,
  );
  expect(rows).toHaveLength(1);
  const give = async (reason?: string) =>
    server.gql(
      tokens.keeper,
      `mutation ($id: ID!, $version: String!, $reason: String) { updateUser(userId: $id, version: $version, role: "Lead", reason: $reason) { role } }`,
      { id: ids.staff, version: await versionOf(ids.staff), reason },
    );
  const without = await give();
  expect([without.code, without.errors?.[0]?.extensions.field]).toEqual(['REASON_NEEDED', 'reason']);
  expect((await give('Trained elsewhere')).data.updateUser.role).toBe('Lead');
  expect((await lastAudit()).after).toMatchObject({
    role: 'Lead',
    reason: 'Trained elsewhere',
    lacking: ['First aid'],
  });
});

test('one change of several people is previewed without a trace, and done person by person with a result for each', async () => {
  const [one, two, gone] = [await server.person({ role: 'Staff' }), await server.person({ role: 'Staff' }), '999999'];
  const change = { team: 'give', top5: true };
  const users = [one, ids.admin, two].map((userId) => ({ userId }));
  const written = await auditRows();
  const { data } = await server.gql(
    tokens.keeper,
    'query ($users: [UserVersion!]!, $change: SharedUserChange!) { previewUserChanges(users: $users, change: $change) { userId version changes { field before after } refusal } }',
    { users, change },
  );
  expect(await auditRows()).toBe(written);
  const previews = new Map(data.previewUserChanges.map((row: { userId: string }) => [row.userId, row]));
  expect(previews.get(one)).toMatchObject({
    refusal: null,
    changes: [
      { field: 'Team', before: 'none', after: 'give' },
      { field: 'Top 5', before: 'off', after: 'on' },
    ],
  });
  const version = (previews.get(two) as { version: string }).version;
  await server.database.pool.query("update people set first_name = 'Changed' where id = $1", [two]);
  const done = await server.gql(
    tokens.keeper,
    'mutation ($users: [UserVersion!]!, $change: SharedUserChange!) { changeUsers(users: $users, change: $change) { userId outcome code } }',
    { users: [{ userId: one }, { userId: two, version }, { userId: gone }, { userId: one }], change },
  );
  expect(done.data.changeUsers).toEqual([
    { userId: one, outcome: 'changed', code: null },
    { userId: two, outcome: 'refused', code: 'CONFLICT' },
    { userId: gone, outcome: 'refused', code: 'NOT_FOUND' },
    { userId: one, outcome: 'unchanged', code: null },
  ]);
});

test('what hangs on an account is told before it is disabled', async () => {
  const approver = await server.person({ role: 'Lead' });
  const other = await server.person({ role: 'Lead' });
  const owner = await server.person({ firstName: 'Only', lastName: 'One', role: 'Staff', approvers: [approver] });
  const shared = await server.person({ role: 'Staff', approvers: [approver, other] });
  const sprint = await server.sprint();
  const add = (who: string, status: string) =>
    server.database.pool.query(
      "insert into tasks (owner_id, sprint_id, title, category, status, created_by) values ($1, $2, 't', 'Give', $3, $1)",
      [who, sprint, status],
    );
  for (const [who, status] of [
    [owner, 'INAPPROVAL'],
    [shared, 'INREVIEW'],
    [shared, 'TODO'],
    [approver, 'TODO'],
    [approver, 'DONE'],
  ] as const)
    await add(who, status);
  const ask = async (userId: string) =>
    (
      await server.gql(
        tokens.keeper,
        'query ($userId: ID!) { accountTies(userId: $userId) { openTasks toDecide approves onlyApprover meetings } }',
        { userId },
      )
    ).data.accountTies;
  expect(await ask(approver)).toEqual({
    openTasks: 1,
    toDecide: 2,
    approves: 2,
    onlyApprover: ['Only One'],
    meetings: [],
  });
  expect(await ask(owner)).toEqual({ openTasks: 1, toDecide: 0, approves: 0, onlyApprover: [], meetings: [] });
});
