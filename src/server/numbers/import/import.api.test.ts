import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FaultReport } from '#server/platform/imports/fault-report.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { needs } from '../../../../test/needs.ts';

const mapping = {
  dataset: 'orders',
  source: 'shop',
  currency: 'EUR',
  fields: {
    external_id: 'id',
    product: { constant: 'green' },
    order_ref: 'id',
    occurred_at: 'when',
    gross: 'gross',
    status: { constant: 'completed' },
  },
};
const file = ['id,when,gross', '1,2026-01-05 10:00,10.5', '2,soon,1', '3,2026-01-06 10:00,0.00005', ''].join('\n');
const importing = ['VIEW_DASHBOARD', 'VIEW_TOOLS', 'USER_MANAGEMENT'] as const;

let app: TestApp;
let admin: string;
let person: string;
let token: string;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn(await app.person({ role: 'admin', firstName: 'Ada', lastName: 'King' }));
  person = await app.signIn(await app.person({ permissions: [...importing] }));
  await app.gql(person, save, { name: 'shop', mapping: JSON.stringify(mapping) });
  const made = await app.gql(admin, create, { name: 'The shop', datasets: ['orders'] });
  token = made.data.createServiceToken.token;
});
afterAll(() => app.stop());

const save =
  'mutation ($name: String!, $mapping: String!) { saveImportMapping(name: $name, mapping: $mapping) { name dataset } }';
const create = `mutation ($name: String!, $datasets: [String!]!) {
  createServiceToken(name: $name, datasets: $datasets) { token serviceToken { id datasets } } }`;
const runQuery = `query ($id: ID!) { importRun(id: $id) { state share rows inserted refused isDryRun reason faults { line column reason } } }`;

const send = (path: string, bearer: string | null, payload: string | Buffer, headers = {}) =>
  app.call({
    method: 'POST',
    url: `/api/import/${path}`,
    headers: { ...(bearer && { authorization: `Bearer ${bearer}` }), 'content-type': 'text/csv', ...headers },
    payload,
  });
const orders = async () =>
  (await app.database.pool.query('select external_id, gross, texts from orders order by 1')).rows;

describe('who may send', () => {
  test('nobody without a token, no person without both permissions, no token for another dataset, none that was revoked', async () => {
    const halves = await Promise.all(
      [['VIEW_DASHBOARD', 'VIEW_TOOLS'] as const, ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] as const].map(
        async (permissions) => app.signIn(await app.person({ permissions: [...permissions] })),
      ),
    );
    for (const half of halves) {
      expect((await send('orders?mapping=shop', half, file)).statusCode).toBe(403);
      expect((await app.gql(half, '{ importMappings { name } }')).code).toBe('FORBIDDEN');
      expect((await app.gql(half, runQuery, { id: '1' })).code).toBe('FORBIDDEN');
    }
    expect((await send('orders?mapping=shop', null, file)).statusCode).toBe(401);
    expect((await send('orders?mapping=shop', 'x'.repeat(43), file)).statusCode).toBe(401);
    expect((await send('donations?mapping=shop', token, file)).statusCode).toBe(403);
    const other = (await app.gql(admin, create, { name: 'Old', datasets: ['orders'] })).data.createServiceToken;
    const revoke = 'mutation ($id: ID!) { revokeServiceToken(id: $id) { revokedAt } }';
    expect(
      (await app.gql(admin, revoke, { id: other.serviceToken.id })).data.revokeServiceToken.revokedAt,
    ).toBeTruthy();
    expect((await app.gql(admin, revoke, { id: other.serviceToken.id })).code).toBe('NOT_FOUND');
    expect((await send('orders?mapping=shop', other.token, file)).statusCode).toBe(401);
    expect(await orders()).toEqual([]);
  });

  test('only an admin makes, sees and revokes tokens, and the token itself is never kept', async () => {
    expect((await app.gql(person, create, { name: 'x', datasets: ['orders'] })).code).toBe('FORBIDDEN');
    expect((await app.gql(person, '{ serviceTokens { id } }')).code).toBe('FORBIDDEN');
    expect((await app.gql(admin, create, { name: 'x', datasets: ['sheep'] })).code).toBe('BAD_INPUT');
    expect((await app.gql(admin, create, { name: 'x', datasets: [] })).code).toBe('BAD_INPUT');
    const { data } = await app.gql(admin, '{ serviceTokens { name datasets createdByName lastUsedAt revokedAt } }');
    expect(data.serviceTokens[0]).toMatchObject({
      ...{ name: 'The shop', datasets: ['orders'], revokedAt: null },
      createdByName: 'Ada King',
    });
    const { rows } = await app.database.pool.query(
      'select to_jsonb(t)::text as row from service_tokens t, audit_log a',
    );
    expect(rows.map(({ row }) => row).join()).not.toContain(token);
  });

  test('what cannot be imported says why in one line', async () => {
    const reasonOf = async (path: string, payload: string | Buffer) => {
      const { statusCode, body } = await send(path, token, payload);
      return [statusCode, JSON.parse(body).error.message];
    };
    expect(await reasonOf('orders', file)).toEqual([400, expect.stringContaining('mapping')]);
    expect(await reasonOf('orders?mapping=none', file)).toEqual([400, 'No saved mapping "none"']);
    expect(await reasonOf('sheep?mapping=shop', file)).toEqual([404, 'Unknown dataset "sheep"']);
    expect(await reasonOf('orders?mapping=shop', '')).toEqual([400, 'The file is empty']);
    expect(await reasonOf('orders?mapping=shop', 'a,b\n1,2\n')).toEqual([
      400,
      expect.stringContaining('it has no column "id", "when", "gross". Its header is "a", "b"'),
    ]);
    const wrong = JSON.stringify({ ...mapping, fields: { ...mapping.fields, titel: 'x' } });
    expect((await app.gql(person, save, { name: 'wrong', mapping: wrong })).errors?.[0]?.message).toContain('"titel"');
  });
});

