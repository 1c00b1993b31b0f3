// A mapping rule as a form. What no form can express stays JSON, so nothing of a saved mapping is lost.
import { type DurationUnit, durationUnitNames } from '#core/base/durations.ts';
import type { FieldType } from '#core/numbers/datasets.ts';
import { saysLength, unitInName } from './column-words.ts';

/** The forms with their titles. */
export const ruleKinds = {
  none: 'Nothing',
  column: 'A column',
  constant: 'Same for all rows',
  map: 'Replace values',
  date: 'A date',
  duration: 'A duration',
  number: 'A number as text',
  together: 'Combine columns',
  first: 'First non-blank column',
  multiply: 'Multiply columns',
  cents: 'Amount in cents',
  once: 'Once per order',
  negate: 'Flip sign',
  absolute: 'Absolute value',
  json: 'Rule as JSON',
} as const;

export type RuleKind = keyof typeof ruleKinds;

export type ValuePair = { readonly from: string; readonly to: string };

type DecimalSign = '.' | ',';
/** The signs of columns whose numbers are text like `1.234,50`. */
type Decimals = { readonly decimals?: Readonly<Record<string, DecimalSign>> };

export type RuleForm =
  | { readonly kind: 'none' }
  | { readonly kind: 'column'; readonly column: string }
  | ({ readonly kind: 'cents'; readonly column: string } & Decimals)
  | ({ readonly kind: 'negate'; readonly column: string } & Decimals)
  | ({ readonly kind: 'absolute'; readonly column: string } & Decimals)
  /** The order's amount, which each of its lines repeats. `per`: the rule of the row's order. */
  | ({ readonly kind: 'once'; readonly column: string; readonly per: unknown } & Decimals)
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'map'; readonly column: string; readonly pairs: readonly ValuePair[]; readonly otherwise: string }
  /** `time`: another column with the time of day, if any; `others`: columns for rows that leave it blank. */
  | {
      readonly kind: 'date';
      readonly column: string;
      readonly others?: readonly string[];
      readonly time: string;
      readonly format: string;
      readonly zone: string;
    }
  /** `after`: the rule of the row's date, from which it is counted. */
  | ({
      readonly kind: 'duration';
      readonly column: string;
      readonly unit: DurationUnit | '';
      readonly after: unknown;
    } & Decimals)
  | { readonly kind: 'number'; readonly column: string; readonly decimal: DecimalSign }
  /** Joined to one text; rows with the same values can be numbered, which makes an id of them. */
  | {
      readonly kind: 'together';
      readonly columns: readonly string[];
      readonly with: string;
      readonly isNumbered: boolean;
    }
  | { readonly kind: 'first'; readonly columns: readonly string[] }
  | ({ readonly kind: 'multiply'; readonly columns: readonly string[] } & Decimals)
  | { readonly kind: 'json'; readonly text: string };

type Json = Readonly<Record<string, unknown>>;

const asJson = (rule: unknown): RuleForm => ({ kind: 'json', text: JSON.stringify(rule, null, 2) });
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const isMap = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');

/** Whether the rule has exactly these keys; optional ones may be missing. */
function hasOnly(rule: Json, needed: readonly string[], optional: readonly string[] = []): boolean {
  const keys = Object.keys(rule);
  return needed.every((key) => keys.includes(key)) && keys.every((key) => [...needed, ...optional].includes(key));
}

/** The form for a mapping's rule. */
export function formOf(rule: unknown): RuleForm {
  if (rule === undefined) return { kind: 'none' };
  if (typeof rule === 'string') return { kind: 'column', column: rule };
  if (typeof rule !== 'object' || rule === null) return asJson(rule);
  const given = rule as Json;
  return simpleForm(given) ?? formOfSeveral(given) ?? asJson(rule);
}

function simpleForm(rule: Json): RuleForm | null {
  const { constant } = rule;
  if (typeof constant === 'string' && hasOnly(rule, ['constant'])) return { kind: 'constant', text: constant };
  return numberForm(rule) ?? calculation(rule) ?? durationForm(rule) ?? onceForm(rule);
}

