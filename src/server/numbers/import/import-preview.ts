// Previews an import from the start of a file: its format, first rows, and what the mapping makes of them.
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { importLimits } from '#core/numbers/imports.ts';
import type { Services } from '#server/platform/context.ts';
import { unclosedQuote } from '#server/platform/imports/csv-records.ts';
import { readDate } from '#server/platform/imports/date-formats.ts';
import { type DateShape, dateShapes, unclearDates } from '#server/platform/imports/date-shapes.ts';
import { type DurationShape, durationShape } from '#server/platform/imports/duration-shapes.ts';
import type { ReasonGroup } from '#server/platform/imports/fault-report.ts';
import { delimiters } from '#server/platform/imports/file-format.ts';
import { ImportError } from '#server/platform/imports/import-error.ts';
import { type NumberShape, numberShape } from '#server/platform/imports/number-shapes.ts';
import { checkMapping, hasMoreCharacters } from '#server/platform/imports/read-mapping.ts';
import { openRowsInWorker } from '#server/platform/imports/row-worker-client.ts';
import type { FillRule, RowSource, SkippedLine, SourceRow } from '#server/platform/imports/source-row.ts';
import { isBlankWord } from './blank-word-doubts.ts';
import { missingInSample, type SampleOfRows, sampleOfRows } from './missing-rows.ts';
import { columnsOfRows, flatRow } from './nested-columns.ts';
import {
  type NumbersMapping,
  namedColumns,
  neededColumns,
  numbersMappings,
  ruleSetOf,
  usableMapping,
} from './numbers-mapping.ts';
import { type Doubt, doubtsOfNames } from './preview-doubts.ts';
import { giveTurn, type MappedRow, outcome } from './preview-rows.ts';
import { SameRows } from './same-rows.ts';
import { StoredRows } from './stored-rows.ts';

const wholeNumber = z.int().check(z.minimum(0));

export const previewInput = z.strictObject({
  /** The file's first bytes, or the first bytes of each part of a zip archive as an archive; base64. */
  sample: z.base64().check(z.maxLength(importLimits.partsSample * 1.5, 'is too long')),
  /** Whether the sample is the whole file; otherwise its last row may be cut. */
  isWhole: z.optional(z.boolean()),
  /** The sample is these parts of a Parquet file: where each begins and how long it is. */
  parts: z.optional(
    z.strictObject({
      size: wholeNumber,
      places: z.array(z.tuple([wholeNumber, wholeNumber])).check(z.maxLength(importLimits.sampleParts, 'has too many')),
    }),
  ),
  mapping: z.optional(
    z
      .record(z.string(), z.unknown())
      .check(z.refine((mapping) => !hasMoreCharacters(mapping, importLimits.mappingCharacters), 'is too long')),
  ),
  encoding: z.optional(z.string()),
  delimiter: z.optional(z.enum(delimiters)),
  sheet: z.optional(z.string()),
});
export type PreviewInput = z.output<typeof previewInput>;

export type Preview = {
  readonly format: string;
  readonly encoding: string;
  readonly delimiter: string | null;
  readonly workbook: RowSource['workbook'];
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly line: number;
    readonly values: readonly unknown[];
    readonly fault: string | null;
  }[];
  /** The mapping's error; null if it is valid or none was given. */
  readonly mappingFault: string | null;
  /** Columns in the mapping that the file lacks. */
  readonly missingColumns: readonly string[];
  readonly mapped: readonly MappedRow[];
  /** Lines above the header. */
  readonly above: readonly SkippedLine[];
  /** How many rows the sample has; the rest is about all of them. */
  readonly sampleRows: number;
  /** How many of these rows are refused. */
  readonly refused: number;
  readonly reasons: readonly ReasonGroup[];
  /** Each column's values, the most frequent first; columns with many different ones are left out. */
  readonly values: Readonly<Record<string, readonly ValueCount[]>>;
  /** Columns whose values all differ, none of them blank. */
  readonly unique: readonly string[];
  readonly dates: Dates;
  /** Columns whose day and month can't be told apart: both readings of an example. */
  readonly unclearDates: Readonly<Record<string, readonly DateReading[]>>;
  /** How columns of numbers are written, by column. */
  readonly numbers: Readonly<Record<string, NumberShape>>;
  /** Columns whose values can be durations. */
  readonly durations: Readonly<Record<string, DurationShape>>;
  /** Columns that are filled only on an order's first line. */
  readonly fill: FillRule | null;
  /** Fields whose values are probably meant otherwise, or are those of another column. */
  readonly doubts: readonly Doubt[];
};

