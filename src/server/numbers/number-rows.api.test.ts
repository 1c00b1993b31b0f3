import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decimalText, readDecimal } from '#core/base/decimals.ts';
import { type DatasetKey, datasetKeys, datasetOf } from '#core/numbers/datasets.ts';
import {
  isSparse,
  isSumOfLeaves,
  leafFormulaOf,
  leavesOf,
  metricValue,
  optionalFieldsOf,
} from '#core/numbers/metric-value.ts';
import { metrics } from '#core/numbers/metrics.ts';
import { groupingsOf } from '#core/numbers/number-request.ts';
import { readInstant } from '#server/platform/imports/instants.ts';
import { type Answer, startTestApp, type TestApp } from '../../../test/app.ts';
import { csvCells } from '../../../test/csv-cells.ts';
import { sampleRows } from '../../../test/number-fixtures.ts';
import { applyBatch } from './batch.store.ts';

let server: TestApp;
let admin: string;
const zone = 'Europe/Berlin';
const days = { first: '2025-01-01', count: 720 };

beforeAll(async () => {
  server = await startTestApp({ env: { COMPANY_TIME_ZONE: zone } });
  admin = await server.signIn(await server.person({ role: 'admin' }));
  for (const dataset of datasetKeys) {
    const rows = sampleRows(dataset, 300, { days });
    await server.database.transaction((queries) => applyBatch(queries, dataset, rows, { zone, source: 'shop' }));
  }
});
afterAll(() => server.stop());

const numbersQuery = `query ($dataset: String!, $metrics: [String!]!, $scope: String, $currency: String, $from: String!, $to: String!, $by: [String!], $filters: [NumberFilter!], $hours: String) {
  numbers(dataset: $dataset, metrics: $metrics, scope: $scope, currency: $currency, from: $from, to: $to, by: $by, filters: $filters, hours: $hours) { totals rows { keys values } }
}`;
const rowsQuery = `query ($dataset: String!, $metric: String!, $scope: String, $currency: String, $from: String!, $to: String!, $filters: [NumberFilter!], $hours: String, $after: String) {
  numberRows(dataset: $dataset, metric: $metric, scope: $scope, currency: $currency, from: $from, to: $to, filters: $filters, hours: $hours, after: $after, limit: 60) { parts next rows { id parts value } }
}`;

type Row = { id: string; parts: (string | null)[]; value: string | null };

type RowsPage = { numberRows: { parts: string[]; next: string | null; rows: Row[] } };

async function allRows(variables: object): Promise<{ parts: string[]; rows: Row[] }> {
  const rows: Row[] = [];
  for (let after: string | null = null; ; ) {
    const { data, errors }: Answer<RowsPage> = await server.gql<RowsPage>(admin, rowsQuery, {
      ...variables,
      ...(after !== null && { after }),
    });
    if (errors) throw new Error(errors[0]!.message);
    rows.push(...data.numberRows.rows);
    after = data.numberRows.next;
    if (after === null) return { parts: data.numberRows.parts, rows };
  }
}

/** PostgreSQL's interpolated percentile, rounded to a ten-thousandth. */
function percentile(values: readonly bigint[], share: number): bigint | null {
  if (values.length === 0) return null;
  const sorted = values.map(Number).sort((one, other) => one - other);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  const value = low + (high - low) * (place % 1);
  const whole = Math.floor(value);
  return BigInt(Math.abs(value % 1) === 0.5 ? whole + Math.abs(whole % 2) : Math.round(value));
}

/**
 * A number recomputed from rows, by each row's part of the metric's leaves. `isUnknown`: what adds up to zero
 * and may lack a field is unknown.
 */
function madeOf(
  dataset: DatasetKey,
  metric: string,
  rows: readonly (readonly (string | null)[])[],
  isUnknown: boolean,
): bigint | null {
  const sums = leavesOf(dataset, metric).map((leaf, index) => {
    const found = rows.flatMap((parts) => (parts[index] === null ? [] : [readDecimal(parts[index]!)!]));
    const formula = leafFormulaOf(dataset, leaf);
    const sum =
      formula.kind === 'percentile' ? percentile(found, formula.share) : found.reduce((all, part) => all + part, 0n);
    const mayLack = optionalFieldsOf(dataset, leaf).some((field) => !isSparse(dataset, field));
    return [leaf, isUnknown && mayLack && sum === 0n ? null : sum] as const;
  });
  return metricValue(dataset, metric, new Map(sums));
}

