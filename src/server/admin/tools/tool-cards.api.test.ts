import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';

let app: TestApp;
let admin: string;
let adminId: string;
let staff: string;
let seller: string;
let staffId: string;

beforeAll(async () => {
  app = await startTestApp();
  adminId = await app.person({ role: 'admin' });
  admin = await app.signIn(adminId);
  staffId = await app.person({
    firstName: 'Sam',
    lastName: 'Staff',
    permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS', 'USER_MANAGEMENT'],
  });
  staff = await app.signIn(staffId);
  seller = await app.signIn(await app.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS', 'VIEW_SALES'] }));
});
afterAll(() => app.stop());

const fields =
  'id group title description link ownerId ownerName ownerDisabled permission health healthNote healthAt version';
const mutate = async (token: string | null, call: string) => {
  const answer = await app.gql(token, `mutation { card: ${call} { ${fields} } }`);
  return { ...answer, card: answer.data?.card, field: answer.errors?.[0]?.extensions.field };
};
const make = (title: string, more = '', group = 'Everyone') =>
  mutate(admin, `createToolCard(title: "${title}", group: "${group}", link: "https://a.test" ${more})`);
const titles = async (token: string) => {
  const { data } = await app.gql(token, '{ toolCards { title group } }');
  return data.toolCards.map(({ title }: { title: string }) => title);
};
const audited = async (): Promise<unknown[]> => {
  const { rows } = await app.database.pool.query(
    "select action, before, after from audit_log where subject_type = 'toolCard' order by id",
  );
  return rows;
};

describe('refused, and nothing is changed', () => {
  const calls = [
    'createToolCard(title: "x", group: "x", link: "https://a.test")',
    'updateToolCard(id: "1", title: "x")',
    'setToolHealth(id: "1", health: down)',
    'removeToolCard(id: "1")',
    'restoreToolCard(id: "1")',
    'moveToolCard(id: "1", by: 1)',
  ];
  it.each(calls)('is whoever is no admin: %s', async (call) => {
    expect([(await mutate(null, call)).status, (await mutate(staff, call)).code]).toEqual([401, 'FORBIDDEN']);
    expect(await audited()).toEqual([]);
  });
  it.each([
    ['createToolCard(title: " ", group: "x", link: "https://a.test")', 'BAD_INPUT', 'title'],
    ['createToolCard(title: "x", group: "x", link: "javascript:alert(1)")', 'BAD_INPUT', 'link'],
    ['createToolCard(title: "x", group: "x", link: "https://me:secret@a.test")', 'BAD_INPUT', 'link'],
    ['createToolCard(title: "x", group: "x", link: "https://a.test", ownerId: "999")', 'BAD_INPUT', 'ownerId'],
    ['createToolCard(title: "x", group: "x", link: "https://a.test", permission: "X")', 'BAD_INPUT', 'permission'],
    ['updateToolCard(id: "999", title: "x")', 'NOT_FOUND', undefined],
    ['updateToolCard(id: "x", title: "x")', 'BAD_INPUT', 'id'],
    ['moveToolCard(id: "1", by: 2)', 'BAD_INPUT', 'by'],
  ])('is %s', async (call, code, field) => {
    const answer = await mutate(admin, call);
    expect([answer.code, answer.field]).toEqual([code, field]);
    expect(await audited()).toEqual([]);
  });
  it('is the list of whoever may not open the tools', async () => {
    const other = await app.signIn(await app.person({ permissions: ['VIEW_DASHBOARD'] }));
    expect((await app.gql(other, '{ toolCards { id } }')).code).toBe('FORBIDDEN');
  });
});

it('a card is seen by whoever may, and by admins always', async () => {
  await make('Wiki', `, ownerId: "${staffId}", description: "How we work"`);
  await make('Shop', ', permission: "VIEW_SALES"', 'Sales');
  expect([await titles(staff), await titles(seller), await titles(admin)]).toEqual([
    ['Wiki'],
    ['Wiki', 'Shop'],
    ['Wiki', 'Shop'],
  ]);
  const { data } = await app.gql(staff, `{ toolCards { ${fields} } }`);
  expect(data.toolCards).toEqual([
    {
      ...{ id: '1', group: 'Everyone', title: 'Wiki', description: 'How we work', link: 'https://a.test' },
      ...{ ownerId: staffId, ownerName: 'Sam Staff', ownerDisabled: false, permission: null },
      ...{ health: 'works', healthNote: '', healthAt: '2026-11-18T12:00:00.000Z', version: 1 },
    },
  ]);
});

it('an owner who left is marked, and named before the account is disabled, to those who see the tool', async () => {
  const owner = await app.person({ firstName: 'Lea', lastName: 'Left' });
  const { card } = await make('Payroll', `, ownerId: "${owner}"`, 'Left');
  await make('Deals', `, ownerId: "${owner}", permission: "VIEW_SALES"`, 'Left');
  await mutate(admin, `removeToolCard(id: "${(await make('Fax', `, ownerId: "${owner}"`, 'Left')).card.id}")`);
  const sees = ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] as const;
  const withoutTools = await app.signIn(await app.person({ permissions: sees }));
  const ties = async (token: string, userIds: readonly string[]) =>
    (await app.gql(token, 'query ($userIds: [ID!]) { accountTies(userIds: $userIds) { tools } }', { userIds })).data
      .accountTies.tools;
  expect([
    await ties(admin, [owner]),
    await ties(admin, [owner, staffId]),
    await ties(admin, [adminId]),
    await ties(staff, [owner]),
    await ties(withoutTools, [owner]),
  ]).toEqual([['Payroll', 'Deals'], ['Wiki', 'Payroll', 'Deals'], [], ['Payroll'], []]);
  await app.database.pool.query('update people set disabled_at = now() where id = $1', [owner]);
  const { data } = await app.gql(staff, '{ toolCards { id ownerName ownerDisabled } }');
  expect(data.toolCards.find(({ id }: { id: string }) => id === card.id)).toEqual({
    ...{ id: card.id, ownerName: 'Lea Left (disabled)', ownerDisabled: true },
  });
});

