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
  '{ managedUsers(limit: 200) { people { id email displayName role team approverId approverNames top5Invisible top5From top5Bound disabled hasPassword } } }';
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
  '{ peopleToChoose(find: "") { id } }',
  '{ assignableRoles { name } }',
  '{ managedUser(userId: "1") { version } }',
  'mutation { setTop5(userId: "1", on: true) { id } }',
  'mutation { setUserDisabled(userId: "1", disabled: true) { id } }',
  'mutation { createUser(email: "x@example.test") { id } }',
  'mutation { updateUser(userId: "1", version: "x") { id } }',
  'mutation { makeSignInLink(userId: "1") { token } }',
  'mutation { endUserSessions(userId: "1") }',
  '{ accountTies(userId: "1") { approves } }',
  '{ leftWithoutApprover(userIds: ["1"], role: "") }',
  '{ accountTies(userIds: ["1", "2"]) { approves } }',
  '{ previewUserChanges(users: [{ userId: "1" }], change: { top5: true }) { userId } }',
  'mutation { changeUsers(users: [{ userId: "1" }], change: { top5: true }) { userId } }',
])('is refused to people without user management, and nothing is written: %s', async (query) => {
  const before = await auditRows();
  for (const token of [tokens.staff, tokens.approver]) expect((await server.gql(token, query)).code).toBe('FORBIDDEN');
  expect(await auditRows()).toBe(before);
});

test('a few accounts are found by all words of a name or an address, by managers only', async () => {
  await server.person({ firstName: 'Zoë', lastName: 'Quinn', email: 'z.quinn@search.test' });
  await server.person({ firstName: 'Zora', lastName: 'Quick', email: 'zora@search.test' });
  const found = async (token: string, find: string) => {
    const query = 'query ($find: String) { managedUsers(find: $find) { people { displayName } } }';
    const { code, data } = await server.gql(token, query, { find });
    return code ?? data.managedUsers.people.map(({ displayName }: { displayName: string }) => displayName);
  };
  const other = await server.signIn(await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] }));
  expect(await found(other, 'quinn')).toBe('FORBIDDEN');
  expect(await found(tokens.keeper, 'quinn zoe')).toEqual(['Zoë Quinn']);
  expect(await found(tokens.keeper, 'search.test')).toEqual(['Zora Quick', 'Zoë Quinn']);
  expect(await found(tokens.keeper, 'Quinn Zora')).toEqual([]);
  expect(await found(tokens.keeper, '%')).toEqual([]);
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
  const byEmail = new Map(data.managedUsers.people.map((user: { email: string }) => [user.email, user]));
  expect(byEmail.get('Cat@example.test')).toEqual({
    id: ids.staff,
    email: 'Cat@example.test',
    displayName: expect.stringContaining('Cat'),
    role: 'Staff',
    team: null,
    approverId: [ids.approver],
    approverNames: ['Ben Boss'],
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
});

test('an approver whose account is disabled is named as such in the list', async () => {
  const disable = (since: string) =>
    server.database.pool.query(`update people set disabled_at = ${since} where id = $1`, [ids.approver]);
  await disable('now()');
  const { data } = await server.gql(
    tokens.keeper,
    `{ managedUser(userId: "${ids.staff}") { user { approverNames } } }`,
  );
  await disable('null');
  expect(data.managedUser.user.approverNames).toEqual(['Ben Boss (disabled)']);
});

/** People that these tests find by the domain of their addresses. */
async function peopleToList() {
  const [topFive, tools] = [['VIEW_TOP_5'], ['VIEW_TOOLS']] as const;
  const at = (name: string) => ({ email: `${name}@listed.test`, firstName: '', lastName: '' });
  const zoe = { firstName: 'Zoë', lastName: 'Quinn', team: 'green', passwordHash: 'x' };
  await server.person({ ...at('zoe'), ...zoe, role: 'Lister', permissions: topFive });
  const ben = await server.person({ ...at('ben'), firstName: 'Ben', lastName: 'Ash', passwordHash: 'x' });
  const cat = await server.person({ ...at('cat'), role: 'Lister', passwordHash: 'x', approvers: [ids.approver] });
  await server.person({ ...at('dan'), role: 'Reader', permissions: tools });
  const eve = await server.person({ ...at('eve'), role: 'Reader', permissions: tools, firstName: 'eve' });
  const { pool } = server.database;
  await pool.query('update people set role = null where id = $1', [ben]);
  await pool.query('update people set disabled_at = now() where id = $1', [cat]);
  await pool.query(
    `insert into account_links (person_id, kind, token_hash, expires_at, created_at) values ($1, 'invite', '\\x00', $2::timestamptz + interval '1 day', $2)`,
    [eve, server.clock.now().toString()],
  );
}

