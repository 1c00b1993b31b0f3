import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { RuleEvaluator } from '#server/platform/imports/evaluate-rules.ts';
import { FaultReport } from '#server/platform/imports/fault-report.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { makeWorkbook, makeZip, rowsOfCells, workbookParts } from '../../../../test/make-workbook.ts';
import { needs } from '../../../../test/needs.ts';
import { ordersMapping } from '../../../../test/number-fixtures.ts';
import { importing } from '../../../../test/people.ts';

const mapping = ordersMapping('shop');
const file = ['id,when,gross', '1,2026-01-05 10:00,10.5', '2,soon,1', '3,2026-01-06 10:00,0.00005', ''].join('\n');

let app: TestApp;
let admin: string;
let person: string;
let token: string;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn(await app.person({ role: 'admin', firstName: 'Ada', lastName: 'King' }));
  person = await app.signIn(await app.person({ permissions: importing }));
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

test('rows from the page of someone else who was signed in before are imported for nobody', async () => {
  const answer = await send('orders?mapping=shop', person, 'id\n1', { 'x-person': '999999' });
  expect([answer.statusCode, answer.json().error.code]).toEqual([412, 'OTHER_PERSON']);
});

test('without a recent proof no mapping is saved that service tokens could import by, under any name', async () => {
  const was = app.clock.now();
  const own = await app.signIn(await app.person({ permissions: importing }));
  const send = (name: string, saved: object) => app.gql(own, save, { name, mapping: JSON.stringify(saved) });
  app.clock.set(was.add({ minutes: 11 }));
  expect((await send('shop', mapping)).code).toBeNull();
  const changed = { ...mapping, source: 'other' };
  expect((await send('shop', changed)).code).toBe('CONFIRM_IDENTITY');
  expect((await app.gql(own, 'mutation { deleteImportMapping(name: "shop") }')).code).toBe('CONFIRM_IDENTITY');
  expect((await send('new', changed)).code).toBe('CONFIRM_IDENTITY');
  app.clock.set(was);
});

test('of two mappings that are saved first under one name at once, one is refused', async () => {
  const careful = `mutation ($name: String!, $mapping: String!) {
    saveImportMapping(name: $name, mapping: $mapping, replaces: "") { name } }`;
  for (let round = 0; round < 10; round += 1) {
    const texts = ['one', 'two'].map((source) => JSON.stringify({ ...mapping, source }));
    const sent = texts.map((text) => app.gql(admin, careful, { name: `race-${round}`, mapping: text }));
    expect((await Promise.all(sent)).map(({ code }) => code).toSorted()).toEqual(['CONFLICT', null]);
  }
  await app.database.pool.query("delete from import_mappings where name like 'race-%'");
});

test('a mapping replaces only the one that its editor saw, and may be sent again', async () => {
  const careful = `mutation ($mapping: String!, $replaces: String) {
    saveImportMapping(name: "seen", mapping: $mapping, replaces: $replaces) { mapping } }`;
  const [first, second, third] = ['first', 'second', 'third'].map((source) => JSON.stringify({ ...mapping, source }));
  const send = (text: string, replaces: string) => app.gql(admin, careful, { mapping: text, replaces });
  const stored = async () =>
    (await app.gql(admin, '{ importMappings { name mapping } }')).data.importMappings.find(
      ({ name }: { name: string }) => name === 'seen',
    ).mapping as string;
  expect((await send(first!, '')).code).toBeNull();
  expect((await send(first!, '')).code).toBeNull();
  expect((await send(second!, '')).code).toBe('CONFLICT');
  const seen = await stored();
  expect((await send(second!, seen)).code).toBeNull();
  expect((await send(second!, seen)).code).toBeNull();
  expect((await send(third!, seen)).code).toBe('CONFLICT');
  expect(JSON.parse(await stored()).source).toBe('second');
  expect((await app.gql(admin, 'mutation { deleteImportMapping(name: "seen") }')).code).toBeNull();
});

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
    const was = app.clock.now();
    const colleague = await app.signIn(await app.person({ role: 'admin' }));
    const kept = (await app.gql(admin, create, { name: 'Kept', datasets: ['orders'] })).data.createServiceToken;
    app.clock.set(was.add({ minutes: 11 }));
    expect((await app.gql(colleague, revoke, { id: kept.serviceToken.id })).code).toBe('CONFIRM_IDENTITY');
    expect((await app.gql(admin, revoke, { id: kept.serviceToken.id })).code).toBeNull();
    app.clock.set(was);
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
      reasons: [
        {
          kind: 'refused',
          column: 'when',
          reason: 'isn’t a date: "soon"',
          count: 1,
          line: 3,
          value: 'soon',
          values: ['soon'],
        },
      ],
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