/** The formats of a column's dates, by column. */
type Dates = Readonly<Record<string, readonly DateShape[]>>;
/** `day`: what the example means in the format. */
type DateReading = { readonly format: string; readonly example: string; readonly day: string };
type ValueCount = { readonly value: string; readonly count: number };

/** Nobody waits longer for a preview. */
const longestBatchMs = 20_000;
/** A sample can unpack to much more, which would take seconds and tell nothing new. */
const mostSample = { rows: 5_000, characters: 16_000_000 };

type Place = Pick<Services, 'files' | 'config' | 'database'>;

export async function previewImport(
  { files, config, database }: Place,
  dataset: DatasetKey,
  input: PreviewInput,
  signal?: AbortSignal,
): Promise<Preview> {
  const path = join(files.incoming, randomUUID());
  await writeFile(path, Buffer.from(input.sample, 'base64'), { flag: 'wx', mode: 0o600 });
  let source: RowSource | undefined;
  try {
    const { mapping, fault } = readMapping(dataset, input.mapping);
    const usable = mapping ?? (fault === null ? null : usableMapping(dataset, input.mapping!));
    const { encoding = usable?.encoding, delimiter = usable?.delimiter, sheet = usable?.sheet } = input;
    const rules = usable ? ruleSetOf(usable, config.companyTimeZone) : undefined;
    source = await openRowsInWorker(signal, { rules, longestBatchMs })(path, {
      encoding,
      delimiter,
      quote: usable?.quote,
      sheet,
      isSample: input.isWhole !== true,
      parts: input.parts,
      jsonNumbers: 'texts',
      name: 'The file',
      wanted: mapping ? neededColumns(mapping) : undefined,
      named: usable ? namedColumns(usable) : undefined,
      fill: usable?.fill,
      missing: usable?.missing,
    });
    const all = await sampleOf(source, input.isWhole ?? false);
    const flat = source.columns ? all : all.map((one) => ({ ...one, row: one.row && flatRow(one.row) }));
    const first = flat.slice(0, importLimits.previewRows);
    const columns = source.columns ?? columnsOfRows(first.map(({ row }) => row));
    const found = await outcome(dataset, usable, config.companyTimeZone, all, fault === null, signal);
    const { good, ...made } = found;
    const sample = sampleOfRows(good, all, input.isWhole === true && !isFull(all));
    const storedDoubts = mapping ? await doubtsOfStored({ config, database }, dataset, mapping, sample) : [];
    return {
      format: formatName(source),
      encoding: source.encoding,
      delimiter: source.format.kind === 'csv' && source.workbook === null ? source.format.delimiter : null,
      workbook: source.workbook,
      columns,
      rows: first.map(({ line, row, fault: why }) => ({
        line,
        values: columns.map((column) => row?.[column] ?? null),
        fault: why ?? null,
      })),
      mappingFault: fault,
      missingColumns: mapping ? neededColumns(mapping).filter((column) => !isThere(columns, column)) : [],
      above: source.above,
      sampleRows: all.length,
      ...(await factsOf(columns, flat, usable?.missing ?? [], signal)),
      ...made,
      doubts: [...made.doubts, ...doubtsOfNames(usable, config.companyTimeZone, columns), ...storedDoubts],
    };
  } finally {
    await source?.close();
    await rm(path, { force: true });
  }
}

function formatName({ isParquet, workbook, format }: RowSource): string {
  if (isParquet) return 'parquet';
  if (workbook !== null) return 'xlsx';
  return format.kind === 'ndjson' && format.isList ? 'json' : format.kind;
}

/** Doubts about rows that are stored already. */
async function doubtsOfStored(
  { config, database }: Pick<Place, 'config' | 'database'>,
  dataset: DatasetKey,
  mapping: NumbersMapping,
  sample: SampleOfRows,
): Promise<Doubt[]> {
  const { rows } = sample;
  const job = { dataset, mapping, zone: config.companyTimeZone };
  const sameRows = new SameRows(dataset, mapping.source);
  const storedRows = new StoredRows(job);
  for (const stored of [sameRows, storedRows]) await stored.look(database.drizzle, rows);
  const missing = await missingInSample(database.drizzle, job, sample);
  const found = [...sameRows.warnings, ...storedRows.warnings, ...missing];
  return found.map(({ field, column, reason, source, countsTwice }) => ({
    ...{ field, reason: `${column} ${reason}`.trim() },
    ...(source !== undefined && { source }),
    ...(countsTwice && { countsTwice }),
  }));
}

