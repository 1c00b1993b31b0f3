// A preview that nobody waits for any more, and one whose file takes too long to read.
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { otherDaysReason } from '#core/numbers/imports.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { ordersMapping } from '../../../../test/number-fixtures.ts';
import { importing } from '../../../../test/people.ts';
import { previewImport } from './import-preview.ts';
import { NumberRowReader } from './number-row-reader.ts';

const rows = Array.from({ length: 20_000 }, (_, at) => `${at},2026-01-05 10:00,1`);
const sample = Buffer.from(['id,when,gross', ...rows].join('\n')).toString('base64');
const input = { sample, mapping: ordersMapping('shop') };
/** A preview sets it for each batch of rows, and for opening the file. */
const batchMs = 20_000;

let app: TestApp;
let person: string;

beforeAll(async () => {
  app = await startTestApp();
  person = await app.signIn(await app.person({ permissions: importing }));
  await app.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.stop());
beforeEach(() => app.database.pool.query('delete from work_slots'));
afterEach(() => vi.restoreAllMocks());

const slots = async (): Promise<number> =>
  (await app.database.pool.query('select count(*)::int as count from work_slots')).rows[0].count;

/** Runs the work when the second batch of rows is asked for, which then has this limit, if any. */
function atSecondBatch(work: () => AbortSignal | undefined): void {
  const limit = AbortSignal.timeout;
  let times = 0;
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    times += ms === batchMs ? 1 : 0;
    return (ms === batchMs && times === 3 && work()) || limit(ms);
  });
}

test('a file that takes too long to read is refused, not taken for a shorter one', async () => {
  atSecondBatch(() => AbortSignal.abort(new DOMException('', 'TimeoutError')));
  const answer = await app.call({
    ...{ method: 'POST', url: '/api/import/orders/preview', payload: input },
    headers: { authorization: `Bearer ${person}` },
  });
  expect(answer.json().error).toMatchObject({ code: 'BAD_INPUT', message: 'The file takes too long to read' });
});

const doubtsAbout = async (dataset: string, lines: readonly string[], fields: object) => {
  const payload = { sample: Buffer.from(lines.join('\n')).toString('base64'), isWhole: true, mapping: { fields } };
  const answer = await app.call({
    ...{ method: 'POST', url: `/api/import/${dataset}/preview`, payload },
    headers: { authorization: `Bearer ${person}` },
  });
  return answer.json().doubts as { field: string; reason: string }[];
};

test('a month or a year in a plain column says what reads it', async () => {
  const faultOf = async (when: string) => {
    const payload = {
      sample: Buffer.from(`id,when\n1,${when}`).toString('base64'),
      ...{ isWhole: true, mapping: { fields: { donated_at: 'when' } } },
    };
    const answer = await app.call({
      ...{ method: 'POST', url: '/api/import/donations/preview', payload },
      headers: { authorization: `Bearer ${person}` },
    });
    return answer.json().mapped[0].faults[0].reason;
  };
  for (const when of ['2026-11', '1994', 'Nov 2026'])
    expect(await faultOf(when)).toBe(`isn’t a date: "${when}". Choose “A date”`);
  expect(await faultOf('2026-13')).toBe('isn’t a date: "2026-13"');
});

test('words like NULL are a doubt with the texts to treat as blank', async () => {
  const lines = ['id,faction', '1,None', '2,Spring'];
  expect(await doubtsAbout('donations', lines, { campaign: 'faction' })).toEqual([
    { field: 'campaign', reason: expect.stringContaining('“None” in 1 row'), missing: ['None'] },
  ]);
});

test('a total that is already without its discount is a doubt', async () => {
  const lines = ['id,price,count,discount,total', '1,100,2,20,180', '2,300,1,30,270', '3,50,3,15,135'];
  const fields = { gross: 'total', discount: 'discount', quantity: 'count' };
  const reason = expect.stringMatching(/^Gross is “price” × “count” − Discount in 3 of 3 rows/);
  expect(await doubtsAbout('orders', lines, fields)).toEqual([{ field: 'gross', reason }]);
  const multiplied = { ...fields, gross: { multiply: ['price', 'count'] } };
  expect(await doubtsAbout('orders', lines, multiplied)).toEqual([]);
});

test('values in objects are columns by path, with their facts', async () => {
  const lines = Array.from({ length: 30 }, (_, at) =>
    JSON.stringify({
      id: at,
      when: '2026-01-05',
      gross: 1,
      customer: at ? { home: { land: 'NL' }, tags: ['a'] } : null,
    }),
  );
  const shop = ordersMapping('shop');
  const mapping = { ...shop, fields: { ...shop.fields, country: 'customer.home.land' } };
  const answer = await app.call({
    ...{ method: 'POST', url: '/api/import/orders/preview' },
    payload: { sample: Buffer.from(lines.join('\n')).toString('base64'), isWhole: true, mapping },
    headers: { authorization: `Bearer ${person}` },
  });
  const { columns, rows: shown, values, missingColumns, mapped } = answer.json();
  expect(columns).toEqual(['id', 'when', 'gross', 'customer.home.land', 'customer.tags']);
  expect(shown.slice(0, 2)).toMatchObject([
    { values: ['0', '2026-01-05', '1', null, null] },
    { values: ['1', '2026-01-05', '1', 'NL', ['a']] },
  ]);
  expect(values['customer.home.land']).toEqual([{ value: 'NL', count: 29 }]);
  expect([missingColumns, mapped[1].values.country]).toEqual([[], 'NL']);
});