const preview = async (body: object | string) =>
  (
    await app.call({
      method: 'POST',
      url: '/api/import/orders/preview',
      headers: { authorization: `Bearer ${person}`, 'content-type': 'application/json' },
      payload: body,
    })
  ).json();

describe('a mapping that would stop the server', () => {
  const deep = (levels: number, name: string) => `${`{"${name}":`.repeat(levels)}"a"${'}'.repeat(levels)}`;
  const sample = Buffer.from(file).toString('base64');
  test('is refused when it nests without end, wherever it does', async () => {
    const body = JSON.stringify({ sample, mapping: { ...mapping, fields: { gross: 'deep' } } });
    const { mappingFault } = await preview(body.replace('"deep"', deep(5_000, 'negate')));
    expect(mappingFault).toContain('nests more than 20 levels');
    for (const dataset of ['['.repeat(20_000) + ']'.repeat(20_000), deep(9_000, 'a')])
      expect(await app.gql(person, save, { name: 'deep', mapping: `{"dataset":${dataset}}` })).toMatchObject({
        errors: [{ extensions: { code: 'BAD_INPUT' } }],
      });
  });

  test('is refused when it is large', async () => {
    const large = { ...mapping, fields: { gross: { join: Array(60_000).fill('a'), with: '' } } };
    expect((await preview({ sample, mapping: large })).error).toMatchObject({ code: 'BAD_INPUT', field: 'mapping' });
  });

  test('is applied in the threads that read files, never in the one that answers', async () => {
    const evaluate = vi.spyOn(RuleEvaluator.prototype, 'evaluate');
    expect((await preview({ sample, isWhole: true, mapping })).mapped).toHaveLength(3);
    expect((await send('orders?mapping=shop&dryRun=1', token, file)).json()).toMatchObject({ rows: 3, refused: 1 });
    expect(evaluate).not.toHaveBeenCalled();
    evaluate.mockRestore();
  });
});

test('a person previews, imports with progress, and downloads the report once', async () => {
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
      {
        line: 3,
        faults: [{ field: 'occurred_at', column: 'when', reason: 'isn’t a date: "soon"' }],
        values: { gross: expect.any(String) },
      },
      { line: 4, externalId: '3' },
    ],
  });
  expect(await preview({ sample })).toMatchObject({ rows: [{ line: 2 }, { line: 3 }], mapped: [] });
  expect(
    (await preview({ sample, mapping: { ...rest, fields: { ...fields, status: undefined } } })).mappingFault,
  ).toMatch(/^The mapping has errors: fields.status is missing/);
  // One invalid part hides only itself.
  const half = await preview({ sample, isWhole: true, mapping: { ...rest, fields: { ...fields, status: undefined } } });
  expect(half).toMatchObject({
    sampleRows: 3,
    refused: 1,
    mapped: [{ line: 2, externalId: '1', values: { gross: '10.5' } }, {}, {}],
  });
  const noId = await preview({ sample, isWhole: true, mapping: { ...rest, fields: { gross: 'gross' } } });
  expect(noId.mapped[0]).toEqual({ line: 2, values: { gross: '10.5', currency: 'EUR' }, labels: {} });
  expect((await preview({ sample: '' })).error.message).toBe('The file is empty');
  const more = ['Our orders', 'id,when,gross', '1,31/01/2026,5', '2,2026-01-30,5', '3,2026-01-29,5'].join('\n');
  const seen = await preview({ sample: Buffer.from(more).toString('base64'), isWhole: true, mapping });
  expect(seen).toMatchObject({
    above: [{ line: 1, text: 'Our orders' }],
    values: { gross: [{ value: '5', count: 3 }] },
    ...{ unique: ['id', 'when'], doubts: [] },
    dates: {
      when: [
        { format: 'YYYY-MM-DD', count: 2 },
        { format: 'D/M/YYYY', count: 1 },
      ],
    },
    reasons: [{ kind: 'refused', reason: 'isn’t a date: "31/01/2026". Choose “A date”', count: 1, line: 3 }],
  });
  expect(await preview({ sample, isWhole: true, mapping: { ...mapping, source: 'copy' } })).toMatchObject({
    doubts: [
      {
        field: 'external_id',
        reason: expect.stringContaining('already exists in the source “shop” for all 2 rows checked'),
      },
    ],
  });
  const dots = ['id;when;gross', '7;2026-01-30;10.000', '8;2026-01-30;2.500', '9;2026-01-30;1.250'].join('\n');
  expect(await preview({ sample: Buffer.from(dots).toString('base64'), isWhole: true, mapping })).toMatchObject({
    numbers: { gross: { decimal: ',', isPlain: true } },
    doubts: [{ field: 'gross', reason: expect.stringContaining('gross has three digits after its dots: 10.000') }],
  });
  const days = Buffer.from('id,when\n1,3/3/2022\n2,7/2/2022 10:00\n').toString('base64');
  expect(await preview({ sample: days, isWhole: true })).toMatchObject({
    dates: {},
    unclearDates: {
      when: [
        { format: 'D/M/YYYY | D/M/YYYY H:mm', example: '7/2/2022 10:00', day: '2022-02-07' },
        { format: 'M/D/YYYY | M/D/YYYY H:mm', example: '7/2/2022 10:00', day: '2022-07-02' },
      ],
    },
  });
  // A small list before the large one, in the beginning of a file.
  const lists = '{"meta":[{"name":"id"}],\n"data":[{"id":1},{"id":2}';
  expect((await preview({ sample: Buffer.from(lists).toString('base64') })).error.message).toContain('has two lists');
  expect((await preview({ sample: 'UEsDBA==' })).error.message).toContain('is damaged or cut off: its zip archive');

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
  const added =
    'query ($id: ID!) { importRun(id: $id) { amountTitle totals { scope currency rows amount firstDay lastDay statuses { status rows amount } } } }';
  expect((await app.gql(person, added, { id: run })).data.importRun).toEqual({
    amountTitle: 'Gross',
    totals: [
      {
        ...{ scope: 'green', currency: 'EUR', rows: 2, amount: '10.5', firstDay: '2026-01-05', lastDay: '2026-01-06' },
        statuses: [{ status: 'completed', rows: 2, amount: '10.5' }],
      },
    ],
  });
  const inList = '{ importRuns { id hasReport leftOut reasons { reason count line value kind } } }';
  const listed = (await app.gql(person, inList)).data.importRuns.find(({ id }: { id: string }) => id === run);
  const reason = { reason: 'isn’t a date: "soon"', count: 1, line: 3, value: 'soon', kind: 'refused' };
  expect(listed).toEqual({ id: run, hasReport: true, leftOut: 0, reasons: [reason] });
  const corrected = report.body.replace(',soon,', ',2026-01-07 10:00,');
  expect((await send('orders?mapping=shop', person, corrected)).json()).toMatchObject({ inserted: 1, refused: 0 });
  expect((await app.call({ url })).statusCode).toBe(403);
});

