// Nobody gains or gives away permissions they don't have (T14), through any part of user and approver
// management.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureSprints, sprintCalendar } from '#server/tasks/sprints/sprints.service.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';

let server: TestApp;
let keeper: string;
let keeperId: string;
let ids: Record<'seller' | 'lead' | 'guest' | 'owner' | 'off' | 'admin', string>;

beforeAll(async () => {
  server = await startTestApp();
  keeperId = await server.person({ role: 'Keeper', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] });
  const lead = await server.person({ role: 'Lead', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] });
  const off = await server.person({ email: 'off@example.test', role: 'Seller', permissions: sales });
  ids = {
    seller: await server.person({ email: 'seller@example.test', role: 'Seller', permissions: sales }),
    lead,
    guest: await server.person({ email: 'guest@example.test', role: null }),
    owner: await server.person({ role: 'Owner', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], approvers: [lead] }),
    off,
    admin: await server.person({ role: 'admin' }),
  };
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [off]);
  keeper = await server.signIn(keeperId);
});
afterAll(() => server.stop());

const sales = ['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_CONNECT_SALES', 'READ_BGP'] as const;
const versionOf = async (id: string): Promise<string> => {
  const query = 'query ($id: ID!) { managedUser(userId: $id) { version } }';
  return (await server.gql(keeper, query, { id })).data.managedUser.version;
};
const update = async (id: string, fields: string) => {
  const query = `mutation ($id: ID!, $version: String!) { updateUser(userId: $id, version: $version, ${fields}) { id } }`;
  return server.gql(keeper, query, { id, version: await versionOf(id) });
};
const approvers = (userId: string, approverIds: string[]) =>
  server.gql(
    keeper,
    'mutation ($changes: [ApproversChange!]!) { setApprovers(changes: $changes) { defaultVersion } }',
    {
      changes: [{ userId, approverIds }],
    },
  );
const ask = (query: string, variables: object) => server.gql(keeper, query, variables);
const image = async () =>
  (
    await server.asOwner(
      `select p.id, role, grants, team, email, disabled_at is null as on, password_hash,
        array(select approver_id from effective_approvers a where a.person_id = p.id) as approvers from people p order by id`,
    )
  ).map((row) => JSON.stringify(row));

type Way = readonly [string, () => Promise<{ code: string | null; errors?: readonly { message: string }[] }>];
const ways: readonly Way[] = [
  ['a permission to themselves', () => update(keeperId, 'permissions: ["VIEW_SALES"]')],
  ['a permission to someone else', () => update(ids.guest, 'permissions: ["VIEW_SALES", "READ_BGP"]')],
  ['a role to themselves', () => update(keeperId, 'role: "Seller"')],
  ['a role with more to someone else', () => update(ids.guest, 'role: "Seller"')],
  [
    'top 5 to someone else',
    () => ask('mutation ($id: ID!) { setTop5(userId: $id, on: true) { id } }', { id: ids.guest }),
  ],
  ['top 5 to themselves', () => ask('mutation ($id: ID!) { setTop5(userId: $id, on: true) { id } }', { id: keeperId })],
  ['a new account with more', () => ask('mutation { createUser(email: "n@example.test", role: "Seller") { id } }', {})],
  [
    'a new account that they approve',
    () =>
      ask('mutation ($id: ID!) { createUser(email: "n@example.test", approverId: [$id]) { id } }', { id: keeperId }),
  ],
  ['their mailbox to the account of someone who holds more', () => update(ids.seller, 'email: "mine@example.test"')],
  [
    'a link for someone who holds more',
    () => ask('mutation ($id: ID!) { makeSignInLink(userId: $id) { token } }', { id: ids.lead }),
  ],
  [
    'a disabled account back that holds more',
    () => ask('mutation ($id: ID!) { setUserDisabled(userId: $id, disabled: false) { id } }', { id: ids.off }),
  ],
  ['themselves as approver', () => approvers(ids.owner, [ids.lead, keeperId])],
  ['themselves as approver, in user management', () => update(ids.owner, `approverId: ["${keeperId}"]`)],
  ['themselves another approver', () => approvers(keeperId, [ids.lead])],
  ['an admin another approver', () => approvers(ids.admin, [ids.lead])],
  ['themselves another team', () => update(keeperId, 'team: "green"')],
];

