// Times between two instants: a date without a time is no midnight, and early isn't missing.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { applyBatch } from './batch.store.ts';
import { NumberRowReader } from './import/number-row-reader.ts';
import { numbersMappings } from './import/numbers-mapping.ts';
import type { NumberRow } from './number-row.ts';

const zone = 'Europe/Berlin';
const currency = 'EUR';
let server: TestApp;
let admin: string;

/** As an import reads them; the id is the source, and is numbered. */
async function store(dataset: DatasetKey, source: string, rows: readonly Record<string, string>[]): Promise<void> {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const fields = Object.fromEntries([...names].map((name) => [name, name]));
  const needed = Object.entries(datasetOf(dataset).fields).flatMap(([name, { required, type }]) =>
    required && !names.has(name) && name !== 'currency'
      ? [[name, { constant: typeof type === 'string' ? '1' : type[0] }]]
      : [],
  );
  const mapping = numbersMappings[dataset].parse({
    ...{ dataset, source, ...(datasetOf(dataset).currency && { currency }) },
    fields: {
      external_id: { join: [{ constant: source }, { occurrence: [{ constant: '' }] }], with: ' ' },
      ...fields,
      ...Object.fromEntries(needed),
    },
  });
  const reader = new NumberRowReader(dataset, mapping, zone);
  const read = rows.map((row) => reader.read(row) as NumberRow);
  await server.database.transaction((queries) => applyBatch(queries, dataset, read, { zone, source }));
}

beforeAll(async () => {
  server = await startTestApp({ env: { COMPANY_TIME_ZONE: zone } });
  admin = await server.signIn(await server.person({ role: 'admin' }));
});
afterAll(() => server.stop());

const numbersQuery = `query ($dataset: String!, $metrics: [String!]!, $from: String!, $to: String!, $hours: String) {
  numbers(dataset: $dataset, metrics: $metrics, from: $from, to: $to, hours: $hours) { totals } }`;
const rowsQuery = `query ($dataset: String!, $metric: String!, $from: String!, $to: String!) {
  numberRows(dataset: $dataset, metric: $metric, from: $from, to: $to) { fields rows { values parts } } }`;
const ticketMutation = `mutation ($dataset: String!, $metric: String!, $from: String!, $to: String!) {
  exportTicket(dataset: $dataset, metric: $metric, from: $from, to: $to) { url } }`;

const yearOf = (year: number) => ({ from: `${year}-01-01`, to: `${year + 1}-01-01` });
const totals = async (dataset: DatasetKey, year: number, metrics: readonly string[], more = {}) =>
  (await server.gql(admin, numbersQuery, { dataset, metrics, ...yearOf(year), ...more })).data.numbers.totals;

test('payouts that were paid early are negative, and a date without a time counts in whole days', async () => {
  const paid = (due_at: string, paid_at: string) => ({ dated_at: '2024-05-01', due_at, paid_at });
  await store('payouts', 'early', [
    paid('2024-05-10T12:00:00Z', '2024-05-07T12:00:00Z'),
    paid('2024-05-10T12:00:00Z', '2024-05-08T00:00:00Z'),
    paid('2024-05-10T12:00:00Z', '2024-05-11T12:00:00Z'),
    { dated_at: '2024-05-01', due_at: '', paid_at: '2024-05-11T12:00:00Z' },
  ]);
  expect(await totals('payouts', 2024, ['days_to_pay', 'days_to_pay_p90'])).toEqual(['-2.5', '0.3']);
  const dated = (due_at: string, paid_at: string) => ({ dated_at: '2023-05-01', due_at, paid_at });
  // At 22:30 in UTC, the company's next day has begun.
  await store('payouts', 'dated', [
    dated('2023-05-10', '2023-05-10T14:00:00Z'),
    dated('2023-05-10', '2023-05-10T22:30:00Z'),
    dated('2023-05-10', '2023-05-08'),
  ]);
  expect(await totals('payouts', 2023, ['days_to_pay', 'days_to_pay_p90'])).toEqual(['0', '0.8']);
});

