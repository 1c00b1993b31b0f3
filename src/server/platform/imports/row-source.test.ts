import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { makeZip } from '../../../../test/make-workbook.ts';
import { openRows } from './row-source.ts';
import type { SourceOptions, SourceRow } from './source-row.ts';

const folder = mkdtempSync(join(tmpdir(), 'rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(content: string | Buffer, name = 'rows.ndjson'): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

async function rowsOf(file: string, options: SourceOptions = {}): Promise<SourceRow[]> {
  const rows: SourceRow[] = [];
  for await (const row of (await openRows(file, options)).rows) rows.push(row);
  return rows;
}

const many = Array.from({ length: 5_000 }, (_, index) => `{"n":${index},"text":"${'é'.repeat(index % 50)}"}`).join(
  '\n',
);

test.each<[string, () => string, string, SourceOptions?]>([
  ['a file that is not there', () => join(folder, 'none'), 'File not found'],
  ['a folder', () => folder, 'is not a file'],
  ['an empty file', () => fileOf(''), 'is empty'],
  ['a file of blank lines', () => fileOf('\n \n\n'), 'has no rows'],
  ['gzip of nothing', () => fileOf(gzipSync('')), 'has no rows'],
  [
    'an indented JSON object',
    () => fileOf('{ "a": 1,\n  "b": 2 }'),
    'looks like a JSON object without a list of objects',
  ],
  [
    'JSON with lists of other things',
    () => fileOf('{\n"a":[1,{}],"b":{"c":[{}]}}'),
    'object without a list of objects',
  ],
  ['an empty JSON list', () => fileOf('[ ]'), 'has no rows'],
  ['an empty list in a JSON object', () => fileOf('{\n"data": []}'), 'has no rows'],
  ['a JSON list that was cut off', () => fileOf('[{"a":1},{"a":'), 'is cut off: its JSON ends in the middle'],
  ['a JSON object that was cut off', () => fileOf('{\n"data":[{"a":1}]'), 'is cut off: its JSON ends in the middle'],
  ['a text behind a JSON list', () => fileOf('[{"a":1}]\n[{"a":2}]'), 'follows the end of its JSON on line 2'],
  ['a JSON list with a brace at its end', () => fileOf('[{"a":1}\n}'), 'has "}" in the wrong place on line 2'],
  [
    'a JSON object of one line with two lists, and nothing else that the mapping wants',
    () => fileOf('{"data":[{"id":1}],"included":[{"id":2}]}'),
    'has two lists of objects, "data" and "included"',
    { wanted: ['id'] },
  ],
  [
    'a JSON object with two lists',
    () => fileOf('{"a":{"x":[{}]},\n"b":[1],"data":[{"a":1}],"m\\u0061":[{"a":2}]}'),
    'has two lists of objects, "data" and "ma". Delete the one you don’t want to import',
  ],
  [
    'a CSV file without column names',
    () => fileOf('03.11.2025;Fee;-5,00\n04.11.2025;Gift;7,50\n'),
    'has no column names: its first line has "03.11.2025" and "-5,00"',
  ],
  [
    'a CSV file with a name too few, as R writes it',
    () => fileOf(`"topic","opened","agent"\n${'"1","Login","2025-11-03 10:00:00","Ann"\n'.repeat(3)}`),
    'has 3 column names for 4 columns. Name all of them',
  ],
  ['a broken zip archive', () => fileOf('PK\u0003\u0004xx'), 'is damaged or cut off: its zip archive'],
  [
    'gzip that was cut off',
    () => fileOf(gzipSync(many).subarray(0, 4_000)),
    'is cut off: its compressed data ends in the middle',
  ],
  ['gzip with a flipped byte', () => fileOf(flipped(gzipSync(many), 900)), 'is damaged: its compressed data'],
])('%s is refused in one line', async (_, file, reason, options) => {
  const failure = await rowsOf(file(), options).catch((error: Error) => error);
  expect(failure).toMatchObject({ name: 'ImportError', message: expect.stringContaining(reason) });
  expect((failure as Error).message).not.toContain('\n');
});

function flipped(bytes: Buffer, at: number): Buffer {
  bytes[at]! ^= 0xff;
  return bytes;
}

test('columns that mostly lack names are refused, and a title above names that are years is none of them', async () => {
  for (const header of [',amount', ',,amount', 'id,,,amount']) {
    const row = header
      .replace(/[a-z]+/g, '5.00')
      .replace(/^,/, '0,')
      .replaceAll(',,', ',a,');
    const failure = await rowsOf(fileOf(`${header}\n${`${row}\n`.repeat(3)}`)).catch((error: Error) => error);
    expect([header, failure]).toMatchObject([header, { message: expect.stringContaining('Name all of them') }]);
  }
  for (const title of ['Sales report,Q1', 'Report,,'])
    expect(await rowsOf(fileOf(`${title}\nWeek,2024,2025\n1,5.10,6.20\n2,5.10,6.20\n`))).toHaveLength(2);
});

test('a column without a name has its number, unless another one is called so', async () => {
  const columnsOf = async (header: string) => (await openRows(fileOf(`${header}\n0,a,b,1,2\n`), {})).columns;
  expect(await columnsOf(',title,brand,,amount')).toEqual(['Column 1', 'title', 'brand', 'Column 4', 'amount']);
  expect(await columnsOf(',Column 1,brand,amount,')).toEqual(['', 'Column 1', 'brand', 'amount', '']);
});

test('plain and gzip give the same rows, with their lines', async () => {
  const plain = await rowsOf(fileOf(many));
  expect(plain).toHaveLength(5_000);
  expect(plain[4_999]).toMatchObject({ line: 5_000, row: { n: 4_999 } });
  // Two members, like `cat a.gz b.gz`.
  const half = Math.floor(many.length / 2);
  const members = Buffer.concat([gzipSync(many.slice(0, half)), gzipSync(many.slice(half))]);
  expect(await rowsOf(fileOf(members, 'rows.gz'))).toEqual(plain);
});

test('a line that is no row says why, and the others go on', async () => {
  const lines = [
    Buffer.from('\uFEFF{"a":1}\r\n\r\n{"a":\n[1]\n"x"\n'),
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d, 0x0a]),
    Buffer.from('{"a":2}'),
  ];
  const rows = await rowsOf(fileOf(Buffer.concat(lines)));
  expect(rows.map(({ line, row, fault }) => [line, row ?? fault?.split(':')[0]])).toEqual([
    [1, { a: 1 }],
    [3, 'isn’t JSON'],
    [4, 'isn’t a JSON object'],
    [5, 'isn’t a JSON object'],
    [6, 'is not valid UTF-8'],
    [7, { a: 2 }],
  ]);
});

