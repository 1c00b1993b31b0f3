// The rows of a workbook's sheet as records, like those of a CSV file. Only some rows are in memory at a time.
import { countWords } from '#core/base/formats.ts';
import { type CellFormat, dateCellText, numberCellText, unescaped } from './cell-texts.ts';
import { type CsvRecord, longestRecord, mostColumns } from './csv-records.ts';
import { ImportError } from './import-error.ts';
import type { SharedTexts } from './shared-texts.ts';
import { type Attributes, readXml } from './xml-reader.ts';

type SheetForm = {
  readonly texts: SharedTexts;
  readonly formats: readonly CellFormat[];
  readonly is1904: boolean;
  /** A sample's texts may be cut off: rows that lack one are left out. */
  readonly isSample: boolean;
};

/** A record's text is the caller's: it depends on the header's width. */
export type SheetRecord = Omit<CsvRecord, 'text'>;

/** Blank rows are left out. Of merged cells, the first one has the value. */
export async function* sheetRecords(
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
