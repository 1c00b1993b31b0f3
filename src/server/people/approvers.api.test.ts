import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { effectiveApprovers } from '#core/people/approvers.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';

let server: TestApp;
let approvedByBea: string;
let ids: { admin: string; ben: string; bea: string; cat: string; dan: string; keeper: string };
const tokens: Record<string, string> = {};
const deciding = ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS', 'VIEW_TOP_5'] as const;
const keeping = ['VIEW_DASHBOARD', 'VIEW_TOP_5'] as const;

beforeAll(async () => {
  server = await startTestApp();
  const admin = await server.person({ role: 'admin', firstName: 'Ada', lastName: 'Admin' });
  const ben = await server.person({ firstName: 'Ben', lastName: 'Boss', permissions: deciding });
  const bea = await server.person({ firstName: 'Bea', lastName: 'Boss', permissions: deciding });
  const cat = await server.person({ firstName: 'Cat', lastName: 'Crew', permissions: keeping });
  const dan = await server.person({ firstName: 'Dan', lastName: 'Desk', permissions: keeping });
  const keeper = await server.person({
    firstName: 'Eve',
    lastName: 'Ever',
    permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'],
  });
  ids = { admin, ben, bea, cat, dan, keeper };
  approvedByBea = await server.person({ firstName: 'Fay', lastName: 'Fern' });
  for (const [name, id] of Object.entries(ids)) tokens[name] = await server.signIn(id);
});
afterAll(() => server.stop());

beforeEach(async () => {
  await server.database.pool.query('delete from approvers');
  await server.database.pool.query('insert into approvers values ($1, $2), ($3, $4)', [
    ids.cat,
    ids.ben,
    approvedByBea,
    ids.bea,
  ]);
  await server.database.pool.query(`delete from settings where key = 'defaultApprover'`);
});

const set = (who: string, changes: object[]) =>
  server.gql(
    tokens[who] as string,
    'mutation ($changes: [ApproversChange!]!) { setApprovers(changes: $changes) { people { id ownApproverIds } } }',
    { changes },
  );
const choose = (who: string, approverId: string | null, version?: number) =>
  server.gql(
    tokens[who] as string,
    'mutation ($approverId: ID, $version: Int) { setDefaultApprover(approverId: $approverId, version: $version) { defaultApproverId defaultIsChosen } }',
    { approverId, version },
  );
const approversOf = async (id: string) =>
  (
    await server.database.pool.query('select approver_id::text from approvers where person_id = $1 order by 1', [id])
  ).rows.map(({ approver_id }) => approver_id);
const inboxOf = async (who: string) =>
  (await server.gql(tokens[who] as string, '{ inbox { title } }')).data.inbox.map(
    ({ title }: { title: string }) => title,
  );

async function waitingTask(ownerId: string, title: string): Promise<string> {
  const sprint = await server.sprint();
  const { rows } = await server.database.pool.query(
    `insert into tasks (owner_id, sprint_id, title, category, created_by, created_at, status_at)
     values ($1, $2, $3, 'All Brands', $1, $4, $4) returning id::text`,
    [ownerId, sprint, title, server.clock.now().toString()],
  );
  return rows[0].id;
}

test('approver management is refused to whoever lacks user management', async () => {
  for (const name of ['ben', 'cat']) {
    for (const query of ['{ approverManagement { defaultApproverId } }', '{ pendingItems(userIds: []) { id } }'])
      expect((await server.gql(tokens[name] as string, query)).code).toBe('FORBIDDEN');
    expect((await set(name, [{ userId: ids.cat, approverIds: [ids.bea] }])).code).toBe('FORBIDDEN');
    expect((await choose(name, ids.bea)).code).toBe('FORBIDDEN');
  }
  expect(await approversOf(ids.cat)).toEqual([ids.ben]);
});

