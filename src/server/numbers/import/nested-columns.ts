// The columns of rows that name their own: objects in them are columns by path, as `customer.country`.
import type { Row } from '#server/platform/imports/mapping-rules.ts';

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
