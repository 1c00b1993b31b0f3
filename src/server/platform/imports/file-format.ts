// Detects a text file's encoding, format (JSON, NDJSON or CSV), delimiter and quote.
import { type CsvForm, type CsvRecord, CsvRecords } from './csv-records.ts';
import { ImportError } from './import-error.ts';
import { isJsonObject } from './json-list.ts';
import type { FileFormat, GivenFormat } from './source-row.ts';

export type Encoding = {
  /** A label of the WHATWG encoding standard. */
  readonly name: string;
  /** False if some bytes are invalid in it; they come as U+FFFD. */
  readonly isClean: boolean;
};

export const delimiters = [',', ';', '\t', '|'] as const;
const replacement = /\uFFFD/g;
const replacementBytes = Buffer.from('\uFFFD');
const utf8Mark = Buffer.from('\uFEFF');
const beyondAscii = /[^\0-\x7F\uFFFD]/g;

/** Whether TextDecoder knows the encoding. */
export function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name) !== null;
  } catch {
    return false;
  }
}

/**
 * Reads all the bytes once, because the first accented letter may be in the last line. UTF-8 with a few
 * broken bytes stays UTF-8: the damaged rows are reported and the others keep their letters.
 */
export async function detectEncoding(bytes: AsyncIterable<Buffer>): Promise<Encoding> {
  const decoder = new TextDecoder('utf-8');
  let start: Buffer | undefined;
  let [broken, letters] = [0, 0];
  let before: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const marked = start === undefined ? markedEncoding(chunk) : null;
    if (marked !== null) return { name: marked, isClean: true };
    start ??= chunk;
    const text = decoder.decode(chunk, { stream: true });
    const replaced = text.match(replacement)?.length ?? 0;
    // Those that the file itself has are text.
    broken += replaced && replaced - writtenIn(Buffer.concat([before, chunk]));
    // One has three bytes, so two can't hold one that was counted.
    before = chunk.subarray(-2);
    letters += text.match(beyondAscii)?.length ?? 0;
  }
  broken += decoder.decode().length;
  if (broken === 0) return { name: 'utf-8', isClean: true };
  const isMarked = start?.subarray(0, 3).equals(utf8Mark);
  return broken > letters && !isMarked ? { name: 'windows-1252', isClean: true } : { name: 'utf-8', isClean: false };
}

function writtenIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(replacementBytes); at >= 0; at = bytes.indexOf(replacementBytes, at + 3)) count += 1;
  return count;
}

/** UTF-16 by its mark, or by the zero bytes in every other place of western text. */
export function markedEncoding(start: Buffer): string | null {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  const sample = start.subarray(0, 1_000);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2]! += 1;
  const most = sample.length / 4;
  if (zeros[1]! > most && zeros[0]! < most / 4) return 'utf-16le';
  if (zeros[0]! > most && zeros[1]! < most / 4) return 'utf-16be';
  return null;
}

