// Turns rows into a CSV file that is safe to open in a spreadsheet. Used by every export.

/** An amount that a number would round: only digits, a point and a sign, unlike typed text. */
export type ExactDecimal = { readonly decimal: string };

export type CsvCell = string | number | ExactDecimal | null;

/**
 * What a spreadsheet takes for a formula, also after blanks and in full width. Such a cell gets an
 * apostrophe: people type task titles, and `=HYPERLINK(...)` in one would run on the reader's machine.
 */
const formulaStart = /^[\s\u200B\uFEFF"']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;

/**
 * The same after a separator in a cell: with `;`, a tab or `|` as separator, `Weekly;=1+1` opens as two
 * cells, and quotes in the middle of a line don't help. Looking back keeps it linear: a run of blanks is
 * tried once.
 */
const beforeFormula =
  /(?:[,;|\u0085]|(?<![,;|\s\u0085\u200B\uFEFF"']))[\s\u200B\uFEFF"']*(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;
const separator = /\r\n|[,;|\t\r\n\v\f\u0085\u2028\u2029]/gu;

/** A separator and the apostrophe that a cell gets after it. */
const marked = /(\r\n|[,;|\t\r\n\v\f\u0085\u2028\u2029])'/gu;

const plainNumber = /^[+-]?\d[\d.,' ]*%?$/;

/** Whether a spreadsheet would run the text of a cell. */
export const isFormula = (text: string): boolean => formulaStart.test(text) && !plainNumber.test(text);

/** Numbers stay numbers; only texts can be formulas. */
function csvCell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return value.decimal;
  const within = value.replace(beforeFormula, (signs) => signs.replace(separator, "$&'"));
  const safe = formulaStart.test(value) ? `'${within}` : within;
  return /[",;|\r\n\t\v\f\u0085\u2028\u2029]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text that `csvCell` made safe, from a cell that may have come from an export. */
export function readCsvText(cell: string): string {
  const text = cell.startsWith("'") && formulaStart.test(cell.slice(1)) ? cell.slice(1) : cell;
  return text.replace(beforeFormula, (signs) => signs.replace(marked, '$1'));
}

/** Tells spreadsheets that the file is UTF-8. */
export const csvMark = '\uFEFF';

/** A line of the file (RFC 4180). */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** The text of the file, one line a row. */
export function csvText(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return `${csvMark}${[head, ...rows].map(csvLine).join('')}`;
}
