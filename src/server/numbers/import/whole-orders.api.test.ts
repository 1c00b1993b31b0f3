// Numbers by title of imports that give an order's discount or refund only on its first line.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';

let app: TestApp;
let admin: string;

const mapping = {
  ...{ dataset: 'orders', source: 'shop', currency: 'USD' },
  fields: {
    ...{ external_id: 'id', product: { constant: 'codex' }, order_ref: 'order', occurred_at: 'when', title: 'title' },
    ...{ gross: 'price', discount: 'discount', status: { constant: 'completed' } },
  },
};
const orders = [1, 2, 3, 4].flatMap((order) => [
  `${order}a,#${order},2026-01-05,Lamp,90,10`,
  `${order}b,#${order},2026-01-05,Bulb,10,`,
]);
const file = ['id,order,when,title,price,discount', ...orders].join('\n');

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn(await app.person({ role: 'admin' }));
  const save =
    'mutation ($name: String!, $mapping: String!) { saveImportMapping(name: $name, mapping: $mapping) { name } }';
  const given = { asIs: mapping, divided: { ...mapping, divide: ['discount'] } };
  for (const [name, one] of Object.entries(given)) await app.gql(admin, save, { name, mapping: JSON.stringify(one) });
});
afterAll(() => app.stop());

async function send(name: 'asIs' | 'divided', query = '', payload = file) {
  const { statusCode, body } = await app.call({
    method: 'POST',
    url: `/api/import/orders?mapping=${name}${query}`,
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'text/csv' },
    payload,
  });
  expect([statusCode, body]).toEqual([200, expect.any(String)]);
  return JSON.parse(body);
}

async function by(dimension: string, { scope = 'codex', month = '2026-01' } = {}) {
  const query = `query ($by: [String!]) { numbers(dataset: "orders", scope: "${scope}", metrics: ["discounts"], by: $by,
    from: "${month}-01", to: "${month}-28") { hasWholeOrders rows { keys values } totals } }`;
  const { hasWholeOrders, rows, totals } = (await app.gql(admin, query, { by: [dimension] })).data.numbers;
  return {
    hasWholeOrders,
    totals,
    rows: rows.map(({ keys, values }: Record<string, string[]>) => [...keys!, ...values!]),
  };
}

test('readers of numbers by title see that they can be wrong, until the file was imported with divided amounts', async () => {
  await send('asIs', '&dryRun=1');
  expect(await by('title')).toMatchObject({ hasWholeOrders: false });
  const { reasons } = await send('asIs');
  const shown = ['kind', 'column', 'reason', 'count', 'line', 'value', 'values'];
  expect(reasons.map((one: object) => Object.keys(one).toSorted())).toEqual([shown.toSorted()]);
  expect(await by('title')).toMatchObject({ hasWholeOrders: true, totals: ['40'] });
  expect(await by('title', { scope: 'green' })).toMatchObject({ hasWholeOrders: false });
  expect(await by('title', { month: '2026-02' })).toMatchObject({ hasWholeOrders: false });
  // The next export has other orders.
  await send('divided', '', file.replaceAll('#', '#1').replace(/^(?=\d)/gm, '1'));
  expect(await by('title')).toMatchObject({ hasWholeOrders: true, totals: ['80'] });
  // Its lines are in one group.
  expect(await by('country')).toMatchObject({ hasWholeOrders: false });
  await send('divided', '', file.split('\n').slice(0, 3).join('\n'));
  expect(await by('title')).toMatchObject({ hasWholeOrders: true });
  await send('divided');
  expect(await by('title')).toEqual({
    hasWholeOrders: false,
    totals: ['80'],
    rows: [
      ['Lamp', '72'],
      ['Bulb', '8'],
    ],
  });
});