function onceForm(rule: Json): Extract<RuleForm, { kind: 'once' }> | null {
  const { when, give, else: otherwise } = rule;
  const [condition, ...more] = Array.isArray(when) ? (when as Json[]) : [];
  if (!condition || more.length > 0 || condition.equals !== '1' || !isConstant(otherwise, '0')) return null;
  const [per, ...others] = [(condition.value as Json | undefined)?.occurrence ?? []].flat();
  const given = operandIn(give);
  const isOnce = per !== undefined && others.length === 0 && hasOnly(rule, ['when', 'give', 'else']);
  return given && isOnce ? { kind: 'once', ...given, per } : null;
}

function durationForm(rule: Json): Extract<RuleForm, { kind: 'duration' }> | null {
  const { duration, unit = '', after } = rule;
  if (!hasOnly(rule, ['duration', 'after'], ['unit']) || !isUnit(unit)) return null;
  const given = operandIn(duration);
  return given && { kind: 'duration', ...given, unit, after };
}

const isUnit = (unit: unknown): unit is DurationUnit | '' =>
  unit === '' || (durationUnitNames as readonly unknown[]).includes(unit);

function numberForm(rule: Json): Extract<RuleForm, { kind: 'number' }> | null {
  const { number, decimal } = rule;
  const isNumber = typeof number === 'string' && (decimal === '.' || decimal === ',');
  return isNumber && hasOnly(rule, ['number', 'decimal']) ? { kind: 'number', column: number, decimal } : null;
}

/** What an amount in cents is multiplied by. */
const cent = '0.01';
const isConstant = (rule: unknown, text: string): boolean =>
  typeof rule === 'object' && rule !== null && (rule as Json).constant === text && hasOnly(rule as Json, ['constant']);

/** The columns that are calculated with are plain numbers, or each is a number as text. */
function calculation(rule: Json): RuleForm | null {
  const kind = (['multiply', 'negate', 'absolute'] as const).find((one) => hasOnly(rule, [one]));
  const given = kind && rule[kind];
  if (!kind || Array.isArray(given) !== (kind === 'multiply')) return null;
  const columns: string[] = [];
  const decimals: Record<string, DecimalSign> = {};
  const operands = [given].flat();
  const isOfCents = kind === 'multiply' && operands.length === 2 && isConstant(operands[1], cent);
  for (const operand of isOfCents ? operands.slice(0, 1) : operands) {
    const one = operandIn(operand);
    // Once as text and once plain is for JSON.
    if (one === null || (columns.includes(one.column) && decimals[one.column] !== one.decimals[one.column]))
      return null;
    columns.push(one.column);
    Object.assign(decimals, one.decimals);
  }
  if (kind === 'multiply' && !isOfCents) return { kind, columns, decimals };
  return { kind: kind === 'multiply' ? 'cents' : kind, column: columns[0]!, decimals };
}

/** A column that is plain or a number as text. */
function operandIn(operand: unknown): { column: string; decimals: Record<string, DecimalSign> } | null {
  if (typeof operand === 'string') return { column: operand, decimals: {} };
  const number = typeof operand === 'object' && operand !== null ? numberForm(operand as Json) : null;
  return number && { column: number.column, decimals: { [number.column]: number.decimal } };
}

const operandOf = (column: string, { decimals = {} }: Decimals): unknown =>
  Object.hasOwn(decimals, column) ? { number: column, decimal: decimals[column] } : column;

function formOfSeveral(rule: Json): RuleForm | null {
  const { first, value, map, date, format, zone = '', default: otherwise = '' } = rule;
  const together = togetherForm(rule);
  if (together) return together;
  if (isTexts(first) && hasOnly(rule, ['first'])) return { kind: 'first', columns: first };
  if (date !== undefined && typeof format === 'string' && typeof zone === 'string') {
    const [column, time = '', ...more] = typeof date === 'string' ? [date] : timedColumns(date);
    if (!hasOnly(rule, ['date', 'format'], ['zone'])) return null;
    if (column !== undefined) return more.length === 0 ? { kind: 'date', column, time, format, zone } : null;
    const several = formOf(date);
    if (several.kind !== 'first') return null;
    const [main = '', ...others] = several.columns;
    return { kind: 'date', column: main, others, time: '', format, zone };
  }
  // An empty text for all other values differs from none, and only JSON can express it.
  if (typeof value !== 'string' || !isMap(map) || rule.default === '' || typeof otherwise !== 'string') return null;
  const pairs = Object.entries(map).map(([from, to]) => ({ from, to }));
  return hasOnly(rule, ['value', 'map'], ['default']) ? { kind: 'map', column: value, pairs, otherwise } : null;
}