test('a settlement on a date is whole days, and one before its attempt is left out and counted', async () => {
  await store('payments', 'bank', [
    { attempted_at: '2024-05-10T20:00:00Z', settled_at: '2024-05-12' },
    { attempted_at: '2024-05-10T20:00:00Z', settled_at: '2024-05-10' },
    { attempted_at: '2024-05-10T20:00:00Z', settled_at: '2024-05-09' },
    { attempted_at: '2024-05-10T20:00:00Z', settled_at: '2024-05-10T19:00:00Z' },
    { attempted_at: '2024-05-10T20:00:00Z', settled_at: '' },
  ]);
  expect(await totals('payments', 2024, ['settlement_lag', 'settlement_left_out'])).toEqual(['1', '2']);
});

test('hours need both times: conversations with a date instead are left out and counted, as rows too', async () => {
  await store('conversations', 'desk', [
    { opened_at: '2024-10-11T08:00:00Z', resolved_at: '2024-10-11', first_response_at: '2024-10-11T09:00:00Z' },
    { opened_at: '2024-10-11', resolved_at: '2024-10-13', first_response_at: '' },
    { opened_at: '2024-10-11T08:00:00Z', resolved_at: '2024-10-11T07:00:00Z', first_response_at: '' },
    { opened_at: '2024-10-11T08:00:00Z', resolved_at: '2024-10-11T16:00:00Z', first_response_at: '' },
    { opened_at: '2024-10-11T08:00:00Z', resolved_at: '', first_response_at: '' },
  ]);
  const asked = ['resolution', 'resolution_p90', 'resolution_left_out', 'first_response', 'first_response_left_out'];
  expect(await totals('conversations', 2024, asked)).toEqual(['8', '8', '3', '1', '0']);
  expect(await totals('conversations', 2024, ['resolution'], { hours: 'working' })).toEqual(['7']);
  const metric = { dataset: 'conversations', metric: 'resolution_left_out', ...yearOf(2024) };
  const { fields, rows } = (await server.gql(admin, rowsQuery, metric)).data.numberRows;
  const at = fields.indexOf('resolved_at');
  const days = rows.map(({ values }: { values: string[] }) => values[at]);
  expect(days.toSorted()).toEqual(['2024-10-11', '2024-10-11T07:00:00.000Z', '2024-10-13']);
  const ticket = await server.gql(admin, ticketMutation, metric);
  const csv = (await server.call({ url: ticket.data.exportTicket.url })).body;
  expect(csv).toContain(',2024-10-13,');
  expect(csv).not.toContain('2024-10-12T22:00');

  await store('conversations', 'dates', [{ opened_at: '2022-10-11', resolved_at: '2022-10-13' }]);
  expect(await totals('conversations', 2022, ['resolution', 'resolution_left_out'])).toEqual([null, '1']);
});

test('a conversation with only a closed date is resolved on it, in every number, and the resolved date wins', async () => {
  const opened_at = '2021-10-11T08:00:00Z';
  await store('conversations', 'archive', [
    { opened_at, resolved_at: '', closed_at: '2021-10-11T10:00:00Z' },
    { opened_at, resolved_at: '2021-10-11T12:00:00Z', closed_at: '2021-11-30T12:00:00Z' },
    { opened_at, resolved_at: '', closed_at: '2021-10-12' },
    { opened_at, resolved_at: '', closed_at: '' },
  ]);
  const metrics = ['resolution', 'resolution_left_out', 'resolved', 'resolved_known', 'net_flow', 'backlog'];
  expect(await totals('conversations', 2021, metrics)).toEqual(['3', '1', '3', '3', '1', '1']);
  const resolved = { dataset: 'conversations', metric: 'resolved', from: '2021-10-01', to: '2021-11-01' };
  expect((await server.gql(admin, rowsQuery, resolved)).data.numberRows.rows).toHaveLength(3);
});
