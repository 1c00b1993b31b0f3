// The file of refused rows: as the imported file, with the reason in front, to correct and import again.
import { hash } from 'node:crypto';
import { csvMark, isFormula } from '#core/base/csv.ts';
import { CsvRecords } from './csv-records.ts';
import type { Fault } from './import-error.ts';
import type { Row } from './mapping-rules.ts';
import type { FileFormat } from './source-row.ts';

/** No field comes from this column. It comes first: a refused row may have too few cells. */
export const reasonColumn = 'refused_because';

/**
 * What a corrected row keeps. Numbers count within a file: counted again, a corrected row would have the
 * number of a row that was imported, and be lost or replace it. So it keeps the id that it was refused with,
 * even if a column of the id was corrected: no imported row has that id, and importing it again finds it.
 */
export type KeptIdentity = {
  /** Occurrence numbers. */
  readonly numbers: readonly number[];
  /** The id, if it has a number; otherwise null. */
  readonly id: string | null;
};

export const noIdentity: KeptIdentity = { numbers: [], id: null };

/** What the reason column says. */
export function reasonText(line: number, words: string, { numbers, id }: KeptIdentity): string {
  const counted = numbers.length > 0 ? [`#${numbers.join(' #')}`] : [];
  const repeated = textIn(words.split(repeatWords)[1] ?? '');
  const kept = [
    ...counted,
    ...(id === null ? [] : [`id ${JSON.stringify(id)}`]),
    ...(repeated === null ? [] : [`repeats ${lettersOf(repeated)}`]),
  ].join(', ');
  return `Line ${line}${kept && ` (${kept})`}: ${words}`;
}

/**
 * Stands for an id that was repeated. Replacing the id in the whole file leaves these letters unchanged, so a
 * corrected row still shows that its id is another one.
 */
const lettersOf = (id: string): string =>
  hash('sha256', id)
    .slice(0, 16)
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!);

const keptPattern = /^Line \d+ \((?:#([\d #]+))?(?:, )?(?:id ("(?:[^"\\]|\\.)*"))?(?:(?:, )?repeats [a-p]{16})?\): /;
const repeatPattern = /^[^:]*\brepeats ([a-p]{16})\)/;

/** What a corrected row keeps; nothing for other rows. */
export function identityBefore(row: Row): KeptIdentity {
  const [, numbers, id] = keptPattern.exec(String(row[reasonColumn] ?? '')) ?? [];
  return { numbers: numbers?.split(' #').map(Number) ?? [], id: id === undefined ? null : textIn(id) };
}

/** The text of a JSON string; null if it isn't one, because someone edited it. */
export function textIn(quoted: string): string | null {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}

/**
 * Refuses a row with the id of an earlier one; no line if that is in the file it was corrected from. A copy
 * has everything else in common with it too.
 */
export const repeatedId = (column: string, id: string, line: number | null, isCopy = false): Fault => ({
  column: isCopy ? '' : column,
  reason: `${isCopy ? 'Exact copy: ' : ''}has the ID of ${line === null ? 'another row' : `line ${line}`}: ${JSON.stringify(id)}`,
});

const repeatWords = /has the I[Dd] of (?:line \d+|another row): /;
export const isRepeatedId = ({ reason }: Fault): boolean => repeatWords.test(reason);

/** Whether the row was refused for repeating the id that it still has: it would replace the other row. */
export function stillRepeats(row: Row, id: string): boolean {
  const reason = String(row[reasonColumn] ?? '');
  const [, letters] = repeatPattern.exec(reason) ?? [];
  if (letters !== undefined) return letters === lettersOf(id);
  return repeatWords.test(reason) && reason.endsWith(`: ${JSON.stringify(id)}`);
}

export type FileShape = { readonly format: FileFormat; readonly columns: readonly string[] | null };
type CsvFormat = Extract<FileFormat, { kind: 'csv' }>;

/** Ends of lines and the byte order mark included. */
export function correctableHead({ format, columns }: FileShape): string {
  if (format.kind === 'ndjson' || columns === null) return '';
  return `${csvMark}${recordText([reasonColumn, ...columns], format)}\r\n`;
}

export function correctableRow(format: FileFormat, text: string, reason: string): string {
  if (format.kind === 'ndjson') return `${jsonWithReason(text, reason)}\n`;
  return `${quotedCell(reason, format)}${format.delimiter}${safeCells(text, format)}\r\n`;
}

/** Other systems' rows: no cell runs as a formula in the reader's spreadsheet. `withoutMark` undoes it. */
function safeCells(text: string, format: CsvFormat): string {
  const [record, ...more] = new CsvRecords(format).take(text, true);
  // It can't be split into cells, which is why it was refused.
  if (!record || record.fault !== undefined || more.length > 0) return isFormula(text) ? `'${text}` : text;
  return recordText(
    record.cells.map((cell) => (isFormula(cell) ? `'${cell}` : cell)),
    format,
  );
}

/** The row's text with other values in some columns. */
export function withCells(text: string, values: Row, { format, columns }: FileShape): string {
  // If a name comes twice in JSON, the last one counts.
  if (format.kind === 'ndjson') return text.replace(/\}\s*$/, () => `,${JSON.stringify(values).slice(1)}`);
  const [record] = new CsvRecords(format).take(text, true);
  const cells = [...(record?.cells ?? [])];
  for (const [column, value] of Object.entries(values)) cells[columns?.indexOf(column) ?? -1] = String(value);
  return recordText(cells, format);
}

/** The record's text, without its end of line. */
export const recordText = (cells: readonly string[], format: CsvFormat): string =>
  cells.map((cell) => quotedCell(cell, format)).join(format.delimiter);

function quotedCell(cell: string, { delimiter, quote }: CsvFormat): string {
  const isPlain = !cell.includes(delimiter) && !cell.includes(quote) && !/[\r\n]|^\s|\s$/.test(cell);
  return isPlain ? cell : `${quote}${cell.replaceAll(quote, quote + quote)}${quote}`;
}

/** A cell of a corrected file without the mark that keeps it from being a formula. */
export const withoutMark = (cell: string): string =>
  cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell;

/** The text of a row of a corrected file, without its reason. */
export function withoutReason(text: string, { delimiter, quote }: Pick<CsvFormat, 'delimiter' | 'quote'>): string {
  const [d, q] = [`\\${delimiter}`, quote];
  return text.replace(new RegExp(`^\\s*(?:${q}(?:[^${q}]|${q}${q})*${q}|[^${d}]*)(?:${d}|$)`), '');
}

const earlierReason = new RegExp(`^\\{"${reasonColumn}":"(?:[^"\\\\]|\\\\.)*",?`);

function jsonWithReason(text: string, reason: string): string {
  const row = text.trim().replace(earlierReason, '{');
  const field = `"${reasonColumn}":${JSON.stringify(reason)}`;
  if (!row.startsWith('{')) return `{${field},"text":${JSON.stringify(row)}}`;
  const rest = row.slice(1);
  return rest.trim() === '}' ? `{${field}}` : `{${field},${rest}`;
}