test.each(ways)('a manager cannot give %s', async (_what, attempt) => {
  const before = await image();
  const { code, errors } = await attempt();
  expect([code, errors?.[0]?.message]).toEqual(['FORBIDDEN', expect.stringMatching(/ask an admin|an admin’s/i)]);
  expect(await image()).toEqual(before);
});

test('a second account gives its manager no view: not as an approver, and not through a team', async () => {
  const permissions = [
    ...['VIEW_DASHBOARD', 'USER_MANAGEMENT', 'VIEW_TOP_5_APPROVALS'],
    ...['VIEW_TOP_5_STATS', 'VIEW_TOP_5_STATS_CODEX'],
  ] as const;
  const chief = await server.person({ role: 'Chief', permissions: [...permissions] as never });
  const { rows } = await server.database.pool.query(
    "insert into roles (name, permissions) values ('Desk', '{VIEW_DASHBOARD,USER_MANAGEMENT}') returning name",
  );
  const chiefToken = await server.signIn(chief);
  const made = await Promise.all(
    ['Chief', rows[0].name].map(async (role, index) => {
      const email = `puppet${index}@example.test`;
      const query = 'mutation ($email: String!, $role: String) { createUser(email: $email, role: $role) { id } }';
      const { data } = await server.gql(chiefToken, query, { email, role });
      return server.signIn(data.createUser.id);
    }),
  );
  const hidden = await server.person({ role: 'Owner', team: 'codex' });
  const teamless = await server.person({ role: 'Owner' });
  await server.database.pool.query('update people set top5_invisible = true where id = any($1)', [[hidden, teamless]]);
  await ensureSprints(server.database, server.parts.clock.now(), sprintCalendar(server.parts));
  await server.database.pool.query(
    `insert into tasks (owner_id, sprint_id, title, category, created_by)
      select p.id, s.id, 'Report', 'Connect', p.id from people p, (select id from sprints limit 1) s where p.id = $1`,
    [ids.owner],
  );
  const updateBy = async (token: string, id: string, fields: string) =>
    server.gql(
      token,
      `mutation ($id: ID!, $version: String!) { updateUser(userId: $id, version: $version, ${fields}) { id } }`,
      { id, version: await versionOf(id) },
    );
  const set = 'mutation ($c: [ApproversChange!]!) { setApprovers(changes: $c) { defaultVersion } }';
  const before = await image();
  const messages = [];
  for (const token of made)
    for (const answer of [
      await server.gql(token, set, { c: [{ userId: ids.owner, approverIds: [ids.lead, chief] }] }),
      await updateBy(token, ids.owner, `approverId: ["${chief}"]`),
      await server.gql(token, `mutation { createUser(email: "n@example.test", approverId: ["${chief}"]) { id } }`),
      await updateBy(token, ids.owner, 'team: "codex"'),
      await updateBy(token, hidden, 'top5Invisible: false'),
      await updateBy(token, teamless, 'top5Invisible: false'),
    ])
      messages.push([answer.code, answer.errors?.[0]?.message]);
  const said = 'query ($id: ID!) { managedUser(userId: $id) { refusedChoices { field value message } } }';
  const refusedOf = async (id: string) =>
    (await server.gql(made[0]!, said, { id })).data.managedUser.refusedChoices.map(
      ({ field, value }: { field: string; value: string }) => `${field} ${value}`,
    );
  // The form says so before anyone tries.
  expect(await refusedOf(ids.owner)).toContain('team codex');
  expect(await refusedOf(ids.owner)).not.toContain('team ');
  // Without tasks, there is nothing to show yet.
  expect(await refusedOf(teamless)).not.toContain('team codex');
  // Nor can they undo taking someone out of a team.
  await server.database.pool.query(`update people set team = 'codex' where id = $1`, [ids.owner]);
  expect(await refusedOf(ids.owner)).toContain('team codex');
  await server.database.pool.query('update people set team = null where id = $1', [ids.owner]);
  expect(await refusedOf(hidden)).toContain('top5Invisible false');
  const approves = ['FORBIDDEN', expect.stringContaining('doesn’t approve anyone yet')];
  const shows = ['FORBIDDEN', expect.stringContaining('would show others stats that you can’t see')];
  const each = [approves, approves, approves, shows, shows, shows];
  expect(messages).toEqual([...each, ...each]);
  expect(await image()).toEqual(before);
});