/** The number that the rows come to, or the unknown one. */
function expectMadeOf(shown: string | null, dataset: DatasetKey, metric: string, rows: Parameters<typeof madeOf>[2]) {
  const values = [false, true].map((isUnknown) => madeOf(dataset, metric, rows, isUnknown));
  expect(values.map((value) => (value === null ? null : decimalText(value)))).toContain(shown);
  return values[0]!;
}

/** A request with random days and filters. */
function requests(dataset: DatasetKey): fc.Arbitrary<Record<string, unknown>> {
  const of = datasetOf(dataset);
  const fields = groupingsOf(of).filter((word) => !['day', 'week', 'month', 'age'].includes(word));
  const values: Record<string, fc.Arbitrary<string | null>> = {
    weekday: fc.integer({ min: 1, max: 7 }).map(String),
    hour: fc.integer({ min: 0, max: 23 }).map(String),
    size: fc.constantFrom('0', '5', '10', '25', '50'),
    source: fc.constantFrom('shop', 'other'),
  };
  const filter = fc.constantFrom(...fields).chain((field) => {
    const type = of.fields[field]?.type;
    const value =
      values[field] ??
      (type === 'flag'
        ? fc.constantFrom('true', 'false', null)
        : type === 'score'
          ? fc.constantFrom('1', '4', '5', null)
          : typeof type === 'string'
            ? fc.constantFrom('a', 'b', null)
            : fc.constantFrom(...type!));
    return fc.record({ field: fc.constant(field), values: fc.uniqueArray(value, { minLength: 1, maxLength: 4 }) });
  });
  const scopes = of.scope === null ? [] : (of.fields[of.scope]!.type as readonly string[]);
  return fc
    .record({
      start: fc.integer({ min: 0, max: 500 }),
      length: fc.integer({ min: 1, max: 400 }),
      filters: fc.uniqueArray(filter, { maxLength: 2, selector: ({ field }) => field }),
      scope: fc.constantFrom(...scopes.slice(0, 2), ...(scopes.length === 0 ? [null] : [])),
      hours: fc.constantFrom('clock', 'working'),
    })
    .map(({ start, length, scope, ...rest }) => {
      const from = Temporal.PlainDate.from(days.first).add({ days: start });
      return {
        ...rest,
        dataset,
        from: from.toString(),
        to: from.add({ days: length }).toString(),
        ...(scope !== null && { scope }),
        ...(of.currency !== null && { currency: 'USD' }),
      };
    });
}

const everyMetric = datasetKeys.flatMap((dataset) =>
  Object.keys(metrics[dataset]).map((metric) => [dataset, metric] as const),
);

test('a page of rows that never ended so is refused', async () => {
  const variables = {
    dataset: 'conversations',
    metric: 'conversations',
    from: '2025-01-01',
    to: '2026-01-01',
    after: "1' or '1",
  };
  expect((await server.gql(admin, rowsQuery, variables)).errors?.[0]?.extensions).toMatchObject({
    code: 'BAD_INPUT',
    field: 'after',
  });
});

test.each(everyMetric)('%s: the rows behind %s come to it', async (dataset, metric) => {
  const leaves = leavesOf(dataset, metric);
  await fc.assert(
    fc.asyncProperty(requests(dataset), async (request) => {
      const { data, errors } = await server.gql(admin, numbersQuery, { ...request, metrics: [metric] });
      expect(errors).toBeUndefined();
      const { parts, rows } = await allRows({ ...request, metric });
      expect(parts).toEqual(leaves);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      const value = expectMadeOf(
        data.numbers.totals[0],
        dataset,
        metric,
        rows.map((row) => row.parts),
      );
      if (isSumOfLeaves(dataset, metric))
        expect(rows.reduce((sum, row) => sum + readDecimal(row.value!)!, 0n)).toBe(value);
    }),
    { numRuns: 8 },
  );
});

