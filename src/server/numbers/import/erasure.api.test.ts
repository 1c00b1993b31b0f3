// Erasing a customer or donor, as an admin and by command.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { importing } from '../../../../test/people.ts';
import { rebuildDataset } from '../roll-ups.service.ts';
import { beginErasure } from './erasure.service.ts';
import { reportOf } from './import-runs.service.ts';

const ordersMapping = {
  dataset: 'orders',
  source: 'shop',
  currency: 'EUR',
  fields: {
    ...{ external_id: 'id', product: { constant: 'green' }, order_ref: 'order', occurred_at: 'when' },
    ...{ customer_ref: 'customer', gross: 'gross', status: 'status' },
  },
  labels: { name: 'name' },
};
const gifts = {
  dataset: 'donations',
  source: 'gifts',
  currency: 'EUR',
  fields: {
    ...{ external_id: { join: ['donor', 'when'], with: '/' }, cause: { constant: 'who-lives' }, donated_at: 'when' },
    ...{ donor_ref: 'donor', recurring_ref: 'donor', amount: 'amount', status: { constant: 'completed' } },
  },
};
const ordersFile = (...rows: string[]) => ['id,order,when,customer,gross,status,name', ...rows].join('\n');
const ann = 'ann@example.com';
const rowsOfAnn = [
  `1,A1,2026-01-05 10:00,${ann},10,completed,Ann Lee`,
  `2,A1,2026-01-05 10:00,${ann},5,completed,Ann Lee`,
  `3,A2,2026-02-05 10:00,${ann},7,completed,Ann Lee`,
  `4,A3-${ann},2026-02-06 10:00,${ann},8,pending,Ann Lee`,
];
const others = [
  '5,B1,2026-01-06 10:00,anna@example.com,20,completed,Anna',
  '6,B2,2026-01-07 10:00,,30,completed,',
  // Another person, whose address ends with hers.
  `7,B3,2026-01-07 10:00,j${ann},40,completed,Joann`,
];

let app: TestApp;
let admin: string;
const keeper = () => ({
  ...{ database: app.database, clock: app.clock, url: app.databaseUrl },
  ...{ requestId: 'test', address: 'test' },
});
let person: string;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn(await app.person({ role: 'admin', firstName: 'Ada', lastName: 'King' }));
  person = await app.signIn(await app.person({ permissions: importing }));
  const save =
    'mutation ($name: String!, $mapping: String!) { saveImportMapping(name: $name, mapping: $mapping) { name } }';
  for (const mapping of [ordersMapping, gifts, { ...ordersMapping, source: 'till' }])
    await app.gql(admin, save, { name: mapping.source, mapping: JSON.stringify(mapping) });
});
afterAll(() => app.stop());

const send = async (file: string, mapping = 'shop', query = '') =>
  (
    await app.call({
      method: 'POST',
      url: `/api/import/${mapping === 'gifts' ? 'donations' : 'orders'}?mapping=${mapping}&fileName=x.csv${query}`,
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'text/csv' },
      payload: file,
    })
  ).json();
const rowsQuery =
  'query ($dataset: String!, $reference: String!) { referenceRows(dataset: $dataset, reference: $reference) { source rows firstDay lastDay } }';
const erasing =
  'mutation ($dataset: String!, $reference: String!) { eraseReference(dataset: $dataset, reference: $reference) { id state way } }';
const runQuery =
  'query ($id: ID!) { importRun(id: $id) { state rows reason canUndo waitsFor hasReport source faults { reason } reasons { kind reason count value } } }';
const stateOf = async (id: string) => (await app.gql(admin, runQuery, { id })).data.importRun;
const ended = async (id: string) => {
  await expect.poll(async () => (await stateOf(id)).state).not.toBe('running');
  return stateOf(id);
};
async function erase(dataset: DatasetKey, reference: string) {
  const { data, code } = await app.gql(admin, erasing, { dataset, reference });
  expect(code).toBeNull();
  const { id } = data.eraseReference;
  return { ...(await ended(id)), id };
}

