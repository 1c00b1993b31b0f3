import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { CsvRecords } from './csv-records.ts';
import { openRows } from './row-source.ts';
import type { SourceOptions } from './source-row.ts';

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
    ['blank lines only', '\r\n \r\n', 'has no rows'],
    ['an open quote in the header', '"a,b\n1,2\n', 'The header of'],
    [
      'gzip that was cut off',
      gzipSync('a,b\n'.repeat(99_999)).subarray(0, 300),
      'its compressed data ends in the middle',
    ],
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

test('a file in another encoding than its mapping says is refused row by row', async () => {
  const other = Buffer.from('a,b\nMüller,1\nZürich,2\nRome,3\n', 'latin1');
  const broken = 'has bytes that aren’t text in its encoding';
  expect((await read(other, { encoding: 'utf-8' })).values).toEqual([broken, broken, ['Rome', '3']]);
});

test('a replacement character that the file itself has is text, also where a piece of the file ends in it', async () => {
  const text = `a,b\n${'x'.repeat(65_530)},\uFFFD\n\uFFFDé,2\n`;
  for (const options of [{}, { encoding: 'utf-8' }])
    expect((await read(text, options)).values.map((row) => (row as string[])[1])).toEqual(['\uFFFD', '2']);
});

// What is detected has its files in test/corpus.
test('a mapping’s encoding and delimiter come before what would be detected', async () => {
  expect((await read('a,b\n1,2;3\n', { delimiter: ';' })).columns).toEqual(['a,b']);
  expect((await read(Buffer.from('a\nGr\xfcn\n', 'latin1'), { encoding: 'latin1' })).encoding).toBe('windows-1252');
  expect((await read('a\nGrün\n', { encoding: 'latin1' })).values).toEqual([['GrÃ¼n']]);
});

test('single quotes are quotes where rows are of one width only with them', async () => {
  const quoted = await read("name,city\n'Chair, round',Bonn\nDesk,'Den Haag'\nO'Brien,Rome\n");
  expect(quoted.values).toEqual([
    ['Chair, round', 'Bonn'],
    ['Desk', 'Den Haag'],
    ["O'Brien", 'Rome'],
  ]);
  expect((await read("name,city\n'tis,Bonn\n\"Chair, round\",'Den Haag'\n")).values).toEqual([
    ["'tis", 'Bonn'],
    ['Chair, round', "'Den Haag'"],
  ]);
  // Excel's mark of a text breaks every row, and one of them is uneven.
  const marked = await read("id,zip,city\n1,'10001,Bonn\n2,'10002,Rome\n3,'10003,Den, Haag\n4,'10004,Paris\n");
  expect(marked.values.map((row) => typeof row)).toEqual(['object', 'object', 'string', 'object']);
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