test('a line beyond the limit is refused without being held', async () => {
  const rows = await rowsOf(fileOf(`{"a":1}\n{"a":"${'x'.repeat(17 * 1024 * 1024)}"}\n{"a":3}\n`));
  expect(rows.map(({ row, fault }) => row ?? fault)).toEqual([{ a: 1 }, 'is longer than 16 MB', { a: 3 }]);
});

describe('JSON', () => {
  const list = '[\n  {"n": 1.10, "text": "]}\\\\"},\n  {\n    "n": 2,\n    "in": [{"a": [",\\"{"]}]\n  }\n]\n';
  const rows = [
    { line: 2, text: '{"n": 1.10, "text": "]}\\\\"}', row: { n: '1.10', text: ']}\\' } },
    { line: 3, text: '{ "n": 2, "in": [{"a": [",\\"{"]}] }', row: { n: '2', in: [{ a: [',"{'] }] } },
  ];
  const read = async (content: string | Buffer, options: SourceOptions = {}) => {
    const source = await openRows(fileOf(content, 'rows.json'), { jsonNumbers: 'texts', ...options });
    const found: SourceRow[] = [];
    for await (const row of source.rows) found.push(row);
    return found;
  };
  const wrapped = `{"about": {"data": [{"n": 0}]}, "ids": [1, {}], "note": "[{",\n"data": ${list.trim()}, "end": null}`;
  const utf16 = Buffer.from(`\uFEFF${list}`, 'utf16le');

  test.each<[string, string | Buffer]>([
    ['list', list],
    ['list behind a byte order mark', `\uFEFF${list}`],
    ['list packed with gzip', gzipSync(list)],
    ['list in a zip', makeZip([{ name: 'rows.json', content: Buffer.from(list) }])],
    ['list in UTF-16', utf16],
    ['list in UTF-16, most significant byte first', Buffer.from(utf16).swap16()],
    ['list in an object', wrapped],
  ])('%s gives its objects, with their first lines and exact numbers', async (_, content) => {
    const lines = content === wrapped ? rows.map((row) => ({ ...row, line: row.line + 1 })) : rows;
    expect(await read(content)).toEqual(lines);
  });

  test('gives faulty rows for items that are no objects, and reads on', async () => {
    const items = [
      '1',
      '"{"',
      'null',
      '[{"a":1}]',
      '{"a" 1}',
      '{"a":1} {"a":2}',
      `${'['.repeat(101)}${']'.repeat(101)}`,
    ];
    const found = await read(`[{"a":"x"},${items.join(',\n')},{"a":"y"},]`);
    expect(found.map(({ row, fault }) => row ?? fault?.split(':')[0])).toEqual([
      { a: 'x' },
      ...['isn’t a JSON object', 'isn’t a JSON object', 'isn’t a JSON object', 'isn’t a JSON object'],
      ...['isn’t JSON', 'isn’t JSON', 'nests more than 100 levels'],
      { a: 'y' },
    ]);
    const broken = Buffer.concat([Buffer.from('[{"a":"x"},{"a":"'), Buffer.from([0xff]), Buffer.from('"}]')]);
    expect((await read(broken)).map(({ fault }) => fault)).toEqual([undefined, 'is not valid UTF-8']);
  });

  test('cut off anywhere gives a sample’s whole rows, and what there is of the next', async () => {
    const bytes = Buffer.from(wrapped);
    for (let end = bytes.indexOf('"n": 1.10'); end < bytes.length; end += 1) {
      const found = await read(bytes.subarray(0, end), { isSample: true });
      const whole = found.filter(({ row }) => row !== null);
      expect(whole).toEqual(rows.slice(0, whole.length).map((row) => ({ ...row, line: row.line + 1 })));
      expect(found.length - whole.length).toBeLessThan(2);
    }
    const early = await read('{"about":"x",\n"y":', { isSample: true }).catch((error: Error) => error.message);
    expect(early).toContain('has too much text before its first row for a preview');
  });

  const order = '{"id":1,"lines":[{"sku":"a","id":2},{"sku":"b","id":3}]}';
  test.each<[string, string, SourceOptions, unknown[]]>([
    ['an object of one line is its list', order, {}, ['2', '3']],
    ['unless the mapping wants its columns', order, { wanted: ['id', 'lines.sku'] }, ['1']],
    ['which more of its list’s objects have', order, { wanted: ['sku'] }, ['2', '3']],
    ['or it is a refused row', order.replace('{', '{"refused_because":"x",'), {}, ['1']],
    ['or it has two lists', order.replace('{', '{"tags":[{}],'), {}, ['1']],
    ['or it has two lists and the mapping’s columns', order.replace('{', '{"tags":[{}],'), { wanted: ['id'] }, ['1']],
    ['and unless it has none', '{"id":1,"lines":["a"]}', {}, ['1']],
    ['or another line follows', `${order}\n${order}\n`, {}, ['1', '1']],
    ['far behind', `${order.replace('"a"', `"${'x'.repeat(300_000)}"`)}\n${order}`, {}, ['1', '1']],
    ['broken or not', `${order}\nx`, {}, ['1', undefined]],
    ['a list of one item a line begins on the first', order.replace('},{', '},\n{'), {}, ['2', '3']],
    ['a list behind another property is found', order.replace(':1,', ':{"a":1},\n'), {}, ['2', '3']],
    [
      'a text with a comma at the end of a line is one broken row',
      `{"a":"b},\n"}\n${order}`,
      {},
      [undefined, undefined, '1'],
    ],
    ['a broken row doesn’t', `{"id":1,"a":{"b":2},\n${order}`, {}, [undefined, '1']],
  ])('%s', async (_, content, options, ids) => {
    expect((await read(content, options)).map(({ row }) => row?.id)).toEqual(ids);
  });
});

