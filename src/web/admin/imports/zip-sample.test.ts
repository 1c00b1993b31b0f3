import { describe, expect, it } from 'vitest';
import { importLimits } from '#core/numbers/imports.ts';
import { makeWorkbook, makeZip, rowsOfCells } from '../../../../test/make-workbook.ts';
import { isZip, zipSample } from './zip-sample.ts';

const blobOf = (content: Buffer) => new Blob([new Uint8Array(content)]);
const noise = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * at * 7919 + (at >> 3)) % 251));

describe('the sample of an archive', () => {
  it('is none of a file that is no archive, or that is cut off', async () => {
    expect(await isZip(new Blob(['id,amount']))).toBe(false);
    expect(await isZip(new Blob(['PK']))).toBe(false);
    const book = makeWorkbook({ sheets: [] });
    expect(await zipSample(blobOf(book.subarray(0, book.length - 30)))).toBe(null);
    const end = Buffer.from(book);
    end.writeUInt32LE(5, end.length - 6);
    expect(await zipSample(blobOf(end))).toBe(null);
  });

  it('is whole if the archive is small, and has a comment and extra fields no more', async () => {
    const book = makeWorkbook({ sheets: [{ name: 'S', data: rowsOfCells([['id'], [1]]) }] });
    const sample = await zipSample(blobOf(book));
    expect(sample?.isWhole).toBe(true);
    // It is the archive of an archive's sample, whose names are in its list only.
    expect(await zipSample(new Blob([sample!.bytes]))).toEqual(sample);
  });

  it('has the start of large parts, and nothing of pictures', async () => {
    const parts = [
      { name: 'xl/sharedStrings.xml', content: noise, isStored: true },
      { name: 'xl/worksheets/sheet1.xml', content: noise, isStored: true },
      { name: 'xl/media/photo.png', content: noise, isStored: true },
    ];
    const sample = await zipSample(blobOf(makeZip(parts)));
    expect(sample?.isWhole).toBe(false);
    expect(sample!.bytes.length).toBeLessThan(importLimits.zipSample);
    expect(Buffer.from(sample!.bytes).includes(noise.subarray(0, importLimits.sample))).toBe(true);
  });

  it('has whole what names the sheets, however many parts there are', async () => {
    const names = noise.subarray(0, 100_000);
    const sheets = Array.from({ length: 300 }, (_, at) => ({
      name: `xl/worksheets/sheet${at}.xml`,
      content: noise.subarray(0, 9_000),
      isStored: true,
    }));
    const parts = [...sheets, { name: 'xl/_rels/workbook.xml.rels', content: names, isStored: true }];
    const sample = await zipSample(blobOf(makeZip(parts)));
    expect(Buffer.from(sample!.bytes).includes(names)).toBe(true);
  });

  it('is that of a workbook in it', async () => {
    const book = makeWorkbook({ sheets: [{ name: 'S', data: rowsOfCells([['id'], [1]]) }] });
    for (const isStored of [true, false]) {
      const zip = makeZip([{ name: 'orders.xlsx', content: book, isStored }]);
      expect(await zipSample(blobOf(zip))).toEqual(await zipSample(blobOf(book)));
    }
  });
});
