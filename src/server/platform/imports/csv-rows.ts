// Rows of a table, from a CSV file or a workbook's sheet: the header names the columns, every further record is
// a row.

import { reasonColumn, withoutMark, withoutReason } from './correctable-rows.ts';
import { type CsvForm, type CsvRecord, CsvRecords } from './csv-records.ts';
import { isWrittenDate } from './date-shapes.ts';
import { asNamed, delimiterLine } from './file-format.ts';
import { ImportError } from './import-error.ts';
import type { Row } from './mapping-rules.ts';
import type { SkippedLine, SourceRow } from './source-row.ts';

/** The records above the header, and names of its columns. */
type HeaderPlace = { readonly above: number; readonly named?: readonly string[] | undefined };
type OnHeader = (columns: readonly string[], above: readonly SkippedLine[]) => void;

async function* recordsIn(pieces: AsyncIterable<string>, form: CsvForm): AsyncGenerator<Iterable<CsvRecord>> {
  const records = new CsvRecords(form);
  for await (const piece of pieces) yield records.take(piece, false);
  yield records.take('', true);
}

/** The rows of a CSV file. */
export const csvRows = (
  file: string,
  pieces: AsyncIterable<string>,
  form: CsvForm,
  onHeader: OnHeader,
  place: HeaderPlace,
): AsyncGenerator<SourceRow> => {
  // Not for a sheet of a workbook: another one can be chosen.
  const onNames: OnHeader = (columns, above) => {
    assertNames(file, columns);
    const last = above.at(-1);
    for (const { cells } of new CsvRecords(form).take(last?.text ?? '', true))
      assertAllNames(file, columns, cells, last!.line);
    onHeader(columns, above);
  };
  return tableRows(file, recordsIn(pieces, form), form, onNames, place);
};

/** The rows; calls back before the first one with the header and the lines above it. */
export async function* tableRows(
  file: string,
  records: AsyncIterable<Iterable<CsvRecord>>,
  form: CsvForm,
  onHeader: OnHeader,
  place: HeaderPlace,
): AsyncGenerator<SourceRow> {
  let columns: readonly string[] | null = null;
  let isCorrected = false;
  const above: SkippedLine[] = [];
  const totals: CsvRecord[] = [];
  for await (const some of records) {
    for (const record of some) {
      if (columns !== null && isBlankRecord(record)) continue;
      if (columns !== null && isCorrected) yield correctedRow(record, form, columns);
      else if (columns !== null) {
        // What looks like a total is one only if no row follows.
        const mayBeTotal = isTotal(record);
        if (mayBeTotal) totals.push(record);
        while (totals.length > (mayBeTotal ? mostTotals : 0)) yield rowOf(totals.shift()!, columns);
        if (!mayBeTotal) yield rowOf(record, columns);
      } else if (delimiterLine.test(record.text) || isBlankRecord(record)) continue;
      else if (above.length < place.above) above.push({ line: record.line, text: record.text });
      else {
        columns = asNamed(headerOf(file, record), place.named ?? []);
        isCorrected = columns[0] === reasonColumn;
        if (isCorrected) columns = columns.slice(1);
        onHeader(columns, above);
      }
    }
  }
  if (columns === null) throw new ImportError(`${file} has no rows`);
  for (const { line, text } of totals) yield { line, text, row: null, aside: 'looks like a total, not a row' };
}

/** Spreadsheets write an empty line as delimiters alone. */
const isBlankRecord = ({ cells, fault }: CsvRecord): boolean =>
  fault === undefined && cells.every((cell) => cell.trim() === '');

const totalWord = /^((grand |sub)?totals?|totaal|total général|summe|gesamt(summe)?|somme|suma)\s*:?$/i;

/** At the end of one file: by currency, by month. */
const mostTotals = 20;

/** A line that sums the rows above it: the word, a number, and mostly blanks. */
function isTotal({ cells, fault }: CsvRecord): boolean {
  if (fault !== undefined) return false;
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return (
    filled.length * 2 <= cells.length &&
    totalWord.test(filled[0] ?? '') &&
    filled.slice(1).some((cell) => /\d/.test(cell))
  );
}

function headerOf(file: string, { cells, fault }: CsvRecord): readonly string[] {
  if (fault) throw new ImportError(`The header of ${file} ${fault}`);
  const names = cells.map((cell) => cell.trim());
  const last = names.findLastIndex((name) => name !== '');
  // Such as the row numbers that pandas writes: without a name, nobody could choose them.
  const named = names.map((name, at) => (name === '' && at < last ? `Column ${at + 1}` : name));
  return named.map((name, at) => (name === names[at] || !names.includes(name) ? name : ''));
}

/** Taken for names, the first row would be lost without a word. */
function assertNames(file: string, columns: readonly string[]): void {
  const date = columns.find((column) => isDay.test(column) || isWrittenDate(column));
  const amount = columns.find((column) => isAmount.test(column));
  if (date !== undefined && amount !== undefined)
    throw new ImportError(
      `${file} has no column names: its first line has ${JSON.stringify(date)} and ${JSON.stringify(amount)}. Add a line with the names above it`,
    );
}

/**
 * R and pandas write no name above their row numbers. Without this, the names would count as a title, and the
 * first row as names. A value below one of the names tells.
 */
function assertAllNames(file: string, columns: readonly string[], above: readonly string[], line: number): void {
  const isValue = (cell = '') =>
    (/^\d[\d.,]*$/.test(cell) && !isYear.test(cell)) || isAmount.test(cell) || isDay.test(cell) || isWrittenDate(cell);
  const names = above.map((cell) => cell.trim());
  const filled = names.filter((name) => name !== '');
  const shift = columns.length - names.length;
  const lacksSome = (shift === 1 || shift === 0) && filled.length > 0 && filled.length < columns.length;
  const isAbove = (name: string, at: number) => name !== '' && isValue(columns[at + shift]);
  if (lacksSome && !filled.some((name) => isValue(name)) && names.some(isAbove))
    throw new ImportError(
      `Line ${line} of ${file} has ${filled.length} column names for ${columns.length} columns. Name all of them`,
    );
}

const isYear = /^(19|20)\d\d$/;
const isDay = /^\d{4}-\d{2}-\d{2}([T ]|$)/;
/** Signed or with decimals: a year can be a name. */
const isAmount = /^(?:[-+\u2212]\d[\d.,]*|\d[\d.,]*[.,]\d{1,2})$/;

/** A row of a file of refused rows: as it was before its reason was added, which the row keeps. */
function correctedRow(record: CsvRecord, form: CsvForm, columns: readonly string[]): SourceRow {
  const [reason, ...cells] = record.cells;
  const read = rowOf({ ...record, text: withoutReason(record.text, form), cells: cells.map(withoutMark) }, columns);
  return read.row ? { ...read, row: { ...read.row, [reasonColumn]: reason } } : read;
}

function rowOf({ line, text, cells, fault }: CsvRecord, columns: readonly string[]): SourceRow {
  if (fault !== undefined) return { line, text, row: null, fault };
  const surplus = cells.slice(columns.length);
  // A header can end with delimiters that its rows lack.
  const needed = columns.findLastIndex((column) => column !== '') + 1;
  if (cells.length < needed || surplus.some((cell) => cell.trim() !== ''))
    return { line, text, row: null, fault: `has ${cells.length} fields, the header has ${columns.length}` };
  const row: Record<string, unknown> = {};
  for (const [at, column] of columns.entries()) if (!Object.hasOwn(row, column)) row[column] = cells[at];
  return { line, text, row: row as Row };
}