/** The columns of `{"join": ["day", "time"], "with": " "}`. */
function timedColumns(date: unknown): readonly string[] {
  const joined = typeof date === 'object' && date !== null ? togetherForm(date as Json) : null;
  const isTimed = joined?.kind === 'together' && joined.with === ' ' && !joined.isNumbered;
  return isTimed && joined.columns.length === 2 ? joined.columns : [];
}

/** The format of a text with a time of day: `9:05:00 PM` has `h:mm:ss A`. Beside a year, it is a month. */
function timeFormat(text: string, day: string): string {
  if (day === 'YYYY') return /\d/.test(text) ? 'M' : 'MMM';
  const [, seconds, space = '', half] = /^\d{1,2}:\d{2}(:\d{2})?(?:(\s?)([ap]m))?$/i.exec(text.trim()) ?? [];
  return `${half ? 'h' : 'H'}:mm${seconds ? ':ss' : ''}${half ? `${space}A` : ''}`;
}

const dayFormat = 'YYYY-MM-DD';

type DateForm = Extract<RuleForm, { kind: 'date' }>;

/** The date with the time or month of another column, or without if that is empty; `example` is one of them. */
export function withTime(form: DateForm, time: string, example: string): DateForm {
  const days = form.format.split('|').map((one) => one.trim().replace(/ [Hh]{1,2}:m.*$|(?<=^YYYY) M+$/, ''));
  // A time can't follow ISO, which is beside a day that all times of the column are midnight of.
  const timed = days.length > 1 ? days.filter((day) => day !== 'ISO') : days;
  const formats = time === '' ? days : timed.map((day) => `${day} ${timeFormat(example, day)}`);
  return { ...form, time, format: formats.join(' | ') };
}

/** `{"join": ["a", "b", {"occurrence": ["a", "b"]}], "with": " / "}`, also without the number. */
function togetherForm(rule: Json): RuleForm | null {
  const { join, with: sign } = rule;
  if (!Array.isArray(join) || typeof sign !== 'string' || !hasOnly(rule, ['join', 'with'])) return null;
  const last: unknown = join.at(-1);
  const counted = typeof last === 'object' && last !== null ? (last as Json).occurrence : undefined;
  const columns: unknown = counted === undefined ? join : join.slice(0, -1);
  if (!isTexts(columns) || columns.length === 0) return null;
  const isSame =
    counted === undefined || (hasOnly(last as Json, ['occurrence']) && String(counted) === String(columns));
  return isSame ? { kind: 'together', columns, with: sign, isNumbered: counted !== undefined } : null;
}

/** The tick box that makes ids of rows that are alike. */
export const numberingTitle = 'Number rows with the same values: 1, 2, 3';

/** The form with numbered rows; null if it has them already, or can't. */
export function numbered(form: RuleForm): RuleForm | null {
  if (form.kind === 'together') return form.isNumbered ? null : { ...form, isNumbered: true };
  const together = form.kind === 'column' && form.column !== '' ? changeKind(form, 'together') : null;
  return together?.kind === 'together' ? { ...together, isNumbered: true } : null;
}

function ruleTogether({ columns, with: sign, isNumbered }: Extract<RuleForm, { kind: 'together' }>) {
  if (columns.length === 0) return null;
  return { rule: { join: isNumbered ? [...columns, { occurrence: columns }] : columns, with: sign } };
}