const listArgs =
  '$find: String, $list: String, $role: String, $team: String, $state: String, $withoutApprover: Boolean, $roleRequested: Boolean, $awayNow: Boolean, $backThisWeek: Boolean, $sort: String, $desc: Boolean, $after: ID, $limit: Int';
const listQuery = `query (${listArgs}) { managedUsers(${listArgs.replace(/\$(\w+): \w+/g, '$1: $$$1')}) { people { email awayUntil } permitted logged next } }`;
type Page = {
  people: { email: string; awayUntil: string | null }[];
  permitted: number;
  logged: number;
  next: string | null;
};
const listed = async (args: object): Promise<Page & { names: string[] }> => {
  const page: Page = (await server.gql(tokens.keeper, listQuery, { find: 'listed.test', ...args })).data.managedUsers;
  return { ...page, names: page.people.map(({ email }) => email.split('@')[0]!) };
};

test('accounts are filtered and counted on both lists by the server, also by one letter', async () => {
  await peopleToList();
  const cases: [object, string[]][] = [
    [{}, ['ben', 'cat', 'dan', 'eve', 'zoe']],
    [{ find: 'ZOE qui listed' }, ['zoe']],
    [{ find: 'listed green' }, ['zoe']],
    [{ find: 'listed lister' }, ['cat', 'zoe']],
    [{ find: 'q listed.test' }, ['zoe']],
    [{ find: 'listed %' }, []],
    [{ list: 'permitted' }, ['cat', 'zoe']],
    [{ list: 'logged' }, ['ben', 'dan', 'eve']],
    [{ role: 'Lister' }, ['cat', 'zoe']],
    [{ role: '' }, ['ben']],
    [{ team: 'green' }, ['zoe']],
    [{ team: '', list: 'permitted' }, ['cat']],
    [{ state: 'active' }, ['ben', 'zoe']],
    [{ state: 'disabled' }, ['cat']],
    [{ state: 'invited' }, ['eve']],
    [{ state: 'noPassword' }, ['dan']],
    [{ withoutApprover: true }, ['zoe']],
  ];
  for (const [args, names] of cases) expect([args, (await listed(args)).names]).toEqual([args, names]);
  expect(await listed({ list: 'logged', role: 'Lister' })).toMatchObject({ permitted: 2, logged: 0, people: [] });
  const wrong = await server.gql(tokens.keeper, listQuery, { list: 'nonsense', limit: 201 });
  expect(wrong.code).toBe('BAD_INPUT');
});

/** Days of an absence, counted from this Monday. */
const away = (name: string, first: number, last: number) =>
  server.database.pool.query(
    `insert into absences (person_id, first_day, last_day)
     select p.id, monday + $2::int, monday + $3::int
     from people p, (select date_trunc('week', $4::timestamptz at time zone 'UTC')::date as monday) w where p.email = $1`,
    [`${name}@listed.test`, first, last, server.clock.now().toString()],
  );

