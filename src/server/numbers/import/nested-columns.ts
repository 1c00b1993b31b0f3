// The columns of rows that name their own: objects in them are columns by path, as `customer.country`. Lists in
// them are none, such as the lines of an order.
import { countWords } from '#core/base/formats.ts';
import { type DatasetKey, fieldTitle } from '#core/numbers/datasets.ts';
import type { Row } from '#server/platform/imports/mapping-rules.ts';
import type { CountedDoubt } from './mapping-doubts.ts';
import type { NumbersMapping } from './numbers-mapping.ts';

/** More levels, or more names in one object, are data and no columns. */
const most = { levels: 5, names: 50 };

/** The rows with a column for each value in their objects. Lists stay values. */
export function flatRow(row: Row, levels: number = most.levels): Row {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      const names = isObject(value) ? Object.keys(value) : [];
      // A path can't tell a dot in a name from its own.
      const isWhole = names.length === 0 || levels === 1 || names.length > most.names;
      if (isWhole || [name, ...names].some((one) => one.includes('.'))) return [[name, value]];
      return Object.entries(flatRow(value as Row, levels - 1)).map(([inner, one]) => [`${name}.${inner}`, one]);
    }),
  );
}

/** Without those that are an object in one row and blank in another. */
export function columnsOfRows(rows: readonly (Row | null)[]): string[] {
  const filled = new Set(rows.flatMap((row) => Object.keys(row ?? {}).filter((name) => !isBlank(row![name]))));
  const all = [...new Set(rows.flatMap((row) => Object.keys(row ?? {})))];
  const outer = new Set(all.flatMap((name) => outerNames(name)));
  return all.filter((name) => filled.has(name) || !outer.has(name));
}

const outerNames = (name: string): string[] =>
  name
    .split('.')
    .slice(0, -1)
    .map((_, at, parts) => parts.slice(0, at + 1).join('.'));

const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
const isBlank = (value: unknown): boolean => value === null || value === undefined;

/** Later rows have the same lists. */
const rowsWithLists = 1_000;
const lineKey = /^(sku|qty|quantity|product(_?id)?|variant(_?id)?)$/i;

/** Says that lines in a list of an order's row don't count. Add the rows of a file, or its first ones. */
export class ListDoubts {
  readonly #dataset: DatasetKey;
  readonly #isOff: boolean;
  readonly #longest = new Map<string, number>();
  #rows = 0;
  #withLines = 0;

  constructor({ dataset, fields }: Pick<NumbersMapping, 'dataset' | 'fields'>) {
    this.#dataset = dataset;
    // A row that names its title or SKU is a line itself.
    this.#isOff = dataset !== 'orders' || fields.title !== undefined || fields.sku !== undefined;
  }

  add(row: Row): void {
    if (this.#isOff || this.#rows === rowsWithLists) return;
    this.#rows += 1;
    const lists = Object.entries(flatRow(row)).filter(([, value]) => areLines(value));
    if (lists.length > 0) this.#withLines += 1;
    for (const [column, value] of lists) {
      const { length } = value as readonly unknown[];
      this.#longest.set(column, Math.max(length, this.#longest.get(column) ?? 0));
    }
  }

  get warnings(): CountedDoubt[] {
    const [longest] = [...this.#longest].toSorted(([, one], [, other]) => other - one);
    if (longest === undefined) return [];
    const [column, items] = longest;
    const [title, sku] = ['title', 'sku'].map((field) => fieldTitle(this.#dataset, field));
    const up = items === 1 ? '1 item' : `up to ${countWords(items)} items`;
    const reason = `can’t be read from the list “${column}”, which has ${up} per record. Only the record counts. For numbers by ${title} and ${sku}, use a file with one row per item`;
    return [{ field: 'title', column: title!, reason, count: this.#withLines }];
  }
}

const areLines = (value: unknown): boolean =>
  Array.isArray(value) && value.some((item) => isObject(item) && Object.keys(item).some((key) => lineKey.test(key)));
