import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Permission } from '#core/access/permissions.ts';
import { type Cause, causes, type SalesProduct, salesProducts } from '#core/access/products.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { applyBatch } from './batch.store.ts';
import type { NumberRow } from './number-row.ts';

let server: TestApp;

const products = Object.keys(salesProducts) as SalesProduct[];
const causeKeys = Object.keys(causes) as Cause[];
const row = (externalId: string, values: NumberRow['values']): NumberRow => ({
  externalId,
  values,
  labels: { shop: externalId },
  texts: {},
});

beforeAll(async () => {
  server = await startTestApp();
  await server.database.transaction(async (queries) => {
    const source = { zone: 'UTC', source: 'shop' };
    const orders = products.map((product) =>
      row(`order of ${product}`, {
        product,
        order_ref: product,
        occurred_at: '2026-11-02T12:00:00Z',
        gross: 10_0000n,
        currency: 'USD',
        status: 'completed',
      }),
    );
    const gifts = causeKeys.map((cause) =>
      row(`gift to ${cause}`, {
        cause,
        donated_at: '2026-11-02T12:00:00Z',
        amount: 10_0000n,
        currency: `USD-${cause}`,
        donor_ref: `donor of ${cause}`,
        campaign: `campaign of ${cause}`,
        status: 'completed',
      }),
    );
    await applyBatch(queries, 'orders', orders, source);
    await applyBatch(queries, 'donations', gifts, source);
  });
});
afterAll(() => server.stop());

const range = 'from: "2026-11-01", to: "2026-12-01"';
const called = 'dataset: $dataset, scope: $scope';
const numbersQuery = `query ($dataset: String!, $scope: String, $by: [String!]) { numbers(${called}, metrics: ["gross"], by: $by, ${range}) { totals currencies newest rows { keys values } } }`;
const rowsQuery = `query ($dataset: String!, $scope: String) { numberRows(${called}, metric: "gross", ${range}) { rows { id values labels { name text } } } }`;
const ticketQuery = `mutation ($dataset: String!, $scope: String) { exportTicket(${called}, metric: "gross", ${range}) { url } }`;
const goalsQuery = `query ($dataset: String!, $scope: String) { numberGoals(${called}, month: "2026-11") { actual } }`;
const pinQuery = `mutation ($dataset: String!, $scope: String) { pinNumber(${called}, metric: "gross") { scope } }`;

/** Everything a viewer gets of a scope through any query, as one text. */
async function everything(
  token: string,
  dataset: string,
  scope: string,
): Promise<{ codes: (string | null)[]; text: string }> {
  const variables = { dataset, scope };
  const answers = [];
  for (const query of [numbersQuery, rowsQuery, goalsQuery, pinQuery, ticketQuery])
    answers.push(await server.gql(token, query, variables));
  const url = answers.at(-1)?.data?.exportTicket?.url;
  const file = url ? (await server.call({ url })).body : '';
  return { codes: answers.map(({ code }) => code), text: JSON.stringify(answers.map(({ data }) => data)) + file };
}

const subsets = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: 2 ** items.length }, (_, chosen) => items.filter((_item, place) => chosen & (2 ** place)));

const refused = ['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'];
const answered = [null, null, null, null, null];

test('without a page of numbers nothing is answered, signed in or not', async () => {
  const token = await server.signIn(
    await server.person({ permissions: ['VIEW_DASHBOARD', 'READ_BGP', 'VIEW_CONNECT_SALES'] }),
  );
  expect((await everything(token, 'orders', 'connect')).codes).toEqual(refused);
  expect((await server.gql(null, numbersQuery, { dataset: 'orders', scope: 'connect' })).status).toBe(401);
});

test('a product is answered if and only if the page, the tab and the data permission are all there', async () => {
  const ofSales = [
    ...new Set(products.flatMap((product) => [salesProducts[product].view, salesProducts[product].data])),
  ];
  const owner = await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] });
  const token = await server.signIn(owner);
  for (const held of subsets<Permission>(ofSales)) {
    await server.database.pool.query('update people set grants = $1 where id = $2', [held, owner]);
    await server.database.pool.query('delete from pinned_numbers');
    const product = products[held.length % products.length]!;
    const { view, data } = salesProducts[product];
    const { codes, text } = await everything(token, 'orders', product);
    const may = held.includes(view) && held.includes(data);
    expect([held, product, codes]).toEqual([held, product, may ? answered : refused]);
    expect(text.includes(`order of ${product}`)).toBe(may);
    for (const other of products.filter((key) => key !== product)) expect(text).not.toContain(`order of ${other}`);
  }
});

