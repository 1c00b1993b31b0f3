// The rows of a workbook's sheet. They are read like those of a CSV file, and refused ones are written as CSV.

import { countWords } from '#core/base/formats.ts';
import { type CellFormat, dateCellText, numberCellText, unescaped } from './cell-texts.ts';
import { recordText } from './correctable-rows.ts';
import { type CsvRecord, longestRecord, mostColumns } from './csv-records.ts';
import { tableRows } from './csv-rows.ts';
import { headerNamed, lastFilled, recordsAboveHeader, recordsLookedAt } from './file-format.ts';
import { ImportError } from './import-error.ts';
import { SharedTexts } from './shared-texts.ts';
import { type FileFormat, firstRowRead, type RowSource, type SourceOptions } from './source-row.ts';
import { brokenFile, type OpenedFile, orBroken, withinLimits } from './unpacked-bytes.ts';
import { openWorkbook, sharedTexts, shortList, type Workbook } from './workbook.ts';
import { type Attributes, readXml } from './xml-reader.ts';
import type { ZipArchive } from './zip-members.ts';

// The rows of a workbook's sheet as records, like those of a CSV file. Only some rows are in memory at a time.

type SheetForm = {
  readonly texts: SharedTexts;
  readonly formats: readonly CellFormat[];
  readonly is1904: boolean;
  /** A sample's texts may be cut off: rows that lack one are left out. */
  readonly isSample: boolean;
};

/** A record's text is the caller's: it depends on the header's width. */
type SheetRecord = Omit<CsvRecord, 'text'>;

/** Blank rows are left out. Of merged cells, the first one has the value. */
async function* sheetRecords(
  name: string,
  bytes: AsyncIterable<Buffer>,
  form: SheetForm,
): AsyncGenerator<SheetRecord[]> {
  const sheet = new SheetReader(name, form);
  for await (const _ of readXml(name, bytes, sheet)) {
    const records = sheet.take();
    if (records.length > 0) yield records;
  }
}

/** `BC12` is column 54. Null if the cell doesn't say where it is. */
function columnOf(reference: string | undefined): number | null {
  let column = 0;
  for (const sign of reference ?? '') {
    const letter = sign.charCodeAt(0) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column === 0 ? null : column - 1;
}

class SheetReader {
  readonly #name: string;
  readonly #form: SheetForm;
  #records: SheetRecord[] = [];
  #isRows = false;
  #line = 0;
  #cells: string[] = [];
  #characters = 0;
  #fault: string | undefined;
  #isIncomplete = false;
  /** The current cell's column, attributes and text. */
  #column = -1;
  #cell: Attributes = {};
  #value = '';
  #isValue = false;
  #isPhonetic = false;

  constructor(name: string, form: SheetForm) {
    this.#name = name;
    this.#form = form;
  }

  take(): SheetRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  readonly open = (tag: string, attributes: Attributes): void => {
    if (tag === 'sheetData') this.#isRows = true;
    if (!this.#isRows) return;
    if (tag === 'c') {
      this.#column = columnOf(attributes.r) ?? this.#column + 1;
      this.#cell = attributes;
      this.#value = '';
    } else if (tag === 'v' || tag === 't') this.#isValue = !this.#isPhonetic;
    else if (tag === 'rPh') this.#isPhonetic = true;
    else if (tag === 'row') {
      const line = Number(attributes.r);
      this.#line = Number.isSafeInteger(line) && line > 0 ? line : this.#line + 1;
      [this.#cells, this.#column, this.#characters] = [[], -1, 0];
      [this.#fault, this.#isIncomplete] = [undefined, false];
    }
  };

  readonly text = (piece: string): void => {
    if (!this.#isValue || this.#fault !== undefined) return;
    this.#characters += piece.length;
    if (this.#characters > longestRecord) this.#fault = 'is longer than 1 MB';
    else this.#value += piece;
  };

  readonly close = (tag: string): void => {
    if (tag === 'v' || tag === 't') this.#isValue = false;
    else if (tag === 'rPh') this.#isPhonetic = false;
    else if (tag === 'c' && this.#isRows) this.#keep(this.#cellText());
    else if (tag === 'row') this.#finishRow();
    else if (tag === 'sheetData') this.#isRows = false;
  };

  #keep(text: string): void {
    if (text === '' || this.#fault !== undefined) return;
    if (this.#column >= mostColumns) {
      this.#fault = `has more than ${countWords(mostColumns)} columns`;
      return;
    }
    for (let at = this.#cells.length; at < this.#column; at += 1) this.#cells.push('');
    this.#cells[this.#column] = text;
  }

  #finishRow(): void {
    const [line, cells, fault] = [this.#line, this.#cells, this.#fault];
    if (fault !== undefined) this.#records.push({ line, cells: [], fault });
    else if (!this.#isIncomplete && cells.some((cell) => cell.trim() !== '')) this.#records.push({ line, cells });
  }

  #cellText(): string {
    const { t: type = 'n', s: style } = this.#cell;
    const value = this.#value;
    if (value === '') return '';
    if (type === 's') return this.#sharedText(value);
    if (type === 'b') return value.trim() === '1' ? 'TRUE' : 'FALSE';
    if (type !== 'n') return unescaped(value);
    const format = this.#form.formats[Number(style ?? 0)];
    return format === undefined || format.kind === 'number'
      ? numberCellText(value)
      : dateCellText(value, format, this.#form.is1904);
  }

  #sharedText(index: string): string {
    const text = this.#form.texts.get(Number(index));
    if (text !== undefined) return text;
    if (!this.#form.isSample)
      throw new ImportError(`${this.#name} is damaged: the text of a cell in row ${this.#line} is missing`);
    this.#isIncomplete = true;
    return '';
  }
}

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
  { sheet, wanted, named, isSample = false }: SourceOptions,
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
    return { ...about, ...(await tableOf(name, read(), workbook, { wanted, named })) };
  } catch (error) {
    await close();
    throw brokenFile(name, error as Error);
  }
}

async function tableOf(
  name: string,
  batches: AsyncGenerator<SheetRecord[]>,
  { sheet, sheets }: Workbook,
  { wanted = [], named }: Pick<SourceOptions, 'wanted' | 'named'>,
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
  const wantedAt = headerNamed(sample, wanted);
  const above = wantedAt === -1 ? recordsAboveHeader(asWideAsMost(sample)) : wantedAt;
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
  const rows = await firstRowRead(orBroken(name, tableRows(name, records, format, onHeader, { above, named })));
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
