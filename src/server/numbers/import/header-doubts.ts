// Warns of a first row that was taken for column names, and so is in no number.
import { datasetOf } from '#core/numbers/datasets.ts';
import { columnsRead } from '#server/platform/imports/mapping-rules.ts';
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