test.each(causeKeys)('who may see %s never gets a byte of another cause', async (cause) => {
  const token = await server.signIn(
    await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_DONATIONS', causes[cause].view] }),
  );
  const own = await everything(token, 'donations', cause);
  expect(own.codes).toEqual(answered);
  expect(own.text).toContain(`gift to ${cause}`);
  const others = causeKeys.filter((key) => key !== cause);
  for (const other of others) {
    const { codes, text } = await everything(token, 'donations', other);
    expect(codes).toEqual(refused);
    for (const said of [own.text, text]) expect(said).not.toMatch(new RegExp(`(to|of|-)\\s?${other}`));
  }
  for (const by of ['campaign', 'status']) {
    const { data } = await server.gql(token, numbersQuery, { dataset: 'donations', scope: cause, by: [by] });
    expect(data.numbers).toMatchObject({ totals: ['10'], currencies: [`USD-${cause}`] });
    expect(data.numbers.rows).toHaveLength(1);
  }
});

test('a right that is taken away is gone for the ticket, the pins and the balance too', async () => {
  const person = await server.person({
    permissions: ['VIEW_DASHBOARD', 'VIEW_DONATIONS'],
    grants: ['VIEW_WHO_LIVES_DONATIONS'],
  });
  const token = await server.signIn(person);
  const variables = { dataset: 'donations', scope: 'who-lives' };
  const { data } = await server.gql(token, ticketQuery, variables);
  await server.gql(token, pinQuery, variables);
  const balance = '{ donationBalance(cause: "who-lives") { currency collected remitted open } }';
  expect((await server.gql(token, balance)).data.donationBalance).toEqual({
    currency: 'USD-who-lives',
    collected: '10',
    remitted: '0',
    open: '10',
  });
  // However the cause is written.
  await server.database.pool.query(`
    insert into payouts_daily (day, kind, program, currency, status, row_count, amount, fee)
    select '2026-01-01', kind, program, 'USD-who-lives', 'paid', 1, 10000, 0
    from (values ('remittance', 'Who Lives'), ('remittance', 'who-lives'), ('remittance', 'Spring'), ('grant', 'Who Lives')) v (kind, program)`);
  expect((await server.gql(token, balance)).data.donationBalance).toMatchObject({ remitted: '2', open: '8' });
  const unknown = await server.gql(token, balance.replace(')', ', currency: "XXX")'));
  expect(unknown.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_INPUT', field: 'currency' });
  await server.database.pool.query(`update people set grants = '{}' where id = $1`, [person]);
  expect((await server.call({ url: data.exportTicket.url })).statusCode).toBe(403);
  expect((await server.gql(token, '{ pinnedNumbers { scope } }')).data.pinnedNumbers).toEqual([]);
  expect((await server.gql(token, balance)).code).toBe('FORBIDDEN');
});

test.each([
  ['affiliate_activity', 'VIEW_AFFILIATE_STATS'],
  ['conversations', 'VIEW_CUSTOMER_SERVICE'],
  ['payouts', 'VIEW_DISTRIBUTIONS'],
  ['payments', 'VIEW_PRODUCT_PAYMENTS'],
] as const)('%s are answered to holders of %s and to nobody else', async (dataset, permission) => {
  const holder = await server.signIn(await server.person({ permissions: ['VIEW_DASHBOARD', permission] }));
  const all: Permission[] = [
    'VIEW_AFFILIATE_STATS',
    'VIEW_CUSTOMER_SERVICE',
    'VIEW_DISTRIBUTIONS',
    'VIEW_PRODUCT_PAYMENTS',
  ];
  const others = await server.signIn(
    await server.person({ permissions: ['VIEW_DASHBOARD', ...all.filter((other) => other !== permission)] }),
  );
  const query = `{ numbers(dataset: "${dataset}", metrics: ["${dataset === 'conversations' ? 'backlog' : dataset === 'affiliate_activity' ? 'clicks' : 'fees'}"], ${range}) { totals } }`;
  expect((await server.gql(holder, query)).data.numbers.totals).toEqual(['0']);
  expect((await server.gql(others, query)).code).toBe('FORBIDDEN');
});
