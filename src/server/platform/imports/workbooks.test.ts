// Excel workbooks and zip archives, as programs write them and as attackers do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { makeWorkbook, makeZip, rowsOfCells, workbookParts } from '../../../../test/make-workbook.ts';
import { openRows } from './row-source.ts';
import { openRowsInWorker } from './row-worker-client.ts';
import type { SourceOptions, SourceRow } from './source-row.ts';

const folder = mkdtempSync(join(tmpdir(), 'workbooks-'));
afterAll(() => rmSync(folder, { recursive: true }));
const megabyte = 1024 * 1024;
let made = 0;

function fileOf(content: Buffer): string {
  made += 1;
  const file = join(folder, `file-${made}`);
  writeFileSync(file, content);
  return file;
}

async function read(content: Buffer, options: SourceOptions = {}, open = openRows) {
  const source = await open(fileOf(content), { name: 'The file', ...options });
  const rows: SourceRow[] = [];
  try {
    for await (const row of source.rows) rows.push(row);
    return { ...source, rows, failure: null };
  } catch (error) {
    return { ...source, rows, failure: (error as Error).message };
  } finally {
    await source.close();
  }
}

const reasonOf = (content: Buffer, options?: SourceOptions) =>
  read(content, options).then(
    ({ failure }) => failure,
    (error: Error) => `${error.name}: ${error.message}`,
  );
const valuesOf = (rows: readonly SourceRow[]) =>
  rows.map(({ line, row, fault, aside }) => [line, ...(row ? Object.values(row) : [fault ?? aside])]);

const orders = [
  ['id', 'amount'],
  ['a', 1],
  ['b', 2.5],
];
const plainBook = makeWorkbook({ sheets: [{ name: 'Orders', data: rowsOfCells(orders) }] });
const csv = 'id,amount\na,1\nb,2.5\n';
const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2_000)]);

/** The container of a workbook with a password: its directory is in the second sector. */
function encrypted(): Buffer {
  const bytes = Buffer.concat([ole, Buffer.alloc(4_000)]);
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt32LE(1, 48);
  bytes.write('EncryptedPackage', 3 * 512, 'utf16le');
  return bytes;
}

const bookWith = (data: string) => makeWorkbook({ sheets: [{ name: 'Orders', data }] });
const without = (name: string) => makeZip(workbookParts({ sheets: [] }).filter((part) => part.name !== name));
const oneFile = (content: string | Buffer, more: object = {}) => makeZip([{ name: 'orders.csv', content, ...more }]);

describe('refuses in one sentence', () => {
  test.each<[string, () => Buffer, string, SourceOptions?]>([
    ['an old Excel file', () => ole, 'The file is an old Excel file (.xls). Save it as .xlsx or CSV'],
    ['a password', encrypted, 'The file is protected by a password. Save it without one, or as CSV'],
    [
      'a binary Excel file',
      () => makeZip([{ name: 'xl/workbook.bin', content: '' }]),
      'a binary Excel file (.xlsb). Save',
    ],
    ['an OpenDocument file', () => makeZip([{ name: 'content.xml', content: '' }]), 'an OpenDocument file. Save it as'],
    ['a Numbers file', () => makeZip([{ name: 'Index/Document.iwa', content: '' }]), 'a Numbers file. Save it as'],
    ['a Word file', () => without('xl/workbook.xml'), 'an Office file without a worksheet'],
    ['an archive without its end', () => plainBook.subarray(0, plainBook.length - 30), 'is damaged or cut off'],
    [
      'a sheet that isn’t there',
      () => plainBook,
      'has no sheet “Returns”. Its sheets are “Orders”',
      { sheet: 'Returns' },
    ],
    ['an empty sheet', () => bookWith(''), 'The sheet “Orders” of The file has no rows'],
    ['broken XML', () => bookWith('<row><c></row>'), 'The file is damaged: a part of it isn’t XML'],
    [
      'a text that no part has',
      () => bookWith('<row><c t="s"><v>7</v></c></row>'),
      'the text of a cell in row 1 is missing',
    ],
    [
      '1,001 sheets',
      () => makeWorkbook({ sheets: Array(1_001).fill({ name: 'x', data: '' }) }),
      'more than 1000 sheets',
    ],
    [
      'several files',
      () => makeZip(['a.csv', 'b.csv', 'c.csv', 'd.csv'].map((name) => ({ name, content: csv }))),
      'The file has 4 files: a.csv, b.csv, c.csv and others. Import them one at a time',
    ],
    ['an empty archive', () => makeZip([]), 'The file is an empty zip archive'],
    ['an archive of a folder', () => makeZip([{ name: 'a/', content: '' }]), 'is an empty zip archive'],
    ['an archive with a password', () => oneFile(csv, { flags: 1 }), 'is protected by a password'],
    ['an unknown compression', () => oneFile(csv, { method: 14 }), 'uses a compression that isn’t supported'],
    ['an archive in an archive', () => oneFile(oneFile(csv)), 'has a zip archive in it. Unpack it first'],
    ['gzip in an archive', () => oneFile(gzipSync(csv)), 'has a gzip file in it. Unpack it first'],
    ['an old Excel file in an archive', () => oneFile(ole), 'has an old Excel file (.xls) in it'],
    ['an archive in gzip', () => gzipSync(plainBook), 'is a zip archive inside gzip'],
    ['changed bytes', () => oneFile(csv, { crc: 1 }), 'is damaged: its checksum or size doesn’t match'],
  ])('%s', async (_, content, reason, options) => {
    const given = await reasonOf(content(), options);
    expect(given).toContain(reason);
    expect(given).not.toContain('\n');
  });
});