/** The rest of a path is in the rows' objects, which can lack it. */
function isThere(columns: readonly string[], column: string): boolean {
  const [outer] = column.split('.', 1);
  return columns.some((one) => one === column || one === outer || one.startsWith(`${outer}.`));
}

function readMapping(dataset: DatasetKey, given: unknown): { mapping: NumbersMapping | null; fault: string | null } {
  if (given === undefined) return { mapping: null, fault: null };
  try {
    return { mapping: checkMapping('', given, numbersMappings[dataset]), fault: null };
  } catch (error) {
    if (error instanceof ImportError) return { mapping: null, fault: error.message };
    throw error;
  }
}

const isFull = (rows: readonly SourceRow[]): boolean =>
  rows.length >= mostSample.rows || rows.reduce((sum, { text }) => sum + text.length, 0) >= mostSample.characters;

/** A sample can end anywhere: its last row means nothing, and neither does a truncated gzip stream. */
async function sampleOf({ rows }: RowSource, isWhole: boolean): Promise<SourceRow[]> {
  const found: SourceRow[] = [];
  let characters = 0;
  try {
    for await (const row of rows) {
      found.push(row);
      characters += row.text.length;
      if (found.length === mostSample.rows || characters > mostSample.characters) break;
    }
  } catch (error) {
    const isByCut = error instanceof ImportError && !error.isInMiddle;
    if (isWhole || !isByCut || found.length === 0) throw error;
  }
  return (isWhole ? found : withoutCutEnd(found)).filter(({ aside }) => aside === undefined);
}

/** A text with line breaks that the sample cuts looks like a row with an open quote, and its lines like rows. */
function withoutCutEnd(rows: readonly SourceRow[]): readonly SourceRow[] {
  const end = rows.findLastIndex(({ row }) => row !== null) + 1;
  const open = rows.findIndex(({ fault }, index) => index >= end && fault === unclosedQuote);
  return rows.slice(0, Math.max(1, open === -1 ? rows.length - 1 : open));
}

const mostValues = 50;
const longestValue = 100;

async function factsOf(
  columns: readonly string[],
  rows: readonly SourceRow[],
  missing: readonly string[],
  signal: AbortSignal | undefined,
) {
  const values: Record<string, ValueCount[]> = {};
  const dates: Record<string, DateShape[]> = {};
  const unclear: Record<string, readonly DateReading[]> = {};
  const numbers: Record<string, NumberShape> = {};
  const durations: Record<string, DurationShape> = {};
  const unique: string[] = [];
  for (const column of columns) {
    await giveTurn(signal);
    const counted = valuesOf(column, rows);
    if (counted.length > 0) values[column] = counted;
    const texts = rows
      .map(({ row }) => row?.[column])
      .filter((value) => typeof value === 'string')
      .filter((text) => !isBlankWord(text.trim()) && !missing.includes(text.trim()));
    const shapes = dateShapes(texts);
    if (shapes.length > 0) dates[column] = shapes;
    const readings = unclearDates(texts).map((reading) => ({ ...reading, day: dayRead(reading) }));
    if (readings.length > 0) unclear[column] = readings;
    const number = shapes.length > 0 ? null : numberShape(texts);
    if (number) numbers[column] = number;
    const duration = shapes.length > 0 ? null : durationShape(texts);
    if (duration) durations[column] = duration;
    if (isUnique(column, rows)) unique.push(column);
  }
  return { values, unique, dates, unclearDates: unclear, numbers, durations };
}

const dayRead = ({ example, format }: { readonly example: string; readonly format: string }): string =>
  readDate(example, { format, zone: 'UTC' })?.slice(0, 10) ?? '';

/** Each value with its count, or none if there are too many. */
function valuesOf(column: string, rows: readonly SourceRow[]): ValueCount[] {
  const counts = new Map<string, number>();
  for (const { row } of rows) {
    const value = row?.[column];
    if (typeof value === 'object' || value === undefined) continue;
    const text = String(value).trim();
    counts.set(text, (counts.get(text) ?? 0) + 1);
    if (text.length > longestValue || counts.size > mostValues) return [];
  }
  const counted = [...counts].map(([value, count]) => ({ value, count }));
  return counted.toSorted((one, other) => other.count - one.count);
}

function isUnique(column: string, rows: readonly SourceRow[]): boolean {
  const texts = rows.flatMap(({ row }) => (row ? [String(row[column] ?? '').trim()] : []));
  return texts.length > 1 && !texts.includes('') && new Set(texts).size === texts.length;
}