test('columns are read with the encoding, delimiter and quote of a mapping that is not complete yet', async () => {
  // "Дата" and "Сумма, руб" in windows-1251, above a row of three values: the quotes alone tell nothing.
  const sample = Buffer.from('c4e0f2e02c27d1f3ecece02c20f0f3e1270a322c332c340a', 'hex').toString('base64');
  const reading = async (given?: object) =>
    (await preview({ sample, isWhole: true, ...(given && { mapping: given }) })).columns;
  expect(await reading()).toEqual(['Äàòà', "'Ñóììà", " ðóá'"].map((text) => text.trim()));
  expect(await reading({ encoding: 'windows-1251', quote: "'" })).toEqual(['Дата', 'Сумма, руб']);
  // Half a name, while someone types it.
  expect(await reading({ encoding: 'windows-12' })).toHaveLength(3);
});

test('numbered rows of the same file are expected, those of another file are named', async () => {
  const external_id = { join: ['when', 'gross', { occurrence: ['when', 'gross'] }], with: '/' };
  const numbered = { ...mapping, source: 'till', fields: { ...mapping.fields, external_id } };
  await app.gql(person, save, { name: 'till', mapping: JSON.stringify(numbered) });
  const reasonsOf = async (rows: readonly string[]) =>
    (await send('orders?mapping=till', person, ['id,when,gross', ...rows, ''].join('\n')))
      .json()
      .reasons.map(({ reason }: { reason: string }) => reason.slice(0, 32));
  const [one, other] = ['1,2025-01-05,10.5', '2,2025-01-06,10.5'];
  expect(await reasonsOf([one])).toEqual([]);
  expect(await reasonsOf([one])).toEqual([]);
  expect(await reasonsOf([one, other])).toEqual(['matches a row of an earlier impo']);
  expect(await reasonsOf([one, other])).toEqual([]);
});

