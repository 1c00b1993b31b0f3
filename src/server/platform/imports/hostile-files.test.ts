// Files made to exhaust memory and time, read the way the server reads them (security review, row 5). Counts
// work instead of timing it.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { isThere, readersOf } from '../../../../test/readers.ts';
import { CsvRecords, mostColumns } from './csv-records.ts';
import { JsonList } from './json-list.ts';
import { openRows } from './row-source.ts';
import { openRowsInWorker } from './row-worker-client.ts';
import type { SourceOptions, SourceRow } from './source-row.ts';

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
afterAll(() => rmSync(folder, { recursive: true }));

const megabyte = 1024 * 1024;
let made = 0;
function fileOf(content: string | Buffer): string {
  made += 1;
  const file = join(folder, `rows-${made}`);
  writeFileSync(file, content);
  return file;
}

async function read(
  file: string,
  { open = openRowsInWorker(), ...options }: SourceOptions & { open?: typeof openRows } = {},
) {
  const rows: SourceRow[] = [];
  const source = await open(file, { name: 'The file', ...options });
  try {
    for await (const row of source.rows) rows.push(row);
    return { rows, failure: null };
  } catch (error) {
    return { rows, failure: error as Error };
  } finally {
    await source.close();
  }
}
const reasonOf = (file: string, options?: SourceOptions) =>
  read(file, options).then(
    ({ failure }) => failure?.message,
    (error: Error) => error.message,
  );

/** How many characters are scanned to find the text's records. */
function looks(text: string): number {
  const { charCodeAt, search } = String.prototype;
  let looked = 0;
  String.prototype.charCodeAt = function (this: string, at) {
    looked += 1;
    return charCodeAt.call(this, at);
  };
  try {
    const records = new CsvRecords({ delimiter: ',', quote: '"' });
    for (let at = 0; at < text.length; at += 16_384)
      for (const _ of records.take(text.slice(at, at + 16_384), at + 16_384 >= text.length));
    return looked;
  } finally {
    Object.assign(String.prototype, { charCodeAt, search });
  }
}

describe('an endless', () => {
  test.each<[string, string]>([
    ['line', 'x'.repeat(4 * megabyte)],
    ['line of commas', ','.repeat(4 * megabyte)],
    ['quote', `"${'x\n'.repeat(2 * megabyte)}`],
    ['row of quotes that nobody closes', '"a\n'.repeat(megabyte)],
    ['row of doubled quotes', `"${'""'.repeat(megabyte)}\n`.repeat(2)],
  ])('%s of a CSV file costs a few looks at each character', (_, text) => {
    expect(looks(text)).toBeLessThan(8 * text.length);
  });

  test('line is one bad row, whose text is cut, and the rows behind it are read', async () => {
    const { rows } = await read(fileOf(`a,b\n1,2\n${'x'.repeat(40 * megabyte)}\n3,4\r\n5,6\n`));
    expect(rows.map(({ line, row, fault }) => [line, row ?? fault])).toEqual([
      [2, { a: '1', b: '2' }],
      [3, 'is longer than 1 MB, or has an unclosed quote'],
      [4, { a: '3', b: '4' }],
      [5, { a: '5', b: '6' }],
    ]);
    expect(rows[1]!.text.length).toBeLessThanOrEqual(10_000);
  });

  test('line of 300 MB and nothing else is refused, and is never held', async () => {
    const file = fileOf('a,b\n');
    truncateSync(file, 300 * megabyte);
    const { rows, failure } = await read(file);
    expect([rows.length, failure]).toEqual([1, null]);
    expect(rows[0]!.fault).toMatch(/longer than 1 MB/);
  });

  test('header is refused, and so is one of 10,000 columns', async () => {
    expect(await reasonOf(fileOf('x'.repeat(3 * megabyte)))).toMatch(/^The header of The file is longer than 1 MB/);
    const columns = Array.from({ length: 10_000 }, (_, at) => `c${at}`).join(',');
    expect(await reasonOf(fileOf(`${columns}\n${columns}\n`))).toBe(
      `The header of The file has more than ${mostColumns.toLocaleString('en-US')} columns`,
    );
  });

  test('row of cells below a good header costs its line', async () => {
    const { rows } = await read(fileOf(`a,b\n${','.repeat(500_000)}\n1,2\n`));
    expect(rows.map(({ fault, row }) => fault ?? row)).toEqual(['has more than 1,000 columns', { a: '1', b: '2' }]);
  });
});

describe('gzip', () => {
  const bomb = gzipSync(Buffer.concat([Buffer.from('a,b\n1,2\n'), Buffer.alloc(150 * megabyte, 'x')]));
  test('that unpacks to hundreds of times its size is refused long before its end', async () => {
    const reason =
      'The file unpacks to more than 200 times its size, or to more than 8 GB. Only the rows before that were read';
    const { rows, failure } = await read(fileOf(bomb));
    expect([rows[0]!.row, failure?.message]).toEqual([{ a: '1', b: '2' }, reason]);
    const lines = gzipSync(Buffer.from('a,b\n'.repeat(12 * megabyte)));
    const { rows: kept, failure: why } = await read(fileOf(lines));
    expect([why?.message, kept.length < 11 * megabyte]).toEqual([reason, true]);
    expect(await reasonOf(fileOf(gzipSync(Buffer.alloc(150 * megabyte, '{'))))).toBe(reason);
  });
  test('of an honest file unpacks whole', async () => {
    const lines = Array.from({ length: 200_000 }, (_, at) => `${at},name ${at},${(at * 7919) % 10_007}.25`);
    const { rows, failure } = await read(fileOf(gzipSync(['id,name,amount', ...lines].join('\n'))));
    expect([rows.length, failure]).toEqual([200_000, null]);
  });
});

