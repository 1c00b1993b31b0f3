// Detects a text file's encoding, format (NDJSON or CSV), delimiter and quote.
import { type CsvForm, CsvRecords } from './csv-records.ts';
import { ImportError } from './import-error.ts';

export type Encoding = {
  /** A label of the WHATWG encoding standard. */
  readonly name: string;
  /** False if some bytes are invalid in it; they come as U+FFFD. */
  readonly isClean: boolean;
};

export type FileFormat = { readonly kind: 'ndjson' } | ({ readonly kind: 'csv' } & CsvForm);

/** What the person specified; the rest is detected. */
export type GivenFormat = {
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly quote?: string | undefined;
};

export const delimiters = [',', ';', '\t', '|'] as const;
const replacement = /\uFFFD/g;
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
  for await (const chunk of bytes) {
    const marked = start === undefined ? markedEncoding(chunk) : null;
    if (marked !== null) return { name: marked, isClean: true };
    start ??= chunk;
    const text = decoder.decode(chunk, { stream: true });
    broken += text.match(replacement)?.length ?? 0;
    letters += text.match(beyondAscii)?.length ?? 0;
  }
  broken += decoder.decode().length;
  if (broken === 0) return { name: 'utf-8', isClean: true };
  const isMarked = start?.subarray(0, 3).equals(utf8Mark);
  return broken > letters && !isMarked ? { name: 'windows-1252', isClean: true } : { name: 'utf-8', isClean: false };
}

/** UTF-16 by its mark, or by the zero bytes in every other place of western text. */
function markedEncoding(start: Buffer): string | null {
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

/** Detects the format from the start of the file. */
export function formatOf(file: string, start: string, given: GivenFormat): FileFormat {
  const text = start.trimStart();
  if (given.delimiter === undefined && text.startsWith('{')) return { kind: 'ndjson' };
  if (text.startsWith('PK\u0003\u0004'))
    throw new ImportError(
      `${file} is not the kind of file that is wanted. It looks like a zip archive or a workbook: unpack it, or save the sheet as CSV. Wanted is CSV or JSON lines (NDJSON), plain or gzip`,
    );
  if (/^\[\s*[{[]/.test(text))
    throw new ImportError(
      `${file} is not the kind of file that is wanted. It looks like a JSON list. Wanted is JSON lines (NDJSON) or CSV, plain or gzip`,
    );
  const quote = given.quote ?? (isQuotedWith("'", text) && !isQuotedWith('"', text) ? "'" : '"');
  return { kind: 'csv', quote, delimiter: given.delimiter ?? announcedDelimiter(text) ?? likelyDelimiter(text, quote) };
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

const recordsLookedAt = 50;

/** The delimiter that splits most records into as many cells as the header. */
function likelyDelimiter(text: string, quote: string): string {
  const scores = delimiters.map((delimiter) => {
    const records = [...new CsvRecords({ delimiter, quote }).take(text, true)].slice(0, recordsLookedAt);
    const [header, ...rows] = records.length > 2 ? records.slice(0, -1) : records;
    const width = header?.cells.length ?? 0;
    if (width < 2) return { delimiter, score: 0 };
    const even = rows.filter(({ cells }) => cells.length === width).length;
    return { delimiter, score: (rows.length === 0 ? 1 : (even + 0.1) / rows.length) * 1_000 + width };
  });
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one));
  return best.delimiter;
}