test('who is back this week worked no day of it before, weekends aside, and isn’t away again', async () => {
  // Until Friday: back on Monday.
  await away('zoe', -7, -3);
  // Back on Wednesday, which is today.
  await away('eve', -7, -1);
  await away('eve', 0, 1);
  // Back on the Friday before, away since; back next Monday.
  await away('dan', -7, -4);
  await away('dan', 0, 4);
  // Until Sunday, and from Monday for two weeks.
  await away('ben', -3, -1);
  await away('ben', 0, 13);
  await away('cat', -7, -3);
  expect(await listed({ backThisWeek: true })).toMatchObject({ names: ['eve', 'zoe'], permitted: 1, logged: 1 });
  // Today is Wednesday: eve is back, and a disabled account isn't away.
  await away('cat', 0, 13);
  const days = (await listed({ awayNow: true })).people.map(({ email, awayUntil }) => [email, awayUntil]);
  expect(days).toEqual([
    ['ben@listed.test', '2026-11-29'],
    ['dan@listed.test', '2026-11-20'],
  ]);
  expect((await listed({})).people.filter(({ awayUntil }) => awayUntil !== null)).toHaveLength(2);
  const choices = '{ peopleToChoose(find: "dan@listed") { away { until delegate problem } } }';
  expect((await server.gql(tokens.keeper, choices)).data.peopleToChoose).toEqual([
    { away: { until: '2026-11-20', delegate: null, problem: 'none' } },
  ]);
});

test('the counts of who needs attention are those of the filters, without disabled accounts', async () => {
  const [zoe, cat] = (
    await server.database.pool.query(
      "select id::text from people where email in ('zoe@listed.test', 'cat@listed.test') order by email desc",
    )
  ).rows.map(({ id }: { id: string }) => id);
  for (const id of [zoe, cat])
    await server.database.pool.query(
      `insert into audit_log (at, actor_id, action, subject_type, subject_id, after)
       values (now(), $1, 'roleAsked', 'person', $2, '{"role": "Sales"}')`,
      [ids.keeper, id],
    );
  const { data } = await server.gql(
    tokens.keeper,
    '{ peopleCounts { invited withoutRole roleRequested unapproved awayNow backThisWeek } }',
  );
  const all = async (args: object) => {
    const { people, permitted, logged } = await listed({ find: '', limit: 200, ...args });
    expect(people).toHaveLength(permitted + logged);
    return people.length;
  };
  expect(data.peopleCounts).toEqual({
    invited: await all({ state: 'invited' }),
    withoutRole: await all({ role: '' }),
    roleRequested: await all({ roleRequested: true }),
    unapproved: await all({ withoutApprover: true }),
    awayNow: await all({ awayNow: true }),
    backThisWeek: await all({ backThisWeek: true }),
  });
  expect(Object.values(data.peopleCounts)).not.toContain(0);
  await server.database.pool.query("update people set role = null where email = 'cat@listed.test'");
  expect((await listed({ role: '' })).names).toEqual(['ben']);
  expect(await listed({ role: '', state: 'disabled' })).toMatchObject({ names: ['cat'], permitted: 0, logged: 1 });
  await server.database.pool.query("update people set role = 'Lister' where email = 'cat@listed.test'");
});

test('people are listed as asked for until their role is given or declined', async () => {
  const role = 'Imported';
  const emails = ['given@asked.test', 'declined@asked.test'];
  const people: string[] = [];
  for (const email of emails) people.push(await server.person({ email, role: 'Staff' }));
  const [given, declined] = people as [string, string];
  const asked = async () =>
    (await listed({ find: 'asked.test', roleRequested: true })).people.map(({ email }) => email);
  const act = (name: string, userId: string, token: string) =>
    server.gql(token, `mutation ($userId: ID!, $role: String!) { ${name}(userId: $userId, role: $role) { version } }`, {
      userId,
      role,
    });
  expect(await asked()).toEqual([]);
  for (const id of people) expect((await act('askForRole', id, tokens.keeper)).code).toBeNull();
  expect((await asked()).sort()).toEqual([...emails].sort());
  await act('declineRole', declined, tokens.admin);
  expect(await asked()).toEqual(['given@asked.test']);
  await server.gql(tokens.admin, update, { id: given, version: await versionOf(given), role });
  expect(await asked()).toEqual([]);
});