/** Answers of every way to give this approver to the owner, or to a new person. */
async function waysToChoose(token: string, id: string): Promise<(string | undefined)[]> {
  const version = await versionOf(ids.owner);
  const emailOf = async (person: string): Promise<string> =>
    (await server.database.pool.query('select email from people where id = $1', [person])).rows[0].email;
  const lines = ['email,approvers', `${await emailOf(ids.owner)},${await emailOf(id)}`];
  const set = 'mutation ($c: [ApproversChange!]!) { setApprovers(changes: $c) { defaultVersion } }';
  const shared = '($users: [UserVersion!]!, $change: SharedUserChange!)';
  const several = { users: [{ userId: ids.owner }], change: { approverId: [ids.lead, id] } };
  const file = (dryRun: boolean) =>
    server.call({
      method: 'POST',
      url: '/api/people/import',
      headers: { authorization: `Bearer ${token}` },
      payload: { file: Buffer.from(lines.join('\n')).toString('base64'), dryRun },
    });
  const send = async (query: string, variables = {}) =>
    (await server.gql(token, query, variables)).errors?.[0]?.message as string | undefined;
  const preview = await server.gql(
    token,
    `query ${shared} { previewUserChanges(users: $users, change: $change) { refusal } }`,
    several,
  );
  const done = await server.gql(
    token,
    `mutation ${shared} { changeUsers(users: $users, change: $change) { message } }`,
    several,
  );
  return [
    await send(set, { c: [{ userId: ids.owner, approverIds: [ids.lead, id] }] }),
    await send(`mutation { updateUser(userId: "${ids.owner}", version: "${version}", approverId: ["${id}"]) { id } }`),
    await send(`mutation { createUser(email: "n@example.test", approverId: ["${id}"]) { id } }`),
    preview.data.previewUserChanges[0].refusal,
    done.data.changeUsers[0].message,
    (await file(true)).json().rows[0].reason,
    (await file(false)).json().rows[0].reason,
  ];
}

test('a manager gets nobody’s tasks through an approver they act for: as delegate, later too, or next in line', async () => {
  const { pool } = server.database;
  const standIn = await server.person({
    role: 'Desk lead',
    permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT', 'VIEW_TOP_5_APPROVALS'],
  });
  const token = await server.signIn(standIn);
  const approver = () => server.person({ role: 'Lead' });
  const [absent, absentLater, below, belowAbsent] = [
    await approver(),
    await approver(),
    await server.person({ role: 'Lead', approvers: [standIn] }),
    await approver(),
  ];
  for (const id of [absent, absentLater, below, belowAbsent]) await server.person({ role: null, approvers: [id] });
  await pool.query('insert into approvers values ($1, $2)', [belowAbsent, absent]);
  const away = (id: string, from: number, to: number) =>
    pool.query(
      'insert into absences (person_id, first_day, last_day, note, delegate_id) values ($1, current_date + $2::int, current_date + $3::int, $4, $5)',
      [id, from, to, '', standIn],
    );
  await away(absent, -1, 1);
  await away(absentLater, 30, 31);
  const handOver = (hours: number) =>
    pool.query(
      "insert into settings (key, value) values ('handOverHours', $1) on conflict (key) do update set value = excluded.value",
      [JSON.stringify(hours)],
    );
  const before = await image();
  const refused = Array.from({ length: 7 }, () =>
    expect.stringContaining('would let you decide on this person’s tasks'),
  );
  for (const id of [absent, absentLater]) expect(await waysToChoose(token, id)).toEqual(refused);
  await handOver(8);
  for (const id of [below, belowAbsent]) expect(await waysToChoose(token, id)).toEqual(refused);
  // Nor through the default approver, once someone has none of their own.
  const choose = (approverIds: string[], by = token) =>
    server.gql(by, 'mutation ($c: [ApproversChange!]!) { setApprovers(changes: $c) { defaultVersion } }', {
      c: [{ userId: ids.owner, approverIds }],
    });
  await pool.query("insert into settings (key, value) values ('defaultApprover', to_jsonb($1::text))", [absent]);
  expect((await choose([])).code).toBe('FORBIDDEN');
  await pool.query("delete from settings where key = 'defaultApprover'");
  expect(await image()).toEqual(before);
  // Without hand-over an approver's approver decides nothing, and others choose freely.
  await handOver(0);
  expect((await choose([ids.lead, below])).code).toBeNull();
  expect((await choose([ids.lead, absent], keeper)).code).toBeNull();
  expect((await choose([ids.lead])).code).toBeNull();
  // Undo restores an approver, even one the manager acts for.
  expect((await choose([ids.lead, absent])).code).toBeNull();
  expect((await choose([below], keeper)).code).toBeNull();
  // They are next in line already, through another approver, so they gain nothing.
  const [beside, third] = [
    await server.person({ role: 'Lead', approvers: [standIn] }),
    await server.person({ role: 'Lead', approvers: [standIn] }),
  ];
  for (const id of [beside, third]) await server.person({ role: null, approvers: [id] });
  await handOver(8);
  expect((await choose([beside])).code).toBeNull();
  expect((await choose([absentLater])).code).toBe('FORBIDDEN');
  // So it stays after a move that was undone.
  for (const id of [below, beside, third, below]) expect((await choose([id])).code).toBeNull();
  // Undo brings back the default approver as well.
  await pool.query("insert into settings (key, value) values ('defaultApprover', to_jsonb($1::text))", [absentLater]);
  expect((await choose([], keeper)).code).toBeNull();
  for (const approvers of [[below], []]) expect((await choose(approvers)).code).toBeNull();
  await pool.query("delete from settings where key = 'defaultApprover'");
  await handOver(0);
  expect((await choose([ids.lead], keeper)).code).toBeNull();
});

