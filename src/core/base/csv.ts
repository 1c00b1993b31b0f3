// Decides how rows become a CSV file that a spreadsheet opens without running anything in it.
// Asked by every export, of a page and of the server.

/** An amount that a number would round: only digits, a point and a sign, so it is none of the texts that people type. */
export type ExactDecimal = { readonly decimal: string };

export type CsvCell = string | number | ExactDecimal | null;

/**
 * What a spreadsheet takes for the start of a formula, also behind blanks and in full width. A cell that begins so gets an
 * apostrophe: the name of a task is typed by people, and `=HYPERLINK(...)` in it would run at whoever opens the file.
 */
const formulaStart = /^[\s\u200B\uFEFF"']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;

/**
 * The same behind a separator within a cell: where `;`, a tab or `|` separates, `Weekly;=1+1` opens as two cells, and quotes in the
 * middle of a line hold nothing together.
 */
const formulaWithin =
  /(\r\n|[,;|\t\r\n\v\f\u0085\u2028\u2029])(?=[\s\u200B\uFEFF"']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/** Numbers are given as numbers and stay such; only texts can be formulas. */
function csvCell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return value.decimal;
  const within = value.replace(formulaWithin, "$1'");
  const safe = formulaStart.test(value) ? `'${within}` : within;
  return /[",;|\r\n\t\v\f\u0085\u2028\u2029]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Stands before the first line and tells spreadsheets that the file is UTF-8. */
export const csvMark = '\uFEFF';

/** A line of the file (RFC 4180). */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** The text of the file, one line a row. */
export function csvText(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return `${csvMark}${[head, ...rows].map(csvLine).join('')}`;
}