test('people with only the default approver are not among those without a working approver', async () => {
  const unapproved = async () => ({
    names: (await listed({ withoutApprover: true })).names,
    byDefault: (
      await server.gql(tokens.keeper, '{ managedUsers(find: "zoe@listed.test") { people { byDefault approverId } } }')
    ).data.managedUsers.people[0],
    counts: (
      await server.gql(tokens.keeper, '{ peopleCounts { unapproved } approverManagement { counts { undecided } } }')
    ).data,
  });
  const deciding = ['VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'] as const;
  const decider = await server.person({ role: 'Decider', permissions: deciding, passwordHash: 'x' });
  const before = await unapproved();
  expect(before).toMatchObject({ names: ['zoe'], byDefault: { byDefault: false, approverId: [] } });
  await server.database.pool.query(
    "insert into settings (key, value) values ('defaultApproverOfEnvironment', to_jsonb($1::text))",
    [decider],
  );
  const after = await unapproved();
  expect(after).toMatchObject({ names: [], byDefault: { byDefault: true, approverId: [] } });
  expect(after.counts.peopleCounts.unapproved).toBeLessThan(before.counts.peopleCounts.unapproved);
  for (const { counts } of [before, after])
    expect(counts.peopleCounts.unapproved).toBe(counts.approverManagement.counts.undecided);
  // An approver who can’t sign in decides nothing.
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [decider]);
  expect((await unapproved()).names).toEqual(['zoe']);
  await server.database.pool.query("delete from settings where key = 'defaultApproverOfEnvironment'");
});

test('a list goes on where the page before ended, in every order, and who lacks the value is last in both', async () => {
  const orders: [object, string[]][] = [
    [{}, ['ben', 'cat', 'dan', 'eve', 'zoe']],
    [{ desc: true }, ['zoe', 'eve', 'dan', 'cat', 'ben']],
    [{ sort: 'email', desc: true }, ['zoe', 'eve', 'dan', 'cat', 'ben']],
    [{ sort: 'role' }, ['cat', 'zoe', 'dan', 'eve', 'ben']],
    [{ sort: 'role', desc: true }, ['eve', 'dan', 'zoe', 'cat', 'ben']],
    [{ sort: 'team' }, ['zoe', 'ben', 'cat', 'dan', 'eve']],
    [{ sort: 'state' }, ['ben', 'zoe', 'eve', 'dan', 'cat']],
    [{ sort: 'state', desc: true }, ['cat', 'dan', 'eve', 'zoe', 'ben']],
  ];
  for (const [order, names] of orders) {
    const read: string[] = [];
    let after: string | null = null;
    do {
      const page = await listed({ ...order, after, limit: 2 });
      expect(page.people.length).toBeLessThanOrEqual(2);
      read.push(...page.names);
      after = page.next;
    } while (after !== null);
    expect([order, read]).toEqual([order, names]);
  }
});

