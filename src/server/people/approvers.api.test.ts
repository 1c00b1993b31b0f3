import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { heldPermissions } from '#core/access/access.ts';
import { approverMap, countsOf, type MappedPerson, shownBy, warningOf } from '#core/people/approver-map.ts';
import { effectiveApprovers } from '#core/people/approvers.ts';
import { displayName } from '#core/people/people.ts';
import { approverFilters } from '#core/people/people-search.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { type Chooser, chooser } from '../../../test/sampling.ts';

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
    'mutation ($changes: [ApproversChange!]!) { setApprovers(changes: $changes) { defaultVersion } }',
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

test('approver management is refused to people without user management', async () => {
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
    'Someone else changed Cat Crew’s approvers. Review them and try again',
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
    'Gil Gone’s account is disabled. Choose someone else',
  );
  expect((await choose('admin', gone)).code).toBe('BAD_INPUT');
});

test('the map shows each person’s own approvers, what waits and how long others waited', async () => {
  await waitingTask(ids.dan, 'Waits');
  const { data } = await server.gql(
    tokens.keeper as string,
    '{ approverManagement { defaultApproverId defaultIsChosen people { rows { person { id displayName ownApproverIds toApprove toSignOff disabled permissions } approvers { id displayName warning } byDefault } total next } } }',
  );
  const { people, ...rest } = data.approverManagement;
  expect(rest).toEqual({ defaultApproverId: null, defaultIsChosen: false });
  const of = (id: string) => people.rows.find(({ person }: { person: { id: string } }) => person.id === id);
  expect(of(ids.cat)).toMatchObject({
    person: { displayName: 'Cat Crew', ownApproverIds: [ids.ben], toApprove: 0 },
    approvers: [{ id: ids.ben, displayName: 'Ben Boss', warning: 'cannotSignIn' }],
    byDefault: false,
  });
  expect(of(ids.dan).person).toMatchObject({ ownApproverIds: [], toApprove: 1, toSignOff: 0, disabled: false });
  expect([people.total, people.next]).toEqual([people.rows.length, null]);
});

test('approver management answers in pages, filtered and sorted by the server, with its counts', async () => {
  await waitingTask(ids.dan, 'Waits too');
  const ask = async (fields: string) =>
    (await server.gql(tokens.keeper as string, `{ approverManagement { ${fields} } }`)).data.approverManagement;
  const people = async (args: string) => {
    const { rows, ...page } = (await ask(`people(${args}) { rows { person { displayName } } total next }`)).people;
    return { ...page, names: rows.map(({ person }: { person: { displayName: string } }) => person.displayName) };
  };
  const everyone = ['Ada Admin', 'Ben Boss', 'Bea Boss', 'Cat Crew', 'Dan Desk', 'Eve Ever', 'Fay Fern'];
  const whole = await people('limit: 200');
  expect([...whole.names].sort()).toEqual([...everyone].sort());
  const read: string[] = [];
  let after: string | null = null;
  do {
    const page = await people(`limit: 3${after === null ? '' : `, after: "${after}"`}`);
    expect([page.names.length <= 3, page.total]).toEqual([true, 7]);
    read.push(...page.names);
    after = page.next;
  } while (after !== null);
  expect(read).toEqual(whole.names);
  expect((await people('search: "boss", sort: "person"')).names).toEqual([
    'Bea Boss',
    'Ben Boss',
    'Cat Crew',
    'Fay Fern',
  ]);
  expect((await people('show: "waiting"')).names).toEqual(['Dan Desk']);
  expect((await people(`approverId: "${ids.ben}"`)).names).toEqual(['Cat Crew']);
  expect((await people(`id: "${ids.dan}"`)).names).toEqual(['Dan Desk']);
  const { counts, approvers } = await ask(
    'counts { active disabled approvers none circle waiting } approvers(sort: "approver", limit: 1) { rows { approver { displayName warning } people medianWaited } total next }',
  );
  expect(counts).toEqual({ active: 7, disabled: 0, approvers: 2, none: 5, circle: 0, waiting: 1 });
  const bea = { approver: { displayName: 'Bea Boss', warning: 'cannotSignIn' }, people: 1, medianWaited: null };
  expect(approvers).toEqual({ rows: [bea], total: 2, next: ids.bea });
  for (const wrong of ['show: "nonsense"', 'sort: "nonsense"', 'limit: 201'])
    expect(
      (await server.gql(tokens.keeper as string, `{ approverManagement { people(${wrong}) { total } } }`)).code,
    ).toBe('BAD_INPUT');
});

