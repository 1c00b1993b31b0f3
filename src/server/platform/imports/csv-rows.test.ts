import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { CsvRecords } from './csv-records.ts';
import { openRows, type SourceOptions } from './row-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'csv-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(content: string | Buffer, options: SourceOptions = {}) {
  const file = join(folder, 'rows.csv');
  writeFileSync(file, content);
  const source = await openRows(file, options);
  const rows = [];
  for await (const row of source.rows) rows.push(row);
  return { ...source, rows, values: rows.map(({ row, fault }) => (row ? Object.values(row) : fault)) };
}

describe('a file that is no CSV', () => {
  test.each<[string, string | Buffer, string]>([
    ['an empty one', '', 'is empty'],
    ['blank lines only', '\r\n \r\n', 'holds no rows'],
    ['a workbook', 'PK\u0003\u0004....', 'save the sheet as CSV'],
    ['a JSON list', '[\n  {"a": 1}]', 'It looks like a JSON list'],
    ['an open quote in the header', '"a,b\n1,2\n', 'The header of'],
    ['gzip that was cut off', gzipSync('a,b\n'.repeat(99_999)).subarray(0, 300), 'its gzip data ends in the middle'],
  ])('%s is refused in one line', async (_, content, reason) => {
    const failure = await read(content).catch((error: Error) => error);
    expect(failure).toMatchObject({ name: 'ImportError', message: expect.stringContaining(reason) });
  });

  test('an encoding that nobody knows is refused', async () => {
    await expect(read('a,b\n1,2', { encoding: 'utf-9' })).rejects.toThrow('Unknown encoding "utf-9"');
  });
});

describe('rows that do not fit', () => {
  test('each says why, with its line and its own text, and the others go on', async () => {
    const { rows } = await read(
      ['a,b', '1,"two"', '2', '3,x,y', '4,"x"y', '5,"lines\r\nof 5"', '6,"open', '7,x', '8,x,,', ''].join('\r\n'),
    );
    expect(rows.map(({ line, text, fault }) => [line, fault ?? text])).toEqual([
      [2, '1,"two"'],
      [3, 'has 1 fields, the header has 2'],
      [4, 'has 3 fields, the header has 2'],
      [5, 'continues after a closing quote'],
      [6, '5,"lines\r\nof 5"'],
      [8, 'has an unclosed quote'],
      [9, '7,x'],
      [10, '8,x,,'],
    ]);
    expect(rows[4]!.row).toEqual({ a: '5', b: 'lines\r\nof 5' });
    expect(rows[1]!.text).toBe('2');
  });

  test('a quote that nobody closes costs its line, in a file of any size', async () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `${index},x`);
    lines[10] = '10,"x';
    const { rows } = await read(['a,b', ...lines].join('\n'));
    expect(rows).toHaveLength(200_000);
    expect(rows.filter(({ fault }) => fault).map(({ line, text }) => [line, text])).toEqual([[12, '10,"x']]);
  });

  test('bytes that are no letters are refused where the others are', async () => {
    const broken = Buffer.concat([Buffer.from('a,b\né,ö\n1,'), Buffer.from([0xff]), Buffer.from('\n2,ü\n')]);
    expect((await read(broken)).values).toEqual([['é', 'ö'], 'has bytes that aren’t text in its encoding', ['2', 'ü']]);
  });
});

describe('what the world sends', () => {
  const table = 'name;amount;note\nGrün;1,50;"a;b"\nŒuvre;2,00;"say ""so"""\n';
  const values = [
    ['Grün', '1,50', 'a;b'],
    ['Œuvre', '2,00', 'say "so"'],
  ];
  const windows = Buffer.from([...table].map((letter) => ({ ü: 0xfc, Œ: 0x8c })[letter] ?? letter.charCodeAt(0)));
  const bigEndian = Buffer.from(`\uFEFF${table}`, 'utf16le').swap16();
  test.each<[string, string | Buffer, string]>([
    ['UTF-8', table, 'utf-8'],
    ['UTF-8 with a mark', `\uFEFF${table}`, 'utf-8'],
    ['windows-1252', windows, 'windows-1252'],
    ['UTF-16 LE', Buffer.from(`\uFEFF${table}`, 'utf16le'), 'utf-16le'],
    ['UTF-16 BE', bigEndian, 'utf-16be'],
    ['UTF-16 LE without a mark', Buffer.from(table, 'utf16le'), 'utf-16le'],
    ['gzip', gzipSync(table), 'utf-8'],
    ['CRLF', table.replaceAll('\n', '\r\n'), 'utf-8'],
    ['CR', table.replaceAll('\n', '\r'), 'utf-8'],
    ['no line break at the end', table.trimEnd(), 'utf-8'],
    ['a line that announces the delimiter', `sep=;\n${table}`, 'utf-8'],
    ['blank lines', `\n${table.replaceAll('\n', '\n\n')}`, 'utf-8'],
    ['padded cells', table.replaceAll(';', ' ; '), 'utf-8'],
  ])('%s', async (_, content, encoding) => {
    const source = await read(content);
    expect(source.values.map((row) => (row as string[]).map((cell) => cell.replace(' ; ', ';')))).toEqual(values);
    expect(source).toMatchObject({ encoding, columns: ['name', 'amount', 'note'], format: { delimiter: ';' } });
  });

  test.each([',', ';', '\t', '|'])('the delimiter %j is found out, whatever stands in the cells', async (sign) => {
    const rows = [
      ['id', 'text', 'price'],
      ...Array.from({ length: 30 }, (_, at) => [`${at}`, `"a, b; c | d\te ${at}"`, '9']),
    ];
    const { format, values: found } = await read(rows.map((cells) => cells.join(sign)).join('\n'));
    expect(format).toMatchObject({ delimiter: sign });
    expect(found[29]).toEqual(['29', 'a, b; c | d\te 29', '9']);
  });

  test('single quotes, one column, and what is said instead of found out', async () => {
    expect((await read("'a','b'\n'it''s','x,y'\n")).values).toEqual([["it's", 'x,y']]);
    expect((await read('a\n1\n2\n')).values).toEqual([['1'], ['2']]);
    expect((await read('a,b\n1,2;3\n', { delimiter: ';' })).columns).toEqual(['a,b']);
    expect((await read(windows, { encoding: 'latin1' })).encoding).toBe('windows-1252');
  });

  test('NUL and formulas are text', async () => {
    expect((await read('a,b\n=1+1,x\0y\n')).values).toEqual([['=1+1', 'x\0y']]);
  });
});

test('records are the same however the text is cut into pieces', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'b', ',', '"', '\n', '\r', ' ', 'é'), maxLength: 6 });
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 6 });
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(table, fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat(40)), (rows, lineBreak, cuts) => {
      const text = rows.map((cells) => cells.map(quote).join(',') + lineBreak).join('');
      const records = new CsvRecords({ delimiter: ',', quote: '"' });
      const found: (readonly string[])[] = [];
      let rest = text;
      for (const cut of cuts) {
        for (const { cells } of records.take(rest.slice(0, cut), false)) found.push(cells);
        rest = rest.slice(cut);
      }
      for (const { cells } of records.take(rest, true)) found.push(cells);
      expect(found).toEqual(rows);
    }),
  );
});