test('nobody is changed when one of many is refused, and the answer says who', async () => {
  const self = await set('keeper', [
    { userId: ids.dan, approverIds: [ids.ben] },
    { userId: ids.cat, approverIds: [ids.cat] },
  ]);
  expect([self.code, self.errors?.[0]?.message]).toEqual([
    'BAD_INPUT',
    'People can’t approve their own tasks. Choose someone else',
  ]);
  const stale = await set('keeper', [
    { userId: ids.dan, approverIds: [ids.ben], known: [] },
    { userId: ids.cat, approverIds: [ids.bea], known: [ids.bea, ids.ben] },
  ]);
  expect([stale.code, stale.errors?.[0]?.message]).toEqual([
    'CONFLICT',
    'The approvers of Cat Crew were changed by someone else. Review them and try again',
  ]);
  const twice = { userId: ids.dan, approverIds: [] };
  expect((await set('keeper', [twice, twice])).code).toBe('BAD_INPUT');
  expect((await set('keeper', [{ userId: '999999', approverIds: [] }])).code).toBe('NOT_FOUND');
  expect([await approversOf(ids.dan), await approversOf(ids.cat)]).toEqual([[], [ids.ben]]);
});

test('a disabled account becomes nobody’s approver', async () => {
  const gone = await server.person({ firstName: 'Gil', lastName: 'Gone' });
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [gone]);
  expect((await set('keeper', [{ userId: ids.cat, approverIds: [gone] }])).errors?.[0]?.message).toBe(
    'The account of Gil Gone is disabled. Choose someone else',
  );
  expect((await choose('admin', gone)).code).toBe('BAD_INPUT');
});

test('the map shows each person’s own approvers, what waits and how long others waited', async () => {
  await waitingTask(ids.dan, 'Waits');
  const { data } = await server.gql(
    tokens.keeper as string,
    '{ approverManagement { defaultApproverId defaultIsChosen people { id displayName ownApproverIds toApprove toSignOff decided disabled permissions } } }',
  );
  const { people, ...rest } = data.approverManagement;
  expect(rest).toEqual({ defaultApproverId: null, defaultIsChosen: false });
  const of = (id: string) => people.find((person: { id: string }) => person.id === id);
  expect(of(ids.cat)).toMatchObject({ displayName: 'Cat Crew', ownApproverIds: [ids.ben], toApprove: 0 });
  expect(of(ids.dan)).toMatchObject({ ownApproverIds: [], toApprove: 1, toSignOff: 0, disabled: false });
});

test('who manages people is told how many have no role, and how many have nobody to approve their tasks', async () => {
  const toHelp = async () =>
    (await server.gql(tokens.keeper as string, '{ peopleToHelp { withoutRole unapproved } }')).data.peopleToHelp;
  const { rows } = await server.database.pool.query<{ count: number }>(
    'select count(*)::int as count from people where role is null and disabled_at is null',
  );
  await server.database.pool.query("update people set password_hash = 'x' where id = $1", [ids.ben]);
  const before = await toHelp();
  expect(before.withoutRole).toBe(rows[0]!.count);
  await set('keeper', [{ userId: ids.dan, approverIds: [ids.ben] }]);
  expect(await toHelp()).toEqual({ ...before, unapproved: before.unapproved - 1 });
  await set('keeper', [{ userId: ids.dan, approverIds: [] }]);
  expect(await toHelp()).toEqual(before);
  await server.database.pool.query('update people set password_hash = null where id = $1', [ids.ben]);
  expect((await server.gql(tokens.ben as string, '{ peopleToHelp { unapproved } }')).code).toBe('FORBIDDEN');
});