test('a column of durations is known, and its moments are shown; before, its cells say what to choose', async () => {
  const lines = ['id;opened;First response (hours);Closed', '1;2026-01-05 10:00;3,5;2d', '2;2026-01-05 11:00;soon;5d'];
  const preview = async (first: unknown) => {
    const fields = { external_id: 'id', opened_at: 'opened', first_response_at: first, resolved_at: 'opened' };
    const mapping = { dataset: 'conversations', source: 'desk', fields };
    const answer = await app.call({
      ...{ method: 'POST', url: '/api/import/conversations/preview' },
      payload: { sample: Buffer.from(lines.join('\n')).toString('base64'), isWhole: true, mapping },
      headers: { authorization: `Bearer ${person}` },
    });
    return answer.json();
  };
  const column = 'First response (hours)';
  const chosen = await preview(column);
  // Half of the first response is no duration, and any number can be one.
  expect(chosen.durations).toEqual({ id: { isClear: false }, Closed: { isClear: true } });
  expect(chosen.mapped.map(({ faults }: { faults: { reason: string }[] }) => faults[0]!.reason)).toEqual([
    'isn’t a date: "3,5". If it’s a duration, choose “A duration”',
    'isn’t a date: "soon"',
  ]);
  const { mapped } = await preview({ duration: column, unit: 'hours', after: 'opened' });
  expect(mapped[0].values.first_response_at).toBe('2026-01-05T13:30:00.000Z');
  expect(mapped[1].faults).toEqual([
    { field: 'first_response_at', column, reason: expect.stringContaining('isn’t a duration: "soon"') },
  ]);
});

test('a preview whose caller leaves while the file is read maps no row and gives its slot back', async () => {
  const read = vi.spyOn(NumberRowReader.prototype, 'read');
  const { port } = app.app.server.address() as AddressInfo;
  const call = request({
    ...{ method: 'POST', port, host: '127.0.0.1', path: '/api/import/orders/preview' },
    headers: { authorization: `Bearer ${person}`, 'content-type': 'application/json' },
  });
  call.on('error', () => {});
  const left = new Promise<void>((resolve) => {
    atSecondBatch(() => {
      call.destroy();
      resolve();
      return undefined;
    });
  });
  call.end(JSON.stringify(input));
  await left;
  await expect.poll(slots).toBe(0);
  expect(read).not.toHaveBeenCalled();
});

test('a preview whose caller leaves while rows are mapped stops before the next ones', async () => {
  const leaving = new AbortController();
  const left = new Error('left');
  const original = NumberRowReader.prototype.read;
  const read = vi.spyOn(NumberRowReader.prototype, 'read').mockImplementation(function (this: NumberRowReader, ...row) {
    leaving.abort(left);
    return original.apply(this, row);
  });
  const place = { ...app.parts, database: app.database };
  await expect(previewImport(place, 'orders', input, leaving.signal)).rejects.toBe(left);
  expect(read.mock.calls.length).toBeLessThanOrEqual(500);
});

test('a text with line breaks that is cut by the sample is no fault, an open quote before other rows is', async () => {
  const previewOf = async (text: string) => {
    const { sampleRows, refused, reasons } = await previewImport({ ...app.parts, database: app.database }, 'orders', {
      sample: Buffer.from(text).toString('base64'),
      mapping: ordersMapping('shop'),
    });
    return [sampleRows, refused, reasons.map(({ reason }) => reason)];
  };
  const good = 'id,when,gross,note\n1,2026-01-05 10:00,1,"a\nb"\n2,2026-01-05 10:00,1,ok\n';
  expect(await previewOf(`${good}3,2026-01-05 10:00,1,"Dear all,\nmy order\n\nis lo`)).toEqual([2, 0, []]);
  expect(await previewOf(`${good}3,2026-01-05 10:00,1,"open\n4,2026-01-05 10:00,1,ok\n5,20`)).toEqual([
    4,
    1,
    ['has an unclosed quote'],
  ]);
});

