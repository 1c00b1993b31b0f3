// What an import would make of a file's start: its format, first rows, and the mapping's values.
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import { importLimits } from '#core/numbers/imports.ts';
import type { Services } from '#server/platform/context.ts';
import type { SkippedLine } from '#server/platform/imports/csv-rows.ts';
import { type DateShape, dateShapes } from '#server/platform/imports/date-shapes.ts';
import { decimalText } from '#server/platform/imports/decimals.ts';
import { FaultReport, type ReasonGroup } from '#server/platform/imports/fault-report.ts';
import { delimiters } from '#server/platform/imports/file-format.ts';
import { type Fault, ImportError } from '#server/platform/imports/import-error.ts';
import { checkMapping } from '#server/platform/imports/read-mapping.ts';
import type { RowSource } from '#server/platform/imports/row-source.ts';
import { openRowsInWorker } from '#server/platform/imports/row-worker-client.ts';
import type { SourceRow } from '#server/platform/imports/source-row.ts';
import type { NumberRow } from '../number-row.ts';
import { NumberRowReader, sameId } from './number-row-reader.ts';
import { type NumbersMapping, neededColumns, numbersMappings, usableMapping } from './numbers-mapping.ts';

export const previewInput = z.strictObject({
  /** The file's first bytes, base64. */
  sample: z.base64().check(z.minLength(1, 'must not be blank'), z.maxLength(importLimits.sample * 2, 'is too long')),
  /** Whether the sample is the whole file; otherwise its last row may be cut. */
  isWhole: z.optional(z.boolean()),
  mapping: z.optional(z.record(z.string(), z.unknown())),
  encoding: z.optional(z.string()),
  delimiter: z.optional(z.enum(delimiters)),
});
export type PreviewInput = z.output<typeof previewInput>;

type MappedRow = { readonly line: number } & (
  | { readonly externalId: string; readonly values: Readonly<Record<string, unknown>>; readonly labels: object }
  | { readonly faults: readonly Fault[] }
  | { readonly leftOut: Fault }
);

export type Preview = {
  readonly format: string;
  readonly encoding: string;
  readonly delimiter: string | null;
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
  readonly reasons: readonly ReasonGroup[];
  /** Each column's values, the most frequent first; columns with many different ones are left out. */
  readonly values: Readonly<Record<string, readonly ValueCount[]>>;
  readonly dates: Dates;
};

/** The formats of a column's dates, by column. */
type Dates = Readonly<Record<string, readonly DateShape[]>>;
type ValueCount = { readonly value: string; readonly count: number };

type Place = Pick<Services, 'files' | 'config'>;

export async function previewImport(
  { files, config }: Place,
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
    const { encoding = mapping?.encoding, delimiter = mapping?.delimiter } = input;
    source = await openRowsInWorker(signal)(path, {
      encoding,
      delimiter,
      quote: mapping?.quote,
      jsonNumbers: 'texts',
      name: 'The file',
      wanted: mapping ? neededColumns(mapping) : undefined,
    });
    const all = await sampleOf(source, input.isWhole ?? false);
    const rows = all.slice(0, importLimits.previewRows);
    const columns = source.columns ?? [...new Set(rows.flatMap(({ row }) => Object.keys(row ?? {})))];
    return {
      format: source.format.kind,
      encoding: source.encoding,
      delimiter: source.format.kind === 'csv' ? source.format.delimiter : null,
      columns,
      rows: rows.map(({ line, row, fault: why }) => ({
        line,
        values: columns.map((column) => row?.[column] ?? null),
        fault: why ?? null,
      })),
      mappingFault: fault,
      missingColumns: mapping ? neededColumns(mapping).filter((column) => !isThere(columns, column)) : [],
      above: source.above,
      sampleRows: all.length,
      values: valuesOf(columns, all),
      dates: datesOf(columns, all),
      ...(await outcome(dataset, usable, config.companyTimeZone, all, fault === null)),
    };
  } finally {
    await source?.close();
    await rm(path, { force: true });
  }
}