describe('a sheet', () => {
  test('is read like a CSV file of it, with lines that are its rows', async () => {
    const { rows, columns, workbook, format } = await read(plainBook, {}, openRowsInWorker());
    expect({ columns, workbook }).toEqual({
      columns: ['id', 'amount'],
      workbook: { sheets: ['Orders'], sheet: 'Orders' },
    });
    expect(format).toMatchObject({ kind: 'csv', delimiter: ',' });
    expect(valuesOf(rows)).toEqual([
      [2, 'a', '1'],
      [3, 'b', '2.5'],
    ]);
    expect(rows[1]!.text).toBe('b,2.5');
  });

  test('has texts, formulas, booleans, errors and blank, merged and faraway cells', async () => {
    const data = `
      <row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="str"><v>kind</v></c><c r="C2" t="inlineStr"><is><r><t>a</t></r><r><t>mount</t></r></is></c></row>
      <row r="3"/>
      <row r="4"><c r="A4" t="s"><v>1</v></c><c r="B4" t="b"><v>1</v></c><c r="C4"><f>SUM(1,2)</f><v>3</v></c><c r="F4" t="s"><v>2</v></c></row>
      <row r="7" hidden="1"><c r="B7" t="e"><v>#N/A</v></c><c r="C7" t="d"><v>2026-01-05T10:00:00</v></c></row>
      <row r="8"><c r="A8" s="0"/><c r="B8"/></row>
      <row r="9"><c r="A9" t="str"><v>_x0041_&amp;b</v></c></row>`;
    const book = makeWorkbook({ sheets: [{ name: 'S', data }], texts: ['id', 'two\nlines', 'a note'] });
    const { rows, columns, failure } = await read(book);
    expect([columns, failure]).toEqual([['id', 'kind', 'amount'], null]);
    expect(valuesOf(rows)).toEqual([
      [4, 'two\nlines', 'TRUE', '3'],
      [7, '', '#N/A', '2026-01-05T10:00:00'],
      [9, 'A&b', '', ''],
    ]);
    expect(rows[0]!.text).toBe('"two\nlines",TRUE,3');
  });

  test('has numbers as text: exact up to the 15 digits of a spreadsheet, and ids with all digits', async () => {
    const written = [
      '1.1000000000000001',
      '0.1',
      '12345678901234567890',
      '1.5E-3',
      '1E+3',
      '-2.50',
      '19.989999999999998',
    ];
    const data = `<row><c t="str"><v>n</v></c></row>${written.map((one) => `<row><c><v>${one}</v></c></row>`).join('')}`;
    const { rows } = await read(bookWith(data));
    expect(rows.map(({ row }) => row?.n)).toEqual([
      '1.1',
      '0.1',
      '12345678901234567890',
      '0.0015',
      '1000',
      '-2.5',
      '19.99',
    ]);
  });

  test.each<[string, string | number, string, string]>([
    ['a day', 14, '46027', '2026-01-05'],
    ['a day with a time', 22, '46027.5208333333', '2026-01-05T12:30:00'],
    ['midnight of a day with a time', 'yyyy-mm-dd hh:mm:ss', '46027', '2026-01-05T00:00:00'],
    ['a time in a day', 'd/m/yyyy', '46027.25', '2026-01-05T06:00:00'],
    ['a month', 'mmm-yy', '46023', '2026-01-01'],
    ['a German day', '[$-407]d". "mmmm\\ yyyy', '46027', '2026-01-05'],
    ['a time', 'h:mm AM/PM', '0.5', '12:00:00'],
    ['thousandths', 'yyyy-mm-dd hh:mm:ss.000', '46027.0000115741', '2026-01-05T00:00:01'],
    ['a duration', '[h]:mm', '1.125', '27:00:00'],
    ['the first day', 14, '1', '1900-01-01'],
    ['a day before the invented one', 14, '59', '1900-02-28'],
    ['the day that was invented', 14, '60', '60'],
    ['a day after the invented one', 14, '61', '1900-03-01'],
    ['a negative number', 14, '-5', '-5'],
    ['a number beyond all days', 14, '99999999', '99999999'],
    ['a percentage', '0.00%', '0.15', '0.15'],
    ['an amount with a word', '#,##0.00\\ "days"', '5', '5'],
    ['a red amount', '[Red]-0.00;[Blue]0.00', '5.5', '5.5'],
    ['an exponent', '0.00E+00', '1500', '1500'],
  ])('reads %s by the cell’s format', async (_, format, number, text) => {
    const data = `<row><c t="str"><v>when</v></c></row><row><c s="1"><v>${number}</v></c></row>`;
    const { rows } = await read(makeWorkbook({ sheets: [{ name: 'S', data }], formats: [format] }));
    expect(rows.map(({ row }) => row?.when)).toEqual([text]);
  });

  test('counts its days from 1904 if the workbook does', async () => {
    const data = '<row><c t="str"><v>when</v></c></row><row><c s="1"><v>44565</v></c></row>';
    const { rows } = await read(makeWorkbook({ sheets: [{ name: 'S', data }], formats: [14], is1904: true }));
    expect(rows[0]!.row).toEqual({ when: '2026-01-05' });
  });

  test('has its header below a title, and notes beside it, and totals below it', async () => {
    const data = rowsOfCells([
      ['Orders of March', null, null],
      ['id', 'day', 'amount', 'note'],
      ...Array.from({ length: 9 }, (_, at) => [`o${at}`, '2026-01-05', at]),
      ['o9', '2026-01-05', null, null, null, null, null, null, 'checked by Ann'],
      ['Total', null, 36, null],
    ]);
    const { above, columns, rows } = await read(bookWith(data));
    expect({ above, columns }).toEqual({
      above: [{ line: 1, text: 'Orders of March' }],
      columns: ['id', 'day', 'amount', 'note'],
    });
    expect(valuesOf(rows).slice(-2)).toEqual([
      [12, 'o9', '2026-01-05', '', ''],
      [13, 'looks like a total, not a row'],
    ]);
  });

  test('is read without parts of texts and styles, from stored parts in any order', async () => {
    const parts = workbookParts({ sheets: [{ name: 'S', data: rowsOfCells(orders) }] })
      .filter(({ name }) => !/texts|styles/.test(name))
      .map((part) => ({ ...part, isStored: true }));
    const { rows, failure } = await read(makeZip(parts.toReversed()));
    expect([valuesOf(rows), failure]).toEqual([
      [
        [2, 'a', '1'],
        [3, 'b', '2.5'],
      ],
      null,
    ]);
  });

  test('is read whatever prefix its program gives to tags, and in UTF-16', async () => {
    const parts = workbookParts({ sheets: [{ name: 'S', data: rowsOfCells(orders) }] });
    const prefixed = parts.map((part) => {
      const text = String(part.content).replace(/<(\/?)(?=\w)/g, '<$1x:');
      return { ...part, content: part.name.includes('sheet1') ? Buffer.from(`\uFEFF${text}`, 'utf16le') : text };
    });
    const { rows } = await read(makeZip(prefixed));
    expect(valuesOf(rows)).toEqual([
      [2, 'a', '1'],
      [3, 'b', '2.5'],
    ]);
  });

  test('is the first visible one, or the one that is asked for', async () => {
    const sheets = [
      { name: 'Chart', data: '', type: 'chartsheet' as const },
      { name: 'Lists', data: rowsOfCells([['x'], [1]]), state: 'hidden' as const },
      { name: 'Orders & more', data: rowsOfCells([['y'], [2]]) },
    ];
    const { workbook, rows } = await read(makeWorkbook({ sheets }));
    expect(workbook).toEqual({ sheets: ['Lists', 'Orders & more'], sheet: 'Orders & more' });
    expect(rows.map(({ row }) => row)).toEqual([{ y: '2' }]);
    expect((await read(makeWorkbook({ sheets }), { sheet: 'Lists' })).rows.map(({ row }) => row)).toEqual([{ x: '1' }]);
  });

  test('costs a row with too many or too long cells that row', async () => {
    const data = `${rowsOfCells([['a', 'b']])}<row r="2"><c r="AMJ2"><v>1</v></c></row>
      <row r="3"><c t="str"><v>${'x'.repeat(2 * megabyte)}</v></c></row>${rowsOfCells([[1, 2]])}`;
    const { rows } = await read(bookWith(data));
    expect(valuesOf(rows)).toEqual([
      [2, 'has more than 1,000 columns'],
      [3, 'is longer than 1 MB'],
      [4, '1', '2'],
    ]);
  });

  test('that is cut off keeps the rows before the cut', async () => {
    const parts = workbookParts({ sheets: [{ name: 'S', data: rowsOfCells([...orders, ...orders, ...orders]) }] });
    const broken = parts.map((part) =>
      part.name.includes('sheet1') ? { ...part, content: String(part.content).slice(0, -120), isStored: true } : part,
    );
    const { rows, failure } = await read(makeZip(broken));
    expect([rows.length > 3, failure]).toEqual([true, expect.stringContaining('is damaged')]);
  });

  test('that unpacks to hundreds of times its size is refused long before its end', async () => {
    const data = `${rowsOfCells(orders)}${'<row></row>'.repeat(8 * megabyte)}`;
    expect(await reasonOf(bookWith(data))).toContain('unpacks to more than 200 times its size');
  });

  test('with an endless cell is refused without holding it', async () => {
    const noise = Buffer.from(Array.from({ length: 6 * megabyte }, (_, at) => 97 + ((at * 7919) % 26))).toString(
      'latin1',
    );
    expect(await reasonOf(bookWith(`<row><c t="str"><v>${noise}</v></c></row>`))).toContain(
      'has a cell longer than 4 MB',
    );
  });

  test('is not read from entities that a part defines', async () => {
    const parts = workbookParts({ sheets: [{ name: 'S', data: rowsOfCells(orders) }] });
    const lol = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><sst><si><t>&b;</t></si></sst>';
    const hostile = parts.map((part) => (part.name === 'xl/texts.xml' ? { ...part, content: lol } : part));
    expect(await reasonOf(makeZip(hostile))).toContain('isn’t XML');
  });
});