const mapFields = `approverManagement {
  counts { active disabled approvers unable tasks undecided none circle waiting }
  people(limit: 200) { total rows { person { id } approvers { id warning } byDefault unapproved circle } }
  ${approverFilters.map((show) => `${show}: people(show: "${show}", limit: 200) { rows { person { id } } }`).join(' ')}
  approvers(limit: 200) { total rows { approver { id warning } people toApprove toSignOff } } }`;

/** The map by the core, of everyone it has. */
async function mapOfCore(app: TestApp, defaultApproverId: string | null) {
  const { rows } = await app.database.pool.query(`
    select p.id::text, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role, p.team,
      p.disabled_at is not null as disabled, p.disabled_at is null and p.password_hash is not null as "canSignIn",
      coalesce(r.permissions, '{}') || p.grants as stored,
      array(select a.approver_id::text from approvers a where a.person_id = p.id order by a.approver_id) as "ownApproverIds",
      (select count(*)::int from tasks where owner_id = p.id and status = 'INAPPROVAL') as "toApprove",
      (select count(*)::int from tasks where owner_id = p.id and status = 'INREVIEW') as "toSignOff"
    from people p left join roles r on r.name = p.role order by lower(p.last_name), lower(p.first_name), p.id`);
  const approving = new Set([defaultApproverId, ...rows.flatMap(({ ownApproverIds }) => ownApproverIds)]);
  const people = rows.map(
    (row): MappedPerson => ({
      ...{ ...row, displayName: displayName(row), permissions: heldPermissions(row.role, row.stored) },
    }),
  );
  return approverMap(
    people.filter(
      ({ id, disabled, toApprove, toSignOff }) => !disabled || approving.has(id) || toApprove + toSignOff > 0,
    ),
    defaultApproverId,
  );
}

/** Other approvers, sign-ins, disabled accounts, waiting tasks and default approver. Gives the last one. */
async function changeMap({ database: { pool } }: TestApp, all: readonly string[], sprint: string, choose: Chooser) {
  await pool.query('delete from approvers');
  await pool.query('delete from tasks');
  await pool.query(`delete from settings where key = 'defaultApprover'`);
  for (const [index, id] of all.entries()) {
    const chosen = new Set([0, 1].slice(choose(3)).map(() => all[choose(all.length)]!));
    for (const approver of chosen)
      if (approver !== id) await pool.query('insert into approvers values ($1, $2)', [id, approver]);
    await pool.query('update people set password_hash = $2, disabled_at = case when $3 then now() end where id = $1', [
      ...[id, choose(4) === 0 ? null : 'x', index > 0 && choose(4) === 0],
    ]);
    for (const status of ['INAPPROVAL', 'INREVIEW', 'TODO'].slice(choose(4)))
      await pool.query(
        `insert into tasks (owner_id, sprint_id, title, category, status, created_by) values ($1, $2, 'A', 'Other', $3, $1)`,
        [id, sprint, status],
      );
  }
  const defaultId = choose(2) === 0 ? null : all[choose(all.length)]!;
  if (defaultId)
    await pool.query(`insert into settings (key, value) values ('defaultApprover', to_jsonb($1::text))`, [defaultId]);
  return defaultId;
}

