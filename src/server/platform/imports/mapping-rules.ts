// The mapping file language: how our fields are made from another system's rows. Rules are data, so another
// source needs a new file but no code.
import * as z from 'zod';
import { type DurationUnit, durationUnitNames } from '#core/base/durations.ts';
import { formatFault, languageFault } from './date-formats.ts';
import { patternFault } from './safe-pattern.ts';

/** A column by name, or by path for nested rows (`fields.summary`); or a rule with further rules. */
export type Rule =
  | string
  /** An optional column. */
  | { readonly column: string; readonly optional?: boolean | undefined }
  | { readonly constant: string }
  | { readonly first: readonly Rule[] }
  | { readonly join: readonly Rule[]; readonly with: string }
  | { readonly value: Rule; readonly map: Readonly<Record<string, string>>; readonly default?: string | undefined }
  | { readonly when: readonly Condition[]; readonly give: Rule; readonly else?: Rule | undefined }
  | { readonly last: string; readonly take: Rule }
  | { readonly multiply: readonly Rule[] }
  | { readonly negate: Rule }
  | { readonly absolute: Rule }
  /** A number as people write it, `1.234,50 €`, with its decimal sign. */
  | { readonly number: Rule; readonly decimal: ',' | '.' }
  | DateRule
  | DurationRule
  /** The row's number, from 1, among the file's rows with the same values here. */
  | OccurrenceRule
  /** A value in a cell with JSON. */
  | { readonly json: Rule; readonly path: string }
  /** A short text that differs when a value does. */
  | { readonly hash: readonly Rule[] }
  /** Removes a fixed text, or a number of characters, from the start and the end. */
  | { readonly trim: Rule; readonly start?: string | number | undefined; readonly end?: string | number | undefined };

export type DateRule = {
  readonly date: Rule;
  /** `YYYY-MM-DD HH:mm:ss`, `D/M/YYYY HH:MM`, `D MMMM YYYY`, `h:mm A`, `ISO`, `epoch`, `epochMs`. */
  readonly format: string;
  readonly zone?: string | undefined;
  /** For month names; English by default. */
  readonly language?: string | undefined;
};
/** The moment that is so long after another one. */
export type DurationRule = {
  readonly duration: Rule;
  /** The unit of numbers without one: `3.5`, `3:30`. */
  readonly unit?: DurationUnit | undefined;
  readonly after: Rule;
};
export type OccurrenceRule = { readonly occurrence: readonly Rule[] };

export type Condition = {
  readonly value: Rule;
  readonly equals?: string | undefined;
  readonly in?: readonly string[] | undefined;
  readonly startsWith?: string | readonly string[] | undefined;
  readonly matches?: string | undefined;
  readonly lessThan?: number | Rule | undefined;
  readonly moreThan?: number | Rule | undefined;
  readonly differsFrom?: Rule | undefined;
  readonly blank?: boolean | undefined;
};

export type Row = Readonly<Record<string, unknown>>;

/** The rule's result. `column` is where to look in the row; `fault` says why there is no value. */
export type Found = { readonly value: unknown; readonly column: string; readonly fault?: string };

/** The result of each rule of a set, in its order, and the row's occurrence numbers. */
export type EvaluatedRow = { readonly found: readonly Found[]; readonly numbers: readonly number[] };

/** Column names, paths and texts to compare are short; each takes work in every row. */
const longestText = 500;
const mostFactors = 10;
const deepest = 20;
const mostFaults = 20;

const text = z.string().min(1, 'must not be blank').max(longestText, `is longer than ${longestText} characters`);
const inner = z.lazy(() => rule);
const ruleList = z.array(inner).min(1);
const check = (faultOf: (text: string) => string | null) =>
  text.superRefine((value, context) => {
    const fault = faultOf(value);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  });
const bound = z.union([z.number(), inner]);
const edge = z.union([text, z.int().min(0)]).optional();

export const zoneName = check((zone) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return null;
  } catch {
    return `has the unknown time zone "${zone}": use one like Europe/London`;
  }
});

const checks = {
  equals: z.string().optional(),
  in: z.array(z.string()).min(1).optional(),
  startsWith: z.union([text, z.array(text).min(1)]).optional(),
  matches: check(patternFault).optional(),
  lessThan: bound.optional(),
  moreThan: bound.optional(),
  differsFrom: inner.optional(),
  blank: z.boolean().optional(),
} as const;
const checkNames = Object.keys(checks) as (keyof typeof checks)[];

const condition: z.ZodType<Condition> = z
  .strictObject({ value: inner, ...checks })
  .refine(
    (given) => checkNames.filter((name) => given[name] !== undefined).length === 1,
    `needs exactly one of ${checkNames.join(', ')}`,
  );