test('a workbook is previewed by sheet, and imported with the sheet of its mapping', async () => {
  const cells = (id: string) =>
    rowsOfCells([
      ['id', 'when', 'gross'],
      [`${id}1`, '2026-02-05', 12.5],
      [`${id}2`, 'soon', 1],
    ]);
  const sheets = ['May', 'June'].map((name) => ({ name, data: cells(name) }));
  const book = makeWorkbook({ sheets });
  const preview = async (body: object) =>
    (
      await app.call({
        method: 'POST',
        url: '/api/import/orders/preview',
        headers: { authorization: `Bearer ${person}` },
        payload: { sample: book.toString('base64'), isWhole: true, ...body },
      })
    ).json();
  expect((await preview({ sheet: 'July' })).error.message).toBe(
    'The file has no sheet “July”. Its sheets are “May”, “June”',
  );
  const first = { format: 'xlsx', delimiter: null, workbook: { sheets: ['May', 'June'], sheet: 'May' } };
  expect(await preview({})).toMatchObject({
    ...first,
    columns: ['id', 'when', 'gross'],
    rows: [{ line: 2 }, { line: 3 }],
  });
  const june = { ...mapping, source: 'june', sheet: 'June' };
  expect(await preview({ mapping: june })).toMatchObject({
    workbook: { sheet: 'June' },
    mapped: [{ externalId: 'June1', values: { gross: '12.5' } }, { faults: [{ column: 'when' }] }],
  });
  // A sample is cut off in the middle of its texts and rows.
  const texts = Array.from({ length: 9 }, (_, at) => `text ${at}`);
  const row = (at: number) => `<row r="${at + 1}"><c t="s"><v>${at}</v></c><c><v>${at}</v></c></row>`;
  const parts = workbookParts({ sheets: [{ name: 'S', data: texts.map((_, at) => row(at)).join('') }], texts }).map(
    (part) =>
      /texts|sheet1/.test(part.name) ? { ...part, content: String(part.content).slice(0, -120), isStored: true } : part,
  );
  const cut = await preview({ sample: makeZip(parts).toString('base64'), isWhole: false });
  expect(cut).toMatchObject({ columns: ['text 0', '0'], rows: [2, 3, 4, 5].map((line) => ({ line })) });

  await app.gql(person, save, { name: 'june', mapping: JSON.stringify(june) });
  const sent = (await send('orders?mapping=june&fileName=year.xlsx', token, book)).json();
  expect(sent).toMatchObject({ state: 'done', inserted: 1, refused: 1, faults: [{ line: 3, column: 'when' }] });
  const old = await send(
    'orders?mapping=june&fileName=year.xls',
    token,
    Buffer.from('d0cf11e0a1b11ae1'.padEnd(2048, '0'), 'hex'),
  );
  expect(old.json().error.message).toBe('year.xls is an old Excel file (.xls). Save it as .xlsx or CSV');
});

/** The parts of a file of two row groups that its first one needs. */
function firstGroupOf(file: Buffer) {
  const end = file.readUInt32LE(file.length - 8) + 8;
  const places = [
    [file.length - end, end],
    [0, Math.floor((file.length - end) * 0.7)],
  ];
  const content = Buffer.concat(places.map(([at, length]) => file.subarray(at, at! + length!)));
  return { size: file.length, places, content };
}