test('on any map of approvers, the pages and the counts are those of the core', async () => {
  const app = await startTestApp();
  const admin = await app.person({ role: 'admin', firstName: 'Ada', lastName: 'Zorn' });
  const all = [admin];
  for (const permissions of [deciding, keeping, deciding, ['VIEW_DASHBOARD'], keeping, deciding, keeping] as const)
    all.push(await app.person({ permissions }));
  all.push(await app.person({ role: null, grants: keeping }), await app.person({ role: 'admin', lastName: 'Äbel' }));
  const [sprint, token, choose] = [await app.sprint(), await app.signIn(admin), chooser(11)];
  const ask = async (fields: string) => (await app.gql(token, `{ ${fields} }`)).data;
  const idsOf = (rows: readonly { readonly person: { readonly id: string } }[]) => rows.map(({ person }) => person.id);
  const seen = { undecided: 0, none: 0, circle: 0, waiting: 0, disabled: 0, unable: 0, onlyAdmin: 0 };
  for (let round = 0; round < 25; round++) {
    const map = await mapOfCore(app, await changeMap(app, all, sprint, choose));
    const counts = countsOf(map);
    const { approverManagement: page, peopleCounts } = await ask(`${mapFields} peopleCounts { active unapproved }`);
    expect(page.counts, `round ${round}`).toEqual(counts);
    expect(peopleCounts).toEqual({ active: counts.active, unapproved: counts.undecided });
    expect(page.people).toEqual({
      total: map.people.length,
      rows: map.people.map(({ person, approvers, ...row }) => ({
        ...{ person: { id: person.id }, ...row },
        approvers: approvers.map((one) => ({ id: one.id, warning: warningOf(one) })),
      })),
    });
    for (const show of approverFilters)
      expect([show, idsOf(page[show].rows)]).toEqual([show, idsOf(map.people.filter(shownBy[show]))]);
    expect(page.approvers).toEqual({
      total: map.approvers.length,
      rows: map.approvers.map(({ approver, people, warning, ...load }) => ({
        ...{ ...load, people: people.length, approver: { id: approver.id, warning } },
      })),
    });
    for (const { approver, people } of map.approvers.slice(0, 2)) {
      const one = `approverManagement { people(approverId: "${approver.id}") { rows { person { id } } } }`;
      expect(idsOf((await ask(one)).approverManagement.people.rows)).toEqual(people.map(({ id }) => id));
    }
    for (const show of approverFilters) seen[show] += counts[show];
    seen.disabled += counts.disabled;
    seen.unable += counts.unable;
    seen.onlyAdmin += Number(map.people.some(({ person, unapproved }) => unapproved && person.id === admin));
  }
  await app.stop();
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(2);
});

type Person = { readonly firstName: string; readonly lastName: string; readonly team?: string };

test('the pages find accents and parts of several fields, and sort with those without a value last', async () => {
  const app = await startTestApp();
  const { pool } = app.database;
  const make = ({ firstName, lastName, team }: Person, permissions: typeof deciding | typeof keeping) =>
    app.person({ firstName, lastName, team: team ?? null, permissions, email: `${firstName}.x@company.test` });
  const zoe = await make({ firstName: 'Zoë', lastName: 'Abel', team: 'green' }, deciding);
  const ann = await make({ firstName: 'ann', lastName: 'Lee' }, keeping);
  const ben = await make({ firstName: 'Ben', lastName: 'Ode', team: 'connect' }, deciding);
  const cem = await make({ firstName: 'Cem', lastName: 'Kaya' }, keeping);
  const dan = await make({ firstName: 'Dan', lastName: 'Desk' }, keeping);
  const names = new Map(Object.entries({ zoe, ann, ben, cem, dan }).map(([name, id]) => [id, name]));
  await pool.query(`insert into approvers values ($1, $2), ($3, $4), ($4, $3)`, [ann, zoe, ben, cem]);
  await pool.query(`update people set disabled_at = now() where id = $1`, [cem]);
  await pool.query(`update people set password_hash = 'x' where id = $1`, [zoe]);
  const [sprint, token] = [await app.sprint(), await app.signIn(await app.person({ role: 'admin' }))];
  for (const [owner, count, status] of [
    [ann, 2, 'INAPPROVAL'],
    [ben, 5, 'INREVIEW'],
  ] as const)
    await pool.query(
      `insert into tasks (owner_id, sprint_id, title, category, status, created_by)
       select $1, $2, 'A', 'Other', $3, $1 from generate_series(1, $4::int)`,
      [owner, sprint, status, count],
    );
  await pool.query(
    `insert into task_history (task_id, sprint_id, at, actor_id, actor_name, event, from_status, to_status, version, waited)
     select min(id), $1, $2, $3, 'Ben', 'approved', 'INAPPROVAL', 'TODO', 2, 60 from tasks`,
    [sprint, app.clock.now().toString(), ben],
  );
  const list = async (fields: string) => {
    const { people, approvers } = (await app.gql(token, `{ approverManagement { ${fields} } }`)).data
      .approverManagement;
    const rows: { person?: { id: string }; approver?: { id: string } }[] = (people ?? approvers).rows;
    return rows.flatMap(({ person, approver }) => names.get((person ?? approver)!.id) ?? []).join(' ');
  };
  const peopleBy = (args: string) => list(`people(${args}) { rows { person { id } } }`);
  for (const [args, found] of [
    ['limit: 50', 'zoe dan cem ann ben'],
    ['search: "zoe"', 'zoe ann'],
    ['search: "kaya CONNECT"', 'ben'],
    ['search: "dan.x@comp"', 'dan'],
    ['search: "%"', ''],
    ['sort: "person"', 'zoe dan cem ann ben'],
    ['sort: "person", desc: true', 'ben ann cem dan zoe'],
    ['sort: "team"', 'ben zoe dan cem ann'],
    ['sort: "team", desc: true', 'zoe ben dan cem ann'],
    ['sort: "approvers"', 'cem ben ann zoe dan'],
    ['sort: "waiting", desc: true', 'ben ann zoe dan cem'],
  ] as const)
    expect([args, await peopleBy(args)]).toEqual([args, found]);
  const approversBy = (args: string) => list(`approvers(${args}) { rows { approver { id } } }`);
  for (const [args, found] of [
    ['limit: 50', 'zoe cem ben'],
    ['search: "ANN"', 'zoe'],
    [`id: "${ben}"`, 'ben'],
    ['sort: "approver"', 'zoe cem ben'],
    ['sort: "waiting", desc: true', 'cem zoe ben'],
    ['sort: "people"', 'zoe cem ben'],
    ['sort: "median"', 'ben zoe cem'],
    ['sort: "warning"', 'ben cem zoe'],
  ] as const)
    expect([args, await approversBy(args)]).toEqual([args, found]);
  await app.stop();
});