/** Where the text is in the database, with the tables that have it. */
async function placesOf(text: string): Promise<string[]> {
  const { rows: tables } = await app.database.pool.query(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await app.database.pool.query(`select 1 from "${name}" t where t::text like $1 limit 1`, [
      `%${text}%`,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

const derived = ['orders_totals', 'orders_daily', 'orders_by_hour', 'order_headers', 'order_headers_daily'];
const derivedOfGifts = ['donations_totals', 'donations_daily', 'first_gifts'];
const contents = async (tables: readonly string[]) =>
  Promise.all(
    tables.map(async (table) => (await app.database.pool.query(`select * from ${table} t order by t::text`)).rows),
  );

/** What is derived from the rows is what a rebuild makes of them. */
async function isConsistent(dataset: DatasetKey): Promise<void> {
  const tables = dataset === 'orders' ? derived : derivedOfGifts;
  const before = await contents(tables);
  await rebuildDataset(keeper(), dataset, 'UTC');
  expect(before).toEqual(await contents(tables));
}
const erasedHashes = async () =>
  (await app.database.pool.query("select encode(hash, 'hex') as hash from erased_references")).rows.map(
    ({ hash }) => hash,
  );
const storedOrders = async () =>
  (
    await app.database.pool.query(
      'select external_id as id, order_ref as "order", customer_ref as customer, gross, labels from orders order by id',
    )
  ).rows;

test('only an admin sees or erases a customer, in a dataset that has some', async () => {
  for (const query of [rowsQuery, erasing])
    expect((await app.gql(person, query, { dataset: 'orders', reference: 'x' })).code).toBe('FORBIDDEN');
  for (const query of [rowsQuery, erasing]) {
    expect((await app.gql(admin, query, { dataset: 'payments', reference: 'x' })).code).toBe('BAD_INPUT');
    expect((await app.gql(admin, query, { dataset: 'orders', reference: ' ' })).code).toBe('BAD_INPUT');
  }
});

test('a customer goes from rows, from undo, from refused rows and reasons, and the amounts stay', async () => {
  const { run } = await send(ordersFile(...rowsOfAnn, ...others));
  const { run: changing } = await send(
    ordersFile(rowsOfAnn[0]!.replace(',10,', ',11,'), `9,A9,bad,${ann},x"y,completed,Ann`),
  );
  expect(await stateOf(changing)).toMatchObject({ hasReport: true });
  // A corrected row that was Ann's before, which only undo knows.
  await send(ordersFile(rowsOfAnn[2]!.replace(ann, 'bo')));
  const counted = await app.gql(admin, rowsQuery, { dataset: 'orders', reference: ` ${ann} ` });
  expect(counted.data.referenceRows).toEqual([
    { source: 'shop', rows: 3, firstDay: '2026-01-05', lastDay: '2026-02-06' },
  ]);
  const totals = await contents(['orders_totals', 'orders_daily']);
  expect(await placesOf(ann)).toEqual(expect.arrayContaining(['orders', 'order_headers', 'import_changes']));
  const erased = await erase('orders', ann);
  expect(erased).toMatchObject({ state: 'done', rows: 3, canUndo: false, source: '' });
  expect(await contents(['orders_totals', 'orders_daily'])).toEqual(totals);
  await isConsistent('orders');
  const stored = await storedOrders();
  expect(stored.map(({ customer, labels }) => [customer, labels])).toEqual([
    ...[
      [null, {}],
      [null, {}],
      ['bo', { name: 'Ann Lee' }],
      [null, {}],
    ],
    ...[
      ['anna@example.com', { name: 'Anna' }],
      [null, {}],
      [`j${ann}`, { name: 'Joann' }],
    ],
  ]);
  expect(stored.map(({ gross }) => Number(gross) / 10_000)).toEqual([11, 5, 7, 8, 20, 30, 40]);
  expect(stored[3].order).toMatch(/^erased-[0-9a-f]{32}$/);
  expect(await stateOf(changing)).toMatchObject({ hasReport: false, faults: [{ reason: 'isn’t a date: "…"' }, {}] });
  // Only Joann's rows have it, as a part of hers.
  for (const table of await placesOf(ann))
    expect((await app.database.pool.query(`select 1 from ${table} t where t::text ~ '[^a-z]${ann}'`)).rowCount).toBe(0);

  const { rows: audit } = await app.database.pool.query(
    'select actor_id is not null as "hasActor", after from audit_log where action = \'referenceErased\'',
  );
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(audit).toEqual([
    {
      hasActor: true,
      after: { dataset: 'orders', reference: hash, sources: ['shop'], rows: 3, earlierRows: 2, reports: 1 },
    },
  ]);
  expect(await erasedHashes()).toContain(audit[0].after.reference);
  expect((await stateOf(run)).canUndo).toBe(true);
});

test('the same file again changes nothing but says whose rows it has, and new rows come without the person', async () => {
  const before = await storedOrders();
  const file = ordersFile(rowsOfAnn[0]!.replace(',10,', ',11,'), rowsOfAnn[1]!, rowsOfAnn[3]!, ...others);
  const reasons = [
    {
      kind: 'warning',
      reason: 'The customer was erased: imported without reference and labels',
      count: 3,
      value: null,
    },
  ];
  const dryRun = await send(file, 'shop', '&dryRun=1');
  expect(dryRun).toMatchObject({ unchanged: 6, inserted: 0, updated: 0 });
  expect(dryRun.reasons).toMatchObject(reasons);
  const { run } = await send(file);
  expect(await stateOf(run)).toMatchObject({ state: 'done', reasons });
  expect(await storedOrders()).toEqual(before);
  const { run: added } = await send(ordersFile(`10,A10,2026-03-01 10:00,${ann},3,completed,Ann Lee`));
  expect((await storedOrders()).find(({ id }) => id === '10')).toEqual({
    ...{ id: '10', order: 'A10', customer: null, gross: '30000', labels: {} },
  });
  await isConsistent('orders');
  await app.gql(admin, 'mutation ($run: ID!) { undoImport(run: $run) { id } }', { run: added });
  await expect.poll(async () => (await storedOrders()).length).toBe(before.length);
  // Another dataset's hashes are its own.
  expect((await app.gql(admin, rowsQuery, { dataset: 'donations', reference: ann })).data.referenceRows).toEqual([]);
});

test('an undo restores rows without the person', async () => {
  await send(ordersFile('20,C1,2026-04-01 10:00,cem,1,completed,Cem'), 'till');
  const { run } = await send(ordersFile('20,C1,2026-04-01 10:00,cem,2,completed,Cem'), 'till');
  await erase('orders', 'cem');
  const undo = await app.gql(admin, 'mutation ($run: ID!) { undoImport(run: $run) { id } }', { run });
  expect(undo.code).toBeNull();
  await expect.poll(async () => (await storedOrders()).find(({ id }) => id === '20')?.gross).toBe('10000');
  expect((await storedOrders()).find(({ id }) => id === '20')).toMatchObject({ customer: null, labels: {} });
  expect(await placesOf('Cem')).toEqual([]);
  await isConsistent('orders');
  // Removed with its source and imported again, the rows come back without her.
  await app.gql(admin, 'mutation { removeImportSource(dataset: "orders", source: "till") { id } }');
  await expect.poll(async () => (await storedOrders()).some(({ id }) => id === '20')).toBe(false);
  await send(ordersFile('20,C1,2026-04-01 10:00,cem,1,completed,Cem'), 'till');
  expect((await storedOrders()).find(({ id }) => id === '20')).toMatchObject({ customer: null, gross: '10000' });
});

test('rows that come without the customer after the erasure are the same rows, or new ones of the same order', async () => {
  const rows = ['gus-1,G1-gus,2026-04-02 10:00,gus,1,completed,', 'x1,G2,2026-04-02 10:00,gus,2,completed,Gus'];
  const withoutGus = rows.map((row) => row.replace(',gus,', ',,'));
  await send(ordersFile(...rows), 'till');
  expect(await erase('orders', 'gus')).toMatchObject({ state: 'done', rows: 2 });
  const before = await storedOrders();
  expect(await send(ordersFile(...withoutGus), 'till')).toMatchObject({ inserted: 0, updated: 0, unchanged: 2 });
  expect(await storedOrders()).toEqual(before);
  await send(ordersFile('x2,G1-gus,2026-04-03 10:00,,3,completed,Gus'), 'till');
  const { order } = before.find(({ order: one, gross }) => one.startsWith('erased-') && gross === '10000')!;
  expect((await storedOrders()).find(({ id }) => id === 'x2')).toMatchObject({ order, labels: {} });
  // The second line of an order that came after the erasure is hers too, also in a later file.
  await send(ordersFile('gus-4,G4-gus,2026-04-04 10:00,gus,4,completed,Gus'), 'till');
  await send(
    ordersFile('x5,G4-gus,2026-04-04 10:00,,5,completed,Gus', 'gus-4,G4-gus,2026-04-04 10:00,,4,completed,'),
    'till',
  );
  const stored = await storedOrders();
  const { order: ofFour } = stored.find(({ id, gross }) => id.startsWith('erased-') && gross === '40000')!;
  expect(stored.find(({ id }) => id === 'x5')).toMatchObject({ order: ofFour, labels: {} });
  for (const text of ['gus', 'Gus']) expect(await placesOf(text)).toEqual([]);
  // The rows are recognized even if the source was removed.
  await app.gql(admin, 'mutation { removeImportSource(dataset: "orders", source: "till") { id } }');
  await expect.poll(async () => (await storedOrders()).some(({ id }) => id === 'x1')).toBe(false);
  await send(ordersFile(...withoutGus), 'till');
  for (const text of ['gus', 'Gus']) expect(await placesOf(text)).toEqual([]);
  await isConsistent('orders');
});

test('lines of the customer’s orders that don’t have the reference are erased too, in rows and in what undo keeps', async () => {
  const lines = ['h1,H1-hal,2026-04-05 10:00,hal,1,completed,Hal', 'h2-hal,H1-hal,2026-04-05 10:00,,2,completed,Hal'];
  const others = ['h3,H2,2026-04-05 10:00,hal,3,completed,Hal', 'h4,H2,2026-04-05 10:00,ivy,4,completed,Ivy'];
  const plain = 'h5,H3,2026-04-05 10:00,,5,completed,Nobody';
  await send(ordersFile(...lines, ...others, plain));
  await send(ordersFile(lines[1]!.replace(',2,', ',6,')));
  expect(await placesOf('Hal')).toEqual(expect.arrayContaining(['import_changes', 'orders']));
  const totals = await contents(['orders_totals', 'orders_daily']);
  expect(await erase('orders', 'hal')).toMatchObject({ state: 'done', rows: 3 });
  expect(await contents(['orders_totals', 'orders_daily'])).toEqual(totals);
  await isConsistent('orders');
  for (const text of ['hal', 'Hal']) expect(await placesOf(text)).toEqual([]);
  const stored = await storedOrders();
  const { order } = stored.find(({ id }) => id === 'h1')!;
  expect(stored.filter((row) => row.order === order)).toMatchObject([{ gross: '60000' }, { id: 'h1', labels: {} }]);
  expect(stored.filter(({ id }) => /^h[345]$/.test(id))).toMatchObject([
    { order: 'H2', customer: null, labels: {} },
    { order: 'H2', customer: 'ivy', labels: { name: 'Ivy' } },
    { order: 'H3', customer: null, labels: { name: 'Nobody' } },
  ]);
  const again = ordersFile(lines[0]!, lines[1]!.replace(',2,', ',6,'), ...others, plain);
  expect(await send(again)).toMatchObject({ inserted: 0, updated: 0, unchanged: 5 });
});

test('a refused row of someone erased is neither in the report nor quoted', async () => {
  await send(ordersFile('k1-kim,K1,2026-04-06 10:00,kim,1,completed,Kim'));
  await erase('orders', 'kim');
  const { run } = await send(
    ordersFile(
      ...['k1-kim,K1,2026-04-06 10:00,kim,1,completed,Kim', 'k1-kim,K1,2026-04-06 10:00,kim,1,completed,Kim'],
      ...['k2,K2,kim,kim,1,completed,Kim', 'k3,K3,bad,lea,1,completed,Lea'],
    ),
  );
  const { hasReport, faults, reasons } = await stateOf(run);
  const why = 'The customer was erased, so the row isn’t in the report';
  expect([hasReport, faults]).toEqual([
    true,
    [
      ...[{ reason: `Exact copy: has the ID of line 2: "…". ${why}` }, { reason: `isn’t a date: "…". ${why}` }],
      { reason: 'isn’t a date: "bad"' },
    ],
  ]);
  expect(JSON.stringify(reasons)).not.toContain('kim');
  for (const text of ['kim', 'Kim']) expect(await placesOf(text)).toEqual([]);
  let report = '';
  for await (const part of reportOf(app.parts, run)) report += part;
  expect(report).toContain('lea');
  expect(report).not.toMatch(/kim/i);
});

test('a donor goes with the ids made of their reference, and the same gifts stay the same rows', async () => {
  const file = ['donor,when,amount', 'D-1,2026-01-05,5', 'D-1,2026-01-06,6', 'D-12,2026-01-06,7'].join('\n');
  await send(file, 'gifts');
  expect(await erase('donations', 'D-1')).toMatchObject({ state: 'done', rows: 2 });
  const stored = async () =>
    (
      await app.database.pool.query(
        'select external_id as id, donor_ref, recurring_ref, amount from donations order by amount',
      )
    ).rows;
  const before = await stored();
  const none = { id: expect.stringMatching(/^erased-[0-9a-f]{32}$/), donor_ref: null, recurring_ref: null };
  expect(before).toEqual([
    { ...none, amount: '50000' },
    { ...none, amount: '60000' },
    { id: 'D-12/2026-01-06', donor_ref: 'D-12', recurring_ref: 'D-12', amount: '70000' },
  ]);
  await isConsistent('donations');
  expect(await send(`${file}\n`, 'gifts')).toMatchObject({ inserted: 0, updated: 0, unchanged: 3 });
  expect(await stored()).toEqual(before);
  // Erased twice, nothing is left to do.
  expect(await erase('donations', 'D-1')).toMatchObject({ state: 'done', rows: 0 });
});

test('it waits for imports of the dataset, starts once, and stopped it erases nothing', async () => {
  await send(ordersFile('30,E1,2026-05-01 10:00,eve,1,completed,Eve'));
  const holder = await app.database.pool.connect();
  onTestFinished(() => holder.release(true));
  await holder.query("begin; select pg_advisory_xact_lock(hashtext('numbers'), hashtext('orders'))");
  const { run: running } = await send(
    ordersFile('31,E2,bad,eve,1,completed,Eve', '32,E3,2026-05-01,eve,2,completed,Eve'),
    'till',
    '&wait=no',
  );
  const ask = { dataset: 'orders', reference: 'eve' };
  const { id: first } = (await app.gql(admin, erasing, ask)).data.eraseReference;
  expect((await app.gql(admin, erasing, ask)).data.eraseReference.id).toBe(first);
  await expect.poll(async () => (await stateOf(first)).waitsFor).toBe('the import of x.csv');
  const other = (await app.gql(admin, erasing, { ...ask, reference: 'nobody' })).data.eraseReference.id;
  expect(other).not.toBe(first);
  await app.gql(admin, 'mutation ($run: ID!) { stopImport(run: $run) { id } }', { run: other });
  await expect.poll(async () => (await stateOf(other)).state).toBe('stopped');
  await holder.query('rollback');
  expect(await ended(running)).toMatchObject({ state: 'done' });
  expect(await ended(first)).toMatchObject({ state: 'done', rows: 2 });
  // The refused row of the import that it waited for went too.
  expect((await stateOf(running)).hasReport).toBe(false);
  expect(await placesOf('Eve')).toEqual([]);
  const { rows: audit } = await app.database.pool.query(
    "select after ->> 'reference' as hash from audit_log where action = 'referenceErased' and after ->> 'dataset' = 'orders'",
  );
  expect(audit).toHaveLength(6);
  expect(await erasedHashes()).toEqual(expect.arrayContaining(audit.map(({ hash }) => hash)));
});

test('refused rows that an import keeps after an erasure, but read before it, go too', async () => {
  expect(await send(ordersFile('90,Q1,2026-07-01 10:00,quinn,1,completed,Quinn'))).toMatchObject({ inserted: 1 });
  const hold = async (statement: string) => {
    const holder = await app.database.pool.connect();
    onTestFinished(() => holder.release(true));
    await holder.query('begin');
    await holder.query(statement);
    return holder;
  };
  const dataset = await hold("select pg_advisory_xact_lock(hashtext('numbers'), hashtext('orders'))");
  const { id: erasure } = (await app.gql(admin, erasing, { dataset: 'orders', reference: 'quinn' })).data
    .eraseReference;
  // More than a batch: they are looked at while the next batch waits.
  const refused = Array.from({ length: 2_600 }, (_, at) => `g${at},Q2,bad,quinn,1,completed,Quinn`);
  const { run } = await send(ordersFile(...refused, '91,Q3,2026-07-01 10:00,lea,1,completed,Lea'), 'till', '&wait=no');
  const read = async () =>
    (await app.database.pool.query('select rows from import_runs where id = $1', [run])).rows[0].rows;
  await expect.poll(read).toBe('2601');
  app.clock.advance({ seconds: 1 });
  const report = await hold(`insert into import_report_parts (run_id, part, content) values (${run}, 0, '')`);
  await dataset.query('rollback');
  expect(await ended(erasure)).toMatchObject({ state: 'done', rows: 1 });
  await report.query('rollback');
  expect(await ended(run)).toMatchObject({ state: 'done', hasReport: false });
});

test('one that fails in the middle erases nothing', async () => {
  await send(ordersFile('40,F1,2026-06-01 10:00,fay,1,completed,Fay'));
  const { database, clock } = app;
  const remover = { database, clock, viewer: null, zone: 'Asia/Tokyo', requestId: 'test', address: 'test' };
  const { run, id } = await beginErasure(remover, { dataset: 'orders', reference: 'fay' });
  await expect(run()).rejects.toThrow('rebuild');
  expect(await stateOf(id)).toMatchObject({ state: 'failed', rows: 0 });
  expect((await storedOrders()).find(({ id: row }) => row === '40')).toMatchObject({ customer: 'fay' });
  expect(await placesOf('fay')).toContain('orders');
});

test('a placeholder that more rows have than one person could is refused', async () => {
  await app.database.pool.query(
    `insert into donations (source, external_id, day, cause, donated_at, donor_ref, amount, currency, status)
     select 'many', n::text, '2026-01-01', 'who-lives', '2026-01-01', '(Anonymous)', 1, 'EUR', 'completed' from generate_series(1, 100001) n`,
  );
  for (const query of [rowsQuery, erasing]) {
    const { code, errors } = await app.gql(admin, query, { dataset: 'donations', reference: '(Anonymous)' });
    expect([code, errors?.[0]?.message]).toEqual([
      'CONFLICT',
      'More than 100,000 rows have this reference, so it isn’t one donor’s',
    ]);
  }
});

test('an erased reference stays erased if a later mapping imports references in lowercase', async () => {
  const source = 'capitals';
  const mapping = { ...ordersMapping, source, lowercase: ['customer_ref'] };
  await app.gql(
    admin,
    'mutation ($name: String!, $mapping: String!) { saveImportMapping(name: $name, mapping: $mapping) { name } }',
    { name: source, mapping: JSON.stringify(mapping) },
  );
  expect((await send(ordersFile('c1,C1,2026-01-05 10:00,Rino Sandaran,10,completed,Rino'))).inserted).toBe(1);
  expect((await erase('orders', 'Rino Sandaran')).rows).toBe(1);
  const again = await send(ordersFile('c2,C2-RINO SANDARAN,2026-02-05 10:00,RINO SANDARAN,9,completed,Rino'), source);
  expect(again.inserted).toBe(1);
  for (const text of ['rino sandaran', 'RINO SANDARAN']) expect(await placesOf(text)).toEqual([]);
});
