// Rows of an NDJSON file (JSON lines). Only one line is in memory at a time.
import { JoinedPieces } from '../http/joined-pieces.ts';
import { ImportError } from './import-error.ts';
import type { Row } from './mapping-rules.ts';
import type { JsonNumbers, SourceRow } from './source-row.ts';

/** A task includes its notes and history; no row of numbers is as long. */
export const longestLine = { numbers: 16 * 1024 * 1024, texts: 1024 * 1024 } as const;
const deepest = 100;
const newline = 0x0a;
const byteOrderMark = '\uFEFF';

export async function* ndjsonRows(
  file: string,
  bytes: AsyncIterable<Buffer>,
  numbers: JsonNumbers,
): AsyncGenerator<SourceRow> {
  let line = 0;
  let found = false;
  const longest = longestLine[numbers];
  for await (const content of linesOf(bytes, longest)) {
    line += 1;
    const row = readLine(content, line, numbers, longest);
    if (row.text.trim() === '' && row.fault === undefined) continue;
    found = true;
    yield row;
  }
  if (!found) throw new ImportError(`${file} has no rows`);
}

/** Lines without their end; null for a line over the limit. */
async function* linesOf(bytes: AsyncIterable<Buffer>, longest: number): AsyncGenerator<Buffer | null> {
  const pieces = new JoinedPieces(longest);
  let isTooLong = false;
  const take = (piece: Buffer) => {
    if (!isTooLong) isTooLong = !pieces.add(piece);
  };
  const finish = () => {
    const line = pieces.take();
    const whole = isTooLong ? null : line;
    isTooLong = false;
    return whole;
  };
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      take(chunk.subarray(start, end));
      yield finish();
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  if (pieces.length > 0 || isTooLong) yield finish();
}

/** `content`: null if it is over the limit. */
export function readLine(content: Buffer | null, line: number, numbers: JsonNumbers, longest: number): SourceRow {
  if (content === null) return { line, text: '', row: null, fault: `is longer than ${longest / 1024 / 1024} MB` };
  const loose = content.toString('utf8');
  const text = (line === 1 && loose.startsWith(byteOrderMark) ? loose.slice(1) : loose).trimEnd();
  if (!isUtf8(content)) return { line, text, row: null, fault: 'is not valid UTF-8' };
  if (text.trim() === '') return { line, text, row: null };
  if (isTooDeep(text)) return { line, text, row: null, fault: `nests more than ${deepest} levels` };
  try {
    const row = numbers === 'texts' ? parseExactJson(text) : (JSON.parse(text) as unknown);
    const isObject = typeof row === 'object' && row !== null && !Array.isArray(row);
    return isObject ? { line, text, row: row as Row } : { line, text, row: null, fault: 'isn’t a JSON object' };
  } catch (error) {
    return { line, text, row: null, fault: `isn’t JSON: ${(error as Error).message}` };
  }
}

/** Counted in the text, before the nested structure is built. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isString) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isString = false;
    } else if (sign === '"') isString = true;
    else if (sign === '{' || sign === '[') {
      depth += 1;
      if (depth > deepest) return true;
    } else if (sign === '}' || sign === ']') depth -= 1;
  }
  return false;
}

/** JSON whose numbers stay text, because a float would change some of them. */
export function parseExactJson(text: string): unknown {
  // TypeScript's types don't have the third argument yet.
  const keepDigits = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined ? context.source : value;
  return JSON.parse(text, keepDigits);
}

function isUtf8(content: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}
