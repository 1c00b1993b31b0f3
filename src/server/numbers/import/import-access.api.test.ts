import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { ordersMapping } from '../../../../test/number-fixtures.ts';
import { importing } from '../../../../test/people.ts';

const mapping = JSON.stringify(ordersMapping('shop'));
const file = 'id,when,gross\n1,2026-01-05 10:00,10.5\n2,soon,1\n';

let app: TestApp;
let admin: string;
/** Imports payments, but lacks the numbers of one product. */
let person: string;
let personId: string;
let run: string;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn(await app.person({ role: 'admin' }));
  personId = await app.person({ permissions: importing.filter((one) => one !== 'READ_CODEX') });
  person = await app.signIn(personId);
  expect((await app.gql(admin, save, { name: 'shop', mapping })).code).toBeNull();
  run = (await send(admin)).json().run;
});
afterAll(() => app.stop());

const save =
  'mutation ($name: String!, $mapping: String!) { saveImportMapping(name: $name, mapping: $mapping) { name } }';
const send = (token: string) =>
  app.call({
    method: 'POST',
    url: '/api/import/orders?mapping=shop&fileName=shop.csv',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    payload: file,
  });

/** Each says something of the import, or changes it. */
const callsOnRun = [
  'query ($run: ID!) { importUndo(run: $run) { totals { amountNow } } }',
  'mutation ($run: ID!) { undoImport(run: $run) { id } }',
  'mutation ($run: ID!) { stopImport(run: $run) { id } }',
  'mutation ($run: ID!) { createImportReportTicket(run: $run) }',
];

test('an import of numbers that a person can’t read in full doesn’t exist for them', async () => {
  for (const asked of callsOnRun) {
    const [found, missing] = [await app.gql(person, asked, { run }), await app.gql(person, asked, { run: '98765' })];
    expect([asked, found.code, found]).toEqual([asked, 'NOT_FOUND', missing]);
  }
  const read = 'query ($run: ID!) { importRun(id: $run) { totals { amount } } }';
  expect((await app.gql(person, read, { run })).data).toEqual({ importRun: null });
  const listed = 'query ($after: ID) { importRuns(after: $after) { id } }';
  expect((await app.gql(person, listed)).data.importRuns).toEqual([]);
  expect((await app.gql(admin, listed)).data.importRuns).toEqual([{ id: run }]);
});

test('an older import doesn’t show when one that a person can’t see began', async () => {
  await app.database.pool.query(
    `insert into import_runs (dataset, source, mapping, file_name, is_dry_run, way, state, started_at, seen_at, size)
     values ('payments', 'till', '', 'till.csv', false, 'command', 'done', '2025-01-01', '2025-01-01', 1)`,
  );
  const listed = 'query ($after: ID) { importRuns(after: $after) { fileName } }';
  expect((await app.gql(person, listed)).data.importRuns).toEqual([{ fileName: 'till.csv' }]);
  expect((await app.gql(person, listed, { after: run })).data.importRuns).toEqual([]);
});

test('nobody imports or previews numbers that they can’t read in full', async () => {
  expect((await send(person)).json().error.code).toBe('FORBIDDEN');
  const preview = await app.call({
    method: 'POST',
    url: '/api/import/orders/preview',
    headers: { authorization: `Bearer ${person}` },
    payload: { sample: Buffer.from(file).toString('base64') },
  });
  expect(preview.json().error.code).toBe('FORBIDDEN');
});

test('their saved mappings are hidden, and stay as they are', async () => {
  expect((await app.gql(person, '{ importMappings { name } }')).data.importMappings).toEqual([]);
  expect((await app.gql(person, save, { name: 'own', mapping })).code).toBe('FORBIDDEN');
  expect((await app.gql(person, 'mutation { deleteImportMapping(name: "shop") }')).code).toBe('NOT_FOUND');
  expect((await app.gql(admin, '{ importMappings { name } }')).data.importMappings).toEqual([{ name: 'shop' }]);
});

test('a report’s address stops working once its holder can’t read the numbers', async () => {
  const holderId = await app.person({ permissions: importing });
  const made = await app.gql(await app.signIn(holderId), callsOnRun[3]!, { run });
  await app.database.pool.query(
    "update roles set permissions = array_remove(permissions, 'READ_CODEX') where name = (select role from people where id = $1)",
    [holderId],
  );
  const answer = await app.call({ method: 'GET', url: made.data.createImportReportTicket });
  expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'FORBIDDEN']);
});
