// Opens the rows of an export of any size: CSV, JSON, NDJSON or Parquet, plain, gzip or in a zip, in any
// encoding, or a sheet of an Excel workbook.
import { open, readFile, stat } from 'node:fs/promises';
import { importLimits } from '#core/numbers/imports.ts';
import { withCells } from './correctable-rows.ts';
import { csvRows } from './csv-rows.ts';
import {
  decoded,
  detectEncoding,
  type Encoding,
  formatOf,
  isEncoding,
  recordsAboveHeader,
  sampled,
} from './file-format.ts';
import { find, isBlank, plainReading, type Reading } from './find-value.ts';
import { ImportError } from './import-error.ts';
import { jsonRows } from './json-list.ts';
import { longestLine, ndjsonRows } from './ndjson-rows.ts';
import { isParquetStart, openParquet, placedBytes, placedFile, placedParts } from './parquet-rows.ts';
import { openSheet } from './sheet-rows.ts';
import {
  type FillRule,
  firstRowRead,
  type RowSource,
  type SkippedLine,
  type SourceOptions,
  type SourceRow,
} from './source-row.ts';
import {
  allBytes,
  brokenFile,
  type OpenedFile,
  openBytes,
  orBroken,
  untilBroken,
  withinLimits,
} from './unpacked-bytes.ts';
import { isWorkbook } from './workbook.ts';
import { onlyFile, openZip, type ZipArchive } from './zip-members.ts';

// Fills the blank cells of some columns from the row before. Exports of orders leave them blank on an order's
// later lines.

/** Keeps the last known values of one order. A filled row's text has them too, for the report. */
async function* filledRows(
  { rows, format, columns }: Pick<RowSource, 'rows' | 'format' | 'columns'>,
  rule: FillRule,
  missing: readonly string[],
): AsyncGenerator<SourceRow> {
  const reading: Reading = { ...plainReading, missing: new Set(missing) };
  let order = '';
  let known = new Map<string, unknown>();
  for await (const source of rows) {
    const { row } = source;
    if (row === null) {
      yield source;
      continue;
    }
    const { value } = find(rule.by, row, reading);
    const own = isBlank(value) ? '' : String(value).trim();
    if (own === '' || own !== order) known = new Map();
    order = own;
    const filled: Record<string, unknown> = {};
    for (const column of rule.columns) {
      const found = find(column, row, reading).value;
      if (!isBlank(found)) known.set(column, found);
      else if (known.has(column)) filled[column] = known.get(column);
    }
    const isFilled = Object.keys(filled).length > 0;
    yield isFilled
      ? { ...source, row: { ...row, ...filled }, text: withCells(source.text, filled, { format, columns }) }
      : source;
  }
}

const sampleCharacters = 64 * 1024;

export async function openRows(file: string, options: SourceOptions = {}): Promise<RowSource> {
  const source = await openUnfilled(file, options);
  const { fill, missing = [] } = options;
  return fill ? { ...source, rows: filledRows(source, fill, missing) } : source;
}

async function openUnfilled(file: string, options: SourceOptions): Promise<RowSource> {
  const name = options.name ?? file;
  const size = await sizeOf(file, name);
  if (options.parts) return openParquet(placedParts(await readFile(file), options.parts), name, size);
  const start = await firstBytes(file, name);
  if (isOldOfficeStart(start)) throw new ImportError(await oldOfficeWords(file, name));
  if (isParquetStart(start)) {
    if (options.isSample) throw new ImportError(`${name} ${tooLarge}`);
    return openParquet(await placedFile(file), name, size);
  }
  if (isZipStart(start)) return openZipped(await openZip(file, name), name, size, options);
  const isGzip = isGzipStart(start);
  if (isGzip) {
    const unpacked = () => withinLimits(name, openBytes(file, true));
    if (isParquetStart(await startOfBytes(untilBroken(unpacked()))))
      return openPackedParquet(unpacked(), name, size, options);
  }
  // A file that says it is UTF-8 is: files of refused rows are, whatever the mapping says.
  const isMarked = start.subarray(0, 3).equals(utf8Mark);
  return openText({ name, size, isMarked, open: async () => openBytes(file, isGzip) }, options);
}

/** A text file, which is read several times. */
type TextFile = {
  readonly name: string;
  readonly size: number;
  /** It begins with the mark of UTF-8. */
  readonly isMarked: boolean;
  readonly open: () => Promise<OpenedFile>;
};

async function openText(file: TextFile, options: SourceOptions): Promise<RowSource> {
  const { name, size } = file;
  const encoding = await encodingOf(file, options.encoding);
  const start = await startOf(file, encoding.name);
  const format = formatOf(name, start, options, options.wanted);
  const opened = await file.open();
  const { bytesRead } = opened;
  const bytes = withinLimits(name, opened);
  const close = async () => void opened.stream.destroy();
  const about = { size, bytesRead, close, format, encoding: encoding.name, workbook: null, isParquet: false };
  if (format.kind === 'ndjson') {
    // JSON is UTF-8 by definition: an invalid byte costs its line and doesn't make the file windows-1252.
    const isOther = options.encoding !== undefined || encoding.name.startsWith('utf-16');
    const utf8 = isOther ? encoded(decoded(bytes, encoding.name)) : bytes;
    const { jsonNumbers: numbers = 'numbers', isSample = false } = options;
    const rows = format.isList ? jsonRows({ name, numbers, isSample }, utf8) : ndjsonRows(name, utf8, numbers);
    return { ...about, rows: orBroken(name, rows), columns: null, above: [] };
  }
  let columns: readonly string[] = [];
  let above: readonly SkippedLine[] = [];
  const onHeader = (header: readonly string[], skipped: readonly SkippedLine[]) => {
    [columns, above] = [header, skipped];
  };
  const place = { above: recordsAboveHeader(sampled(start, format), options.wanted), named: options.named };
  const all = csvRows(name, decoded(bytes, encoding.name), format, onHeader, place);
  const rows = orBroken(name, encoding.isClean ? all : withoutBrokenLetters(all));
  // The header is read with the first row: both are needed before the import starts.
  const read = await firstRowRead(rows).catch((error) => {
    opened.stream.destroy();
    throw error;
  });
  return { ...about, rows: read, columns, above };
}