test('values in objects of JSON are columns by their path, and a list is one', async () => {
  const given = [
    { id: 1, service: { name: 'Alleys', by: { team: 'Solid' } }, tags: ['a'] },
    { id: 2, service: { name: 'Bulk' }, 'a.b': 'dotted' },
  ];
  const preview = await previewImport({ ...app.parts, database: app.database }, 'conversations', {
    sample: Buffer.from(JSON.stringify({ requests: given })).toString('base64'),
    isWhole: true,
    mapping: { fields: { category: 'service', team: 'tags' } },
  });
  expect(preview.columns).toEqual(['id', 'service.name', 'service.by.team', 'tags', 'a.b']);
  expect(preview.rows[0]!.values.slice(0, 3)).toEqual(['1', 'Alleys', 'Solid']);
  expect(preview.rows[1]!.values.slice(1)).toEqual(['Bulk', null, null, 'dotted']);
  expect(preview.unique).toEqual(['id', 'service.name']);
  expect(preview.reasons.map(({ column, reason }) => `${column} ${reason}`)).toEqual([
    'service is an object. Choose a value in it, such as service.name',
    'tags is a list. For a value of its last item, choose “Rule as JSON” with last and take',
  ]);
});

test('the wizard asks before a file replaces rows of other days or empties fields', async () => {
  const head = { authorization: `Bearer ${person}` };
  const file = (month: number, days: readonly number[]) =>
    ['id,when,gross', ...days.map((day) => `${day},2026-0${month}-0${day} 10:00,${month}${day}`)].join('\n');
  const mapping = ordersMapping('numbered');
  const first = { ...mapping, fields: { ...mapping.fields, channel: { constant: 'web' } } };
  const save = 'mutation ($mapping: String!) { saveImportMapping(name: "numbered", mapping: $mapping) { name } }';
  expect((await app.gql(person, save, { mapping: JSON.stringify(first) })).code).toBeNull();
  const sent = await app.call({
    ...{ method: 'POST', url: '/api/import/orders?mapping=numbered&fileName=1.csv' },
    ...{ headers: { ...head, 'content-type': 'text/csv' }, payload: file(1, [1, 2, 3, 4, 5]) },
  });
  expect(sent.json()).toMatchObject({ state: 'done', inserted: 5 });
  const payload = { sample: Buffer.from(file(2, [1, 2, 3, 4])).toString('base64'), isWhole: true, mapping };
  const preview = await app.call({ method: 'POST', url: '/api/import/orders/preview', headers: head, payload });
  expect(preview.json().doubts).toEqual([
    { field: 'external_id', reason: expect.stringContaining(`${otherDaysReason} in all 4 stored rows`) },
    { field: 'channel', reason: expect.stringContaining('Channel isn’t in this mapping, but 4 rows of this source') },
  ]);
});

test('the wizard asks before a longer file from another source counts its rows twice, and names that source', async () => {
  const headers = { authorization: `Bearer ${person}` };
  const file = (ids: readonly number[]) =>
    ['id,when,gross', ...ids.map((id) => `${id},2026-01-0${(id % 9) + 1} 10:00,${id}`)].join('\n');
  const save = 'mutation ($mapping: String!) { saveImportMapping(name: "june", mapping: $mapping) { name } }';
  expect((await app.gql(person, save, { mapping: JSON.stringify(ordersMapping('june')) })).code).toBeNull();
  const sent = await app.call({
    ...{ method: 'POST', url: '/api/import/orders?mapping=june&fileName=june.csv' },
    ...{ headers: { ...headers, 'content-type': 'text/csv' }, payload: file([701, 702, 703, 704, 705]) },
  });
  expect(sent.json()).toMatchObject({ state: 'done', inserted: 5 });
  const doubtsOf = async (ids: readonly number[]) => {
    const payload = {
      ...{ sample: Buffer.from(file(ids)).toString('base64'), isWhole: true },
      mapping: ordersMapping('july'),
    };
    return (await app.call({ method: 'POST', url: '/api/import/orders/preview', headers, payload })).json().doubts;
  };
  const reason = expect.stringContaining('already exists in the source “june” for');
  const doubt = { field: 'external_id', reason, source: 'june' };
  expect(await doubtsOf([701, 702, 703, 704, 705, 706])).toEqual([{ ...doubt, countsTwice: true }]);
  // A part of the rows is said only.
  expect(await doubtsOf([703, 704, 705, 706, 707, 708])).toEqual([doubt]);
});

test('cells without a value hide no format of dates, numbers and durations, nor do texts that the mapping treats as blank', async () => {
  const rows = ['28/02/14;1,5;0:30', '03/04/14;2,25;1:10', '-;NULL;n/a', 'open;open;open'];
  const payload = {
    ...{ sample: Buffer.from(['when;amount;wait', ...rows].join('\n')).toString('base64'), isWhole: true },
    mapping: { fields: {}, missing: ['open'] },
  };
  const headers = { authorization: `Bearer ${person}` };
  const answer = await app.call({ method: 'POST', url: '/api/import/orders/preview', headers, payload });
  expect(answer.json()).toMatchObject({
    dates: { when: [{ format: 'D/M/YY', count: 2 }] },
    numbers: { amount: { decimal: ',' } },
    durations: { wait: { isClear: false } },
  });
});