test('JSON that nests without end, or whose line does, costs its line', async () => {
  const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const file = fileOf(
    `${deep(99)}\n${deep(100)}\n${'{"a":'.repeat(200_000)}\n{"a":"${'x'.repeat(2 * megabyte)}"}\n{"a":"[[["}`,
  );
  const { rows } = await read(file, { jsonNumbers: 'texts' });
  expect(rows.map(({ row, fault }) => fault ?? typeof row)).toEqual([
    'object',
    'nests more than 100 levels',
    'nests more than 100 levels',
    'is longer than 1 MB',
    'object',
  ]);
});

describe('a JSON list', () => {
  test.each<[string, string]>([
    ['that nests without end', '['.repeat(100_000)],
    ['of objects that nest without end', '[{"a":'.repeat(20_000)],
    ['of objects that never end', `[${'{"a":1 '.repeat(20_000)}`],
    ['of commas', `[{}${','.repeat(100_000)}`],
    ['behind many properties', `{\n${'"a":[[{}]],'.repeat(10_000)}"b":[{}]}`],
    ['behind an endless name', `{"${'\\"'.repeat(50_000)}`],
  ])('%s costs one look at each byte', (_, text) => {
    let looked = 0;
    const looks = (chunk: Buffer) =>
      new Proxy(chunk, {
        get: (target, key) => {
          if (typeof key === 'string' && /^\d/.test(key)) looked += 1;
          const found: unknown = Reflect.get(target, key, target);
          return typeof found === 'function' ? found.bind(target) : found;
        },
      });
    const list = new JsonList(megabyte);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 1_000) for (const _ of list.take(looks(bytes.subarray(at, at + 1_000))));
    expect([looked, list.names.length <= 1_000]).toEqual([bytes.length, true]);
  });

  test('gives one bad row for an endless item, whose text is not kept, and reads the rows behind it', async () => {
    const deep = `{"a":${'['.repeat(100)}${']'.repeat(100)}}`;
    const { rows, failure } = await read(fileOf(`[{"a":1},\n{"a":"${'x'.repeat(40 * megabyte)}"},\n${deep},{"a":2}]`), {
      jsonNumbers: 'texts',
    });
    expect(rows.map(({ line, row, fault }) => [line, fault ?? row])).toEqual([
      [1, { a: '1' }],
      [2, 'is longer than 1 MB'],
      [3, 'nests more than 100 levels'],
      [3, { a: '2' }],
    ]);
    expect([rows[1]!.text, failure]).toEqual(['', null]);
  });
});

test('read aside, a file gives the rows that it gives here, and takes less than half of the work from this thread', async () => {
  const lines = Array.from({ length: 60_000 }, (_, at) => `${at},"a ""b"" é ${at}","${at}\n${at}",x`);
  const file = fileOf(['id,name,text,id', ...lines].join('\r\n'));
  const cpu = async (open: typeof openRows) => {
    const before = process.threadCpuUsage();
    const { rows } = await read(file, { open });
    const { user, system } = process.threadCpuUsage(before);
    return { rows, spent: user + system };
  };
  const here = await cpu(openRows);
  const aside = await cpu(openRowsInWorker());
  expect(aside.rows).toEqual(here.rows);
  const bomb = fileOf(`a,b\n${`"${'x,'.repeat(400_000)}\n`.repeat(60)}`);
  const [worstHere, worstAside] = [await measured(openRows), await measured(openRowsInWorker())];
  expect(worstAside / worstHere).toBeLessThan(0.5);
  async function measured(open: typeof openRows): Promise<number> {
    const before = process.threadCpuUsage();
    await read(bomb, { open });
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  }
});

test('reading ends at once when its caller is gone, and its process with it', async () => {
  const caller = new AbortController();
  const source = await openRowsInWorker(caller.signal)(fileOf(`a,b\n${'1,2\n'.repeat(500_000)}`), { name: 'The file' });
  let rows = 0;
  const reading = (async () => {
    for await (const _ of source.rows) {
      rows += 1;
      if (rows === 1_000) caller.abort();
    }
  })();
  await expect(reading).rejects.toThrow('The connection was closed');
  expect(rows).toBeLessThan(2_000);
  await source.close();
  expect(readersOf(process.pid)).toEqual([]);
});

test.for([
  ['SIGSEGV', 700, true, 'The file could not be read to its end'],
  ['SIGSEGV', 1_000, false, 'The file could not be read to its end'],
  ['SIGABRT', 700, true, 'The file needs too much memory to read'],
] as const)('a reader that ends with %s at row %i ends its import alone', async ([signal, endsAt, waits, sentence]) => {
  const source = await openRowsInWorker()(fileOf(`a,b\n${'1,2\n'.repeat(500_000)}`), { name: 'The file' });
  const reading = (async () => {
    let rows = 0;
    for await (const _ of source.rows) {
      rows += 1;
      if (rows !== endsAt) continue;
      for (const id of readersOf(process.pid)) process.kill(id, signal);
      if (waits) while (readersOf(process.pid).some(isThere)) await sleep(20);
    }
  })();
  await expect(reading).rejects.toThrow(sentence);
});
