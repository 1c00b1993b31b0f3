// Keeping a dataset's rows for some months: set by an admin or by command, carried out every night.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { sampleRows } from '../../../../test/number-fixtures.ts';
import { importing } from '../../../../test/people.ts';
import { applyRows } from '../batch.service.ts';
import { rebuildDataset } from '../roll-ups.service.ts';
import { deleteOldNumbers } from './retention.service.ts';

const mapping = {
  dataset: 'orders',
  source: 'shop',
  currency: 'EUR',
  fields: {
    ...{ external_id: 'id', product: { constant: 'green' }, order_ref: 'id', occurred_at: 'when' },
    ...{ customer_ref: 'customer', gross: 'gross', status: { constant: 'completed' } },
  },
};

let app: TestApp;
let adminId: string;
let admin: string;
const keeper = () => ({
  ...{ database: app.database, clock: app.clock, url: app.databaseUrl },
  ...{ requestId: 'test', address: 'test' },
});
let person: string;
/** In the company's zone, UTC. */
const night = (day: string) => `${day}T02:30:00Z`;

beforeAll(async () => {
  app = await startTestApp();
  adminId = await app.person({ role: 'admin' });
  await setClock('2026-11-25T12:00:00Z');
  person = await app.signIn(await app.person({ permissions: importing }));
  const save =
    'mutation ($name: String!, $mapping: String!) { saveImportMapping(name: $name, mapping: $mapping) { name } }';
  await app.gql(admin, save, { name: 'shop', mapping: JSON.stringify(mapping) });
});
afterAll(() => app.stop());

/** A session lasts an hour. */
async function setClock(at: string): Promise<void> {
  app.clock.set(at);
  admin = await app.signIn(adminId);
}

const send = async (...rows: string[]) =>
  (
    await app.call({
      method: 'POST',
      url: '/api/import/orders?mapping=shop&fileName=x.csv',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'text/csv' },
      payload: ['id,when,customer,gross', ...rows].join('\n'),
    })
  ).json();
const setting =
  'mutation ($dataset: String!, $months: Int) { setRetention(dataset: $dataset, months: $months) { dataset months ranOn deleted } }';
const previewing =
  'query ($dataset: String!, $months: Int!) { retentionPreview(dataset: $dataset, months: $months) { before rows all firstDay imports } }';
const listing = '{ retentions { dataset months ranOn deleted } }';
async function set(dataset: DatasetKey, months: number | null) {
  const { data, code, errors } = await app.gql(admin, setting, { dataset, months });
  expect([code, errors]).toEqual([null, undefined]);
  return data.setRetention;
}
const retentionOfOrders = async () =>
  (await app.gql(admin, listing)).data.retentions.find(({ dataset }: { dataset: string }) => dataset === 'orders');
const parts = () => ({ ...app.parts, clock: app.clock });
const ids = async () =>
  (await app.database.pool.query('select external_id as id from orders order by 1')).rows.map(({ id }) => id);
const audited = async () =>
  (
    await app.database.pool.query(
      "select action, before, after from audit_log where action in ('retentionSet', 'oldRowsDeleted') order by id",
    )
  ).rows;

test('only an admin sees or sets it, for a dataset and whole months', async () => {
  for (const [query, variables] of [
    [listing, {}],
    [previewing, { dataset: 'orders', months: 12 }],
    [setting, { dataset: 'orders', months: 12 }],
  ] as const)
    expect((await app.gql(person, query, variables)).code).toBe('FORBIDDEN');
  for (const variables of [
    { dataset: 'sheep', months: 12 },
    { dataset: 'orders', months: 0 },
    { dataset: 'orders', months: 241 },
  ])
    for (const query of [previewing, setting]) expect((await app.gql(admin, query, variables)).code).toBe('BAD_INPUT');
});

test('by default every row is kept, however old', async () => {
  await send('1,1999-01-01,ann,1');
  await setClock(night('2026-11-26'));
  await deleteOldNumbers(parts());
  expect(await ids()).toEqual(['1']);
  expect((await app.gql(admin, listing)).data.retentions).toHaveLength(6);
  expect(await retentionOfOrders()).toEqual({ dataset: 'orders', months: null, ranOn: null, deleted: 0 });
});

