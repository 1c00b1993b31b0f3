// The rows of an export, line by line: NDJSON, plain or gzip, whatever its size. Only one line is held at a time.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { ImportError } from './import-error.ts';
import type { Row } from './mapping-rules.ts';

export type SourceRow = {
  readonly line: number;
  /** The line as it stands, for the report. */
  readonly text: string;
  readonly row: Row | null;
  /** Why there is no row. */
  readonly fault?: string;
};

export type RowSource = {
  readonly rows: AsyncIterable<SourceRow>;
  readonly size: number;
  /** Bytes of the file that were read so far. */
  readonly bytesRead: () => number;
};

const longestLine = 16 * 1024 * 1024;
const newline = 0x0a;
const byteOrderMark = '\uFEFF';

export async function openRows(file: string): Promise<RowSource> {
  const size = await sizeOf(file);
  const isGzip = isGzipStart(await firstBytes(file));
  const input = createReadStream(file);
  const bytes = isGzip ? input.pipe(createGunzip()) : input;
  // The pipe does not pass on why reading failed.
  if (isGzip) input.on('error', (error) => bytes.destroy(error));
  return { rows: rowsOf(file, bytes), size, bytesRead: () => input.bytesRead };
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new ImportError(
      error.code === 'ENOENT' ? `There is no file ${file}` : `${file} cannot be read: ${error.message}`,
    );
  });
  if (!found.isFile()) throw new ImportError(`${file} is not a file`);
  if (found.size === 0) throw new ImportError(`${file} is empty`);
  return found.size;
}

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file).catch((error: Error) => {
    throw new ImportError(`${file} cannot be read: ${error.message}`);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const isGzipStart = (start: Buffer) => start[0] === 0x1f && start[1] === 0x8b;

async function* rowsOf(file: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<SourceRow> {
  let line = 0;
  let found = false;
  for await (const content of linesOf(file, bytes)) {
    line += 1;
    const row = readLine(content, line);
    if (row.text.trim() === '' && row.fault === undefined) continue;
    if (!found) mustLookLikeRows(file, row.text);
    found = true;
    yield row;
  }
  if (!found) throw new ImportError(`${file} holds no rows`);
}

/** Lines without their end; one longer than the limit comes as null. A file cut off in the middle is an error. */
async function* linesOf(file: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer) => {
    length += part.length;
    if (length <= longestLine) parts.push(part);
    else parts = [];
  };
  const finish = () => {
    const whole = length <= longestLine ? Buffer.concat(parts) : null;
    parts = [];
    length = 0;
    return whole;
  };
  try {
    for await (const chunk of bytes) {
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        take(chunk.subarray(start, end));
        yield finish();
        start = end + 1;
      }
      take(chunk.subarray(start));
    }
  } catch (error) {
    throw brokenFile(file, error as NodeJS.ErrnoException);
  }
  if (length > 0) yield finish();
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

function readLine(content: Buffer | null, line: number): SourceRow {
  if (content === null) return { line, text: '', row: null, fault: `is longer than ${longestLine / 1024 / 1024} MB` };
  const loose = content.toString('utf8');
  const text = (line === 1 && loose.startsWith(byteOrderMark) ? loose.slice(1) : loose).trimEnd();
  if (!isUtf8(content)) return { line, text, row: null, fault: 'is not valid UTF-8' };
  if (text.trim() === '') return { line, text, row: null };
  try {
    const row: unknown = JSON.parse(text);
    const isObject = typeof row === 'object' && row !== null && !Array.isArray(row);
    return isObject ? { line, text, row: row as Row } : { line, text, row: null, fault: 'is no JSON object' };
  } catch (error) {
    return { line, text, row: null, fault: `is no JSON: ${(error as Error).message}` };
  }
}

function isUtf8(content: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}

/** The first line tells a file of another kind, before every line of it is reported. */
function mustLookLikeRows(file: string, text: string): void {
  if (text.startsWith('{')) return;
  const kind = text.startsWith('[')
    ? 'a JSON list'
    : text.startsWith('PK')
      ? 'a zip archive'
      : text.includes(',') || text.includes(';')
        ? 'CSV'
        : 'something else';
  throw new ImportError(
    `${file} is not the kind of file that is wanted: one JSON object a line (NDJSON), plain or gzip. It looks like ${kind}`,
  );
}