test.each([1, 2, 3, 4, 5, 6, 7])(
  'of orders whose first line is of weekday %i, those with a line of each SKU',
  async (day) => {
    for (const sku of ['a', 'b', null]) {
      const filters = [
        { field: 'weekday', values: [String(day)] },
        { field: 'sku', values: [sku] },
      ];
      const request = {
        dataset: 'orders',
        scope: 'connect',
        filters,
        currency: 'USD',
        from: '2025-01-01',
        to: '2026-01-01',
      };
      const { data } = await server.gql(admin, numbersQuery, { ...request, metrics: ['orders'] });
      const { rows } = await allRows({ ...request, metric: 'orders' });
      expect(data.numbers.totals).toEqual([String(rows.length)]);
    }
  },
);

const ticketMutation = `mutation ($dataset: String!, $metric: String!, $scope: String, $currency: String, $from: String!, $to: String!, $filters: [NumberFilter!], $hours: String) {
  exportTicket(dataset: $dataset, metric: $metric, scope: $scope, currency: $currency, from: $from, to: $to, filters: $filters, hours: $hours) { url }
}`;

test.each(everyMetric)('%s: the CSV of %s adds up to it', async (dataset, metric) => {
  // Each person has a number of exports an hour.
  const exporter = await server.signIn(await server.person({ role: 'admin' }));
  await fc.assert(
    fc.asyncProperty(requests(dataset), async (request) => {
      const { data } = await server.gql(exporter, numbersQuery, { ...request, metrics: [metric] });
      const ticket = await server.gql(exporter, ticketMutation, { ...request, metric });
      const file = await server.call({ url: ticket.data.exportTicket.url });
      const [head, ...lines] = csvCells(file.body.slice(1));
      const columns = leavesOf(dataset, metric).map((leaf) => head!.indexOf(`adds to ${leaf}`));
      const rows = lines.map((line) => columns.map((column) => line[column] || null));
      expectMadeOf(data.numbers.totals[0], dataset, metric, rows);
    }),
    { numRuns: 4 },
  );
});

type TimesPage = { numberRows: { fields: string[]; next: string | null; rows: { values: string[] }[] } };

test('rows of one day are listed by time, newest first, over the borders of pages', async () => {
  const rows = Array.from({ length: 150 }, (_, index) => ({
    externalId: `clock-${index}`,
    // Not in the order of their ids.
    values: {
      opened_at: new Date(Date.UTC(2029, 4, 5, 8, (index * 37) % 150)).toISOString(),
      channel: 'clock',
    },
    labels: {},
    texts: {},
  }));
  await server.database.transaction((queries) => applyBatch(queries, 'conversations', rows, { zone, source: 'clock' }));
  const query = rowsQuery.replace('rows { id parts value }', 'fields rows { id parts value values }');
  const variables = { dataset: 'conversations', metric: 'conversations', from: '2029-05-05', to: '2029-05-06' };
  const times: string[] = [];
  for (let after: string | null = null; ; ) {
    const answer: Answer<TimesPage> = await server.gql<TimesPage>(admin, query, {
      ...variables,
      ...(after !== null && { after }),
    });
    const { numberRows }: TimesPage = answer.data;
    const at = numberRows.fields.indexOf('opened_at');
    times.push(...numberRows.rows.map(({ values }) => values[at]!));
    after = numberRows.next;
    if (after === null) break;
  }
  expect(times).toHaveLength(150);
  expect(times).toEqual(times.toSorted().reverse());
});

