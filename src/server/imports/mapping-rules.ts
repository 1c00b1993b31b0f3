// The language of mapping files: how a field of ours is made from the columns of somebody else's row. Rules are data, so
// that another source's export needs another file and no code.
import * as z from 'zod';

/** A column by its name, or by its path where rows are nested (`fields.summary`); or a rule over further rules. */
export type Rule =
  | string
  | { readonly constant: string }
  | { readonly first: readonly Rule[] }
  | { readonly join: readonly Rule[]; readonly with: string }
  | { readonly value: Rule; readonly map: Readonly<Record<string, string>>; readonly default?: string | undefined }
  | { readonly when: readonly Condition[]; readonly give: Rule; readonly else?: Rule | undefined }
  | { readonly last: string; readonly take: Rule };

export type Condition = {
  readonly value: Rule;
  readonly in?: readonly string[] | undefined;
  readonly differsFrom?: Rule | undefined;
  readonly blank?: boolean | undefined;
};

export type Row = Readonly<Record<string, unknown>>;

/** What a rule gives for a row. `column` is what to look at in the row; `fault` says why there is no value. */
export type Found = { readonly value: unknown; readonly column: string; readonly fault?: string };

const text = z.string().min(1, 'must not be blank');

const condition: z.ZodType<Condition> = z
  .strictObject({
    value: z.lazy(() => rule),
    in: z.array(z.string()).min(1).optional(),
    differsFrom: z.lazy(() => rule).optional(),
    blank: z.boolean().optional(),
  })
  .refine(
    (checks) => [checks.in, checks.differsFrom, checks.blank].filter((check) => check !== undefined).length === 1,
    'needs exactly one of in, differsFrom, blank',
  );

const ruleList = z.array(z.lazy(() => rule)).min(1);

const forms = {
  constant: z.strictObject({ constant: z.string() }),
  first: z.strictObject({ first: ruleList }),
  join: z.strictObject({ join: ruleList, with: z.string() }),
  map: z.strictObject({
    value: z.lazy(() => rule),
    map: z.record(z.string(), z.string()),
    default: z.string().optional(),
  }),
  when: z.strictObject({
    when: z.array(condition).min(1),
    give: z.lazy(() => rule),
    else: z.lazy(() => rule).optional(),
  }),
  last: z.strictObject({ last: text, take: z.lazy(() => rule) }),
} as const;

const isRuleForm = (key: string): key is keyof typeof forms => Object.hasOwn(forms, key);

/**
 * A rule. The form is told by its key and then parsed strictly, so that a misspelt word inside is named where it stands;
 * a union would only say that nothing fits.
 */
export const rule: z.ZodType<Rule> = z.unknown().transform((input, context): Rule => {
  if (typeof input === 'string' && input !== '') return input;
  const form = typeof input === 'object' && input !== null ? Object.keys(input).find(isRuleForm) : undefined;
  if (form === undefined) {
    const known = Object.keys(forms).join(', ');
    context.addIssue({ code: 'custom', message: `is no rule: give the name of a column, or an object with ${known}` });
    return z.NEVER;
  }
  const parsed = forms[form].safeParse(input);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) context.addIssue({ ...issue, input } as z.core.$ZodRawIssue);
  return z.NEVER;
});

export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** A column by its own name, else step by step along the dots. */
function columnOf(row: Row, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path];
  let value: unknown = row;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Row)[step];
  }
  return value;
}

export function find(wanted: Rule, row: Row): Found {
  if (typeof wanted === 'string') return { value: columnOf(row, wanted), column: wanted };
  if ('constant' in wanted) return { value: wanted.constant, column: '' };
  if ('first' in wanted) return findFirst(wanted.first, row);
  if ('join' in wanted) return findJoined(wanted.join, wanted.with, row);
  if ('map' in wanted) return findMapped(wanted, row);
  if ('last' in wanted) return findLast(wanted.last, wanted.take, row);
  if (wanted.when.every((check) => holds(check, row))) return find(wanted.give, row);
  return wanted.else === undefined ? { value: undefined, column: '' } : find(wanted.else, row);
}

function findFirst(rules: readonly Rule[], row: Row): Found {
  let found: Found = { value: undefined, column: '' };
  for (const candidate of rules) {
    found = find(candidate, row);
    if (found.fault || !isBlank(found.value)) return found;
  }
  return found;
}

function findJoined(rules: readonly Rule[], separator: string, row: Row): Found {
  const parts = rules.map((part) => find(part, row));
  const broken = parts.find(({ fault }) => fault !== undefined);
  if (broken) return broken;
  const filled = parts.filter(({ value }) => !isBlank(value)).map(({ value }) => String(value));
  return { value: filled.join(separator), column: parts[0]?.column ?? '' };
}

function findMapped({ value: from, map, default: otherwise }: Extract<Rule, { map: unknown }>, row: Row): Found {
  const found = find(from, row);
  if (found.fault) return found;
  const key = isBlank(found.value) ? '' : String(found.value);
  if (Object.hasOwn(map, key)) return { ...found, value: map[key] };
  if (otherwise !== undefined) return { ...found, value: otherwise };
  return { ...found, fault: `has the value ${JSON.stringify(key)}, which the mapping does not know` };
}

function findLast(list: string, take: Rule, row: Row): Found {
  const items = columnOf(row, list);
  if (isBlank(items)) return { value: undefined, column: list };
  if (!Array.isArray(items)) return { value: undefined, column: list, fault: 'is not a list' };
  const last: unknown = items.at(-1);
  if (typeof last !== 'object' || last === null) return { value: undefined, column: list };
  const found = find(take, last as Row);
  return { ...found, column: `${list}[${items.length - 1}].${found.column}` };
}

function holds({ value, in: list, differsFrom, blank }: Condition, row: Row): boolean {
  const found = find(value, row).value;
  if (list) return !isBlank(found) && list.includes(String(found));
  if (differsFrom !== undefined) return found !== find(differsFrom, row).value;
  return isBlank(found) === blank;
}

/** The names of the row's own columns that a rule reads. */
export function columnsRead(wanted: Rule): string[] {
  if (typeof wanted === 'string') return [wanted];
  if ('constant' in wanted) return [];
  if ('first' in wanted) return wanted.first.flatMap(columnsRead);
  if ('join' in wanted) return wanted.join.flatMap(columnsRead);
  if ('map' in wanted) return columnsRead(wanted.value);
  if ('last' in wanted) return [wanted.last];
  const branches = wanted.else === undefined ? [wanted.give] : [wanted.give, wanted.else];
  const checks = wanted.when.flatMap(({ value, differsFrom }) =>
    differsFrom === undefined ? [value] : [value, differsFrom],
  );
  return [...checks, ...branches].flatMap(columnsRead);
}