/** A form's rule; null if it is empty. */
export function ruleOf(form: RuleForm): { readonly rule: unknown } | { readonly fault: string } | null {
  if (form.kind === 'none') return null;
  if (form.kind === 'json') return parsed(form.text);
  if (form.kind === 'constant') return { rule: { constant: form.text } };
  if (form.kind === 'together') return ruleTogether(form);
  if (form.kind === 'first') return form.columns.length > 0 ? { rule: { first: form.columns } } : null;
  if (form.kind === 'multiply')
    return form.columns.length > 1
      ? { rule: { multiply: form.columns.map((column) => operandOf(column, form)) } }
      : { fault: 'needs a second column to multiply by' };
  if (form.column === '') return null;
  if (form.kind === 'duration' && form.after === undefined) return { fault: 'needs a date to be counted from' };
  if (form.kind === 'once' && form.per === undefined) return { fault: 'needs a column for the order' };
  return { rule: ruleOfColumn(form) };
}

const ruleOnce = ({ per, column, ...form }: Extract<RuleForm, { readonly kind: 'once' }>) => ({
  when: [{ value: { occurrence: [per] }, equals: '1' }],
  give: operandOf(column, form),
  else: { constant: '0' },
});

function parsed(text: string): { readonly rule: unknown } | { readonly fault: string } | null {
  if (text.trim() === '') return null;
  try {
    return { rule: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: `is not JSON: ${(error as Error).message}` };
  }
}

function ruleOfColumn(form: Extract<RuleForm, { readonly column: string }>): unknown {
  const { column } = form;
  if (form.kind === 'cents') return { multiply: [operandOf(column, form), { constant: cent }] };
  if (form.kind === 'negate' || form.kind === 'absolute') return { [form.kind]: operandOf(column, form) };
  if (form.kind === 'number') return { number: column, decimal: form.decimal };
  if (form.kind === 'once') return ruleOnce(form);
  if (form.kind === 'duration')
    return { duration: operandOf(column, form), ...(form.unit && { unit: form.unit }), after: form.after };
  if (form.kind === 'date') {
    const { time, others = [] } = form;
    const whole = time === '' ? column : { join: [column, time], with: ' ' };
    const date = others.length === 0 ? whole : { first: [whole, ...others] };
    return { date, format: form.format, ...(form.zone ? { zone: form.zone } : {}) };
  }
  if (form.kind === 'column') return column;
  // Nothing in the file is a blank cell.
  const map = Object.fromEntries(
    form.pairs.filter(({ from, to }) => from + to !== '').map(({ from, to }) => [from, to]),
  );
  return { value: column, map, ...(form.otherwise ? { default: form.otherwise } : {}) };
}

/** What the file says of its columns' values. */
export type ColumnFacts = {
  readonly dates: Readonly<Record<string, readonly { readonly format: string }[]>>;
  readonly numbers: Readonly<
    Record<string, { readonly decimal: '.' | ','; readonly isPlain: boolean; readonly isRate?: boolean }>
  >;
  /** Columns whose values can be durations; those that aren't clear need a name that says so. */
  readonly durations: Readonly<Record<string, { readonly isClear: boolean }>>;
  /** A value of the column. */
  readonly exampleOf: (column: string) => string;
};

export const noFacts: ColumnFacts = { dates: {}, numbers: {}, durations: {}, exampleOf: () => '' };

/** The form with the format of its column's values. */
function asInFile(form: RuleForm, { dates, numbers, exampleOf }: ColumnFacts): RuleForm {
  if (form.kind === 'duration')
    return { ...form, unit: unitInName(form.column) ?? '', decimals: decimalsIn([form.column], { numbers }) };
  if (form.kind === 'number') return { ...form, decimal: numbers[form.column]?.decimal ?? '.' };
  if (form.kind !== 'date') return form;
  const formats = [form.column, ...othersOf(form)].flatMap((column) => dates[column] ?? []);
  const dated = { ...form, format: [...new Set(formats.map(({ format }) => format))].join(' | ') || dayFormat };
  return dated.time === '' ? dated : withTime(dated, dated.time, exampleOf(dated.time));
}

/** The signs that the file's columns need. */
export const decimalsIn = (columns: readonly string[], { numbers }: Pick<ColumnFacts, 'numbers'>) =>
  Object.fromEntries(
    columns.flatMap((column) => {
      const found = numbers[column];
      return found?.isPlain === false ? [[column, found.decimal] as const] : [];
    }),
  );

const othersOf = (form: RuleForm): readonly string[] => (form.kind === 'date' ? (form.others ?? []) : []);