test('Parquet is previewed whole or in parts, imported plain and packed, and its refused rows come as JSON lines', async () => {
  const file = Buffer.from(
    parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: 3 },
        { name: 'id', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
        { name: 'when', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
        {
          name: 'gross',
          type: 'INT64',
          converted_type: 'DECIMAL',
          scale: 4,
          precision: 18,
          repetition_type: 'OPTIONAL',
        },
      ],
      columnData: [
        { name: 'id', data: ['p1', 'p2', 'p3'] },
        { name: 'when', data: ['2026-02-05T10:00:00Z', 'soon', '2026-02-06'] },
        { name: 'gross', data: [123_456_789_012_345n, 10_000n, 5_000n] },
      ],
      rowGroupSize: 2,
    }),
  );
  const preview = async (sample: Buffer, more: object) =>
    (
      await app.call({
        method: 'POST',
        url: '/api/import/orders/preview',
        headers: { authorization: `Bearer ${person}` },
        payload: { sample: sample.toString('base64'), ...more },
      })
    ).json();
  for (const [sample, why] of [
    [
      file,
      'is too large for a preview: its first rows take more than 8 MB. Make the mapping with a file of up to 4 MB, then import this one by HTTP or npm run import',
    ],
    [gzipSync(file), 'has a Parquet file in it that is too large for a preview. Unpack it first'],
  ] as const)
    expect((await preview(sample, { isWhole: false })).error.message).toBe(`The file ${why}`);
  const { size, places, content } = firstGroupOf(file);
  expect(await preview(content, { parts: { size, places }, mapping })).toMatchObject({
    format: 'parquet',
    sampleRows: 1,
    rows: [{ line: 1, values: ['p1', '2026-02-05T10:00:00Z', '12345678901.2345'] }],
    mapped: [{ externalId: 'p1' }],
  });
  expect((await preview(content, { parts: { size: 5, places } })).error.message).toContain('is damaged or cut off');
  expect(await preview(file, { isWhole: true, mapping })).toMatchObject({
    format: 'parquet',
    delimiter: null,
    columns: ['id', 'when', 'gross'],
    rows: [{ line: 1, values: ['p1', '2026-02-05T10:00:00Z', '12345678901.2345'] }, { line: 2 }, { line: 3 }],
    mapped: [{ externalId: 'p1', values: { gross: '12345678901.2345' } }, { faults: [{ column: 'when' }] }, {}],
  });
  const sent = (await send('orders?mapping=shop&fileName=year.parquet', token, file)).json();
  expect(sent).toMatchObject({ state: 'done', inserted: 2, refused: 1, faults: [{ line: 2, column: 'when' }] });
  const packed = makeZip([{ name: 'year.parquet', content: file }]);
  expect((await send('orders?mapping=shop&fileName=year.zip', token, packed)).json()).toMatchObject({
    refused: 1,
    unchanged: 2,
  });
  const ask = 'mutation ($run: ID!) { createImportReportTicket(run: $run) }';
  const url = (await app.gql(person, ask, { run: sent.run })).data.createImportReportTicket;
  const report = await app.call({ url });
  expect(report.headers['content-disposition']).toContain('year-refused.ndjson');
  expect(JSON.parse(report.body)).toMatchObject({
    refused_because: 'Line 2: when isn’t a date: "soon"',
    gross: '1.0000',
  });
});

test('a JSON file is previewed from its start, imported plain and packed, and its refused rows come as JSON lines', async () => {
  const rows = Array.from({ length: 2_000 }, (_, at) => ({
    id: `j${at}`,
    when: at === 1 ? 'soon' : '2026-02-05T10:00:00Z',
    gross: at + 0.25,
  }));
  const json = Buffer.from(JSON.stringify({ metadata: { ids: [1, 2] }, data: rows }, null, 2));
  for (const start of [json.subarray(0, 64 * 1024), gzipSync(json).subarray(0, 10_000)]) {
    const seen = await preview({ sample: start.toString('base64'), isWhole: false, mapping });
    expect(seen).toMatchObject({
      format: 'json',
      columns: ['id', 'when', 'gross'],
      rows: expect.arrayContaining([{ line: 9, values: ['j0', '2026-02-05T10:00:00Z', '0.25'], fault: null }]),
      mapped: expect.arrayContaining([expect.objectContaining({ externalId: 'j0' })]),
      refused: 1,
    });
    expect(seen.sampleRows).toBeGreaterThan(500);
    expect(seen.sampleRows).toBeLessThan(2_000);
  }
  const sent = (await send('orders?mapping=shop&fileName=year.json', token, json)).json();
  expect(sent).toMatchObject({ state: 'done', inserted: 1_999, refused: 1, faults: [{ line: 14, column: 'when' }] });
  const packed = makeZip([{ name: 'year.json', content: Buffer.from(JSON.stringify(rows)) }]);
  expect((await send('orders?mapping=shop&fileName=year.zip', token, packed)).json()).toMatchObject({
    refused: 1,
    unchanged: 1_999,
  });
  const ask = 'mutation ($run: ID!) { createImportReportTicket(run: $run) }';
  const url = (await app.gql(person, ask, { run: sent.run })).data.createImportReportTicket;
  const report = await app.call({ url });
  expect(report.headers['content-disposition']).toContain('year-refused.ndjson');
  expect(JSON.parse(report.body)).toMatchObject({ refused_because: 'Line 14: when isn’t a date: "soon"', id: 'j1' });
  const corrected = report.body.replace('"soon"', '"2026-02-06"');
  expect((await send('orders?mapping=shop', token, corrected)).json()).toMatchObject({ inserted: 1, refused: 0 });
});