test('a preview counts the old rows, the next night deletes them, and imports of them can’t be undone', async () => {
  await setClock('2026-11-26T12:00:00Z');
  const { run: old } = await send('2,2024-10-31 23:59,ann,2', '3,2024-11-01 00:00,ann,3');
  const { run: recent } = await send('4,2026-11-01,bo,4', '5,2026-11-02,ann,5');
  const counted = await app.gql(admin, previewing, { dataset: 'orders', months: 24 });
  expect(counted.data.retentionPreview).toEqual({
    ...{ before: '2024-11-01', rows: 2, all: 5, firstDay: '1999-01-01', imports: 2 },
  });
  expect(await set('orders', 24)).toMatchObject({ months: 24, deleted: 0 });
  // It was set after the night began, and before the next one.
  for (const at of ['2026-11-26T13:00:00Z', '2026-11-27T01:59:00Z']) {
    await setClock(at);
    await deleteOldNumbers(parts());
    expect(await ids()).toEqual(['1', '2', '3', '4', '5']);
  }
  await setClock(night('2026-11-27'));
  await deleteOldNumbers(parts());
  expect(await ids()).toEqual(['3', '4', '5']);
  expect(await retentionOfOrders()).toEqual({ dataset: 'orders', months: 24, ranOn: '2026-11-27', deleted: 2 });
  const undoing = 'mutation ($run: ID!) { undoImport(run: $run) { id } }';
  const refused = await app.gql(admin, undoing, { run: old });
  expect([refused.code, refused.errors?.[0]?.message]).toEqual([
    'TRANSITION_NOT_ALLOWED',
    'Its rows from before 1 Nov 2024 were deleted',
  ]);
  const { data } = await app.gql(admin, 'query ($id: ID!) { importRun(id: $id) { canUndo } }', { id: recent });
  expect(data.importRun.canUndo).toBe(true);
  expect(await audited()).toEqual([
    { action: 'retentionSet', before: { months: null }, after: { months: 24 } },
    { action: 'oldRowsDeleted', before: null, after: { before: '2024-11-01', rows: 2 } },
  ]);
  // The same night again has nothing to do; the first kept order of a customer is the new first one.
  await send('6,2020-01-01,cem,6');
  await deleteOldNumbers(parts());
  expect(await ids()).toContain('6');
  const { rows } = await app.database.pool.query('select order_ref from order_headers where is_first order by 1');
  expect(rows.map(({ order_ref }) => order_ref)).toEqual(['3', '4', '6']);
});

test('a night that its server didn’t finish is audited and gone on with in the next', async () => {
  await app.database.pool.query("update number_retention set is_audited = false, deleted = 7 where dataset = 'orders'");
  await setClock(night('2026-11-28'));
  await deleteOldNumbers(parts());
  expect((await audited()).slice(-2).map(({ after }) => after)).toEqual([
    { before: '2024-11-01', rows: 7 },
    { before: '2024-11-01', rows: 1 },
  ]);
  // Turned off before that, what was deleted is audited, and nothing more goes.
  await app.database.pool.query("update number_retention set is_audited = false, deleted = 8 where dataset = 'orders'");
  expect(await set('orders', null)).toMatchObject({ months: null });
  expect((await audited()).slice(-2)).toEqual([
    { action: 'oldRowsDeleted', before: null, after: { before: '2024-11-01', rows: 8 } },
    { action: 'retentionSet', before: { months: 24 }, after: { months: null } },
  ]);
  await send('7,1999-01-01,ann,1');
  await setClock(night('2026-11-29'));
  await deleteOldNumbers(parts());
  expect(await ids()).toContain('7');
});

test('an import that runs during the night and had old rows can’t be undone, although it records later rows', async () => {
  const { rows: started } = await app.database.pool.query(
    `insert into import_runs (dataset, source, mapping, file_name, is_dry_run, way, state, started_at, seen_at, size)
     values ('orders', 'night', 'night', 'n.csv', false, 'http', 'running', now(), now(), 1) returning id::text`,
  );
  const runId = started[0].id;
  const bring = (id: string, day: string) =>
    app.database.transaction((queries) => {
      const [row] = sampleRows('orders', 1, { days: { first: day, count: 1 } });
      return applyRows(queries, 'orders', [{ ...row!, externalId: id }], { zone: 'UTC', source: 'night', runId });
    });
  await bring('n1', '2020-01-01');
  await bring('n2', '2026-11-01');
  await app.database.pool.query("insert into number_retention (dataset, months) values ('orders', 24)");
  await deleteOldNumbers(parts());
  expect(await ids()).not.toContain('n1');
  await bring('n3', '2026-11-02');
  await app.database.pool.query("update import_runs set state = 'done' where id = $1", [runId]);
  const { data } = await app.gql(admin, 'query ($id: ID!) { importRun(id: $id) { canUndo } }', { id: runId });
  expect(data.importRun.canUndo).toBe(false);
  const undoing = 'mutation ($run: ID!) { undoImport(run: $run) { id } }';
  expect((await app.gql(admin, undoing, { run: runId })).errors?.[0]?.message).toBe(
    'Its rows from before 1 Nov 2024 were deleted',
  );
  await set('orders', null);
});

test.each<DatasetKey>(['orders', 'donations', 'affiliate_activity', 'conversations', 'payouts', 'payments'])(
  'after a night, the sums of %s are those of its rows, over several batches',
  async (dataset) => {
    const rows = sampleRows(dataset, 9_000, { days: { first: '2025-01-01', count: 680 } });
    await app.database.transaction((queries) => applyRows(queries, dataset, rows, { zone: 'UTC', source: 'random' }));
    await setClock(night('2026-11-30'));
    await app.database.pool.query(`insert into number_retention (dataset, months) values ('${dataset}', 1)`);
    await deleteOldNumbers(parts());
    const left = async (condition: string) =>
      (await app.database.pool.query(`select 1 from ${dataset} where ${condition}`)).rowCount;
    expect(await left("day < '2026-10-01'")).toBe(0);
    expect(await left("day >= '2026-10-01'")).toBeGreaterThan(400);
    const derived = [
      ...datasetOf(dataset).rollUps.map(({ name }) => `${dataset}_${name}`),
      ...(dataset === 'orders' ? ['order_headers', 'order_headers_daily'] : []),
      ...(dataset === 'donations' ? ['first_gifts'] : []),
    ];
    const contents = () =>
      Promise.all(
        derived.map(async (table) => (await app.database.pool.query(`select * from ${table} t order by t::text`)).rows),
      );
    const before = await contents();
    await rebuildDataset(keeper(), dataset, 'UTC');
    expect(before).toEqual(await contents());
  },
);
