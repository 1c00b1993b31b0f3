// The rows of a Parquet file, as JSON lines would have them. Only some pages of a row group are in memory at a
// time.
import { open } from 'node:fs/promises';
import { type FileMetaData, parquetMetadata, parquetSchema, type RowGroup, type SchemaTree } from 'hyparquet';
import { assembleNested } from 'hyparquet/src/assemble.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { countWords } from '#core/base/formats.ts';
import { longestRecord, mostColumns } from './csv-records.ts';
import { ImportError } from './import-error.ts';
import { type PageBudget, ParquetColumn, type PlacedBytes } from './parquet-column.ts';
import { notText, withoutMeaning } from './parquet-values.ts';
import { type FileParts, firstRowRead, type RowSource, type SourceRow } from './source-row.ts';

const magic = 'PAR1';
export const isParquetStart = (start: Buffer): boolean => start.toString('latin1', 0, magic.length) === magic;

const footerBytes = 8;
/** Describes thousands of row groups. */
const longestMetadata = 16 * 1024 * 1024;
const deepest = 100;
const rowsATurn = 1_000;

export async function placedFile(file: string): Promise<PlacedBytes> {
  const handle = await open(file);
  const { size } = await handle.stat();
  const read = async (at: number, length: number) => {
    // Its own memory: a page's values point into it.
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafeSlow(length), 0, length, at);
    if (bytesRead < length) throw new Error('it ends too early');
    return buffer;
  };
  return { size, read, close: () => handle.close() };
}

export const placedBytes = (content: Buffer): PlacedBytes => ({
  size: content.length,
  read: async (at, length) => {
    if (at < 0 || at + length > content.length) throw new Error('it ends too early');
    return content.subarray(at, at + length);
  },
  close: async () => {},
});

/** `content`: the parts, one after another. What lies between them can't be read. */
export function placedParts(content: Buffer, { size, places }: FileParts): PlacedBytes {
  let next = 0;
  const parts = places.map(([at, length]) => {
    next += length;
    return { at, bytes: content.subarray(next - length, next) };
  });
  const read = async (at: number, length: number) => {
    const part = parts.find(({ at: start, bytes }) => at >= start && at < start + bytes.length);
    if (!part) throw new Error('it ends too early');
    return part.bytes.subarray(at - part.at, at - part.at + length);
  };
  return { size, read, close: async () => {} };
}

/** `size`: of the file, which may be packed. */
export async function openParquet(bytes: PlacedBytes, name: string, size: number): Promise<RowSource> {
  const budget: PageBudget = { held: 0, unpacked: 0, packed: 0, hasBroken: false };
  try {
    const metadata = await metadataOf(bytes, name);
    const rows = await firstRowRead(parquetRows(bytes, name, metadata, budget));
    return {
      rows,
      format: { kind: 'ndjson' },
      encoding: 'utf-8',
      columns: null,
      above: [],
      workbook: null,
      isParquet: true,
      size,
      bytesRead: () => Math.min(size, Math.round((size * budget.packed) / bytes.size)),
      close: bytes.close,
    };
  } catch (error) {
    await bytes.close();
    throw damaged(name, error);
  }
}

/** What fails inside the library has words for programmers. */
function damaged(name: string, error: unknown, rows = 0): ImportError {
  if (error instanceof ImportError) return error;
  const isPlain = error instanceof Error && error.constructor === Error;
  const words = isPlain ? ` (${error.message.replace(/^parquet /, '').slice(0, 100)})` : '';
  const read = rows > 0 ? `. Only the rows before row ${countWords(rows + 1)} were read` : '';
  return new ImportError(`${name} is damaged or cut off: its Parquet data can’t be read${words}${read}`, {
    cause: error,
  });
}

async function metadataOf(bytes: PlacedBytes, name: string): Promise<FileMetaData> {
  const length = bytes.size - footerBytes - magic.length;
  const end = length < 0 ? null : await bytes.read(bytes.size - footerBytes, footerBytes);
  if (!end || end.toString('latin1', 4) !== magic) throw new Error('its end is missing');
  const described = end.readUInt32LE(0);
  if (described > length) throw new Error('its metadata is longer than the file');
  if (described > longestMetadata) throw new ImportError(`${name} has too many row groups and columns to be read`);
  const footer = await bytes.read(bytes.size - footerBytes - described, described + footerBytes);
  const metadata = parquetMetadata(footer, { geoparquet: false });
  assertSchema(metadata, name);
  return metadata;
}