test('a donor’s row has all gifts of the period with their sum, and an order’s all of its lines, in the CSV too', async () => {
  const row = (externalId: string, values: Record<string, string | bigint>) => ({
    ...{ externalId, values: { currency: 'CHF', status: 'completed', ...values }, labels: {}, texts: {} },
  });
  const gift = (id: string, donor_ref: string, amount: bigint, more = {}) =>
    row(id, { cause: 'who-lives', donated_at: `2029-06-0${id}T12:00:00Z`, donor_ref, amount, ...more });
  const line = (id: string, order_ref: string, gross: bigint, more = {}) =>
    row(id, { product: 'connect', occurred_at: `2029-06-0${id}T12:00:00Z`, order_ref, gross, ...more });
  const attempt = (id: string, order_ref: string, status: string) =>
    row(id, { attempted_at: `2029-06-0${id}T12:00:00Z`, order_ref, amount: 5_0000n, status });
  const data = {
    donations: [
      ...[gift('1', 'Quandt', 150_0000n), gift('2', 'Klatten', 7_0000n), gift('3', 'Quandt', 300_0000n)],
      gift('4', 'Quandt', 9_0000n, { status: 'refunded' }),
      gift('5', 'Quandt', 9_0000n, { donated_at: '2029-08-01T12:00:00Z' }),
    ],
    orders: [line('1', 'A', 10_0000n), line('2', 'A', 5_0000n), line('3', 'B', 1_0000n)],
    payments: [attempt('1', 'P', 'failed'), attempt('2', 'P', 'paid')],
  };
  for (const [dataset, rows] of Object.entries(data))
    await server.database.transaction((queries) =>
      applyBatch(queries, dataset as DatasetKey, rows, { zone, source: 'stands for' }),
    );
  const query = rowsQuery.replace('rows { id parts value }', 'fields rows { id parts value values }');
  const june = { from: '2029-06-01', to: '2029-07-01', currency: 'CHF' };
  const totals = async (dataset: DatasetKey, metric: string, reference: string, scope: string | null) => {
    const request = { ...june, dataset, metric, ...(scope && { scope }) };
    const { fields, rows } = (await server.gql(admin, query, request)).data.numberRows;
    const columns = [reference, 'total_rows', 'total_amount'];
    const shown = rows.map(({ values }: { values: string[] }) =>
      columns.map((column) => values[fields.indexOf(column)]),
    );
    const ticket = await server.gql(admin, ticketMutation, request);
    const [head, ...lines] = csvCells((await server.call({ url: ticket.data.exportTicket.url })).body.slice(1));
    expect(lines.map((cells) => columns.map((column) => cells[head!.indexOf(column)]))).toEqual(shown);
    return shown.map((each: string[]) => each.join(' ')).toSorted();
  };
  expect(await totals('donations', 'donors', 'donor_ref', 'who-lives')).toEqual(['Klatten 1 7', 'Quandt 2 450']);
  expect(await totals('orders', 'orders', 'order_ref', 'connect')).toEqual(['A 2 15', 'B 1 1']);
  expect(await totals('payments', 'success_deduplicated', 'order_ref', null)).toEqual(['P 2 10', 'P 2 10']);
  const lines = await server.gql(admin, query, {
    ...june,
    dataset: 'orders',
    metric: 'average_order',
    scope: 'connect',
  });
  expect(lines.data.numberRows.fields).not.toContain('total_rows');
});

const instants: Readonly<Partial<Record<DatasetKey, [datedBy: string, scope: string | null]>>> = {
  orders: ['occurred_at', 'connect'],
  donations: ['donated_at', 'who-lives'],
  conversations: ['opened_at', null],
  payouts: ['dated_at', null],
  payments: ['attempted_at', null],
};

test.each(Object.entries(instants))(
  'the CSV of %s has the days and times of the page, as one instant',
  async (...row) => {
    const [dataset, [datedBy, scope]] = row as [DatasetKey, [string, string | null]];
    const at = '2031-11-28T23:00:00.000Z';
    const [sample] = sampleRows(dataset, 1, { days });
    const values = { ...sample!.values, [datedBy]: at, ...(scope && { [datasetOf(dataset).scope!]: scope }) };
    const own = { ...sample!, externalId: 'midnight', values, isDayOnly: false };
    await server.database.transaction((queries) => applyBatch(queries, dataset, [own], { zone, source: 'midnight' }));
    const counts = Object.entries(metrics[dataset]).filter(([, { formula }]) => formula.kind === 'sum');
    const exporter = await server.signIn(await server.person({ role: 'admin' }));
    const bodies = await Promise.all(
      counts.map(async ([metric]) => {
        const request = { dataset, metric, from: '2031-11-29', to: '2031-11-30', ...(scope && { scope }) };
        const { data } = await server.gql(exporter, ticketMutation, request);
        return (await server.call({ url: data.exportTicket.url })).body;
      }),
    );
    const [head, cells] = bodies.map((body) => csvCells(body.slice(1))).find((lines) => lines.length > 1)!;
    const cell = (name: string) => cells![head!.indexOf(name)]!;
    expect([cell(datedBy), cell('day')]).toEqual(['2031-11-29T00:00:00+01:00', '2031-11-29']);
    // The import reads it as the same instant.
    expect(readInstant(cell(datedBy), 'UTC')?.epochMilliseconds).toBe(Date.parse(at));
  },
);