test('reassigning moves what waits to the new approver; what was decided keeps its decider', async () => {
  const decidedId = await waitingTask(ids.cat, 'Decided by Ben');
  await server.gql(tokens.ben as string, 'mutation ($id: ID!) { updateTask(id: $id, status: TODO) { id } }', {
    id: decidedId,
  });
  await waitingTask(ids.cat, 'Still waits');
  expect(await inboxOf('ben')).toEqual(['Still waits']);
  const listed = await server.gql(
    tokens.admin as string,
    `{ pendingItems(userIds: ["${ids.cat}"]) { title userId status } }`,
  );
  expect(listed.data.pendingItems).toEqual([{ title: 'Still waits', userId: ids.cat, status: 'INAPPROVAL' }]);
  expect((await set('keeper', [{ userId: ids.cat, approverIds: [ids.bea], known: [ids.ben] }])).code).toBeNull();
  expect([await inboxOf('ben'), await inboxOf('bea')]).toEqual([[], ['Still waits']]);
  const history = await server.gql(tokens.admin as string, '{ getTasks { history { event actorId } } }');
  expect(history.code).toBeNull();
  const { rows } = await server.database.pool.query(
    `select actor_id::text from task_history where task_id = $1 and event = 'approved'`,
    [decidedId],
  );
  expect(rows).toEqual([{ actor_id: ids.ben }]);
});

test('a manager who took everyone from an approver puts them back, and another manager does not', async () => {
  const other = await server.signIn(await server.person({ permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] }));
  expect((await set('keeper', [{ userId: ids.cat, approverIds: [ids.bea] }])).code).toBeNull();
  const back = { changes: [{ userId: ids.cat, approverIds: [ids.ben] }] };
  const query = 'mutation ($changes: [ApproversChange!]!) { setApprovers(changes: $changes) { defaultVersion } }';
  expect((await server.gql(other, query, back)).code).toBe('FORBIDDEN');
  expect((await set('keeper', back.changes)).code).toBeNull();
  expect(await approversOf(ids.cat)).toEqual([ids.ben]);
});

test('who may not see a task reads no title of it in the list of what moves', async () => {
  await waitingTask(ids.cat, 'Secret plan');
  const { data } = await server.gql(tokens.keeper as string, `{ pendingItems(userIds: ["${ids.cat}"]) { title } }`);
  expect(data.pendingItems.length).toBeGreaterThan(0);
  expect(JSON.stringify(data)).not.toContain('Secret plan');
});

test('a change leaves one line in the audit log with before and after, and none where nothing changed', async () => {
  const lines = async () =>
    (
      await server.database.pool.query(
        `select actor_id::text, subject_id, before, after from audit_log where action = 'approversChanged' order by id`,
      )
    ).rows;
  const before = (await lines()).length;
  await set('keeper', [{ userId: ids.cat, approverIds: [ids.ben, ids.bea] }]);
  await set('keeper', [{ userId: ids.cat, approverIds: [ids.bea, ids.ben] }]);
  expect((await lines()).slice(before)).toEqual([
    {
      actor_id: ids.keeper,
      subject_id: ids.cat,
      before: { approverIds: [ids.ben] },
      after: { approverIds: [ids.ben, ids.bea] },
    },
  ]);
});

test('the default approver decides for who has no approver of their own, and for nobody else', async () => {
  await server.database.pool.query(`update tasks set withdrawn_at = now()`);
  await waitingTask(ids.dan, 'Of Dan');
  await waitingTask(ids.cat, 'Of Cat');
  const who = async (name: string) =>
    (await server.call({ url: '/api/auth/user', headers: { authorization: `Bearer ${tokens[name]}` } })).json().user
      .approverId;
  expect(await who('dan')).toEqual([]);
  expect((await choose('admin', ids.bea)).data.setDefaultApprover).toEqual({
    defaultApproverId: ids.bea,
    defaultIsChosen: true,
  });
  expect([await who('dan'), await who('cat'), await who('bea')]).toEqual([[ids.bea], [ids.ben], []]);
  expect([await inboxOf('bea'), await inboxOf('ben'), await inboxOf('admin')]).toEqual([['Of Dan'], ['Of Cat'], []]);
  const [task] = (await server.gql(tokens.bea as string, '{ inbox { id version } }')).data.inbox;
  const decided = await server.gql(
    tokens.bea as string,
    'mutation ($id: ID!) { updateTask(id: $id, status: TODO) { status } }',
    { id: task.id },
  );
  expect(decided.data.updateTask).toEqual({ status: 'TODO' });
});

