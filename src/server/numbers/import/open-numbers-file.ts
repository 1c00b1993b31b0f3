// Opens the file of an import, and refuses a file that the mapping isn't for.
import { ImportError } from '#server/platform/imports/import-error.ts';
import type { Row } from '#server/platform/imports/mapping-rules.ts';
import { openRows } from '#server/platform/imports/row-source.ts';
import type { RowSource, SourceRow } from '#server/platform/imports/source-row.ts';
import { type NumbersMapping, namedColumns, neededColumns } from './numbers-mapping.ts';

/** With the mapping's format. */
export async function openNumbersFile(
  file: string,
  mapping: NumbersMapping,
  name = file,
  open: typeof openRows = openRows,
): Promise<RowSource> {
  const { encoding, delimiter, quote, sheet, fill, missing } = mapping;
  const names = { wanted: neededColumns(mapping), named: namedColumns(mapping) };
  const options = { encoding, delimiter, quote, sheet, fill, missing, name, ...names };
  const source = await open(file, { ...options, jsonNumbers: 'texts' });
  if (source.columns === null) return { ...source, rows: likeFirstRow(name, source.rows, mapping) };
  try {
    mustHaveColumns(name, source.columns, mapping);
    return source;
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Rows that name their columns may leave some out; a first row without any is from another file. */
async function* likeFirstRow(
  name: string,
  rows: AsyncIterable<SourceRow>,
  mapping: NumbersMapping,
): AsyncGenerator<SourceRow> {
  let isFirst = true;
  for await (const next of rows) {
    if (isFirst && next.row !== null) mustHaveSome(name, next.row, mapping);
    isFirst = false;
    yield next;
  }
}

function mustHaveSome(name: string, row: Row, mapping: NumbersMapping): void {
  const needed = neededColumns(mapping);
  const isThere = (column: string) => Object.hasOwn(row, column) || Object.hasOwn(row, column.split('.', 1)[0]!);
  if (needed.length > 0 && !needed.some(isThere))
    throw new ImportError(
      `${name} doesn’t match the mapping: its first row has none of ${named(needed)}. It has ${named(Object.keys(row))}`,
    );
}

const namesShown = 12;

function mustHaveColumns(file: string, columns: readonly string[], mapping: NumbersMapping): void {
  const needed = neededColumns(mapping);
  const missing = needed.filter((column) => !columns.includes(column));
  if (missing.length > 0)
    throw new ImportError(
      `${file} doesn’t match the mapping: it has no column ${named(missing)}. Its header is ${named(columns)}`,
    );
  const twice = needed.filter((column) => columns.indexOf(column) !== columns.lastIndexOf(column));
  if (twice.length > 0) throw new ImportError(`${file} has the column ${named(twice)} twice. Remove or rename one`);
}

function named(columns: readonly string[]): string {
  const shown = columns.slice(0, namesShown).map((column) => JSON.stringify(column.slice(0, 60)));
  return columns.length > namesShown ? `${shown.join(', ')} and ${columns.length - namesShown} more` : shown.join(', ');
}