it('the same call sent again makes no second card', async () => {
  const send = () =>
    app.call({
      method: 'POST',
      url: '/graphql',
      headers: { authorization: `Bearer ${admin}`, 'idempotency-key': 'one' },
      payload: { query: 'mutation { createToolCard(title: "Once", group: "Twice", link: "http://a.test") { id } }' },
    });
  const [first, second] = [await send(), await send()];
  expect(second.json()).toEqual(first.json());
  expect((await titles(admin)).filter((title: string) => title === 'Once')).toHaveLength(1);
});

it('a change says what it changes, empty texts take away, and a stale one is refused', async () => {
  const { card } = await make('Old', `, ownerId: "${staffId}", permission: "VIEW_SALES"`);
  const changed = await mutate(admin, `updateToolCard(id: "${card.id}", version: 1, title: "New", permission: "")`);
  expect(changed.card).toMatchObject({ title: 'New', permission: null, ownerName: 'Sam Staff', version: 2 });
  expect((await mutate(admin, `updateToolCard(id: "${card.id}", version: 1, ownerId: "")`)).code).toBe('CONFLICT');
  expect((await mutate(admin, `setToolHealth(id: "${card.id}", version: 1, health: down)`)).code).toBe('CONFLICT');
  expect((await mutate(admin, `updateToolCard(id: "${card.id}", ownerId: "")`)).card.ownerId).toBeNull();
});