test('only an admin chooses the default approver, who approves for admins and for whoever chooses', async () => {
  expect((await choose('keeper', ids.bea)).code).toBe('FORBIDDEN');
});

test('of two who choose the default approver at once the second is told', async () => {
  expect((await choose('admin', ids.bea, 0)).code).toBeNull();
  expect((await choose('admin', ids.ben, 0)).code).toBe('CONFLICT');
  expect((await choose('admin', ids.ben, 1)).data.setDefaultApprover.defaultApproverId).toBe(ids.ben);
});

test('the view of the database and the core agree on the approvers that count', async () => {
  await choose('admin', ids.bea);
  const { rows } = await server.database.pool.query(`
    select p.id::text, array(select a.approver_id::text from approvers a where a.person_id = p.id) as own,
      array(select e.approver_id::text from effective_approvers e where e.person_id = p.id) as counting from people p`);
  expect(rows.length).toBeGreaterThan(5);
  for (const { id, own, counting } of rows) expect([id, counting]).toEqual([id, effectiveApprovers(id, own, ids.bea)]);
});

test('the environment names a default approver, the setting wins, and an id of nobody is none', async () => {
  const beside = await startTestApp({ beside: server, env: { DEFAULT_APPROVER_ID: ids.ben } });
  const state = async () =>
    (await beside.gql(tokens.keeper as string, '{ approverManagement { defaultApproverId defaultIsChosen } }')).data
      .approverManagement;
  expect(await state()).toEqual({ defaultApproverId: ids.ben, defaultIsChosen: false });
  expect(
    (await server.gql(tokens.keeper as string, '{ getPermittedUsers { id approverId } }')).data.getPermittedUsers,
  ).toContainEqual({
    id: ids.dan,
    approverId: [ids.ben],
  });
  await choose('admin', ids.bea);
  expect(
    (await server.gql(tokens.keeper as string, '{ getPermittedUsers { id approverId } }')).data.getPermittedUsers,
  ).toContainEqual({
    id: ids.dan,
    approverId: [ids.bea],
  });
  await choose('admin', null);
  expect(await state()).toEqual({ defaultApproverId: null, defaultIsChosen: true });
  await beside.stop();
  await server.database.pool.query(`delete from settings where key = 'defaultApprover'`);
  const nobody = await startTestApp({ beside: server, env: { DEFAULT_APPROVER_ID: '987654321' } });
  expect(
    (await nobody.gql(tokens.keeper as string, '{ approverManagement { defaultApproverId } }')).data.approverManagement,
  ).toEqual({
    defaultApproverId: null,
  });
  await nobody.stop();
});

test('a person is told who approves them, and whom to ask while no approver can sign in', async () => {
  const { pool } = server.database;
  const mine = async (name: string) =>
    (
      await server.gql(
        tokens[name] as string,
        '{ myApprovers { approvers { displayName decides } admins { displayName } } }',
      )
    ).data.myApprovers;
  await pool.query("update people set password_hash = case when id = $1 then 'x' end", [ids.admin]);
  const ada = { displayName: 'Ada Admin' };
  expect(await mine('dan')).toEqual({ approvers: [], admins: [ada] });
  const ben = { displayName: 'Ben Boss', decides: false };
  expect(await mine('cat')).toEqual({ approvers: [ben], admins: [ada] });
  await pool.query("update people set password_hash = 'x' where id = $1", [ids.ben]);
  expect(await mine('cat')).toEqual({ approvers: [{ ...ben, decides: true }], admins: [] });
  const managed = '{ approverManagement { people { id canSignIn } } }';
  const { people } = (await server.gql(tokens.keeper as string, managed)).data.approverManagement;
  const able = people.filter((person: { canSignIn: boolean }) => person.canSignIn).map(({ id }: { id: string }) => id);
  expect(able.toSorted()).toEqual([ids.admin, ids.ben].toSorted());
});