const forms = {
  column: z.strictObject({ column: text, optional: z.boolean().optional() }),
  constant: z.strictObject({ constant: z.string() }),
  first: z.strictObject({ first: ruleList }),
  join: z.strictObject({ join: ruleList, with: z.string() }),
  map: z.strictObject({ value: inner, map: z.record(z.string(), z.string()), default: z.string().optional() }),
  when: z.strictObject({ when: z.array(condition).min(1), give: inner, else: inner.optional() }),
  last: z.strictObject({ last: text, take: inner }),
  multiply: z.strictObject({ multiply: z.array(inner).min(2).max(mostFactors) }),
  negate: z.strictObject({ negate: inner }),
  absolute: z.strictObject({ absolute: inner }),
  number: z.strictObject({ number: inner, decimal: z.enum([',', '.']) }),
  date: z.strictObject({
    date: inner,
    format: check(formatFault),
    zone: zoneName.optional(),
    language: check(languageFault).optional(),
  }),
  duration: z.strictObject({ duration: inner, unit: z.enum(durationUnitNames).optional(), after: inner }),
  occurrence: z.strictObject({ occurrence: ruleList }),
  json: z.strictObject({ json: inner, path: text }),
  hash: z.strictObject({ hash: ruleList }),
  trim: z.strictObject({ trim: inner, start: edge, end: edge }),
} as const;

const isRuleForm = (key: string): key is keyof typeof forms => Object.hasOwn(forms, key);

/**
 * A rule. Its key decides the form, which is parsed strictly to report a misspelled word in place; a union
 * would only say that nothing fits.
 */
export const rule: z.ZodType<Rule> = z.unknown().transform((input, context): Rule => {
  if (typeof input === 'string') return parsedInto(text, input, context);
  const form = typeof input === 'object' && input !== null ? Object.keys(input).find(isRuleForm) : undefined;
  if (form === undefined) {
    const wanted = `use the name of a column, or an object with ${Object.keys(forms).join(', ')}`;
    const message = input === undefined ? `is missing: ${wanted}` : `isn’t a rule: ${wanted}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
  if (depth === deepest) {
    context.addIssue({ code: 'custom', message: `nests more than ${deepest} levels` });
    return z.NEVER;
  }
  depth += 1;
  try {
    return parsedInto(forms[form], input, context);
  } finally {
    depth -= 1;
  }
});

/** How deep the rule that is being parsed is nested. */
let depth = 0;

function parsedInto(schema: z.ZodType<Rule>, input: unknown, context: z.RefinementCtx): Rule {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  // Every level repeats the faults of the levels inside it.
  for (const issue of parsed.error.issues.slice(0, mostFaults))
    context.addIssue({ ...issue, input } as z.core.$ZodRawIssue);
  return z.NEVER;
}

/** The rule's direct parts. */
export function partsOf(whole: Exclude<Rule, string>): readonly Rule[] {
  if ('first' in whole) return whole.first;
  if ('join' in whole) return whole.join;
  if ('map' in whole) return [whole.value];
  if ('multiply' in whole) return whole.multiply;
  if ('negate' in whole) return [whole.negate];
  if ('absolute' in whole) return [whole.absolute];
  if ('number' in whole) return [whole.number];
  if ('date' in whole) return [whole.date];
  if ('duration' in whole) return [whole.duration, whole.after];
  if ('occurrence' in whole) return whole.occurrence;
  if ('json' in whole) return [whole.json];
  if ('hash' in whole) return whole.hash;
  if ('trim' in whole) return [whole.trim];
  if (!('when' in whole)) return [];
  const branches = whole.else === undefined ? [whole.give] : [whole.give, whole.else];
  return [...whole.when.flatMap(partsOfCondition), ...branches];
}

function partsOfCondition({ value, lessThan, moreThan, differsFrom }: Condition): Rule[] {
  const others = [lessThan, moreThan, differsFrom];
  return [value, ...others.filter((other): other is Rule => other !== undefined && typeof other !== 'number')];
}

/** The names of the columns a rule reads; `isNeeded` leaves out optional ones. */
export function columnsRead(wanted: Rule, isNeeded = false): string[] {
  if (typeof wanted === 'string') return [wanted];
  if ('column' in wanted) return isNeeded && wanted.optional ? [] : [wanted.column];
  if ('last' in wanted) return [wanted.last];
  return partsOf(wanted).flatMap((part) => columnsRead(part, isNeeded));
}

/** The columns of a number's rule, each with the decimal sign that its texts are read with. */
export function numberColumns(wanted: Rule, decimal: ',' | '.' = '.'): (readonly [string, ',' | '.'])[] {
  if (typeof wanted === 'string') return [[wanted, decimal]];
  if ('column' in wanted) return [[wanted.column, decimal]];
  const inside = 'number' in wanted ? wanted.decimal : decimal;
  // What is counted can be any text.
  return 'occurrence' in wanted ? [] : partsOf(wanted).flatMap((part) => numberColumns(part, inside));
}

/** The counting rules in a rule, which need to see every row. */
export function occurrencesIn(wanted: Rule): OccurrenceRule[] {
  if (typeof wanted === 'string') return [];
  const inside = partsOf(wanted).flatMap(occurrencesIn);
  return 'occurrence' in wanted ? [wanted, ...inside] : inside;
}
