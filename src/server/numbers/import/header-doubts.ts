// Finds a first row that was taken for column names, and so is in no number, and column names among the rows.
import { countWords } from '#core/base/formats.ts';
import { datasetOf } from '#core/numbers/datasets.ts';
import { reasonColumn } from '#server/platform/imports/correctable-rows.ts';
import type { Fault } from '#server/platform/imports/import-error.ts';
import { columnsRead, type Row } from '#server/platform/imports/mapping-rules.ts';
import { NumberRowReader } from './number-row-reader.ts';
import type { NumbersMapping } from './numbers-mapping.ts';

type HeaderDoubt = { readonly field: string; readonly column: string; readonly reason: string };

const headerReason =
  'is the name of a column, but reads as a date. If the file has no column names, its first row is missing. Add a line with names above it, and choose those';

/** A name that the mapping reads as the date of a row is no name. */
export function headerDoubts(mapping: NumbersMapping, zone: string, columns: readonly string[]): HeaderDoubt[] {
  const field = datasetOf(mapping.dataset).datedBy;
  const column = columnsRead(mapping.fields[field] ?? { constant: '' }).find((name) => /\d/.test(name));
  if (column === undefined) return [];
  const reader = new NumberRowReader(mapping.dataset, { ...mapping, leaveOut: [] }, zone);
  reader.read(Object.fromEntries(columns.map((name) => [name, name])));
  return reader.readable.values[field] === undefined ? [] : [{ field, column, reason: headerReason }];
}

/** Fewer cells can be alike by chance. */
const fewestNames = 3;

/**
 * Files that were put together have the column names again, and those of another table in another order. Then
 * the rows below them would be read from the wrong columns.
 */
export class LaterHeaders {
  /** Of the names in another order. */
  #line = 0;

  /** What was read of the row, unless it can't be. Call it for every row in the file's order. */
  check<Read>(line: number, row: Row, read: Read): Read | readonly Fault[] {
    const fault = this.#faultOf(line, row);
    return fault ? [fault] : read;
  }

  #faultOf(line: number, row: Row): Fault | null {
    if (this.#line > 0) return { column: '', reason: `is below line ${countWords(this.#line)}, which ${otherTable}` };
    const names = new Map<string, string>();
    for (const column of Object.keys(row)) {
      const value = row[column];
      if (column === reasonColumn || value === '' || value === null) continue;
      const name = typeof value === 'string' ? value.trim() : '';
      if (!Object.hasOwn(row, name) || names.has(name)) return null;
      names.set(name, column);
    }
    if (names.size < fewestNames) return null;
    if ([...names].every(([name, column]) => name === column))
      return { column: '', reason: 'repeats the column names' };
    // A file of corrected rows has only those.
    if (!Object.hasOwn(row, reasonColumn)) this.#line = line;
    return { column: '', reason: otherTable };
  }
}

const otherTable = 'looks like a second line of column names, in another order. Save that part as its own file';
