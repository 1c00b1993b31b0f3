// Decides how rows become a CSV file that a spreadsheet opens without running anything in it.
// Asked by every export, of a page and of the server.

export type CsvCell = string | number | null;

/**
 * What a spreadsheet takes for the start of a formula, also behind blanks and in full width. A cell that begins so gets an
 * apostrophe: the name of a task is typed by people, and `=HYPERLINK(...)` in it would run at whoever opens the file.
 */
const formulaStart = /^[\s\u200B\uFEFF]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;

/** Numbers are given as numbers and stay such; only texts can be formulas. */
function csvCell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = formulaStart.test(value) ? `'${value}` : value;
  return /[",;\r\n\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of the file (RFC 4180), one line a row. The mark at the start tells spreadsheets that it is UTF-8. */
export function csvText(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${[head, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')}`;
}