/** Dates that need no format. */
const isPlainDate = ({ format }: { readonly format: string }) => [dayFormat, 'ISO'].includes(format);

/** By its values, and by its name where they can be something else. */
export const isDurationColumn = (
  column: string,
  { durations, exampleOf }: Pick<ColumnFacts, 'durations' | 'exampleOf'>,
): boolean => durations[column] !== undefined && (durations[column].isClear || saysLength(column, exampleOf(column)));

/** The column as a date, a duration or a number as text if its values need it. */
export function formOfColumn(column: string, type: FieldType, facts: ColumnFacts): RuleForm {
  const isDate = (type === 'instant' || type === 'day') && facts.dates[column]?.every(isPlainDate) === false;
  const isNumber = (type === 'money' || type === 'whole') && facts.numbers[column]?.isPlain === false;
  const isDuration = type === 'instant' && isDurationColumn(column, facts);
  const kind = (isDate && 'date') || (isNumber && 'number') || (isDuration && 'duration');
  const form: RuleForm = { kind: 'column', column };
  return kind ? asInFile(changeKind(form, kind), facts) : form;
}

export type Calculation = Extract<
  RuleForm,
  Decimals & { readonly kind: 'multiply' | 'cents' | 'negate' | 'absolute' | 'once' }
>;

/** Whether each of its columns is read with a decimal sign. */
export const isCalculation = (form: RuleForm): form is Calculation =>
  ['multiply', 'cents', 'negate', 'absolute', 'once'].includes(form.kind);

/** The changed form with the format of a newly chosen column or kind, unless another one was set by hand. */
export function withFormat(form: RuleForm, before: RuleForm, facts: ColumnFacts, type: FieldType): RuleForm {
  if (form.kind === 'column' && form.column !== columnsOf(before)[0]) return formOfColumn(form.column, type, facts);
  if (isCalculation(form)) return { ...form, decimals: { ...decimalsIn(columnsOf(form), facts), ...form.decimals } };
  // A date and its time read as one text.
  const isDated = type === 'instant' || type === 'day';
  if (form.kind === 'together' && form.kind !== before.kind && isDated) return { ...form, with: ' ' };
  if (form.kind !== before.kind)
    return form.kind === 'date' && form.format !== dayFormat ? form : asInFile(form, facts);
  const isSame =
    'column' in form &&
    'column' in before &&
    form.column === before.column &&
    String(othersOf(form)) === String(othersOf(before));
  const isByHand = JSON.stringify(before) !== JSON.stringify(asInFile(before, facts));
  return isSame || isByHand ? form : asInFile(form, facts);
}

/** The columns in a form. */
export const columnsOf = (form: RuleForm): readonly string[] => {
  if (form.kind === 'date') return [form.column, ...othersOf(form), ...(form.time === '' ? [] : [form.time])];
  if ('column' in form) return [form.column];
  return 'columns' in form ? form.columns : [];
};

/** The same column in another form; JSON shows the previous rule. */
export function changeKind(form: RuleForm, kind: RuleKind): RuleForm {
  const columns = columnsOf(form).filter((column) => column !== '');
  const column = columns[0] ?? '';
  if (kind === 'none') return { kind };
  if (kind === 'constant') return { kind, text: '' };
  if (kind === 'map') return { kind, column, pairs: [], otherwise: '' };
  if (kind === 'date') {
    const others = form.kind === 'first' ? { others: columns.slice(1) } : {};
    return { kind, column, ...others, time: '', format: dayFormat, zone: '' };
  }
  if (kind === 'number') return { kind, column, decimal: '.' };
  if (kind === 'duration') return { kind, column, unit: '', after: undefined, decimals: {} };
  if (kind === 'once') return { kind, column, per: undefined, decimals: {} };
  if (kind === 'together') return { kind, columns, with: ' / ', isNumbered: false };
  if (kind === 'first' || kind === 'multiply') return { kind, columns };
  if (kind !== 'json') return { kind, column };
  const rule = ruleOf(form);
  return { kind, text: rule && 'rule' in rule ? JSON.stringify(rule.rule, null, 2) : '' };
}