it('health is told with a note and since when; a new note does not make it younger', async () => {
  const { card } = await make('Printer');
  app.clock.advance({ minutes: 5 });
  const down = await mutate(admin, `setToolHealth(id: "${card.id}", health: down, note: "Out of paper")`);
  expect(down.card).toMatchObject({ health: 'down', healthNote: 'Out of paper', healthAt: '2026-11-18T12:05:00.000Z' });
  app.clock.advance({ minutes: 5 });
  const noted = await mutate(admin, `setToolHealth(id: "${card.id}", health: down, note: "Paper is coming")`);
  expect(noted.card).toMatchObject({ healthNote: 'Paper is coming', healthAt: '2026-11-18T12:05:00.000Z' });
});

it('making a card asks again who one is after ten minutes', async () => {
  expect((await make('Late')).code).toBe('CONFIRM_IDENTITY');
  admin = await app.signIn(adminId);
  expect((await make('Late')).code).toBeNull();
});

it('a card that was removed comes back, and is not changed meanwhile', async () => {
  const { card } = await make('Gone');
  const removed = await mutate(admin, `removeToolCard(id: "${card.id}", version: 1)`);
  expect(await titles(admin)).not.toContain('Gone');
  expect((await mutate(admin, `updateToolCard(id: "${card.id}", title: "x")`)).code).toBe('NOT_FOUND');
  await mutate(admin, `restoreToolCard(id: "${card.id}", version: ${removed.card.version})`);
  expect(await titles(admin)).toContain('Gone');
});

it('cards move within their group, and stay at its edge without a line in the audit log', async () => {
  for (const title of ['A', 'B', 'C']) await make(title, '', 'Order');
  const order = async () => {
    const { data } = await app.gql(admin, '{ toolCards { id title group } }');
    return data.toolCards.filter(({ group }: { group: string }) => group === 'Order');
  };
  const [a, , c] = await order();
  await mutate(admin, `moveToolCard(id: "${c.id}", by: -1)`);
  expect((await order()).map(({ title }: { title: string }) => title)).toEqual(['A', 'C', 'B']);
  const before = (await audited()).length;
  await mutate(admin, `moveToolCard(id: "${a.id}", by: -1)`);
  expect(await audited()).toHaveLength(before);
  await mutate(admin, `updateToolCard(id: "${a.id}", group: "Order 2")`);
  expect((await order()).map(({ title }: { title: string }) => title)).toEqual(['C', 'B']);
});

it('each change leaves one line with what was and what is', async () => {
  const count = (await audited()).length;
  const { card } = await make('Logged');
  await mutate(admin, `setToolHealth(id: "${card.id}", health: trouble, note: "slow")`);
  await mutate(admin, `removeToolCard(id: "${card.id}")`);
  expect((await audited()).slice(count)).toMatchObject([
    { action: 'toolCardCreated', before: null, after: { title: 'Logged', link: 'https://a.test', ownerId: null } },
    { action: 'toolHealthSet', before: { health: 'works', note: '' }, after: { health: 'trouble', note: 'slow' } },
    {
      action: 'toolCardRemoved',
      before: { title: 'Logged', description: '', group: expect.any(String), permission: null },
    },
  ]);
});

it('a group typed in other capitals is the group that other cards have', async () => {
  await make('First', '', 'Sales Tools');
  await make('Second', '', 'sales tools ');
  const cards = async () =>
    (await app.gql(admin, '{ toolCards { id title group } }')).data.toolCards.filter(
      ({ group }: { group: string }) => group.toLowerCase() === 'sales tools',
    );
  expect((await cards()).map(({ group }: { group: string }) => group)).toEqual(['Sales Tools', 'Sales Tools']);
  const [first, second] = await cards();
  await mutate(admin, `updateToolCard(id: "${second.id}", group: "SALES tools")`);
  expect((await cards())[1].group).toBe('Sales Tools');
  await mutate(admin, `removeToolCard(id: "${second.id}")`);
  // The only card of a group can change its spelling.
  await mutate(admin, `updateToolCard(id: "${first.id}", group: "Sales tools")`);
  expect((await cards())[0].group).toBe('Sales tools');
});