describe('an archive with one file', () => {
  test.each<[string, Buffer]>([
    ['CSV', oneFile(csv)],
    ['stored CSV', oneFile(csv, { isStored: true })],
    ['JSON lines', oneFile('{"id":"a","amount":"1"}\n{"id":"b","amount":"2.5"}\n')],
    ['a workbook', oneFile(plainBook)],
    [
      'CSV beside what a Mac adds',
      makeZip([
        { name: '__MACOSX/._orders.csv', content: 'x' },
        { name: '.DS_Store', content: 'x' },
        { name: 'export/orders.csv', content: csv },
      ]),
    ],
    ['CSV in UTF-16', oneFile(Buffer.from(`\uFEFF${csv}`, 'utf16le'))],
  ])('of %s is read like that file', async (_, content) => {
    const { rows, failure } = await read(content, { jsonNumbers: 'texts' });
    expect([rows.map(({ row }) => row), failure]).toEqual([
      [
        { id: 'a', amount: '1' },
        { id: 'b', amount: '2.5' },
      ],
      null,
    ]);
  });

  test('that unpacks to hundreds of times its size is refused long before its end', async () => {
    expect(await reasonOf(oneFile(`id,amount\n${'a,1\n'.repeat(12 * megabyte)}`))).toContain('more than 200 times');
  });
});

test('refused rows of a sheet are CSV, which can be corrected in the workbook’s program', async () => {
  const corrected = makeWorkbook({
    sheets: [
      {
        name: 'S',
        data: rowsOfCells([
          ['refused_because', 'id', 'amount'],
          ['Line 2: amount is blank', 'a', 5],
        ]),
      },
    ],
  });
  const { rows, columns } = await read(corrected);
  expect(columns).toEqual(['id', 'amount']);
  expect(rows[0]).toMatchObject({ row: { id: 'a', amount: '5' }, text: 'a,5' });
});