/** The results of a bulk change: the preview's, then the change's. */
async function several(userIds: readonly string[], change: object): Promise<[string[], string[]]> {
  const variables = { users: userIds.map((userId) => ({ userId })), change };
  const previewed = await ask(
    'query ($users: [UserVersion!]!, $change: SharedUserChange!) { previewUserChanges(users: $users, change: $change) { refusal } }',
    variables,
  );
  const changed = await ask(
    'mutation ($users: [UserVersion!]!, $change: SharedUserChange!) { changeUsers(users: $users, change: $change) { message } }',
    variables,
  );
  return [
    previewed.data.previewUserChanges.map(({ refusal }: { refusal: string }) => refusal),
    changed.data.changeUsers.map(({ message }: { message: string }) => message),
  ];
}

test('several at once and a file of people are held to the same rules, in the preview too', async () => {
  const before = await image();
  const [refusals, messages] = await several([keeperId, ids.guest], { role: 'Seller' });
  expect(refusals).toEqual([
    expect.stringContaining('your own'),
    expect.stringContaining('permissions that you don’t have'),
  ]);
  expect(messages).toEqual(refusals);
  // Enabling opens an account again: nobody enables one with more permissions than theirs.
  const [preview, done] = await several([ids.off], { disabled: false });
  expect(preview).toEqual([expect.any(String)]);
  expect(done).toEqual(preview);
  const { rows } = await server.database.pool.query('select email from people where id = $1', [keeperId]);
  const file = [
    'email,role,approvers,top5',
    'guest@example.test,Seller,,',
    'guest2@example.test,,,yes',
    `new@example.test,,${rows[0].email},`,
    `${rows[0].email},Seller,,`,
  ].join('\n');
  for (const dryRun of [true, false]) {
    const answer = await server.call({
      method: 'POST',
      url: '/api/people/import',
      headers: { authorization: `Bearer ${keeper}` },
      payload: { file: Buffer.from(file).toString('base64'), dryRun },
    });
    // The role that the sender can't give is only asked for.
    expect(answer.json().rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'unchanged',
      'refused',
      'refused',
      'refused',
    ]);
  }
  expect(await image()).toEqual(before);
});

test('a manager takes away what they do not hold, and chooses among the people whom an admin made approvers', async () => {
  expect((await update(ids.seller, 'role: ""')).code).toBeNull();
  expect((await update(ids.seller, 'permissions: []')).code).toBeNull();
  const other = await server.person({ role: 'Lead' });
  const refused = await approvers(ids.owner, [other]);
  expect([refused.code, refused.errors?.[0]?.message]).toEqual([
    'FORBIDDEN',
    expect.stringContaining('doesn’t approve anyone yet. Ask an admin'),
  ]);
  await server.person({ role: null, approvers: [other] });
  expect((await approvers(ids.owner, [other])).code).toBeNull();
  expect(
    (await ask('mutation ($id: ID!) { setUserDisabled(userId: $id, disabled: true) { id } }', { id: ids.lead })).code,
  ).toBeNull();
  expect((await update(ids.guest, 'role: "Keeper"')).code).toBeNull();
});