/** Before the library builds a tree of it. */
function assertSchema({ schema }: FileMetaData, name: string): void {
  const open: number[] = [1];
  for (const { num_children: children = 0 } of schema) {
    open[open.length - 1]! -= 1;
    if (children > 0) open.push(children);
    if (open.length > deepest) throw new ImportError(`${name} nests more than ${deepest} levels`);
    while (open.at(-1) === 0) open.pop();
  }
  const columns = schema[0]?.num_children ?? 0;
  if (columns === 0) throw new ImportError(`${name} has no columns`);
  if (columns > mostColumns || schema.length > mostColumns * 10)
    throw new ImportError(`${name} has more than ${countWords(mostColumns)} columns`);
}

async function* parquetRows(
  bytes: PlacedBytes,
  name: string,
  metadata: FileMetaData,
  budget: PageBudget,
): AsyncGenerator<SourceRow> {
  const tree = parquetSchema(metadata);
  let line = 0;
  try {
    for (const group of metadata.row_groups) {
      for await (const row of rowsOfGroup(bytes, name, budget, tree, group)) {
        line += 1;
        yield sourceRow(line, row, budget.hasBroken);
      }
    }
  } catch (error) {
    throw damaged(name, error, line);
  }
  if (line === 0) throw new ImportError(`${name} has no rows`);
}

function sourceRow(line: number, row: Readonly<Record<string, unknown>>, hasBroken: boolean): SourceRow {
  let isText = true;
  const look = (_: string, value: unknown): unknown => {
    isText &&= value !== notText;
    return value;
  };
  // Looking at each value takes longer.
  const text = JSON.stringify(row, hasBroken ? look : undefined);
  if (!isText) return { line, text, row: null, fault: 'has bytes that aren’t text' };
  if (text.length > longestRecord) return { line, text: '', row: null, fault: 'is longer than 1 MB' };
  return { line, text, row };
}

/** A column of the row, which has several in the file if it is nested. */
type RowColumn = { readonly child: SchemaTree; readonly leaves: readonly (readonly [string, ParquetColumn])[] };

async function* rowsOfGroup(
  bytes: PlacedBytes,
  name: string,
  budget: PageBudget,
  tree: SchemaTree,
  group: RowGroup,
): AsyncGenerator<Record<string, unknown>> {
  const columns = columnsOf(bytes, name, budget, tree, group);
  const all = columns.flatMap(({ leaves }) => leaves.map(([, leaf]) => leaf));
  for (let left = Number(group.num_rows); left > 0; ) {
    for (const leaf of all) await leaf.fill();
    const count = all.reduce((least, leaf) => Math.min(least, leaf.rows), Math.min(left, rowsATurn));
    const taken = columns.map((column) => [column.child.element.name, valuesOf(column, count)] as const);
    for (let at = 0; at < count; at += 1) yield Object.fromEntries(taken.map(([key, values]) => [key, values[at]]));
    left -= count;
  }
  for (const leaf of all) leaf.release();
}

function columnsOf(
  bytes: PlacedBytes,
  name: string,
  budget: PageBudget,
  tree: SchemaTree,
  group: RowGroup,
): RowColumn[] {
  const chunks = [...group.columns];
  const leavesOf = (path: readonly SchemaTree[]): [string, ParquetColumn][] => {
    const node = path.at(-1)!;
    if (node.element.type === undefined) return node.children.flatMap((child) => leavesOf([...path, child]));
    const { meta_data: meta, file_path: elsewhere, crypto_metadata: secret } = chunks.shift() ?? {};
    if (secret) throw new ImportError(`${name} is encrypted. Write it without encryption`);
    if (elsewhere) throw new ImportError(`${name} has its rows in other files. Write it as one file`);
    if (!meta) throw new Error('a row group lacks a column');
    return [[node.path.join('.'), new ParquetColumn(name, bytes, budget, meta, path)]];
  };
  return tree.children.map((child) => ({ child: withoutMeanings(child), leaves: leavesOf([tree, child]) }));
}

const withoutMeanings = (node: SchemaTree): SchemaTree => ({
  ...node,
  element: withoutMeaning(node.element),
  children: node.children.map(withoutMeanings),
});

function valuesOf({ child, leaves }: RowColumn, count: number): readonly unknown[] {
  const found = new Map(leaves.map(([path, leaf]) => [path, leaf.take(count)]));
  if (child.children.length > 0) assembleNested(found, child, DEFAULT_PARSERS);
  return found.get(child.element.name) ?? [];
}
