// Clears from a row what identifies an erased customer or donor, and keeps its amounts. Rows of later imports
// are cleared in the same way, so they count as unchanged.
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import type { NumberRow } from './number-row.ts';

/** A keyed hash as hexadecimal digits: without the key, nobody can try references. */
export type HashText = (text: string) => string;

export type Reference = { readonly dataset: DatasetKey; readonly reference: string };

/**
 * The text, or a hash if it has the reference as a word, in any capitals. Equal texts stay equal: an order
 * keeps its lines.
 */
function withoutReference(text: string, reference: string, hash: HashText): string {
  const whole = text.toLowerCase();
  const wanted = reference.toLowerCase();
  const isWordAt = (at: number) =>
    !/[\p{L}\p{N}]$/u.test(whole.slice(0, at)) && !/^[\p{L}\p{N}]/u.test(whole.slice(at + wanted.length));
  for (let at = whole.indexOf(wanted); at !== -1; at = whole.indexOf(wanted, at + 1))
    if (isWordAt(at)) return erasedText(text, hash);
  return text;
}

/** Prefix of a text that contained the reference. */
export const erasedMark = 'erased-';
const erasedText = (text: string, hash: HashText): string => `${erasedMark}${hash(text).slice(0, 32)}`;

export type Cleared = Readonly<Record<string, string | null>> & { readonly external_id: string };

/** The columns that change, besides the labels, which become empty. `row` has its columns. */
export function clearedColumns(
  { dataset, reference }: Reference,
  row: Readonly<Record<string, unknown>>,
  hash: HashText,
): Cleared {
  const { field, also, references } = datasetOf(dataset).person!;
  const replaced = (name: string) => {
    const text = row[name];
    return typeof text === 'string' ? withoutReference(text, reference, hash) : null;
  };
  return {
    ...Object.fromEntries([field, ...also].map((name) => [name, null])),
    ...Object.fromEntries(references.map((name) => [name, replaced(name)])),
    external_id: replaced('external_id')!,
  };
}

/** A row's columns by name, with `external_id`. */
type Columns = Readonly<Record<string, unknown>>;

/** The order of a row, for the column that has its number. */
export function orderKey(dataset: DatasetKey, name: string, row: Columns): string {
  const { scope, currency } = datasetOf(dataset);
  return [row[scope!], row[currency!], row[name]].join('\n');
}

const idMark = (source: string, row: Columns) => `id\n${source}\n${row.external_id}`;
const orderMark = (key: string) => `order\n${key}`;
const renamedMark = (key: string) => `renamed\n${key}`;

/**
 * Hashes of an erased row. With them, later imports recognize the row and others of its order, even without
 * the reference.
 */
export function marksOf(
  dataset: DatasetKey,
  source: string,
  row: Columns,
  cleared: Cleared,
  placeholders: ReadonlySet<string> = new Set(),
): string[] {
  const marks = datasetOf(dataset).person!.references.flatMap((name) => {
    const key = orderKey(dataset, name, row);
    if (placeholders.has(key)) return [];
    return cleared[name] === row[name] ? [orderMark(key)] : [orderMark(key), renamedMark(key)];
  });
  return cleared.external_id === row.external_id ? marks : [...marks, idMark(source, row)];
}

const columnsOf = ({ values, externalId }: NumberRow): Columns => ({ ...values, external_id: externalId });

/** The texts by whose hashes an incoming row is recognized. */
export function recognizedBy(dataset: DatasetKey, source: string, row: NumberRow): string[] {
  const { person } = datasetOf(dataset);
  if (!person) return [];
  const columns = columnsOf(row);
  const keys = person.references.map((name) => orderKey(dataset, name, columns));
  const reference = row.values[person.field];
  const marks = [idMark(source, columns), ...keys.flatMap((key) => [orderMark(key), renamedMark(key)])];
  return typeof reference === 'string' ? [reference, ...marks] : marks;
}

/** The columns of an incoming row to clear, if its reference was erased; null otherwise. */
function clearedByReference(dataset: DatasetKey, columns: Columns, isErased: IsErased, hash: HashText): Cleared | null {
  const reference = columns[datasetOf(dataset).person!.field];
  return typeof reference === 'string' && isErased(reference)
    ? clearedColumns({ dataset, reference }, columns, hash)
    : null;
}

/** The same for a row that came without the reference. */
function clearedByMarks(
  dataset: DatasetKey,
  source: string,
  columns: Columns,
  isErased: IsErased,
  hash: HashText,
): Cleared | null {
  const { field, also, references } = datasetOf(dataset).person!;
  const hasErasedId = isErased(idMark(source, columns));
  const isOfOrder = (name: string) => isErased(orderMark(orderKey(dataset, name, columns)));
  if (!hasErasedId && (typeof columns[field] === 'string' || !references.some(isOfOrder))) return null;
  const kept = (name: string, isRenamed: boolean) => {
    const text = columns[name] as string;
    return isRenamed ? erasedText(text, hash) : text;
  };
  const renamed = (name: string) => kept(name, isErased(renamedMark(orderKey(dataset, name, columns))));
  return {
    ...Object.fromEntries([field, ...also].map((name) => [name, null])),
    ...Object.fromEntries(references.map((name) => [name, renamed(name)])),
    external_id: kept('external_id', hasErasedId),
  };
}

type IsErased = (text: string) => boolean;

/**
 * The incoming rows of erased people, without these people; null for other rows. The caller stores `marks`,
 * because rows of the same orders can follow without the reference.
 */
export function withoutErased(
  dataset: DatasetKey,
  source: string,
  rows: readonly NumberRow[],
  { hashes, hash }: { readonly hashes: ReadonlySet<string>; readonly hash: HashText },
): { readonly rows: readonly (NumberRow | null)[]; readonly marks: readonly string[] } {
  const marks = new Set<string>();
  const isErased = (text: string) => marks.has(text) || hashes.has(hash(text));
  const columns = rows.map(columnsOf);
  const named = columns.map((row) => clearedByReference(dataset, row, isErased, hash));
  for (const [index, cleared] of named.entries())
    if (cleared) for (const mark of marksOf(dataset, source, columns[index]!, cleared)) marks.add(mark);
  const without = (row: NumberRow, index: number) => {
    const cleared = named[index] ?? clearedByMarks(dataset, source, columns[index]!, isErased, hash);
    if (!cleared) return null;
    const { external_id, ...values } = cleared;
    return { ...row, externalId: external_id, values: { ...row.values, ...values }, labels: {} };
  };
  return { rows: rows.map(without), marks: [...marks].filter((mark) => !hashes.has(hash(mark))) };
}
