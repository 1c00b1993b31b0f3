import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { parquetSample } from './file-sample.ts';

const rows = 6_000;
const texts = (length: number) => Array.from({ length: rows }, (_, at) => `${at}`.padEnd(length, `${at * 7919}`));
const written = (length: number, pageSize: number) =>
  Buffer.from(
    parquetWriteBuffer({
      columnData: [
        { name: 'id', data: texts(10), type: 'STRING' },
        { name: 'state', data: texts(0).map((_, at) => ['new', 'paid'][at % 2]!), type: 'STRING' },
        { name: 'note', data: texts(length), type: 'STRING', encoding: 'PLAIN' },
      ],
      codec: 'UNCOMPRESSED',
      rowGroupSize: rows / 2,
      pageSize,
    }),
  );
const blobOf = (content: Buffer) => new Blob([new Uint8Array(content)]);

describe('the sample of a Parquet file', () => {
  it('is only the end of a file that is damaged or cut off', async () => {
    const file = written(100, 20_000);
    const cut = file.subarray(0, file.length - 30);
    expect((await parquetSample(blobOf(cut)))?.places).toEqual([[cut.length - 8, 8]]);
    const broken = Buffer.from(file);
    const footer = file.readUInt32LE(file.length - 8) + 8;
    broken.fill(0xff, file.length - footer, file.length - 8);
    expect((await parquetSample(blobOf(broken)))?.places).toEqual([[file.length - footer, footer]]);
    const pages = Buffer.from(file).fill(0xff, 4, 100_000);
    expect((await parquetSample(blobOf(pages)))?.places).toEqual([[file.length - footer, footer]]);
  });

  it('is none of a file whose first pages are too large', async () => {
    expect(await parquetSample(blobOf(written(3_000, 20_000_000)))).toBe(null);
  });

  it('has the end, and the first page of each column with its dictionary', async () => {
    const file = written(1_000, 200_000);
    const { bytes, places } = (await parquetSample(blobOf(file)))!;
    const parts = places.map(([at, length]) => file.subarray(at, at + length));
    expect(Buffer.from(bytes).equals(Buffer.concat(parts))).toBe(true);
    expect(parts[0]!.toString('latin1', parts[0]!.length - 4)).toBe('PAR1');
    const [, id, state, note] = parts.map((part) => part.toString('latin1'));
    expect([id!.includes('2999'), state!.includes('new'), state!.includes('paid')]).toEqual([true, true, true]);
    expect([note!.includes(texts(1_000)[0]!), note!.includes(texts(1_000)[500]!)]).toEqual([true, false]);
    expect(bytes.length).toBeLessThan(file.length / 10);
  });
});
