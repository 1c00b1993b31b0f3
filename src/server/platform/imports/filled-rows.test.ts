import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { correctableRow } from './correctable-rows.ts';
import { openRows } from './row-source.ts';
import { openRowsInWorker } from './row-worker-client.ts';
import type { SourceOptions, SourceRow } from './source-row.ts';

const folder = mkdtempSync(join(tmpdir(), 'filled-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fill = { by: 'Name', columns: ['Country', 'Status'] };

async function read(content: string, options: SourceOptions = { fill }, open = openRows) {
  const file = join(folder, 'rows');
  writeFileSync(file, content);
  const source = await open(file, { jsonNumbers: 'texts', ...options });
  const rows: SourceRow[] = [];
  for await (const row of source.rows) rows.push(row);
  return { source, rows, cells: rows.map(({ row }) => row && Object.values(row).join()) };
}

const lines = [
  'Name,Country,Status,Total,Country',
  '#1,US,paid,5,',
  '#1,,,,x',
  '#1,?,open,,',
  '#1,,,,',
  '#2,,paid,7,',
  '#2,,,,',
  '#1,,,,',
  ',DE,paid,,',
  ',,,,x',
].join('\n');

test('another order, a row without one and other columns are never filled', async () => {
  expect((await read(lines, {})).cells).toEqual([
    ...['#1,US,paid,5', '#1,,,', '#1,?,open,', '#1,,,', '#2,,paid,7', '#2,,,', '#1,,,', ',DE,paid,', ',,,'],
  ]);
});

test.each([
  ['here', openRows],
  ['in a worker', openRowsInWorker()],
])('a blank cell has the value of the row before with the same order, %s', async (_, open) => {
  const { cells } = await read(lines, { fill, missing: ['?'] }, open);
  expect(cells).toEqual([
    ...['#1,US,paid,5', '#1,US,paid,', '#1,US,open,', '#1,US,open,', '#2,,paid,7', '#2,,paid,', '#1,,,', ',DE,paid,'],
    ',,,',
  ]);
});

test.each([
  ['CSV', 'Name;Country;Status;Note\n#1;US;"a;b";\n#1;;;=x', 'x;#1;US;"a;b";\'=x\r\n'],
  ['JSON', '{"Name":"#1","Country":"US"}\n{"Name":"#1","n":12345678901234567890} ', undefined],
])('a filled row of %s is complete in the file of refused rows, without the row before', async (_, content, wanted) => {
  const { source, rows } = await read(content);
  const text = correctableRow(source.format, rows[1]!.text, 'x');
  if (wanted) expect(text).toBe(wanted);
  else
    expect((await read(text, {})).rows[0]!.row).toEqual({
      ...{ refused_because: 'x', Name: '#1', n: '12345678901234567890', Country: 'US' },
    });
});