test('a service sends a file, plain or gzip, is told how it went, and the same again changes nothing', async () => {
  const dry = await send('orders?mapping=shop&dryRun=1', token, file);
  expect(dry.json()).toMatchObject({ isDryRun: true, inserted: 2 });
  expect(await orders()).toEqual([]);
  const first = await send('orders?mapping=shop', token, file);
  expect([first.statusCode, first.json()]).toEqual([
    200,
    {
      run: expect.any(String),
      state: 'done',
      dataset: 'orders',
      source: 'shop',
      mapping: 'shop',
      isDryRun: false,
      rows: 3,
      inserted: 2,
      updated: 0,
      unchanged: 0,
      refused: 1,
      leftOut: 0,
      reasons: [{ kind: 'refused', column: 'when', reason: 'isn’t a date: "soon"', count: 1, line: 3, value: 'soon' }],
      faults: [{ line: 3, column: 'when', reason: 'isn’t a date: "soon"' }],
      reason: null,
    },
  ]);
  expect(await orders()).toEqual([
    { external_id: '1', gross: '105000', texts: {} },
    { external_id: '3', gross: '0', texts: { gross: '0.00005' } },
  ]);
  const again = await send('orders?mapping=shop', token, gzipSync(file), { 'content-type': 'application/gzip' });
  expect(again.json()).toMatchObject({ inserted: 0, updated: 0, unchanged: 2, refused: 1 });
  const cut = await send('orders?mapping=shop', token, gzipSync(file.repeat(9)).subarray(0, 60));
  expect(cut.json().state ?? cut.json().error.code).toMatch(/failed|BAD_INPUT/);
});

