// The file of refused rows: as the imported file, with the reason in front, to correct and import again.
import { csvMark, isFormula } from '#core/base/csv.ts';
import { CsvRecords } from './csv-records.ts';
import type { FileFormat } from './file-format.ts';
import type { Row } from './mapping-rules.ts';

/** The import ignores this column. It comes first: a refused row may have too few cells. */
export const reasonColumn = 'refused_because';

/** What the reason column says; `numbers` are the row's occurrence numbers, which a corrected row keeps. */
export const reasonText = (line: number, words: string, numbers: readonly number[]): string =>
  `Line ${line}${numbers.length > 0 ? ` (#${numbers.join(' #')})` : ''}: ${words}`;

/** The occurrence numbers of a corrected row; none for other rows. */
export function numbersBefore(row: Row): number[] {
  const [, numbers = ''] = /^Line \d+ \(#([\d #]+)\):/.exec(String(row[reasonColumn] ?? '')) ?? [];
  return numbers === '' ? [] : numbers.split(' #').map(Number);
}

export type FileShape = { readonly format: FileFormat; readonly columns: readonly string[] | null };
type CsvFormat = Extract<FileFormat, { kind: 'csv' }>;

/** Ends of lines and the byte order mark included. */
export function correctableHead({ format, columns }: FileShape): string {
  if (format.kind === 'ndjson' || columns === null) return '';
  return `${csvMark}${[reasonColumn, ...columns].map((cell) => quotedCell(cell, format)).join(format.delimiter)}\r\n`;
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
  return record.cells.map((cell) => quotedCell(isFormula(cell) ? `'${cell}` : cell, format)).join(format.delimiter);
}

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
