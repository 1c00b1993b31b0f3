// A file of rows that was opened, and one of its rows, or why it couldn't be read.
import type { CsvForm } from './csv-records.ts';
import type { EvaluatedRow, Row } from './mapping-rules.ts';

/** `isList`: the rows are the objects of a list, not one a line. */
export type FileFormat = { readonly kind: 'ndjson'; readonly isList?: boolean } | ({ readonly kind: 'csv' } & CsvForm);

/** What the person specified; the rest is detected. */
export type GivenFormat = {
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly quote?: string | undefined;
};

export type FillRule = {
  /** The column of the order: only the row before with the same value there fills a row. */
  readonly by: string;
  readonly columns: readonly string[];
};

export type SourceRow = {
  readonly line: number;
  /** The row's original text, for the report. */
  readonly text: string;
  readonly row: Row | null;
  /** What the mapping's rules make of the row, if its reader applied them. */
  readonly evaluated?: EvaluatedRow;
  /** Why there is no row. */
  readonly fault?: string;
  /** Why the line is none of the rows, and nothing is wrong with it. */
  readonly aside?: string;
};

/** A line of the file that is no row. */
export type SkippedLine = { readonly line: number; readonly text: string };

/** How numbers in JSON are read: as JavaScript numbers, or as exact text. */
export type JsonNumbers = 'numbers' | 'texts';

export type RowSource = {
  readonly rows: AsyncIterable<SourceRow>;
  /** The format of a row's text: a workbook's rows are written as CSV, Parquet's as JSON lines. */
  readonly format: FileFormat;
  readonly encoding: string;
  /** The columns of a table; null when every row names its own. */
  readonly columns: readonly string[] | null;
  /** Lines above the header: a title, notes. */
  readonly above: readonly SkippedLine[];
  /** The sheets of a workbook, and the one that is read; null for other files. */
  readonly workbook: { readonly sheets: readonly string[]; readonly sheet: string } | null;
  readonly isParquet: boolean;
  readonly size: number;
  /** Bytes of the file read so far. */
  readonly bytesRead: () => number;
  /** Closes the file, even before its rows were read to the end. */
  readonly close: () => Promise<void>;
};

export type SourceOptions = GivenFormat & {
  readonly jsonNumbers?: JsonNumbers;
  /** The file's name for people; its path by default. */
  readonly name?: string | undefined;
  /** Columns of a table's header, which need not be its first line. */
  readonly wanted?: readonly string[] | undefined;
  /** Names of columns, also optional ones: a table's names that differ from them only in blanks are these. */
  readonly named?: readonly string[] | undefined;
  /** A workbook's sheet; the first visible one by default. */
  readonly sheet?: string | undefined;
  /** Fills blank cells from the row before. `missing`: texts that are as good as blank. */
  readonly fill?: FillRule | undefined;
  readonly missing?: readonly string[] | undefined;
  /** The file is the start of a larger one, and can end anywhere. */
  readonly isSample?: boolean | undefined;
  /** The file is parts of a larger one, one after another. */
  readonly parts?: FileParts | undefined;
};

/** A file's size, and where each of its parts begins and how long it is. */
export type FileParts = { readonly size: number; readonly places: readonly (readonly [number, number])[] };

/** The same rows, the first of which was read: a table's header is known with it. */
export async function firstRowRead(rows: AsyncGenerator<SourceRow>): Promise<AsyncGenerator<SourceRow>> {
  const first = await rows.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* rows;
  })();
}