/** Decoded text without the byte order mark. */
export async function* decoded(bytes: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

/** Lists of other values, `[1,2]`, may be the first line of a CSV file. */
const listStart = /^\[\s*(?:[{[]|\]\s*$)/;

/** Detects the format from the start of the file. `wanted`: columns of the mapping. */
export function formatOf(file: string, start: string, given: GivenFormat, wanted: readonly string[] = []): FileFormat {
  const text = start.trimStart();
  if (given.delimiter === undefined && text.startsWith('{'))
    return { kind: 'ndjson', isList: isJsonObject(text, wanted) };
  if (text.startsWith('PK\u0003\u0004')) throw new ImportError(`${file} is a zip archive inside gzip. Use one of them`);
  if (listStart.test(text)) return { kind: 'ndjson', isList: true };
  const delimiter = given.delimiter ?? announcedDelimiter(text);
  const formWith = (quote: string) => ({ quote, delimiter: delimiter ?? likelyDelimiter(text, quote) });
  return { kind: 'csv', ...formWith(given.quote ?? likelyQuote(text, formWith)) };
}

/** Single quotes if they are around every name of the header, or if only they give most rows one width. */
function likelyQuote(text: string, formWith: (quote: string) => CsvForm): string {
  if (isQuotedWith("'", text) && !isQuotedWith('"', text)) return "'";
  // Rows that the quote breaks count too.
  const evenness = (quote: string) => usualWidth(firstRecords(text, formWith(quote))).share;
  return text.includes("'") && evenness("'") > evenness('"') ? "'" : '"';
}

/** Spreadsheets write `sep=;` above the header. */
export const delimiterLine = /^sep=([,;|\t])\s*$/i;

function announcedDelimiter(text: string): string | null {
  return delimiterLine.exec(text.split(/\r?\n|\r/, 1)[0]!)?.[1] ?? null;
}

/** Whether every header cell is in these quotes. */
function isQuotedWith(quote: string, text: string): boolean {
  const header = text.split(/\r?\n|\r/, 1)[0]!.trim();
  return header.split(/[,;\t|]/).every((cell) => cell.length > 1 && cell.startsWith(quote) && cell.endsWith(quote));
}

export const recordsLookedAt = 50;

type Cells = Pick<CsvRecord, 'cells'>;
type Sampled = readonly Cells[];

function firstRecords(text: string, form: CsvForm): readonly CsvRecord[] {
  const records = [...new CsvRecords(form).take(text, true)].slice(0, recordsLookedAt + 1);
  return records.length > 2 ? records.slice(0, -1) : records;
}

/** The first whole records of a text that may be cut anywhere. */
export function sampled(text: string, form: CsvForm): readonly CsvRecord[] {
  return firstRecords(text, form).filter(
    (record) => !delimiterLine.test(record.text) && record.cells.some((cell) => cell.trim() !== ''),
  );
}

/** The number of cells that most records have, the larger of equals, and the share of records with it. */
function usualWidth(records: Sampled): { width: number; share: number } {
  const found = new Map<number, number>();
  for (const { cells } of records) found.set(cells.length, (found.get(cells.length) ?? 0) + 1);
  const [width, count] = [...found].reduce(
    (one, other) => (other[1] > one[1] || (other[1] === one[1] && other[0] > one[0]) ? other : one),
    [0, 0],
  );
  return { width, share: records.length === 0 ? 0 : count / records.length };
}

const decimalComma = /^-?[\d.]*\d,\d+\s*[^\d\s]?$/;

/**
 * The delimiter that splits most lines into equally many cells. Lines above the header count too: otherwise
 * the commas of decimals would split a file with semicolons more evenly than its semicolons do.
 */
function likelyDelimiter(text: string, quote: string): string {
  const scores = delimiters.map((delimiter) => {
    const records = sampled(text, { delimiter, quote });
    const { width, share } = usualWidth(records);
    if (width < 2) return { delimiter, score: 0 };
    const isDecimal = delimiter !== ',' && records.some(({ cells }) => cells.some((cell) => decimalComma.test(cell)));
    // Where the cells are decimals with commas, the comma is no delimiter.
    return { delimiter, score: (isDecimal && share >= 0.5 ? 2 : share) * 1_000 + width };
  });
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one));
  return best.delimiter;
}

export const lastFilled = ({ cells }: Cells): number => cells.findLastIndex((cell) => cell.trim() !== '') + 1;

/** Without the columns at the end that are blank in all usual records: the header may lack their delimiter. */
function withoutBlankEnd(records: Sampled): Sampled {
  const { width } = usualWidth(records);
  const filled = Math.max(...records.filter(({ cells }) => cells.length === width).map(lastFilled));
  return records.map((record) =>
    record.cells.length === width ? { ...record, cells: record.cells.slice(0, filled) } : record,
  );
}

/** A header has most of its cells filled; a title may be padded to the width of the rows. */
const filledShare = 0.6;

/** Exports of one system can differ in no-break and doubled blanks. */
const withPlainBlanks = (name: string): string => name.trim().replace(/\s+/g, ' ');

/** The names, but as the mapping writes those that differ from its names only in blanks. */
export function asNamed(columns: readonly string[], named: readonly string[]): readonly string[] {
  if (named.every((name) => columns.includes(name))) return columns;
  const plain = columns.map(withPlainBlanks);
  const isOnly = (name: string) => plain.indexOf(name) === plain.lastIndexOf(name);
  const written = new Map(named.map((name) => [withPlainBlanks(name), name]));
  return columns.map((column, at) =>
    named.includes(column) || !isOnly(plain[at]!) ? column : (written.get(plain[at]!) ?? column),
  );
}

/** Where the record with all these columns is; -1 if there is none. */
export function headerNamed(records: Sampled, wanted: readonly string[]): number {
  const has = (cells: readonly string[]) => {
    const names = cells.map(withPlainBlanks);
    return wanted.every((column) => names.includes(withPlainBlanks(column)));
  };
  return wanted.length === 0 ? -1 : records.findIndex(({ cells }) => has(cells));
}

/**
 * How many records stand above the header: a title, notes. The header has all wanted columns, or else it is
 * the first record as wide as most, if the first one of all is narrower.
 */
export function recordsAboveHeader(sample: Sampled, wanted: readonly string[] = []): number {
  const records = withoutBlankEnd(sample);
  const named = headerNamed(records, wanted);
  if (named !== -1) return named;
  const { width, share } = usualWidth(records);
  const isFilled = ({ cells }: Cells) =>
    cells.filter((cell) => cell.trim() !== '').length >= Math.max(2, filledShare * width);
  const [first] = records;
  if (!first || width < 2 || share <= 0.5 || first.cells.length > width) return 0;
  if (first.cells.length === width && isFilled(first)) return 0;
  return Math.max(
    0,
    records.findIndex((record) => record.cells.length === width && isFilled(record)),
  );
}