test('a page and the counts read a few rows of a large company', async () => {
  const { pool, drizzle } = server.database;
  await pool.query(
    "insert into people (email, first_name, last_name, created_at) select n || '@many.test', 'Many', 'Many', now() from generate_series(1, 2000) n",
  );
  await pool.query("insert into approvers select id, $1 from people where email like '%@many.test'", [ids.ben]);
  const execute = vi.spyOn(drizzle, 'execute');
  for (const query of [
    '{ peopleCounts { unapproved } }',
    '{ approverManagement { counts { undecided circle } } }',
    '{ approverManagement { people(search: "many") { rows { person { id } circle } } } }',
    `{ approverManagement { approvers(id: "${ids.ben}") { rows { people } } } }`,
  ]) {
    execute.mockClear();
    expect((await server.gql(tokens.admin as string, query)).code).toBeNull();
    const answers = await Promise.all(execute.mock.results.map(({ value }) => value as Promise<{ rows: unknown[] }>));
    expect(Math.max(...answers.map(({ rows }) => rows.length)), query).toBeLessThanOrEqual(51);
  }
  execute.mockRestore();
  await pool.query("delete from approvers where person_id in (select id from people where email like '%@many.test')");
  await pool.query("delete from people where email like '%@many.test'");
});

test('who manages people is told how many have no role, and how many have nobody to approve their tasks', async () => {
  const toHelp = async () =>
    (await server.gql(tokens.keeper as string, '{ peopleCounts { withoutRole unapproved } }')).data.peopleCounts;
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
  expect((await server.gql(tokens.ben as string, '{ peopleCounts { unapproved } }')).code).toBe('FORBIDDEN');
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
        '{ myApprovers { approvers { displayName decides } admins { displayName } contacts { displayName } } }',
      )
    ).data.myApprovers;
  await pool.query("update people set password_hash = case when id = $1 then 'x' end", [ids.admin]);
  const ada = { displayName: 'Ada Admin' };
  expect(await mine('dan')).toEqual({ approvers: [], admins: [ada], contacts: [ada] });
  const ben = { displayName: 'Ben Boss', decides: false };
  expect(await mine('cat')).toEqual({ approvers: [ben], admins: [ada], contacts: [ada] });
  await pool.query("update people set password_hash = 'x' where id = $1", [ids.keeper]);
  expect((await mine('cat')).contacts.map((one: object) => Object.values(one)[0])).toEqual([
    expect.any(String),
    'Ada Admin',
  ]);
  const help = '{ accessHelp { contacts { id } } }';
  const contacts = async (name: string) =>
    (await server.gql(tokens[name] as string, help)).data.accessHelp.contacts.map(({ id }: { id: string }) => id);
  expect(await contacts('dan')).toEqual([ids.keeper, ids.admin]);
  // With a role and an approver.
  expect(await contacts('cat')).toEqual([]);
  await pool.query('update people set password_hash = null where id = $1', [ids.keeper]);
  await pool.query("update people set password_hash = 'x' where id = $1", [ids.ben]);
  expect(await mine('cat')).toEqual({ approvers: [{ ...ben, decides: true }], admins: [], contacts: [] });
  const managed = '{ approverManagement { people { rows { person { id canSignIn } } } } }';
  const { people } = (await server.gql(tokens.keeper as string, managed)).data.approverManagement;
  const able = people.rows.flatMap(({ person }: { person: { id: string; canSignIn: boolean } }) =>
    person.canSignIn ? [person.id] : [],
  );
  expect(able.toSorted()).toEqual([ids.admin, ids.ben].toSorted());
});