const isThere = (columns: readonly string[], column: string): boolean =>
  columns.includes(column) || columns.includes(column.split('.', 1)[0]!);

function readMapping(dataset: DatasetKey, given: unknown): { mapping: NumbersMapping | null; fault: string | null } {
  if (given === undefined) return { mapping: null, fault: null };
  try {
    return { mapping: checkMapping('drawn up', given, numbersMappings[dataset]), fault: null };
  } catch (error) {
    if (error instanceof ImportError) return { mapping: null, fault: error.message };
    throw error;
  }
}

/** A sample can end anywhere: its last row means nothing, and neither does a truncated gzip stream. */
async function sampleOf({ rows }: RowSource, isWhole: boolean): Promise<SourceRow[]> {
  const found: SourceRow[] = [];
  try {
    for await (const row of rows) found.push(row);
  } catch (error) {
    if (isWhole || !(error instanceof ImportError) || found.length === 0) throw error;
  }
  const isCut = !isWhole && found.length > 1;
  return (isCut ? found.slice(0, -1) : found).filter(({ aside }) => aside === undefined);
}

const mostValues = 50;
const longestValue = 100;

function valuesOf(columns: readonly string[], rows: readonly SourceRow[]): Record<string, ValueCount[]> {
  const found = columns.map((column): [string, ValueCount[]] => {
    const counts = new Map<string, number>();
    for (const { row } of rows) {
      const value = row?.[column];
      if (typeof value === 'object' || value === undefined) continue;
      const text = String(value).trim();
      if (text.length > longestValue || counts.size > mostValues) return [column, []];
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    const counted = [...counts].map(([value, count]) => ({ value, count }));
    return [column, counted.toSorted((one, other) => other.count - one.count)];
  });
  return Object.fromEntries(found.filter(([, values]) => values.length > 0 && values.length <= mostValues));
}

function datesOf(columns: readonly string[], rows: readonly SourceRow[]): Dates {
  const found = columns.map((column) => {
    const texts = rows.map(({ row }) => row?.[column]).filter((value) => typeof value === 'string');
    return [column, dateShapes(texts)] as const;
  });
  return Object.fromEntries(found.filter(([, shapes]) => shapes.length > 0));
}

/** What the mapping makes of the first rows, and why it makes nothing of others. */
async function outcome(
  dataset: DatasetKey,
  mapping: NumbersMapping | null,
  zone: string,
  rows: readonly SourceRow[],
  isValid: boolean,
) {
  const report = await FaultReport.open(undefined);
  const mapped: MappedRow[] = [];
  if (!mapping) return { mapped, reasons: report.groups };
  const reader = new NumberRowReader(dataset, mapping, zone);
  const lines = new Map<string, number>();
  for (const { line, text, row, fault = 'cannot be read' } of rows) {
    const read = row ? reader.read(row) : [{ column: '', reason: fault }];
    if ('leftOut' in read) {
      report.leaveOut(line, read.leftOut, row!);
      mapped.push({ line, leftOut: read.leftOut });
    } else if ('externalId' in read) {
      const earlier = lines.get(read.externalId);
      lines.set(read.externalId, earlier ?? line);
      // An invalid mapping may have no id yet.
      if (earlier !== undefined && isValid) await report.add(line, text, [sameId(read.externalId, earlier)], row);
      for (const warning of reader.warnings) report.warn(line, warning, row!);
      mapped.push({ line, externalId: read.externalId, values: shownValues(dataset, read), labels: read.labels });
    } else {
      await report.add(line, text, read, row);
      if (row) mapped.push({ line, faults: read });
    }
  }
  return { mapped: mapped.slice(0, importLimits.previewRows), reasons: report.groups.slice(0, importLimits.reasons) };
}

/** Money as exact decimals. */
function shownValues(dataset: DatasetKey, { values }: NumberRow): Record<string, unknown> {
  const { fields } = datasetOf(dataset);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const isMoney = fields[name]?.type === 'money' && typeof value === 'bigint';
      return [name, isMoney ? decimalText({ digits: value, scale: 4 }) : value];
    }),
  );
}
