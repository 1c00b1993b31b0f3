import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { applyBatch } from './batch.store.ts';

let server: TestApp;
let seller: string;
let leader: string;

beforeAll(async () => {
  server = await startTestApp({ now: '2026-11-16T00:00:00Z' });
  const sales = ['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_CONNECT_SALES', 'READ_BGP'] as const;
  seller = await server.signIn(await server.person({ permissions: sales }));
  leader = await server.signIn(await server.person({ permissions: [...sales, 'USER_MANAGEMENT'] }));
  const values = {
    product: 'connect',
    order_ref: '1',
    occurred_at: '2026-11-02T12:00:00Z',
    gross: 600_0000n,
    currency: 'USD',
    status: 'completed',
  };
  await server.database.transaction((queries) =>
    applyBatch(queries, 'orders', [{ externalId: '1', values, labels: {}, texts: {} }], {
      zone: 'UTC',
      source: 'shop',
    }),
  );
});
afterAll(() => server.stop());

const setGoal = (token: string, change: object = {}) =>
  server.gql(
    token,
    `mutation ($scope: String, $metric: String!, $month: String!, $amount: String) { setNumberGoal(dataset: "orders", scope: $scope, metric: $metric, month: $month, amount: $amount) { metric month currency amount actual elapsedShare pace } }`,
    { scope: 'connect', metric: 'net_sales', month: '2026-11', amount: '1000', ...change },
  );
const goals = async (token: string) =>
  (
    await server.gql(
      token,
      '{ numberGoals(dataset: "orders", scope: "connect", month: "2026-11") { metric amount actual pace } }',
    )
  ).data.numberGoals;

test('goals are set by who manages people and may read the number, and by nobody else', async () => {
  expect((await setGoal(seller)).code).toBe('FORBIDDEN');
  const managing = await server.signIn(await server.person({ permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] }));
  expect((await setGoal(managing)).code).toBe('FORBIDDEN');
  expect((await setGoal(leader, { scope: 'green' })).code).toBe('FORBIDDEN');
});

test.each([
  ['scope', { scope: null }],
  ['metric', { metric: 'nothing' }],
  ['month', { month: '2026-13' }],
  ['amount', { amount: '0' }],
  ['amount', { amount: '1e3' }],
  ['amount', { amount: '1.00001' }],
  ['amount', { amount: '999999999999999' }],
])('a goal whose %s is wrong is refused: %j', async (field, change) => {
  expect((await setGoal(leader, change)).errors?.[0]?.extensions).toMatchObject({ code: 'BAD_INPUT', field });
});

test('half a month is over: the pace is what there is beside half of the goal', async () => {
  const goal = {
    metric: 'net_sales',
    month: '2026-11',
    currency: 'USD',
    amount: '1000',
    actual: '600',
    elapsedShare: 0.5,
    pace: '120',
  };
  expect((await setGoal(leader)).data.setNumberGoal).toEqual(goal);
  expect((await setGoal(leader, { metric: 'orders', amount: '4' })).data.setNumberGoal).toMatchObject({
    currency: null,
    actual: '1',
    pace: '50',
  });
  expect(await goals(seller)).toEqual([
    { metric: 'net_sales', amount: '1000', actual: '600', pace: '120' },
    { metric: 'orders', amount: '4', actual: '1', pace: '50' },
  ]);
  expect((await setGoal(leader, { amount: '2000.5' })).data.setNumberGoal).toMatchObject({
    amount: '2000.5',
    pace: '59.985',
  });
  expect((await setGoal(leader, { amount: '2000.50' })).data.setNumberGoal).toMatchObject({ amount: '2000.5' });
  expect((await setGoal(leader, { amount: null })).data.setNumberGoal).toBeNull();
  expect((await setGoal(leader, { amount: null })).data.setNumberGoal).toBeNull();
  expect(await goals(seller)).toHaveLength(1);
  // An unchanged goal leaves no line.
  const { rows } = await server.database.pool.query(
    `select after from audit_log where action = 'numberGoalSet' order by id`,
  );
  expect(rows.map(({ after }) => after.amount)).toEqual(['1000', '4', '2000.5', null]);
});

const pinned = `{ dataset metric scope search }`;
const pin = (metric: string) =>
  server.gql(seller, `mutation { pinNumber(dataset: "orders", scope: "connect", metric: "${metric}") ${pinned} }`);

test('a number that is none, or that one may not read, cannot be pinned', async () => {
  expect((await pin('nothing')).errors?.[0]?.extensions).toMatchObject({ code: 'BAD_INPUT', field: 'metric' });
  expect((await server.gql(seller, `mutation { pinNumber(dataset: "payouts", metric: "paid") ${pinned} }`)).code).toBe(
    'FORBIDDEN',
  );
});

test('two numbers are pinned, in the order in which they were, and a third when one is taken away', async () => {
  const first = { dataset: 'orders', metric: 'net_sales', scope: 'connect', search: '' };
  expect((await pin('net_sales')).data.pinNumber).toEqual([first]);
  server.clock.advance({ seconds: 1 });
  expect((await pin('net_sales')).data.pinNumber).toEqual([first]);
  expect((await pin('orders')).data.pinNumber).toEqual([first, { ...first, metric: 'orders' }]);
  expect((await pin('gross')).code).toBe('BAD_INPUT');
  const left = await server.gql(
    seller,
    `mutation { unpinNumber(dataset: "orders", scope: "connect", metric: "net_sales") ${pinned} }`,
  );
  expect(left.data.unpinNumber).toEqual([{ ...first, metric: 'orders' }]);
  const both = await Promise.all([pin('gross'), pin('lines')]);
  expect(both.map(({ code }) => code).sort()).toEqual(['BAD_INPUT', null]);
  expect((await server.gql(leader, `{ pinnedNumbers ${pinned} }`)).data.pinnedNumbers).toEqual([]);
});

test('a pin keeps the days and filters of its address, so one number is pinned twice with two of them', async () => {
  const person = await server.signIn(
    await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_CONNECT_SALES', 'READ_BGP'] }),
  );
  const call = (field: string, search: string) =>
    server.gql(
      person,
      `mutation ($search: String) { ${field}(dataset: "orders", scope: "connect", metric: "orders", search: $search) { search } }`,
      { search },
    );
  await call('pinNumber', '');
  const both = await call('pinNumber', 'where.country=FR%2CDE&period=90d&behind=orders&product=green&other=1');
  expect(both.data.pinNumber).toEqual([{ search: '' }, { search: 'period=90d&where.country=FR%2CDE' }]);
  // The same address in another order.
  expect((await call('pinNumber', 'period=90d&where.country=FR%2CDE')).data.pinNumber).toHaveLength(2);
  expect((await call('unpinNumber', 'where.country=FR%2CDE&period=90d')).data.unpinNumber).toEqual([{ search: '' }]);
});