test('without a recent proof nobody gains or loses an account, access or an approver, and no link of a tool changes', async () => {
  const admin = await server.person({ role: 'admin' });
  const token = await server.signIn(admin);
  const target = await server.person({ email: 'target@example.test', role: null });
  const off = await server.person({ email: 'off2@example.test', role: null });
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [off]);
  const holder = await server.person({ role: 'Keeper', approvers: [admin] });
  await server.database.pool.query("update people set grants = '{VIEW_SALES}' where id = $1", [holder]);
  const { data } = await server.gql(token, '{ roles { id name version } }');
  const role = data.roles.find(({ name }: { name: string }) => name === 'Keeper');
  const edits = [{ id: role.id, version: role.version, permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS'] }];
  const difference = 'query ($e: [RoleEdit!]!) { roleDifference(edits: $e) { seen } }';
  const { seen } = (await server.gql(token, difference, { e: edits })).data.roleDifference;
  const version = await versionOf(target);
  const users = [{ userId: target }];
  const keeper = await server.person({ role: null });
  await server.database.pool.query("update people set grants = '{VIEW_TOP_5}' where id = $1", [keeper]);
  const holderVersion = await versionOf(holder);
  const taken = (fields: string) =>
    server.gql(token, `mutation { updateUser(userId: "${holder}", version: "${holderVersion}", ${fields}) { id } }`);
  const empty = (await server.gql(token, 'mutation { createRole(name: "Empty", permissions: []) { id version } }')).data
    .createRole;
  const fewer = [{ id: role.id, version: role.version, permissions: [] }];
  const renamed = [{ id: role.id, version: role.version, name: 'Renamed' }];
  const seenRenamed = (await server.gql(token, difference, { e: renamed })).data.roleDifference.seen;
  const seenFewer = (await server.gql(token, difference, { e: fewer })).data.roleDifference.seen;
  const link = 'link: "https://tool.test"';
  const card = (await server.gql(token, `mutation { createToolCard(title: "Tool", group: "All", ${link}) { id } }`))
    .data.createToolCard;
  const updated = (fields: string) =>
    server.gql(token, `mutation { updateUser(userId: "${target}", version: "${version}", ${fields}) { id } }`);
  const bulk = (kind: string, change: object) =>
    server.gql(token, `${kind}(users: $users, change: $change) { userId } }`, { users, change });
  const shared = '($users: [UserVersion!]!, $change: SharedUserChange!) {';
  const approvers = (approverIds: string[]) =>
    server.gql(token, 'mutation ($c: [ApproversChange!]!) { setApprovers(changes: $c) { defaultApproverId } }', {
      c: [{ userId: target, approverIds }],
    });
  const file = async (dryRun: boolean, text = 'email,role\nfile@example.test,admin') => {
    const answer = await server.call({
      method: 'POST',
      url: '/api/people/import',
      headers: { authorization: `Bearer ${token}` },
      payload: { file: Buffer.from(text).toString('base64'), dryRun },
    });
    return { code: answer.json().error?.code ?? null };
  };
  const calls = [
    () => server.gql(token, 'mutation { createUser(email: "evil@example.test", role: "admin") { id } }'),
    () => updated('role: "admin"'),
    () => updated('permissions: ["VIEW_SALES"]'),
    () => updated('top5: true'),
    () => updated('email: "other@example.test"'),
    // Under an admin's name, people would believe it.
    () => updated('firstName: "Ada"'),
    () => updated('lastName: "Admin"'),
    () => file(false, 'email,lastName\ntarget@example.test,Admin'),
    () => server.gql(token, `mutation { setTop5(userId: "${target}", on: true) { id } }`),
    () => server.gql(token, `mutation { setUserDisabled(userId: "${off}", disabled: false) { id } }`),
    () => bulk(`mutation ${shared} changeUsers`, { role: 'Keeper' }),
    () => bulk(`mutation ${shared} changeUsers`, { top5: true }),
    // An approver sees the person's tasks, and a disabled account loses work.
    () => updated(`approverId: ["${admin}"]`),
    () => bulk(`mutation ${shared} changeUsers`, { approverId: [admin] }),
    () => approvers([admin]),
    () => server.gql(token, `mutation { setDefaultApprover(approverId: "${admin}") { defaultApproverId } }`),
    () => server.gql(token, `mutation { changeSetting(key: "defaultApprover", value: "${admin}") { key } }`),
    // So do a hand-over, a team and visibility. The end of settling makes results and bonuses final.
    () => server.gql(token, 'mutation { changeSetting(key: "handOverHours", value: "1") { key } }'),
    () => server.gql(token, 'mutation { changeSetting(key: "settlingHours", value: "0") { key } }'),
    () => server.gql(token, 'mutation { changeSetting(key: "taskLimit", value: "6") { key } }'),
    () => updated('team: "codex"'),
    () => bulk(`mutation ${shared} changeUsers`, { team: 'codex' }),
    () => updated('top5Invisible: true'),
    () => server.gql(token, `mutation { setUserDisabled(userId: "${target}", disabled: true) { id } }`),
    () => bulk(`mutation ${shared} changeUsers`, { disabled: true }),
    () => file(false),
    () => file(false, 'email,role\ntarget@example.test,Keeper'),
    () => server.gql(token, 'mutation { createRole(name: "Evil", permissions: ["VIEW_SALES"]) { id } }'),
    // A role that opens nothing still fills the list.
    () => server.gql(token, 'mutation { createRole(name: "Nothing", permissions: []) { id } }'),
    () =>
      server.gql(token, 'mutation ($e: [RoleEdit!]!, $s: String!) { saveRoles(edits: $e, seen: $s) { id } }', {
        e: edits,
        s: seen,
      }),
    // Taking away locks people out.
    () => taken('role: ""'),
    () => taken('permissions: []'),
    () => taken('approverId: []'),
    () => bulk(`mutation ${shared} changeUsers`, { role: '' }),
    () => bulk(`mutation ${shared} changeUsers`, { top5: false }),
    () => server.gql(token, `mutation { setTop5(userId: "${keeper}", on: false) { id } }`),
    () =>
      server.gql(token, 'mutation ($e: [RoleEdit!]!, $s: String!) { saveRoles(edits: $e, seen: $s) { id } }', {
        e: fewer,
        s: seenFewer,
      }),
    // An admin would give another role than the one they read.
    () =>
      server.gql(token, 'mutation ($e: [RoleEdit!]!, $s: String!) { saveRoles(edits: $e, seen: $s) { id } }', {
        e: renamed,
        s: seenRenamed,
      }),
    () => server.gql(token, `mutation { deleteRole(id: "${empty.id}", version: ${empty.version}) }`),
    () => server.gql(token, `mutation { updateToolCard(id: "${card.id}", link: "https://forged.test") { id } }`),
    () => server.gql(token, `mutation { createToolCard(title: "Forged", group: "All", ${link}) { id } }`),
    // Nothing brings these rows back.
    () => server.gql(token, 'mutation { removeImportSource(dataset: "orders", source: "shop") { id } }'),
    () => server.gql(token, 'mutation { eraseReference(dataset: "orders", reference: "ann") { id } }'),
    () => server.gql(token, 'mutation { setRetention(dataset: "orders", months: 1) { dataset } }'),
  ];
  const was = server.clock.now();
  server.clock.set(was.add({ minutes: 11 }));
  const before = await image();
  const codes = [];
  for (const call of calls) codes.push((await call()).code);
  expect(codes).toEqual(calls.map(() => 'CONFIRM_IDENTITY'));
  expect(await image()).toEqual(before);
  // Previews, and changes of what nobody opens, need no proof.
  expect((await bulk(`query ${shared} previewUserChanges`, { role: 'Keeper' })).code).toBeNull();
  expect((await file(true)).code).toBeNull();
  expect(
    (await server.gql(token, `mutation { updateToolCard(id: "${card.id}", title: "New") { id } }`)).code,
  ).toBeNull();
  server.clock.set(was);
});

test('without a recent proof no guidelines are published, and no address comes into a tool or a requirement', async () => {
  const token = await server.signIn(await server.person({ role: 'admin' }));
  const sprint = await server.sprint();
  const send = (call: string) => server.gql(token, `mutation { it: ${call} }`);
  const idOf = async (call: string): Promise<string> => (await send(`${call} { id }`)).data.it.id;
  const evil = 'See [here](https://evil.test)';
  const requirement = (title: string) => `title: "${title}", kind: training`;
  const card = await idOf('createToolCard(title: "Wiki", group: "All", link: "https://wiki.test")');
  const limited = await idOf(
    'createToolCard(title: "Till", group: "All", link: "https://till.test", permission: "VIEW_SALES")',
  );
  const gone = await idOf('createToolCard(title: "Old wiki", group: "All", link: "https://old.test")');
  const asked = await idOf(`addRequirement(role: "Keeper", ${requirement('Course')})`);
  const withdrawn = await idOf(`addRequirement(role: "Keeper", ${requirement('Course at course.test')})`);
  await send(`removeToolCard(id: "${gone}") { id }`);
  await send(`withdrawRequirement(id: "${withdrawn}") { id }`);
  const person = await server.person({ role: 'Keeper' });
  const evidence = await idOf(`recordEvidence(requirementId: "${asked}", personId: "${person}", day: "2026-01-01")`);
  await send(`withdrawEvidence(id: "${evidence}") { id }`);
  const curve = 'from: 50, full: 100, cap: 120';
  const components = `{ signedOff: { weight: 50, ${curve} }, firstPass: { weight: 30, ${curve} }, team: { weight: 20, ${curve} } }`;
  const bonus = (note: string) =>
    `createBonusPlan(fromSprintId: "${sprint}", base: "1", currency: "USD", fairHours: 24, components: ${components}, after: 0, note: "${note}") { id }`;
  const was = server.clock.now();
  server.clock.set(was.add({ minutes: 11 }));
  for (const call of [
    // Everyone is asked to read them: a phone number is as good as an address.
    `publishGuidelines(text: "The IT desk is at 0900 123 456", note: "First", basedOn: 0) { version }`,
    `updateToolCard(id: "${card}", description: "${evil}") { id }`,
    `updateToolCard(id: "${card}", description: "www.e\u00advil.c\u00adom") { id }`,
    `updateToolCard(id: "${card}", link: "https://wiki.test.evil.test") { id }`,
    `setToolHealth(id: "${card}", health: down, note: "${evil}") { id }`,
    // Others would open the address that they don't see now.
    `updateToolCard(id: "${limited}", permission: "") { id }`,
    `restoreToolCard(id: "${gone}") { id }`,
    `addRequirement(role: "Keeper", ${requirement(evil)}) { id }`,
    // Also without an address: they decide who gets a role without a reason.
    `updateRequirement(id: "${asked}", version: 1, ${requirement('Course 2')}) { id }`,
    `withdrawRequirement(id: "${asked}") { id }`,
    `recordEvidence(requirementId: "${asked}", personId: "${person}", day: "2026-01-01") { id }`,
    `recordEvidenceForPeople(requirementId: "${asked}", personIds: ["${person}"], day: "2026-01-01") { id }`,
    `restoreEvidence(id: "${evidence}") { id }`,
    `restoreRequirement(id: "${withdrawn}") { id }`,
    // Nor does the bonus plan change.
    bonus('First'),
  ])
    expect([call, (await send(call)).code]).toEqual([call, 'CONFIRM_IDENTITY']);
  // Known addresses, and texts without one, need none.
  for (const call of [
    `updateToolCard(id: "${card}", description: "All we know") { id }`,
    `setToolHealth(id: "${card}", health: down, note: "Back at 10:30") { id }`,
  ])
    expect([call, (await send(call)).code]).toEqual([call, null]);
  server.clock.set(was);
});

test('no account is taken over while its people are off it: they could be put back, or come by default', async () => {
  const { pool } = server.database;
  const lead = await server.person({ role: 'Lead' });
  const [one, other] = [await server.person({ role: null }), await server.person({ role: null, approvers: [lead] })];
  const hired = await server.person({ email: 'hired@example.test', role: 'Keeper' });
  await pool.query('insert into approvers values ($1, $2)', [one, hired]);
  const off = await server.person({ email: 'dora@example.test', role: 'Keeper' });
  await pool.query('insert into approvers values ($1, $2)', [other, off]);
  await pool.query('update people set disabled_at = now() where id = $1', [off]);
  const enable = 'mutation ($id: ID!) { setUserDisabled(userId: $id, disabled: false) { id } }';
  const previewed = async () => (await several([off], { disabled: false }))[0][0];
  const attempts = [
    () => ask('mutation ($id: ID!) { makeSignInLink(userId: $id) { token } }', { id: hired }),
    () => update(hired, 'email: "mine@example.test"'),
    () => ask(enable, { id: off }),
  ];
  const messages = async () => {
    const all = [];
    for (const attempt of attempts) all.push((await attempt()).errors?.[0]?.message);
    return [...all, await previewed()];
  };
  const refused = Array.from(
    { length: 4 },
    () => 'This account shows tasks that you can’t see. Ask an admin to manage it',
  );
  const was = server.clock.now();
  expect(await messages()).toEqual(refused);
  expect([(await approvers(one, [lead])).code, (await approvers(other, [lead])).code]).toEqual([null, null]);
  expect(await messages()).toEqual(refused);
  // Putting them back works for as long. Taking them off again starts the hour again.
  server.clock.set(was.add({ minutes: 9 }));
  expect((await approvers(one, [hired])).code).toBeNull();
  expect((await approvers(one, [lead])).code).toBeNull();
  server.clock.set(was.add({ minutes: 9 + 60 }));
  keeper = await server.signIn(keeperId);
  expect((await messages())[0]).toBe(refused[0]);
  server.clock.set(was.add({ minutes: 9 + 61 }));
  const byDefault = "insert into settings (key, value) values ('defaultApprover', to_jsonb($1::text))";
  await pool.query(byDefault, [hired]);
  // Also while everyone has an approver of their own.
  await pool.query(
    'insert into approvers select p.id, case when p.id = $1 then $2::bigint else $1 end from people p where not exists (select from approvers a where a.person_id = p.id)',
    [lead, ids.admin],
  );
  expect((await messages()).slice(0, 2)).toEqual(refused.slice(0, 2));
  await pool.query("delete from settings where key = 'defaultApprover'");
  // Then the account is the manager's to hand over, and nobody comes back to it.
  expect((await messages())[0]).toBeUndefined();
  expect((await approvers(one, [hired])).errors?.[0]?.message).toContain('doesn’t approve anyone yet');
  server.clock.set(was);
});

/** Runs the caller's request until it waits for the lock on `id`, takes the caller's rights, and lets it go on. */
async function demoteWhileItWaits(id: string, callerId: string, request: () => ReturnType<TestApp['gql']>) {
  const blocker = await server.database.pool.connect();
  await blocker.query('begin');
  await blocker.query('select from people where id = $1 for update', [id]);
  const answer = request();
  const { rows } = await blocker.query<{ pid: number }>('select pg_backend_pid() as pid');
  const waits = `select from pg_stat_activity where ${rows[0]!.pid} = any(pg_blocking_pids(pid))`;
  await expect.poll(async () => (await server.asOwner(waits)).length).toBeGreaterThan(0);
  await blocker.query("update people set role = 'Seller' where id = $1", [callerId]);
  await blocker.query('commit');
  blocker.release();
  return answer;
}

/** Needs no proof, which would ask for the rights again. */
const withdraws = (alias: string, id: string) =>
  `${alias}: withdrawRoleRequest(userId: "${id}", role: "Keeper") { version }`;

test('an admin whose rights are taken while a document runs changes nothing more', async () => {
  const admin = await server.person({ role: 'admin' });
  const token = await server.signIn(admin);
  const [first, second] = [await server.person({ role: 'Seller' }), await server.person({ role: 'Seller' })];
  await server.database.pool.query(
    `insert into audit_log (actor_id, action, subject_type, subject_id, after)
     select $1, 'roleAsked', 'person', id, '{"role": "Keeper"}' from unnest($2::bigint[]) id`,
    [admin, [first, second]],
  );
  const document = `mutation { ${withdraws('first', first)} ${withdraws('second', second)} }`;
  const { errors } = await demoteWhileItWaits(first, admin, () => server.gql(token, document));
  expect(errors?.map(({ path, extensions }) => [path?.[0], extensions.code])).toEqual([['second', 'FORBIDDEN']]);
  const { rows } = await server.database.pool.query(
    "select subject_id as id from audit_log where action = 'roleWithdrawn' and subject_id = any($1)",
    [[first, second]],
  );
  expect(rows).toEqual([{ id: first }]);
});

test('an admin whose rights are taken while a change waits gives no role with it', async () => {
  const admin = await server.person({ role: 'admin' });
  const token = await server.signIn(admin);
  const target = await server.person({ role: 'Seller' });
  const change = `mutation { updateUser(userId: "${target}", version: "${await versionOf(target)}", role: "admin") { id } }`;
  const { code } = await demoteWhileItWaits(target, admin, () => server.gql(token, change));
  expect(code).toBe('CONFLICT');
  const { rows } = await server.database.pool.query('select role from people where id = $1', [target]);
  expect(rows).toEqual([{ role: 'Seller' }]);
});