test('a field offers enabled people, approvers first and fifty at most, and disabled ones when they are chosen or asked for', async () => {
  const choose = async (args: string) =>
    (await server.gql(tokens.keeper, `{ peopleToChoose(${args}) { email approves } }`)).data.peopleToChoose as {
      email: string;
      approves: boolean;
    }[];
  const emails = async (args: string) => (await choose(args)).map(({ email }) => email).sort();
  expect(await emails('find: "zoe listed"')).toEqual(['zoe@listed.test']);
  expect(await emails('find: "cat@listed"')).toEqual([]);
  expect(await emails('find: "cat@listed", disabled: true')).toEqual(['cat@listed.test']);
  const [cat] = (await server.database.pool.query("select id::text from people where email = 'cat@listed.test'")).rows;
  expect(await emails(`ids: ["${cat.id}"]`)).toEqual(['cat@listed.test']);
  expect(await emails(`find: "zoe listed", ids: ["${cat.id}"]`)).toEqual(['cat@listed.test', 'zoe@listed.test']);
  await server.database.pool.query(
    "insert into people (email, first_name, last_name, created_at) select n || '@many.test', 'Aaa', 'Aaa', now() from generate_series(1, 60) n",
  );
  const offered = await choose('find: ""');
  expect(offered).toHaveLength(50);
  expect(offered.map(({ approves }) => approves)).toEqual([true, ...Array.from({ length: 49 }, () => false)]);
  await server.database.pool.query("update people set disabled_at = now() where email = '1@many.test'");
  expect(await emails('find: "many.test", disabled: true')).not.toContain('1@many.test');
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
    expect.stringMatching(/already belongs to Kat /),
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

test('the address of an account changes ten times in an hour at most: each time, the earlier one gets a mail', async () => {
  const id = await server.person({ role: null, permissions: [] });
  const change = async (email: string) => server.gql(tokens.admin, update, { id, version: await versionOf(id), email });
  for (let made = 0; made < 10; made += 1) expect((await change(`moved${made}@example.test`)).code).toBeNull();
  expect((await change('moved@example.test')).code).toBe('TOO_MANY_ATTEMPTS');
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
      { field: 'Team', before: 'none', after: 'Give' },
      { field: 'S.T.A.R.T', before: 'off', after: 'on' },
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

const decider = {
  role: 'Decider',
  permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] as const,
  passwordHash: 'x',
};

test('what hangs on an account is told before it is disabled', async () => {
  const approver = await server.person({ role: 'Lead' });
  const other = await server.person(decider);
  const owner = await server.person({
    ...{ firstName: 'Only', lastName: 'One', role: 'Staff', approvers: [approver] },
    grants: ['VIEW_TOP_5'],
  });
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

test('what depends on several accounts is told as if all of them were disabled, and counted once', async () => {
  const one = await server.person(decider);
  const two = await server.person({ ...decider, approvers: [one] });
  const stays = await server.person(decider);
  const namesake = {
    firstName: 'Zoe',
    lastName: 'Abel',
    role: 'Staff',
    grants: ['VIEW_TOP_5'] as const,
    approvers: [one, two],
  };
  const left = await server.person({ ...namesake, email: 'zoe1@ties.test' });
  await server.person({ ...namesake, email: 'zoe2@ties.test' });
  await server.person({ role: 'Staff', approvers: [one, two, stays] });
  const sprint = await server.sprint();
  for (const [owner, status] of [
    [left, 'INAPPROVAL'],
    [one, 'TODO'],
    [two, 'TODO'],
  ])
    await server.database.pool.query(
      "insert into tasks (owner_id, sprint_id, title, category, status, created_by) values ($1, $2, 't', 'Give', $3, $1)",
      [owner, sprint, status],
    );
  for (const chair of [one, two, stays])
    await server.database.pool.query(
      `insert into meetings (title, weekday, time, minutes, place, link, agenda, chair_id, first_day, created_by, created_at, changed_at)
       values ('Weekly', 4, '10:30', 30, '', '', '', $1, '2026-01-01', $1, now(), now())`,
      [chair],
    );
  const ask = (args: object) =>
    server.gql(
      tokens.keeper,
      'query ($userId: ID, $userIds: [ID!]) { accountTies(userId: $userId, userIds: $userIds) { openTasks toDecide approves onlyApprover meetings } }',
      args,
    );
  expect((await ask({ userIds: [one, two, one] })).data.accountTies).toEqual({
    ...{ openTasks: 2, toDecide: 1, approves: 3, meetings: ['Weekly', 'Weekly'] },
    onlyApprover: ['Zoe Abel (zoe1@ties.test)', 'Zoe Abel (zoe2@ties.test)'],
  });
  // Each alone leaves the others.
  expect((await ask({ userIds: [two] })).data.accountTies).toMatchObject({ onlyApprover: [], meetings: ['Weekly'] });
  const tooMany = Array.from({ length: 501 }, (_, index) => String(index + 1));
  for (const args of [{}, { userIds: [] }, { userId: one, userIds: [two] }, { userIds: tooMany }])
    expect((await ask(args)).code).toBe('BAD_INPUT');
});

test('who is left without an approver is told before someone can no longer decide, by role or direct permission', async () => {
  const watcher = { role: 'Watcher', permissions: ['VIEW_DASHBOARD'] as const, passwordHash: 'x' };
  const one = await server.person(decider);
  const two = await server.person({ ...watcher, grants: ['VIEW_TOP_5_APPROVALS'] });
  const approved = (firstName: string, approvers: string[]) =>
    server.person({ firstName, lastName: 'Left', role: 'Staff', grants: ['VIEW_TOP_5'], approvers });
  await approved('Ann', [one]);
  await approved('Ben', [one, two]);
  await approved('Cem', [two, await server.person(watcher)]);
  await approved('Dee', [two, await server.person({ role: 'Decider' })]);
  await approved('Eva', [two, await server.person(decider)]);
  const left = async (args: object) =>
    (
      await server.gql(
        tokens.keeper,
        'query ($userIds: [ID!]!, $role: String, $permissions: [String!]) { leftWithoutApprover(userIds: $userIds, role: $role, permissions: $permissions) }',
        args,
      )
    ).data.leftWithoutApprover;
  expect(await left({ userIds: [one], role: 'Watcher' })).toEqual(['Ann Left']);
  // Nobody has to approve for these.
  await server.person({ firstName: 'Off', lastName: 'Start', role: 'Staff', approvers: [one] });
  await server.person({ firstName: 'Ada', lastName: 'Admin', role: 'admin', approvers: [one] });
  expect(await left({ userIds: [one], role: 'Watcher' })).toEqual(['Ann Left']);
  expect(await left({ userIds: [one], role: 'Decider' })).toEqual([]);
  expect(await left({ userIds: [two], role: 'Watcher' })).toEqual([]);
  expect(await left({ userIds: [two], role: '' })).toEqual(['Cem Left', 'Dee Left']);
  expect(await left({ userIds: [two], permissions: [] })).toEqual(['Cem Left', 'Dee Left']);
  expect(await left({ userIds: [one, two], role: '' })).toEqual(['Ann Left', 'Ben Left', 'Cem Left', 'Dee Left']);
  const lead = (lastName: string, approvers: string[]) =>
    server.person({ ...decider, firstName: 'Lea', lastName, grants: ['VIEW_TOP_5'], approvers });
  const first = await lead('First', []);
  const second = await lead('Second', [first]);
  await server.database.pool.query('insert into approvers values ($1, $2)', [first, second]);
  expect(await left({ userIds: [first, second], role: 'Watcher' })).toEqual(['Lea First', 'Lea Second']);
  // Nobody has to approve for those who lose S.T.A.R.T in the same change.
  const leads = { role: 'Leads', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'] as const };
  const leader = await server.person({ ...leads, passwordHash: 'x' });
  const led = await server.person({ ...leads, firstName: 'Led', lastName: 'By one', approvers: [leader] });
  expect(await left({ userIds: [leader], role: 'Watcher' })).toEqual(['Led By one']);
  expect(await left({ userIds: [leader, led], role: 'Watcher' })).toEqual([]);
  expect(await left({ userIds: [leader, led], permissions: ['VIEW_TOP_5'], role: 'Watcher' })).toEqual(['Led By one']);
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [one]);
  expect(await left({ userIds: [one], role: '' })).toEqual([]);
});

test('an admin who becomes the only one without an approver is told, by a role or a disabled account', async () => {
  const { rows } = await server.database.pool.query<{ id: string }>("select id::text from people where role = 'admin'");
  const admins = rows.map(({ id }) => id);
  const next = await server.person({ role: 'admin', firstName: 'Next', lastName: 'Admin', approvers: [admins[0]!] });
  try {
    const role = 'query ($userIds: [ID!]!) { leftWithoutApprover(userIds: $userIds, role: "") }';
    expect((await server.gql(tokens.admin, role, { userIds: admins })).data.leftWithoutApprover).toContain(
      'Next Admin',
    );
    const others = await server.gql(tokens.admin, role, { userIds: admins.slice(0, 1) });
    expect(others.data.leftWithoutApprover.includes('Next Admin')).toBe(admins.length === 1);
    const ties = 'query ($userIds: [ID!]!) { accountTies(userIds: $userIds) { onlyApprover } }';
    const { onlyApprover } = (await server.gql(tokens.admin, ties, { userIds: admins })).data.accountTies;
    expect(onlyApprover).toContain('Next Admin');
  } finally {
    await server.database.pool.query('update people set disabled_at = now() where id = $1', [next]);
  }
});

test('a role that changed names since it was read is given to nobody, one by one or together', async () => {
  const make = (name: string) =>
    server.gql(tokens.admin, `mutation { createRole(name: "${name}", permissions: []) { id version } }`);
  const read = async (): Promise<string> => {
    const { assignableRoles } = (await server.gql(tokens.admin, '{ assignableRoles { name version } }')).data;
    return assignableRoles.find(({ name }: { name: string }) => name === 'Support').version;
  };
  const [support, shop] = [(await make('Support')).data.createRole, (await make('Shop')).data.createRole];
  const roleVersion = await read();
  await server.database.pool.query(`update roles set name = 'Tmp', version = version + 1 where id = $1`, [support.id]);
  await server.database.pool.query(`update roles set name = 'Support' where id = $1`, [shop.id]);
  const target = await server.person({ role: null, email: 'fresh@example.test' });
  const one = (seen: string, version: string) =>
    server.gql(
      tokens.admin,
      'mutation ($id: ID!, $version: String!, $seen: String) { updateUser(userId: $id, version: $version, role: "Support", roleVersion: $seen) { role } }',
      { id: target, version, seen },
    );
  const several = (seen: string) =>
    server.gql(
      tokens.admin,
      'mutation ($id: ID!, $seen: String) { changeUsers(users: [{ userId: $id }], change: { role: "Support", roleVersion: $seen }) { outcome code } }',
      { id: target, seen },
    );
  const made = (seen: string) =>
    server.gql(
      tokens.admin,
      'mutation ($seen: String) { createUser(email: "given@example.test", role: "Support", roleVersion: $seen) { role } }',
      { seen },
    );
  const version = await versionOf(target);
  expect((await one(roleVersion, version)).errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', field: 'role' });
  expect((await made(roleVersion)).code).toBe('CONFLICT');
  expect((await several(roleVersion)).data.changeUsers).toEqual([{ outcome: 'refused', code: 'CONFLICT' }]);
  const now = await read();
  expect((await one(now, version)).data.updateUser.role).toBe('Support');
  expect((await made(now)).data.createUser.role).toBe('Support');
});

const endAll = 'mutation ($id: ID!) { endUserSessions(userId: $id) }';
const endOne =
  'mutation ($id: ID!, $session: ID!) { removeWayIn(userId: $id, kind: "session", id: $session) { version } }';

test('a user manager closes no way into the account of their approver, who would be kept out', async () => {
  const approver = await server.person({ permissions: ['VIEW_DASHBOARD'] });
  const token = await server.signIn(await server.person({ role: 'Keeper', approvers: [approver] }));
  await server.signIn(approver);
  const { sessions } = (await server.gql(token, detail, { id: approver })).data.managedUser.waysIn;
  const codes = [
    (await server.gql(token, endAll, { id: approver })).code,
    (await server.gql(token, endOne, { id: approver, session: sessions[0].id })).code,
  ];
  expect(codes).toEqual(['FORBIDDEN', 'FORBIDDEN']);
  expect((await server.gql(tokens.keeper, endAll, { id: approver })).data.endUserSessions).toBe(1);
});

test('user managers sign a person out ten times in an hour at most, and admins as often as they need to', async () => {
  const id = await server.person({ permissions: ['VIEW_DASHBOARD'] });
  // The person's own don't count: an intruder would use them up.
  await server.database.pool.query(
    `insert into account_events (person_id, at, kind, address, detail)
     select $1, $2, 'signedOutEverywhere', '10.0.0.1', '{}' from generate_series(1, 12)`,
    [id, server.clock.now().toString()],
  );
  const signOut = async (by: string) => {
    await server.signIn(id);
    return (await server.gql(by, endAll, { id })).code;
  };
  for (let made = 0; made < 10; made += 1) expect(await signOut(tokens.keeper!)).toBeNull();
  expect(await signOut(tokens.keeper!)).toBe('TOO_MANY_ATTEMPTS');
  const [{ id: session }] = (await server.gql(tokens.keeper, detail, { id })).data.managedUser.waysIn.sessions;
  expect((await server.gql(tokens.keeper, endOne, { id, session })).code).toBe('TOO_MANY_ATTEMPTS');
  expect(await signOut(tokens.admin!)).toBeNull();
});
