// The rows of a workbook's sheet. They are read like those of a CSV file, and refused ones are written as CSV.
import { recordText } from './correctable-rows.ts';
import type { CsvRecord } from './csv-records.ts';
import { tableRows } from './csv-rows.ts';
import { headerNamed, lastFilled, recordsAboveHeader, recordsLookedAt } from './file-format.ts';
import { ImportError } from './import-error.ts';
import { SharedTexts } from './shared-texts.ts';
import { type SheetRecord, sheetRecords } from './sheet-records.ts';
import { type FileFormat, firstRowRead, type RowSource, type SourceOptions } from './source-row.ts';
import { brokenFile, type OpenedFile, orBroken, withinLimits } from './unpacked-bytes.ts';
import { openWorkbook, sharedTexts, shortList, type Workbook } from './workbook.ts';
import type { ZipArchive } from './zip-members.ts';

type CsvFormat = Extract<FileFormat, { kind: 'csv' }>;
export type Table = Pick<RowSource, 'format' | 'columns' | 'above' | 'rows'>;

/** Some programs write every text in its cell. */
const noTexts = new SharedTexts(0);

/** How the rows' text is written. */
const format: CsvFormat = { kind: 'csv', delimiter: ',', quote: '"' };

/** `size`: of the file. The caller closes the archive. */
export async function openSheet(
  archive: ZipArchive,
  name: string,
  size: number,
  { sheet, wanted, isSample = false }: SourceOptions,
): Promise<RowSource> {
  const workbook = await openWorkbook(archive, name, sheet);
  const opened: OpenedFile[] = [];
  const packed = workbook.part.packedSize + (workbook.texts?.packedSize ?? 0);
  const bytesRead = () => {
    const read = opened.reduce((sum, part) => sum + part.bytesRead(), 0);
    return Math.round((size * read) / Math.max(packed, 1));
  };
  const bytesOf = async (part: Workbook['part']) => {
    const one = await part.open();
    opened.push(one);
    return withinLimits(name, one);
  };
  const close = async () => {
    for (const { stream } of opened) stream.destroy();
    archive.close();
  };
  const read = async function* (): AsyncGenerator<SheetRecord[]> {
    const { texts, part, formats, is1904 } = workbook;
    const shared = texts ? await sharedTexts(await bytesOf(texts), name, isSample) : noTexts;
    yield* sheetRecords(name, await bytesOf(part), { texts: shared, formats, is1904, isSample });
  };
  const { sheets } = workbook;
  const about = {
    workbook: { sheets, sheet: workbook.sheet },
    isParquet: false,
    encoding: 'utf-8',
    size,
    bytesRead,
    close,
  };
  try {
    return { ...about, ...(await tableOf(name, read(), workbook, wanted)) };
  } catch (error) {
    await close();
    throw brokenFile(name, error as Error);
  }
}

async function tableOf(
  name: string,
  batches: AsyncGenerator<SheetRecord[]>,
  { sheet, sheets }: Workbook,
  wanted: readonly string[] = [],
): Promise<Table> {
  const first: SheetRecord[] = [];
  let failure: unknown;
  while (first.length <= recordsLookedAt) {
    const next = await batches.next().catch((error) => {
      failure = error;
      return null;
    });
    if (next === null || next.done) break;
    first.push(...next.value);
  }
  // What came before the damage is read first.
  if (first.length === 0 && failure !== undefined) throw failure;
  const sample = first.slice(0, recordsLookedAt + 1).filter(({ fault }) => fault === undefined);
  const named = headerNamed(sample, wanted);
  const above = named === -1 ? recordsAboveHeader(asWideAsMost(sample)) : named;
  const header = sample[above];
  const others = sheets.filter((one) => one !== sheet);
  if (!header)
    throw new ImportError(
      `The sheet “${sheet}” of ${name} has no rows${others.length > 0 ? `. Its other sheets are ${shortList(others)}` : ''}`,
    );
  const records = withTexts(followedBy(first, batches, failure), header.line, lastFilled(header));
  let found: Pick<Table, 'columns' | 'above'> = { columns: [], above: [] };
  const onHeader = (columns: readonly string[], lines: Table['above']) => {
    found = { columns, above: lines };
  };
  const rows = await firstRowRead(orBroken(name, tableRows(name, records, format, onHeader, above)));
  return { format, ...found, rows };
}

/** Three in four rows are no wider; a note beside the table is none of its columns. */
const usualShare = 0.75;

/** Rows end with their last filled cell, and titles are short. */
function asWideAsMost(records: readonly SheetRecord[]): readonly Pick<CsvRecord, 'cells'>[] {
  const widths = records.map(lastFilled).toSorted((one, other) => one - other);
  const width = widths[Math.floor(usualShare * (widths.length - 1))] ?? 0;
  return records.map(({ cells }) => ({ cells: toWidth(cells, width) }));
}

const toWidth = (cells: readonly string[], width: number): string[] =>
  cells.length >= width ? cells.slice(0, width) : [...cells, ...Array<string>(width - cells.length).fill('')];

async function* followedBy(
  first: SheetRecord[],
  rest: AsyncIterable<SheetRecord[]>,
  failure: unknown,
): AsyncGenerator<SheetRecord[]> {
  yield first;
  if (failure !== undefined) throw failure;
  yield* rest;
}

/** From the header on, every record is as wide as it: cells beside the table have no column. */
async function* withTexts(
  batches: AsyncIterable<SheetRecord[]>,
  headerLine: number,
  width: number,
): AsyncGenerator<CsvRecord[]> {
  for await (const batch of batches)
    yield batch.map((record) => {
      const isAbove = record.line < headerLine || record.fault !== undefined;
      const cells = isAbove ? record.cells : toWidth(record.cells, width);
      return { ...record, cells, text: recordText(cells, format) };
    });
}
