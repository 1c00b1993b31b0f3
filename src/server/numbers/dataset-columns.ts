// A dataset's fields as columns: names and types for SQL generated from `core/numbers/datasets.ts`. Names
// only come from the core, so they are safe to use in statements.
import { type SQL, sql } from 'drizzle-orm';
import type { Dataset, FieldType, RollUp } from '#core/numbers/dataset.ts';
import { type DatasetKey, datasetKeys, datasetOf, hasHours } from '#core/numbers/datasets.ts';
import { rows, type Where } from '#core/numbers/metric.ts';
import { leafFormulaOf } from '#core/numbers/metric-value.ts';
import { literals } from '#server/platform/db/literals.ts';

type SqlType = 'text' | 'timestamptz' | 'date' | 'bigint' | 'boolean' | 'smallint';

const sqlTypes = {
  text: 'text',
  longText: 'text',
  instant: 'timestamptz',
  day: 'date',
  money: 'bigint',
  whole: 'bigint',
  flag: 'boolean',
  score: 'smallint',
} as const satisfies Record<Extract<FieldType, string>, SqlType>;

export const sqlTypeOf = (type: FieldType): SqlType => (typeof type === 'string' ? sqlTypes[type] : 'text');

export const name = (text: string): SQL => sql.raw(`"${text}"`);

const firstOf = new Map(datasetKeys.flatMap((key) => Object.entries(datasetOf(key).firstOf ?? {})));

/** A field, or what numbers read as one. */
export function column(alias: string, text: string): SQL {
  const fields = firstOf.get(text);
  return fields ? sql`coalesce(${columns(alias, fields)})` : sql.raw(`${alias}."${text}"`);
}
export const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);
export const names = (texts: readonly string[]): SQL => list(texts.map(name));
export const columns = (alias: string, texts: readonly string[]): SQL => list(texts.map((text) => column(alias, text)));
export const allOf = (parts: readonly SQL[]): SQL =>
  parts.length === 0 ? sql`true` : sql.join([...parts], sql` and `);

export const rowsTableOf = (key: DatasetKey): SQL => name(key);
export const rollUpTableOf = (key: DatasetKey, rollUp: Pick<RollUp, 'name'>): SQL => name(`${key}_${rollUp.name}`);

/** What identifies a roll-up's row in addition to its dimensions. */
const timeColumnsOf = ({ hour }: RollUp): string[] => (hour ? ['day', 'hour'] : ['day']);
export const keyColumnsOf = (rollUp: RollUp): string[] => [...rollUp.dimensions, ...timeColumnsOf(rollUp)];

/** `beginningOf` of a row's day, as SQL. */
const dayOfGrain = {
  month: sql`date_trunc('month', "day"::timestamp)::date`,
  week: sql`"day" - (extract(day from "day")::int - 1) % 7`,
} as const;

/** The key of a row's roll-up row, in the order of its key columns. */
export const keyOfRow = (rollUp: RollUp): SQL =>
  list(keyColumnsOf(rollUp).map((part) => (part === 'day' && rollUp.grain ? dayOfGrain[rollUp.grain] : name(part))));

/** Rows that a formula counts. */
export function counted(where: Where | undefined, alias: string): SQL {
  return allOf(
    Object.entries(where ?? {}).map(([field, allowed]) => {
      if (allowed === 'positive') return sql`${column(alias, field)} > 0`;
      if (allowed === 'known') return sql`${column(alias, field)} is not null`;
      const values = allowed.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
      return sql`${column(alias, field)} in (${sql.raw(values.join(', '))})`;
    }),
  );
}

/** Each of `sumColumnsOf` for the rows of `alias`, multiplied by a factor. */
export function sumsOfRows(dataset: DatasetKey, { sums, metrics = [] }: RollUp, alias: string, factor: SQL): SQL[] {
  const ofFields = sums.map((field) => sql`coalesce(sum(${factor} * ${column(alias, field)}), 0)`);
  const ofMetrics = metrics.map((metric) => {
    const formula = leafFormulaOf(dataset, metric);
    if (formula.kind !== 'sum') throw new Error(`${metric} is no sum`);
    const value = formula.of === rows ? factor : sql`${factor} * ${column(alias, formula.of)}`;
    return sql`coalesce(sum(${value}) filter (where ${counted(formula.where, alias)}), 0)`;
  });
  return [...ofFields, ...ofMetrics];
}

/** The columns computed from the dating field in the zone; a dataset dated by day has its day as a field. */
export function derivedColumns(dataset: Dataset): string[] {
  return hasHours(dataset) ? ['day', 'hour'] : [];
}

/** A row whose source gives only a day (`isDayOnly`) has no hour. */
export function derivedValue(dataset: Dataset, derived: string, alias: string, zone: string, isDayOnly: SQL): SQL {
  const local = sql`${column(alias, dataset.datedBy)} at time zone ${zone}`;
  if (derived === 'day') return sql`(${local})::date`;
  return sql`case when not ${isDayOnly} then extract(hour from ${local})::smallint end`;
}

/** Whether the source gives an instant that dates no row as a day; its text is kept. */
export function isDayText(field: string, alias: string): SQL {
  const isText = (one: string) => sql`${column(alias, 'texts')} ? ${literals([one])}`;
  const [first, ...others] = firstOf.get(field) ?? [field];
  return others.reduce(
    (is, other) => sql`(${is} or ${column(alias, first!)} is null and ${isText(other)})`,
    isText(first!),
  );
}

/** The columns that depend on the company's time zone. */
export function zonedColumns(dataset: Dataset): string[] {
  if (!hasHours(dataset)) return [];
  const instants = Object.keys(dataset.fields).filter((field) => dataset.fields[field]!.type === 'instant');
  return [...instants, ...derivedColumns(dataset)];
}

/** Such a column of a stored row, computed for a zone. A row without a time stays on its day. */
export function zonedValue(dataset: Dataset, zoned: string, alias: string, zone: string): SQL {
  if (zoned !== dataset.datedBy && dataset.fields[zoned]) {
    const text = sql`${column(alias, 'texts')} ->> ${literals([zoned])}`;
    return sql`case when ${isDayText(zoned, alias)} then (${text})::timestamp at time zone ${zone} else ${column(alias, zoned)} end`;
  }
  const [day, isDayOnly] = [column(alias, 'day'), sql`${column(alias, 'hour')} is null`];
  if (zoned === 'hour') return derivedValue(dataset, zoned, alias, zone, isDayOnly);
  const ofDay = zoned === 'day' ? day : sql`${day}::timestamp at time zone ${zone}`;
  const ofTime = zoned === 'day' ? derivedValue(dataset, zoned, alias, zone, isDayOnly) : column(alias, zoned);
  return sql`case when ${isDayOnly} then ${ofDay} else ${ofTime} end`;
}

/** The order of listed rows: by day, then by time if they have one. */
export const orderOfRows = (dataset: Dataset): string[] => [...new Set(['day', dataset.datedBy, 'id'])];

/** The columns that the source fills, in the core's order. */
export const fieldsOf = (key: DatasetKey): string[] => Object.keys(datasetOf(key).fields);