describe('a header below other lines', () => {
  const opened = async (lines: readonly string[], wanted?: readonly string[]) => {
    const path = join(folder, 'header.csv');
    writeFileSync(path, lines.join('\n'));
    const source = await openRows(path, { wanted });
    const rows: SourceRow[] = [];
    for await (const row of source.rows) rows.push(row);
    const { above, columns, format } = source;
    return { above: above.map(({ text }) => text), columns, format, rows };
  };
  const rows = ['1;2026-01-05;1.299,50;NL', '2;2026-01-06;10,50;DE', '3;2026-01-07;7,25;DE'];

  test('is found below a title, notes and empty lines, with semicolons and decimal commas', async () => {
    const above = ['Report, March 2026', 'Made by Ann, Bo and Cem', ';;;'];
    const read = await opened([...above, '', 'id;day;amount;country', ...rows, ';;;', 'Total;;1.317,25;']);
    expect(read).toMatchObject({ above: above.slice(0, 2), columns: ['id', 'day', 'amount', 'country'] });
    expect(read.format).toMatchObject({ delimiter: ';' });
    expect(read.rows.map(({ row, aside }) => row?.amount ?? aside)).toEqual([
      ...['1.299,50', '10,50', '7,25'],
      'looks like a total, not a row',
    ]);
  });
  test('has rows below that look like totals: only the last ones of the file are', async () => {
    const totals = ['Total;;5;', '', 'Sum;;1;', 'Grand total;;6;'];
    const { rows: read } = await opened(['id;day;amount;country', totals[0]!, ...rows, ...totals, ';;;']);
    expect(read.map(({ line, row, aside }) => [line, row?.id ?? aside])).toEqual([
      [2, 'Total'],
      ...rows.map((_, at) => [at + 3, `${at + 1}`]),
      [6, 'Total'],
      [8, 'Sum'],
      [9, 'looks like a total, not a row'],
    ]);
  });
  test('is found although the title is padded, or by the columns of the mapping', async () => {
    const header = 'id;day;amount;country';
    expect(await opened(['Orders;;;', header, ...rows])).toMatchObject({ above: ['Orders;;;'] });
    const notes = ['a;b;c;d', header, ...rows];
    expect(await opened(notes)).toMatchObject({ above: [], columns: ['a', 'b', 'c', 'd'] });
    expect(await opened(notes, ['amount', 'id'])).toMatchObject({ above: ['a;b;c;d'] });
  });
  test('is the first line although the rows end with a delimiter that it lacks, or lack the one it ends with', async () => {
    const header = 'id;day;amount;country';
    const ended = rows.map((row) => `${row};;`);
    const read = await opened([header, ...ended]);
    expect(read).toMatchObject({ above: [], columns: header.split(';') });
    expect(read.rows.map(({ row }) => row?.country)).toEqual(['NL', 'DE', 'DE']);
    expect(await opened(['Orders', header, ...ended])).toMatchObject({ above: ['Orders'], columns: header.split(';') });
    const noted = await opened([`${header};`, ...rows]);
    expect(noted.rows.map(({ row, fault }) => row?.country ?? fault)).toEqual(['NL', 'DE', 'DE']);
    const short = await opened([`${header};;`, ...rows, '4;2026-01-08;5']);
    expect(short.rows.at(-1)).toMatchObject({ row: null, fault: 'has 3 fields, the header has 6' });
    const blank = rows.map((row) => `${row.slice(0, -2)};`);
    expect(await opened([`${header};note`, ...blank])).toMatchObject({ above: [] });
  });
  test('stays the first line where rows are broken, and where a cell has a list', async () => {
    const broken = ['id,day,amount', '1,x', '2,y', '3,2026-01-05,5'];
    expect(await opened(broken)).toMatchObject({ above: [], columns: ['id', 'day', 'amount'] });
    const lists = ['id,tags,amount', '1,a;b;c;d,5', '2,e;f;g;h,6', '3,i;j;k;l,7'];
    expect(await opened(lists)).toMatchObject({ above: [], format: { delimiter: ',' } });
  });
});