test('a run whose server ended is told as such', async () => {
  await app.database.pool.query(
    `insert into import_runs (dataset, source, mapping, file_name, is_dry_run, state, started_at, seen_at, size)
     values ('orders', 'shop', 'shop', 'x.csv', false, 'running', $1, $1, 9)`,
    [app.clock.now().subtract({ minutes: 5 }).toString()],
  );
  const { rows } = await app.database.pool.query('select max(id)::text as id from import_runs');
  const { data } = await app.gql(person, runQuery, { id: rows[0].id });
  expect(data.importRun).toMatchObject({ state: 'failed', reason: expect.stringContaining('Import the file again') });
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
      reason: 'The server is out of space. Import the file again: no row is counted twice',
    });
  });
});

test('a mapping that comes with the file is used and not saved; a token can’t bring one', async () => {
  const own = Buffer.from(
    JSON.stringify({ ...mapping, source: 'brought', fields: { ...mapping.fields, order_ref: 'when' } }),
  );
  const path = `orders?mapping=shop&dryRun=1&mappingBytes=${own.length}`;
  const body = Buffer.concat([own, Buffer.from(file)]);
  expect((await send(path, token, body)).statusCode).toBe(403);
  const ran = (await send(path, person, body)).json();
  expect(ran).toMatchObject({ state: 'done', isDryRun: true, source: 'brought', rows: 3, refused: 1 });
  const { rows } = await app.database.pool.query(
    `select mapping->>'source' as source from import_mappings where name = 'shop'`,
  );
  expect(rows).toEqual([{ source: 'shop' }]);
  // Only the wizard sends one: the list of imports says how each came.
  await send('orders?mapping=shop&dryRun=1', person, file);
  const last = await app.database.pool.query('select way from import_runs order by id desc limit 2');
  expect(last.rows).toEqual([{ way: 'http' }, { way: 'wizard' }]);
  const broken = await send('orders?mapping=shop&mappingBytes=4', person, `[1, ${file}`);
  expect(broken.json().error.message).toMatch(/shop/);
});

test('a saved mapping stays one of its type of data: imports use it by its name', async () => {
  await app.gql(person, save, { name: 'stays', mapping: JSON.stringify(mapping) });
  const fields = {
    external_id: 'id',
    attempted_at: 'when',
    order_ref: 'id',
    amount: 'gross',
    status: { constant: 'paid' },
  };
  const payments = JSON.stringify({ ...mapping, dataset: 'payments', fields });
  const { errors } = await app.gql(person, save, { name: 'stays', mapping: payments });
  expect(errors?.[0]).toMatchObject({
    message: 'The mapping stays is for orders. Choose another name',
    extensions: { code: 'BAD_INPUT', field: 'name' },
  });
  expect((await app.gql(person, save, { name: 'stays-too', mapping: payments })).errors).toBeUndefined();
});

test('the audit log keeps the mapping that another one of its name replaced, and a deleted one', async () => {
  const titled = (title: string) => JSON.stringify({ ...mapping, fields: { ...mapping.fields, title } });
  for (const title of ['first', 'second']) await app.gql(admin, save, { name: 'nightly', mapping: titled(title) });
  await app.gql(admin, 'mutation { deleteImportMapping(name: "nightly") }');
  const { rows } = await app.database.pool.query(
    `select before->'mapping'->'fields'->'title' as before, after->'mapping'->'fields'->'title' as after from audit_log
     where subject_type = 'importMapping' and subject_id = 'nightly' order by id`,
  );
  expect(rows).toEqual([
    { before: null, after: 'first' },
    { before: 'first', after: 'second' },
    { before: 'second', after: null },
  ]);
});
