// Streams the rows of an export of any size: CSV or NDJSON, plain or gzip, in any encoding.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { csvRows, type SkippedLine } from './csv-rows.ts';
import {
  decoded,
  detectEncoding,
  type Encoding,
  type FileFormat,
  formatOf,
  type GivenFormat,
  isEncoding,
  recordsAboveHeader,
} from './file-format.ts';
import { ImportError } from './import-error.ts';
import { type JsonNumbers, ndjsonRows } from './ndjson-rows.ts';
import type { SourceRow } from './source-row.ts';

export type RowSource = {
  readonly rows: AsyncIterable<SourceRow>;
  readonly format: FileFormat;
  readonly encoding: string;
  /** The columns of a CSV file; null when every row names its own. */
  readonly columns: readonly string[] | null;
  /** Lines above the header: a title, notes. */
  readonly above: readonly SkippedLine[];
  readonly size: number;
  /** Bytes of the file read so far. */
  readonly bytesRead: () => number;
  /** Closes the file, even before its rows were read to the end. */
  readonly close: () => Promise<void>;
};

export type SourceOptions = GivenFormat & {
  readonly jsonNumbers?: JsonNumbers;
  /** The file's name for people; its path by default. */
  readonly name?: string | undefined;
  /** Columns of a CSV file's header, which need not be its first line. */
  readonly wanted?: readonly string[] | undefined;
};

const sampleCharacters = 64 * 1024;
/** Limits of unpacked files: a larger size or ratio is an attack on memory and time. */
const unpackedLimits = { bytes: 8 * 1024 ** 3, ratio: 200, ratioCountsFrom: 10 * 1024 ** 2 } as const;

export async function openRows(file: string, options: SourceOptions = {}): Promise<RowSource> {
  const name = options.name ?? file;
  const size = await sizeOf(file, name);
  const isGzip = isGzipStart(await firstBytes(file, name));
  const encoding = await encodingOf(file, isGzip, options.encoding);
  const start = await startOf(file, isGzip, encoding.name);
  const format = formatOf(name, start, options);
  const opened = openBytes(file, isGzip);
  const { bytesRead } = opened;
  const bytes = withinLimits(name, opened);
  const close = async () => void opened.stream.destroy();
  const about = { size, bytesRead, close, format, encoding: encoding.name };
  if (format.kind === 'ndjson') {
    // JSON is UTF-8 by definition: an invalid byte costs its line and doesn't make the file windows-1252.
    const isOther = options.encoding !== undefined || encoding.name.startsWith('utf-16');
    const utf8 = isOther ? encoded(decoded(bytes, encoding.name)) : bytes;
    const rows = orBroken(name, ndjsonRows(name, utf8, options.jsonNumbers ?? 'numbers'));
    return { ...about, rows, columns: null, above: [] };
  }
  let columns: readonly string[] = [];
  let above: readonly SkippedLine[] = [];
  const onHeader = (header: readonly string[], skipped: readonly SkippedLine[]) => {
    [columns, above] = [header, skipped];
  };
  const recordsAbove = recordsAboveHeader(start, format, options.wanted);
  const all = csvRows(name, decoded(bytes, encoding.name), format, onHeader, recordsAbove);
  const rows = orBroken(name, encoding.isClean ? all : withoutBrokenLetters(all));
  // The header is read with the first row: both are needed before the import starts.
  const iterator = rows[Symbol.asyncIterator]();
  const first = await iterator.next().catch((error) => {
    opened.stream.destroy();
    throw error;
  });
  return { ...about, rows: from(first, iterator), columns, above };
}

async function* from(
  first: IteratorResult<SourceRow>,
  rest: AsyncIterator<SourceRow> & AsyncIterable<SourceRow>,
): AsyncGenerator<SourceRow> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

async function sizeOf(file: string, name: string): Promise<number> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new ImportError(
      error.code === 'ENOENT' ? `File not found: ${name}` : `${name} cannot be read: ${error.message}`,
    );
  });
  if (!found.isFile()) throw new ImportError(`${name} is not a file`);
  if (found.size === 0) throw new ImportError(`${name} is empty`);
  return found.size;
}

async function firstBytes(file: string, name: string): Promise<Buffer> {
  const handle = await open(file).catch((error: Error) => {
    throw new ImportError(`${name} cannot be read: ${error.message}`);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const utf8Mark = Buffer.from('\uFEFF');
const isGzipStart = (start: Buffer) => start[0] === 0x1f && start[1] === 0x8b;

type OpenedFile = { readonly stream: Readable; readonly bytesRead: () => number };

function openBytes(file: string, isGzip: boolean): OpenedFile {
  const input = createReadStream(file);
  // The first of the two to end destroys the other; the reader gets the error.
  const stream = isGzip ? pipeline(input, createGunzip(), () => {}) : input;
  return { stream, bytesRead: () => input.bytesRead };
}

async function* withinLimits(name: string, { stream, bytesRead }: OpenedFile): AsyncGenerator<Buffer> {
  const { bytes, ratio, ratioCountsFrom } = unpackedLimits;
  let unpacked = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    unpacked += chunk.length;
    if (unpacked > bytes || (unpacked > ratioCountsFrom && unpacked > ratio * bytesRead()))
      throw new ImportError(
        `${name} unpacks to more than ${ratio} times its size, or to more than ${bytes / 1024 ** 3} GB. What came before is kept`,
      );
    yield chunk;
  }
}

async function encodingOf(file: string, isGzip: boolean, given: string | undefined): Promise<Encoding> {
  // A file that says it is UTF-8 is: files of refused rows are, whatever the mapping says.
  const isMarked = !isGzip && (await firstBytes(file, file)).subarray(0, 3).equals(utf8Mark);
  if (given !== undefined && !isMarked) {
    if (!isEncoding(given))
      throw new ImportError(`Unknown encoding "${given}". Use utf-8, windows-1252, utf-16le or the like`);
    return { name: new TextDecoder(given).encoding, isClean: false };
  }
  return detectEncoding(untilBroken(withinLimits(file, openBytes(file, isGzip))));
}

/** Imports the data before the damage in a broken file, and reports the damage. */
async function* untilBroken(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch {}
}

async function startOf(file: string, isGzip: boolean, encoding: string): Promise<string> {
  let start = '';
  for await (const piece of decoded(untilBroken(withinLimits(file, openBytes(file, isGzip))), encoding)) {
    start += piece;
    if (start.length >= sampleCharacters) break;
  }
  return start.slice(0, sampleCharacters);
}

async function* encoded(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece);
}

/** A row with invalid bytes would be stored with holes in its names. */
async function* withoutBrokenLetters(rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow> {
  for await (const row of rows)
    yield row.text.includes('\uFFFD')
      ? { ...row, row: null, fault: 'has bytes that aren’t text in its encoding' }
      : row;
}

async function* orBroken(file: string, rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow> {
  try {
    yield* rows;
  } catch (error) {
    throw brokenFile(file, error as NodeJS.ErrnoException);
  }
}

function brokenFile(file: string, error: NodeJS.ErrnoException): Error {
  if (error.code === 'Z_BUF_ERROR')
    return new ImportError(`${file} is cut off: its gzip data ends in the middle. What came before it is kept`);
  if (error.code?.startsWith('Z_'))
    return new ImportError(
      `${file} is damaged: its gzip data cannot be read on (${error.message}). What came before it is kept`,
    );
  return error.code ? new ImportError(`${file} cannot be read: ${error.message}`) : error;
}