async function openZipped(archive: ZipArchive, name: string, size: number, options: SourceOptions): Promise<RowSource> {
  try {
    if (isWorkbook(archive, name)) return await openSheet(archive, name, size, options);
    const member = onlyFile(archive, name);
    const open = () => member.open();
    const start = await startOfBytes(withinLimits(name, await open()));
    if (isOldOfficeStart(start)) throw new ImportError(`${name} has an old Excel file (.xls) in it. ${saveAs}`);
    if (isGzipStart(start)) throw new ImportError(`${name} has a gzip file in it. Unpack it first`);
    if (isParquetStart(start)) {
      const source = await openPackedParquet(withinLimits(name, await open()), name, size, options);
      archive.close();
      return source;
    }
    if (isZipStart(start))
      return await openInner(
        archive,
        name,
        await allBytes(withinLimits(name, await open()), importLimits.zipInnerFile),
        options,
      );
    const source = await openText({ name, size, isMarked: start.subarray(0, 3).equals(utf8Mark), open }, options);
    const close = async () => {
      await source.close();
      archive.close();
    };
    return { ...source, close };
  } catch (error) {
    archive.close();
    throw brokenFile(name, error as Error);
  }
}

const megabyte = 1024 ** 2;
const tooLarge = `is too large for a preview: its first rows take more than ${importLimits.partsSample / megabyte} MB. Make the mapping with a file of up to ${importLimits.wholeSample / megabyte} MB, then import this one by HTTP or npm run import`;

/** Parquet is read from several places at once, so it is unpacked first. */
async function openPackedParquet(
  bytes: AsyncIterable<Buffer>,
  name: string,
  size: number,
  { isSample }: SourceOptions,
): Promise<RowSource> {
  if (isSample)
    throw new ImportError(`${name} has a Parquet file in it that is too large for a preview. Unpack it first`);
  const content = await allBytes(orBroken(name, bytes), importLimits.zipInnerFile);
  if (content === null) throw new ImportError(`${name} has a large Parquet file in it. Unpack it first`);
  return openParquet(placedBytes(content), name, size);
}

/** A workbook in a zip. */
async function openInner(
  outer: ZipArchive,
  name: string,
  content: Buffer | null,
  options: SourceOptions,
): Promise<RowSource> {
  if (content === null) throw new ImportError(`${name} has a large workbook in it. Unpack it first`);
  outer.close();
  const archive = await openZip(content, name);
  if (isWorkbook(archive, name)) return openSheet(archive, name, content.length, options);
  throw new ImportError(`${name} has a zip archive in it. Unpack it first`);
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
/** How the first member starts, and the end of an empty archive. */
const zipStarts = ['504b0304', '504b0506'];
const isZipStart = (start: Buffer) => zipStarts.includes(start.toString('hex', 0, 4));
/** The container of .xls files, and of workbooks with a password. */
const isOldOfficeStart = (start: Buffer) => start.toString('hex', 0, 4) === 'd0cf11e0';

const saveAs = 'Save it as .xlsx or CSV';
const directoryBytes = 8 * 1024;

/** Says which of the two it is, by the names in the container's directory. */
async function oldOfficeWords(file: string, name: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(52), 0, 52, 0);
    const sector = 2 ** Math.min(buffer.readUInt16LE(30), 12);
    const at = (buffer.readUInt32LE(48) + 1) * sector;
    const directory = await handle.read(Buffer.alloc(directoryBytes), 0, directoryBytes, at);
    const isEncrypted = directory.buffer.includes(Buffer.from('EncryptedPackage', 'utf16le'));
    return isEncrypted
      ? `${name} is protected by a password. Save it without one, or as CSV`
      : `${name} is an old Excel file (.xls). ${saveAs}`;
  } finally {
    await handle.close();
  }
}

async function encodingOf({ name, isMarked, open }: TextFile, given: string | undefined): Promise<Encoding> {
  const detected = async () => detectEncoding(untilBroken(withinLimits(name, await open())));
  if (given === undefined || isMarked) return detected();
  if (!isEncoding(given))
    throw new ImportError(`Unknown encoding "${given}". Use utf-8, windows-1252, utf-16le or the like`);
  const known = new TextDecoder(given).encoding;
  if (known !== 'utf-8') return { name: known, isClean: false };
  const found = await detected();
  return { name: known, isClean: found.name === known && found.isClean };
}

async function startOfBytes(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  for await (const chunk of bytes) return chunk;
  return Buffer.alloc(0);
}

/** JSON that begins with a long line: whether another one follows tells what it is. */
async function startOf({ name, open }: TextFile, encoding: string): Promise<string> {
  let start = '';
  let isOneLine = true;
  for await (const piece of decoded(untilBroken(withinLimits(name, await open())), encoding)) {
    start += piece;
    isOneLine &&= start.startsWith('{') && !/[\r\n]/.test(piece.trimEnd());
    if (start.length >= (isOneLine ? longestLine.texts : sampleCharacters)) break;
  }
  return start.startsWith('{') ? start : start.slice(0, sampleCharacters);
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
