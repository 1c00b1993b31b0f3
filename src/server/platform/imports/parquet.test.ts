// Parquet files: those of `test/parquet` come from github.com/apache/parquet-testing (Apache License 2.0).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, describe, expect, test } from 'vitest';
import { makeZip } from '../../../../test/make-workbook.ts';
import { openRows } from './row-source.ts';
import { openRowsInWorker } from './row-worker-client.ts';
import type { SourceRow } from './source-row.ts';

const folder = mkdtempSync(join(tmpdir(), 'parquet-'));
afterAll(() => rmSync(folder, { recursive: true }));
let made = 0;
function fileOf(content: Uint8Array): string {
  made += 1;
  const file = join(folder, `rows-${made}.csv`);
  writeFileSync(file, content);
  return file;
}

type Written = Omit<Parameters<typeof parquetWriteBuffer>[0], 'columnData'>;
type SchemaElement = NonNullable<Written['schema']>[number];
const parquet = (columnData: ColumnSource[], more: Written = {}) =>
  Buffer.from(parquetWriteBuffer({ columnData, ...more }));
const sample = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../test/parquet/${name}.parquet`, import.meta.url)));

async function read(content: Uint8Array, open: typeof openRows = openRows) {
  const rows: SourceRow[] = [];
  let reason: string | null = null;
  try {
    const source = await open(fileOf(content), { name: 'The file', jsonNumbers: 'texts' });
    try {
      for await (const row of source.rows) rows.push(row);
    } finally {
      await source.close();
    }
  } catch (error) {
    expect(error).toMatchObject({ name: 'ImportError' });
    reason = (error as Error).message;
  }
  return { rows, reason };
}
const valuesOf = async (content: Uint8Array) => {
  const { rows, reason } = await read(content);
  expect(reason).toBeNull();
  return rows.map(({ row }) => row);
};

/** One column of the type, optional unless the type says otherwise. */
async function cells(type: Omit<SchemaElement, 'name'>, data: unknown[], more: Written = {}): Promise<unknown[]> {
  const schema: SchemaElement[] = [
    { name: 'root', num_children: 1 },
    { name: 'cell', repetition_type: 'OPTIONAL', ...type },
  ];
  const rows = await valuesOf(parquet([{ name: 'cell', data: data as never }], { schema, ...more }));
  return rows.map((row) => row!.cell);
}

describe('refuses in one sentence', () => {
  const good = parquet([{ name: 'id', data: Array.from({ length: 5_000 }, (_, at) => `order ${at}`), type: 'STRING' }]);
  const footer = good.length - 8 - good.readUInt32LE(good.length - 8);
  const changed = (change: (copy: Buffer) => void): Buffer => {
    const copy = Buffer.from(good);
    change(copy);
    return copy;
  };
  const nested = (levels: number): Buffer => {
    const groups = Array.from({ length: levels }, (_, at): SchemaElement => ({ name: `g${at}`, num_children: 1 }));
    const schema: SchemaElement[] = [...groups, { name: 'x', type: 'INT32', repetition_type: 'REQUIRED' }];
    const { metadata } = { metadata: schema };
    return footerOnly(metadata);
  };
  /** A file without rows, with any schema. */
  const footerOnly = (schema: SchemaElement[]): Buffer => {
    const fields: number[] = [0x15, 0x02, 0x19, 0xfc, ...varint(schema.length)];
    for (const { name, num_children: children, type } of schema)
      fields.push(
        ...(type ? [0x15, 0x02] : []),
        ...[type ? 0x38 : 0x48, ...varint(name.length), ...Buffer.from(name)],
        ...(children === undefined ? [] : [0x15, ...varint(children * 2)]),
        0,
      );
    fields.push(0x16, 0x00, 0x19, 0x0c, 0);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(fields.length);
    return Buffer.concat([Buffer.from('PAR1'), Buffer.from(fields), size, Buffer.from('PAR1')]);
  };
  function varint(value: number): number[] {
    return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
  }

  test.each<[string, () => Buffer, string]>([
    [
      'a file without its end',
      () => good.subarray(0, good.length - 20),
      'is damaged or cut off: its Parquet data can’t be read (its end is missing)',
    ],
    ['nothing but the first letters', () => Buffer.from('PAR1'), 'its end is missing'],
    [
      'a wrong length of the footer',
      () => changed((copy) => copy.writeUInt32LE(0xffff_fff0, copy.length - 8)),
      'its metadata is longer than the file',
    ],
    [
      'a short length of the footer',
      () => changed((copy) => copy.writeUInt32LE(7, copy.length - 8)),
      'is damaged or cut off',
    ],
    [
      'a footer that is none',
      () => changed((copy) => copy.fill(0xff, footer, copy.length - 8)),
      'is damaged or cut off',
    ],
    ['damaged pages', () => changed((copy) => copy.fill(0xff, 30, 200)), 'is damaged or cut off'],
    ['no columns', () => footerOnly([{ name: 'root', num_children: 0 }]), 'The file has no columns'],
    [
      'no rows',
      () =>
        footerOnly([
          { name: 'root', num_children: 1 },
          { name: 'x', type: 'INT32' },
        ]),
      'The file has no rows',
    ],
    ['200 levels', () => nested(200), 'The file nests more than 100 levels'],
    [
      '1,001 columns',
      () => footerOnly([{ name: 'root', num_children: 1_001 }, ...Array(1_001).fill({ name: 'x', type: 'INT32' })]),
      'The file has more than 1,000 columns',
    ],
    [
      'LZ4',
      () => sample('lz4_raw_compressed'),
      'The file is compressed with LZ4_RAW, which isn’t supported. Write it with Snappy, gzip, Brotli or Zstandard',
    ],
    ['a real broken file', () => sample('ARROW-GH-41321'), 'is damaged or cut off'],
  ])('%s', async (_, content, reason) => {
    const { reason: found } = await read(content(), openRowsInWorker());
    expect(found).toContain(reason);
    expect(found).not.toContain('\n');
  });

  test('a page of more than the reader may hold, before it is unpacked', async () => {
    const file = parquet([{ name: 'id', data: ['x'.repeat(8_000_000)], type: 'STRING' }], {
      codec: 'ZSTD',
      compressors: { ZSTD: zstdCompressSync },
      statistics: false,
    });
    // The first page's header begins with its kind and its size in 4 bytes, which becomes 128 MB.
    expect([file[4], file[6], file.readUInt32LE(7) & 0x80_80_80]).toEqual([0x15, 0x15, 0x80_80_80]);
    file.set([0xfe, 0xff, 0xff, 0x7f], 7);
    const { reason } = await read(file, openRowsInWorker());
    expect(reason).toBe('The file has row groups that are too large to read. Write it with smaller row groups');
  });

  test.each<[string, (content: Uint8Array) => Uint8Array]>([
    ['GZIP', gzipSync],
    ['ZSTD', zstdCompressSync],
    ['BROTLI', brotliCompressSync],
  ] as const)('a bomb in %s, without unpacking it', async (codec, pack) => {
    // The page says a kilobyte, and unpacks to 200 MB.
    const bomb = () => pack(Buffer.alloc(200 * 1024 * 1024));
    const file = parquet([{ name: 'id', data: ['x'.repeat(1_000)], type: 'STRING' }], {
      codec: codec as never,
      compressors: { [codec]: bomb },
    });
    const { reason, rows } = await read(file, openRowsInWorker());
    expect([rows, reason]).toEqual([[], expect.stringMatching(/is damaged or cut off/)]);
  });

  test('texts that unpack to 200 times the file', async () => {
    const long = 'x'.repeat(1_000_000);
    const file = parquet([{ name: 'id', data: Array.from({ length: 60 }, (_, at) => long + at), type: 'STRING' }], {
      codec: 'ZSTD',
      compressors: { ZSTD: zstdCompressSync },
    });
    const { reason, rows } = await read(file, openRowsInWorker());
    expect([rows.length < 60, reason]).toEqual([true, expect.stringContaining('unpacks to more than 200 times')]);
  });

  test('rows that the file claims and lacks, after those it has', async () => {
    const rows = [{ name: 'n', data: Int32Array.from({ length: 3_000 }, (_, at) => at) }];
    const file = parquet(rows, { codec: 'UNCOMPRESSED', rowGroupSize: 1_000 });
    // The second group's page.
    const at = file.indexOf(Buffer.from(Int32Array.of(1_500, 1_501).buffer));
    expect(at).toBeGreaterThan(0);
    file.fill(0xff, at - 2_050, at - 2_000);
    const { rows: kept, reason } = await read(file);
    expect([kept.length >= 1_000, kept.length < 3_000, reason]).toEqual([
      true,
      true,
      expect.stringMatching(/damaged.*Only the rows before row [\d,]+ were read$/),
    ]);
  });
});

describe('reads exactly', () => {
  const decimal = { converted_type: 'DECIMAL', scale: 2, precision: 38 } as const;
  const written = ['12345678901234567.89', '-0.05', null, '0.00', '-12345678901234567.89'];
  const digits = written.map((text) => (text === null ? null : BigInt(text.replace('.', ''))));
  test('decimals to the last digit, however they are stored', async () => {
    expect(await cells({ type: 'INT64', ...decimal }, digits)).toEqual(written);
    expect(await cells({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, ...decimal }, digits)).toEqual(written);
    expect(await cells({ type: 'BYTE_ARRAY', ...decimal }, digits)).toEqual(written);
    expect(await cells({ type: 'INT32', ...decimal, scale: 4 }, [12_345n, -1n, 0n])).toEqual([
      '1.2345',
      '-0.0001',
      '0.0000',
    ]);
    expect((await valuesOf(sample('fixed_length_decimal'))).slice(0, 3)).toEqual([
      { value: '1.00' },
      { value: '2.00' },
      { value: '3.00' },
    ]);
  });

  test('whole numbers beyond 2^53, unsigned ones, and floats as they were written', async () => {
    expect(await cells({ type: 'INT64' }, [9_007_199_254_740_993n, -1n])).toEqual(['9007199254740993', '-1']);
    expect(await cells({ type: 'INT64', converted_type: 'UINT_64' }, [2n ** 64n - 1n, null])).toEqual([
      '18446744073709551615',
      null,
    ]);
    expect(await cells({ type: 'FLOAT' }, [12.1, 0.3])).toEqual(['12.1', '0.3']);
    expect(await cells({ type: 'DOUBLE' }, [12.1, 1e-7, null])).toEqual(['12.1', '1e-7', null]);
  });

  test('days, instants and wall-clock times with their precision', async () => {
    const timestamp = (unit: 'MILLIS' | 'MICROS' | 'NANOS', isAdjustedToUTC: boolean) =>
      ({ type: 'INT64', logical_type: { type: 'TIMESTAMP', unit, isAdjustedToUTC } }) as const;
    const at = BigInt(Date.UTC(2026, 10, 5, 13, 30, 1));
    expect(await cells({ type: 'INT32', converted_type: 'DATE' }, [new Date('2026-11-05'), null])).toEqual([
      '2026-11-05',
      null,
    ]);
    expect(await cells(timestamp('MILLIS', true), [at + 7n])).toEqual(['2026-11-05T13:30:01.007Z']);
    expect(await cells(timestamp('MICROS', true), [at * 1_000n + 7n, -1n])).toEqual([
      '2026-11-05T13:30:01.000007Z',
      '1969-12-31T23:59:59.999999Z',
    ]);
    expect(await cells(timestamp('NANOS', true), [at * 1_000_000n + 7n])).toEqual(['2026-11-05T13:30:01.000000007Z']);
    expect(await cells(timestamp('MICROS', false), [at * 1_000n])).toEqual(['2026-11-05T13:30:01']);
    expect((await valuesOf(sample('int96_from_spark'))).slice(0, 2)).toEqual([
      { a: '2024-01-01T20:34:56.123456000Z' },
      { a: '2024-01-01T01:00:00Z' },
    ]);
    expect((await valuesOf(sample('alltypes_dictionary')))[1]).toMatchObject({ timestamp_col: '2009-01-01T00:01:00Z' });
  });

  test('texts, booleans, nulls, lists and structs as JSON does', async () => {
    expect(await cells({ type: 'BYTE_ARRAY', converted_type: 'UTF8' }, ['é €', null, ''])).toEqual(['é €', null, '']);
    expect(await cells({ type: 'BOOLEAN' }, [true, null, false])).toEqual([true, null, false]);
    expect((await valuesOf(sample('datapage_v2.snappy'))).slice(0, 2)).toEqual([
      { a: 'abc', b: '1', c: '2', d: true, e: ['1', '2', '3'] },
      { a: 'abc', b: '2', c: '3', d: true, e: null },
    ]);
    expect((await valuesOf(sample('nullable.impala')))[0]).toMatchObject({
      int_array_Array: [
        ['1', '2'],
        ['3', '4'],
      ],
      int_map: { k1: '1', k2: '100' },
      nested_struct: { A: '1', b: ['1'] },
    });
  });

  test('bytes that aren’t text cost their row', async () => {
    const { rows } = await read(
      parquet([{ name: 'a', type: 'BYTE_ARRAY', data: [Uint8Array.of(0x61), Uint8Array.of(0xff)] }]),
    );
    expect(rows.map(({ line, row, fault }) => [line, row ?? fault])).toEqual([
      [1, { a: 'a' }],
      [2, 'has bytes that aren’t text'],
    ]);
  });
});

describe('a file of many pages and row groups', () => {
  const count = 12_345;
  const columns = (): ColumnSource[] => [
    { name: 'id', type: 'STRING', data: Array.from({ length: count }, (_, at) => `order ${at}`) },
    {
      name: 'state',
      type: 'STRING',
      data: Array.from({ length: count }, (_, at) => (at % 3 === 0 ? null : `s${at % 5}`)),
    },
    { name: 'amount', type: 'DOUBLE', data: Array.from({ length: count }, (_, at) => at / 100) },
    {
      name: 'tags',
      data: Array.from({ length: count }, (_, at) => Array.from({ length: at % 4 }, (__, tag) => `t${tag}`)),
    },
  ];
  const schema: SchemaElement[] = [
    { name: 'root', num_children: 4 },
    { name: 'id', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
    { name: 'state', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
    { name: 'amount', type: 'DOUBLE', repetition_type: 'REQUIRED' },
    { name: 'tags', converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
  ];
  const expected = Array.from({ length: count }, (_, at) => ({
    line: at + 1,
    row: {
      id: `order ${at}`,
      state: at % 3 === 0 ? null : `s${at % 5}`,
      amount: String(at / 100),
      tags: Array.from({ length: at % 4 }, (__, tag) => `t${tag}`),
    },
  }));

  test.each<[string, Written]>([
    ['UNCOMPRESSED', {}],
    ['SNAPPY', {}],
    ['GZIP', { compressors: { GZIP: gzipSync } }],
    ['BROTLI', { compressors: { BROTLI: brotliCompressSync } }],
    ['ZSTD', { compressors: { ZSTD: zstdCompressSync } }],
  ])('gives every row with its number, packed with %s', async (codec, more) => {
    const file = parquet(
      columns().map(({ type: _, ...column }) => column),
      { schema, codec: codec as never, pageSize: 4_000, rowGroupSize: [1_000, 5_000], ...more },
    );
    const { rows, reason } = await read(file);
    expect(reason).toBeNull();
    expect(rows.map(({ line, row }) => ({ line, row }))).toEqual(expected);
    expect(JSON.parse(rows[7]!.text)).toEqual(expected[7]!.row);
  });

  test('gives the same in gzip and in a zip archive, and by a worker', async () => {
    const file = parquet(
      columns().map(({ type: _, ...column }) => column),
      { schema },
    );
    const [plain, gzip, zip, aside] = [
      await read(file),
      await read(gzipSync(file)),
      await read(makeZip([{ name: 'orders.parquet', content: file }])),
      await read(file, openRowsInWorker()),
    ];
    expect(plain.rows).toHaveLength(count);
    expect([gzip, zip, aside]).toEqual([plain, plain, plain]);
  });

  test('of deep values takes the memory of the values, not of rows that nobody reads yet', async () => {
    const levels = 10;
    const rows = 250_000;
    const inside = (level: number): unknown => (level === 0 ? 'NL' : { in: inside(level - 1) });
    const group: SchemaElement = { name: 'in', num_children: 1, repetition_type: 'OPTIONAL' };
    const leaf: SchemaElement = { name: 'in', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' };
    const names = ['a', 'b'];
    const deep = names.flatMap((name) => [{ ...group, name }, ...Array(levels - 1).fill(group), leaf]);
    const row = inside(levels);
    const columnData = names.map((name) => ({ name, data: Array(rows).fill(row) }));
    const schema = [{ name: 'root', num_children: names.length }, ...deep];
    const source = await openRowsInWorker()(fileOf(parquet(columnData, { schema, rowGroupSize: rows })));
    for await (const first of source.rows) {
      expect(first.row).toEqual({ a: row, b: row });
      break;
    }

    await source.close();
  });

  test('of one row group is read page by page', async () => {
    const texts = Array.from({ length: 4_000 }, (_, at) => `${at} ${'x'.repeat(1_000)}`);
    const file = parquet([{ name: 'a', type: 'STRING', data: texts, encoding: 'PLAIN' }], {
      codec: 'UNCOMPRESSED',
      rowGroupSize: texts.length,
      pageSize: 200_000,
    });
    const source = await openRows(fileOf(file));
    const shares: number[] = [];
    for await (const { line } of source.rows)
      if (line % 1_000 === 1) shares.push(Math.round((10 * source.bytesRead()) / source.size));
    expect([shares, source.bytesRead() / source.size > 0.9]).toEqual([[0, 3, 5, 8], true]);
    await source.close();
  });
});
