// A mapping rule as a form. What no form can express stays JSON, so nothing of a saved mapping is lost.

/** The forms with their titles. */
export const ruleKinds = {
  none: 'Nothing',
  column: 'A column',
  constant: 'Same for all rows',
  map: 'Replace values',
  date: 'A date',
  number: 'A number as text',
  together: 'Several columns together',
  first: 'First that isn’t empty',
  multiply: 'Multiply columns',
  negate: 'Change sign',
  absolute: 'Absolute value',
  json: 'Rule as JSON',
} as const;

export type RuleKind = keyof typeof ruleKinds;

export type ValuePair = { readonly from: string; readonly to: string };

export type RuleForm =
  | { readonly kind: 'none' }
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'negate'; readonly column: string }
  | { readonly kind: 'absolute'; readonly column: string }
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'map'; readonly column: string; readonly pairs: readonly ValuePair[]; readonly otherwise: string }
  | { readonly kind: 'date'; readonly column: string; readonly format: string; readonly zone: string }
  | { readonly kind: 'number'; readonly column: string; readonly decimal: '.' | ',' }
  /** Joined to one text; rows with the same values can be numbered, which makes an id of them. */
  | {
      readonly kind: 'together';
      readonly columns: readonly string[];
      readonly with: string;
      readonly isNumbered: boolean;
    }
  | { readonly kind: 'first'; readonly columns: readonly string[] }
  | { readonly kind: 'multiply'; readonly columns: readonly string[] }
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
  const { constant, negate, absolute, number, decimal } = rule;
  if (typeof constant === 'string' && hasOnly(rule, ['constant'])) return { kind: 'constant', text: constant };
  if (typeof negate === 'string' && hasOnly(rule, ['negate'])) return { kind: 'negate', column: negate };
  if (typeof absolute === 'string' && hasOnly(rule, ['absolute'])) return { kind: 'absolute', column: absolute };
  const isNumber = typeof number === 'string' && (decimal === '.' || decimal === ',');
  return isNumber && hasOnly(rule, ['number', 'decimal']) ? { kind: 'number', column: number, decimal } : null;
}

function formOfSeveral(rule: Json): RuleForm | null {
  const { first, multiply, value, map, date, format, zone = '', default: otherwise = '' } = rule;
  const together = togetherForm(rule);
  if (together) return together;
  if (isTexts(first) && hasOnly(rule, ['first'])) return { kind: 'first', columns: first };
  if (isTexts(multiply) && hasOnly(rule, ['multiply'])) return { kind: 'multiply', columns: multiply };
  if (typeof date === 'string' && typeof format === 'string' && typeof zone === 'string')
    return hasOnly(rule, ['date', 'format'], ['zone']) ? { kind: 'date', column: date, format, zone } : null;
  // An empty text for all other values differs from none, and only JSON can express it.
  if (typeof value !== 'string' || !isMap(map) || rule.default === '' || typeof otherwise !== 'string') return null;
  const pairs = Object.entries(map).map(([from, to]) => ({ from, to }));
  return hasOnly(rule, ['value', 'map'], ['default']) ? { kind: 'map', column: value, pairs, otherwise } : null;
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
    return form.columns.length > 1 ? { rule: { multiply: form.columns } } : { fault: 'needs at least two columns' };
  if (form.column === '') return null;
  return { rule: ruleOfColumn(form) };
}

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
  if (form.kind === 'negate') return { negate: column };
  if (form.kind === 'absolute') return { absolute: column };
  if (form.kind === 'number') return { number: column, decimal: form.decimal };
  if (form.kind === 'date') return { date: column, format: form.format, ...(form.zone ? { zone: form.zone } : {}) };
  if (form.kind === 'column') return column;
  const map = Object.fromEntries(form.pairs.filter(({ from }) => from !== '').map(({ from, to }) => [from, to]));
  return { value: column, map, ...(form.otherwise ? { default: form.otherwise } : {}) };
}

/** The columns in a form. */
export const columnsOf = (form: RuleForm): readonly string[] => {
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
  if (kind === 'date') return { kind, column, format: 'YYYY-MM-DD', zone: '' };
  if (kind === 'number') return { kind, column, decimal: '.' };
  if (kind === 'together') return { kind, columns, with: ' / ', isNumbered: false };
  if (kind === 'first' || kind === 'multiply') return { kind, columns };
  if (kind !== 'json') return { kind, column };
  const rule = ruleOf(form);
  return { kind, text: rule && 'rule' in rule ? JSON.stringify(rule.rule, null, 2) : '' };
}