test('a person previews, imports with progress, and downloads the report once', async () => {
  const preview = async (body: object) =>
    (
      await app.call({
        method: 'POST',
        url: '/api/import/orders/preview',
        headers: { authorization: `Bearer ${person}` },
        payload: body,
      })
    ).json();
  const sample = Buffer.from(file).toString('base64');
  const { fields, ...rest } = mapping;
  expect(await preview({ sample, isWhole: true, mapping })).toMatchObject({
    format: 'csv',
    encoding: 'utf-8',
    delimiter: ',',
    columns: ['id', 'when', 'gross'],
    rows: [{ line: 2, values: ['1', '2026-01-05 10:00', '10.5'] }, { line: 3 }, { line: 4 }],
    mappingFault: null,
    missingColumns: [],
    mapped: [
      { line: 2, externalId: '1', values: { gross: '10.5', currency: 'EUR', occurred_at: '2026-01-05T10:00:00.000Z' } },
      { line: 3, faults: [{ column: 'when', reason: 'isn’t a date: "soon"' }] },
      { line: 4, externalId: '3' },
    ],
  });
  expect(await preview({ sample })).toMatchObject({ rows: [{ line: 2 }, { line: 3 }], mapped: [] });
  expect(
    (await preview({ sample, mapping: { ...rest, fields: { ...fields, status: undefined } } })).mappingFault,
  ).toContain('fields.status is missing');
  // One invalid part hides only itself.
  const half = await preview({ sample, isWhole: true, mapping: { ...rest, fields: { ...fields, status: undefined } } });
  expect(half).toMatchObject({
    sampleRows: 3,
    mapped: [{ line: 2, externalId: '1', values: { gross: '10.5' } }, {}, {}],
  });
  const more = ['Our orders', 'id,when,gross', '1,31/01/2026,5', '2,2026-01-30,5', '3,2026-01-29,5'].join('\n');
  const seen = await preview({ sample: Buffer.from(more).toString('base64'), isWhole: true, mapping });
  expect(seen).toMatchObject({
    above: [{ line: 1, text: 'Our orders' }],
    values: { gross: [{ value: '5', count: 3 }] },
    dates: {
      when: [
        { format: 'YYYY-MM-DD', count: 2 },
        { format: 'D/M/YYYY', count: 1 },
      ],
    },
    reasons: [{ kind: 'refused', reason: 'isn’t a date: "31/01/2026"', count: 1, line: 3 }],
  });
  expect((await preview({ sample: 'UEsDBA==' })).error.message).toContain('It looks like a zip archive');

  const sent = await send('orders?mapping=shop&wait=no&fileName=week.csv', person, file);
  expect(sent.statusCode).toBe(202);
  const { run } = sent.json();
  const now = async () => (await app.gql(person, runQuery, { id: run })).data.importRun;
  await expect.poll(now).toEqual({
    state: 'done',
    share: 1,
    rows: 3,
    inserted: 0,
    refused: 1,
    isDryRun: false,
    reason: null,
    faults: [{ line: 3, column: 'when', reason: 'isn’t a date: "soon"' }],
  });
  const ask = 'mutation ($run: ID!) { createImportReportTicket(run: $run) }';
  const url = (await app.gql(person, ask, { run })).data.createImportReportTicket;
  const report = await app.call({ url });
  expect(report.body).toBe('\uFEFFrefused_because,id,when,gross\r\n"Line 3: when isn’t a date: ""soon""",2,soon,1\r\n');
  expect(report.headers['content-disposition']).toContain('week-refused.csv');
  const inList = '{ importRuns { id hasReport leftOut reasons { reason count line value kind } } }';
  const listed = (await app.gql(person, inList)).data.importRuns.find(({ id }: { id: string }) => id === run);
  const reason = { reason: 'isn’t a date: "soon"', count: 1, line: 3, value: 'soon', kind: 'refused' };
  expect(listed).toEqual({ id: run, hasReport: true, leftOut: 0, reasons: [reason] });
  const corrected = report.body.replace(',soon,', ',2026-01-07 10:00,');
  expect((await send('orders?mapping=shop', person, corrected)).json()).toMatchObject({ inserted: 1, refused: 0 });
  expect((await app.call({ url })).statusCode).toBe(403);
});

test('a run whose server ended is told as such', async () => {
  await app.database.pool.query(
    `insert into import_runs (dataset, source, mapping, file_name, is_dry_run, state, started_at, seen_at, size)
     values ('orders', 'shop', 'shop', 'x.csv', false, 'running', $1, $1, 9)`,
    [app.clock.now().subtract({ minutes: 5 }).toString()],
  );
  const { rows } = await app.database.pool.query('select max(id)::text as id from import_runs');
  const { data } = await app.gql(person, runQuery, { id: rows[0].id });
  expect(data.importRun).toMatchObject({ state: 'failed', reason: expect.stringContaining('Send the file again') });
});

const fullDisk = '/dev/full';
describe('a full disk', needs(fullDisk, existsSync(fullDisk)), () => {
  test.each([1, 20_000])('fails an import with refused rows (%i), and says why', async (count) => {
    const { open } = FaultReport;
    const opening = vi
      .spyOn(FaultReport, 'open')
      .mockImplementationOnce((_, shape) => open.call(FaultReport, fullDisk, shape));
    const refused = Array.from({ length: count }, (_, at) => `full-${at},soon,1`);
    const answer = await send('orders?mapping=shop', token, ['id,when,gross', ...refused].join('\n'));
    opening.mockRestore();
    expect(answer.json()).toMatchObject({
      state: 'failed',
      reason: 'The server is out of space. Send the file again: imported rows are recognized',
    });
  });
});
