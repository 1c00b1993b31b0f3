// How the fields of a dataset lie in its tables: names and types for SQL that is made from `core/numbers/datasets.ts`. Names come from
// the core and never from outside, so they may stand in a statement as they are.
import { type SQL, sql } from 'drizzle-orm';
import type { Dataset, FieldType, RollUp } from '#core/numbers/dataset.ts';
import { type DatasetKey, datasetOf, hasHours } from '#core/numbers/datasets.ts';
import { rows, type Where } from '#core/numbers/metric.ts';
import { leafFormulaOf } from '#core/numbers/metric-value.ts';

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
export const column = (alias: string, text: string): SQL => sql.raw(`${alias}."${text}"`);
export const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);
export const names = (texts: readonly string[]): SQL => list(texts.map(name));
export const columns = (alias: string, texts: readonly string[]): SQL => list(texts.map((text) => column(alias, text)));
export const allOf = (parts: readonly SQL[]): SQL =>
  parts.length === 0 ? sql`true` : sql.join([...parts], sql` and `);

export const rowsTableOf = (key: DatasetKey): SQL => name(key);
export const rollUpTableOf = (key: DatasetKey, rollUp: Pick<RollUp, 'name'>): SQL => name(`${key}_${rollUp.name}`);

/** What identifies a row of a roll-up besides its dimensions. */
const timeColumnsOf = ({ hour }: RollUp): string[] => (hour ? ['day', 'hour'] : ['day']);
export const keyColumnsOf = (rollUp: RollUp): string[] => [...rollUp.dimensions, ...timeColumnsOf(rollUp)];

/** `beginningOf` of a row's day, as SQL. */
const dayOfGrain = {
  month: sql`date_trunc('month', "day"::timestamp)::date`,
  week: sql`"day" - (extract(day from "day")::int - 1) % 7`,
} as const;

/** The key of the roll-up's row that a row of the dataset counts in, in the order of its key columns. */
export const keyOfRow = (rollUp: RollUp): SQL =>
  list(keyColumnsOf(rollUp).map((part) => (part === 'day' && rollUp.grain ? dayOfGrain[rollUp.grain] : name(part))));

/** Rows that a formula counts. */
export function counted(where: Where | undefined, alias: string): SQL {
  return allOf(
    Object.entries(where ?? {}).map(([field, allowed]) => {
      if (allowed === 'positive') return sql`${column(alias, field)} > 0`;
      const values = allowed.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
      return sql`${column(alias, field)} in (${sql.raw(values.join(', '))})`;
    }),
  );
}

/** What each of `sumColumnsOf` keeps of the rows of `alias`, each times a factor. */
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

/** The columns that are computed from the dating field in the zone; a dataset dated by days has its day as a field. */
export function derivedColumns(dataset: Dataset): string[] {
  return hasHours(dataset) ? ['day', 'hour'] : [];
}

export function derivedValue(dataset: Dataset, derived: string, alias: string, zone: string): SQL {
  const local = sql`${column(alias, dataset.datedBy)} at time zone ${zone}`;
  return derived === 'day' ? sql`(${local})::date` : sql`extract(hour from ${local})::smallint`;
}

/** The columns of a row that the source fills, in the order of the core. */
export const fieldsOf = (key: DatasetKey): string[] => Object.keys(datasetOf(key).fields);
