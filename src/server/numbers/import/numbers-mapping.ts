// The mapping file for a dataset: the file's format, and each field's source.
import * as z from 'zod';
import { type DatasetKey, datasetKeys, datasetOf } from '#core/numbers/datasets.ts';
import { importLimits } from '#core/numbers/imports.ts';
import type { RuleSet } from '#server/platform/imports/evaluate-rules.ts';
import { delimiters, isEncoding } from '#server/platform/imports/file-format.ts';
import { columnsRead, occurrencesIn, type Rule, rule, zoneName } from '#server/platform/imports/mapping-rules.ts';
import type { FillRule } from '#server/platform/imports/source-row.ts';

/** The source's name, as stored with every row. */
export const sourceName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lowercase letters, digits and hyphens, up to 40');

const mostLabels = 20;
const mostFilled = 50;
const columnName = z.string().min(1).max(500);

/**
 * Leaves out the rows whose column has one of the values, none of them, or a number below 0. An empty text is
 * a blank cell.
 */
export type LeaveOutRule = {
  readonly column: string;
  readonly has?: readonly string[] | undefined;
  readonly lacks?: readonly string[] | undefined;
  readonly below?: 0 | undefined;
  readonly reason: string;
};
const values = z.array(z.string()).min(1).max(500).optional();
const leaveOut: z.ZodType<LeaveOutRule> = z
  .strictObject({
    ...{ column: z.string().min(1), reason: z.string().trim().min(1).max(200) },
    ...{ has: values, lacks: values, below: z.literal(0).optional() },
  })
  .refine(
    (rule) => [rule.has, rule.lacks, rule.below].filter((each) => each !== undefined).length === 1,
    'needs one of has, lacks and below',
  );

/** Amounts that exports give once an order. */
const dividable = ['discount', 'refunded'] as const;
export const canDivide = (field: string): boolean => dividable.some((one) => one === field);

/** Texts whose capitals a source chooses freely. The others are codes. */
export const canBeLowercase = (dataset: DatasetKey, field: string): boolean =>
  datasetOf(dataset).fields[field]?.type === 'text' && field !== 'currency' && field !== 'country';

const options = {
  source: sourceName,
  /** Detected from the file by default. */
  encoding: z.string().refine(isEncoding, 'isn’t a known encoding: utf-8, windows-1252, utf-16le ...').optional(),
  delimiter: z.enum(delimiters).optional(),
  quote: z.enum(['"', "'"]).optional(),
  /** A workbook's sheet; the first visible one by default. */
  sheet: z.string().min(1).max(100).optional(),
  /** For dates without a zone; the company's by default. */
  zone: zoneName.optional(),
  /** For all rows, unless a rule gives one. */
  currency: z.string().optional(),
  /** Texts that mean "no value": `?`, `#N/A`. */
  missing: z.array(z.string().min(1)).default([]),
  /** Optional fields of which a wrong value is left out, with a warning, instead of refusing its row. */
  emptyIfWrong: z.array(z.string()).max(100).optional(),
  /** Counts that are rounded to whole numbers instead of refusing their rows. */
  round: z.array(z.string()).max(100).optional(),
  /** Texts that are imported in lowercase, so values that differ only in capitals are one. */
  lowercase: z.array(z.string()).max(100).optional(),
  /** `full`: an order row with the status refunded and no refunded amount is refunded completely. */
  refunds: z.enum(['full']).optional(),
  /** `refunds`: a completed or refunded order row with a negative gross is a refund of that amount. */
  negatives: z.enum(['refunds']).optional(),
  /** Amounts of whole orders, which are divided among their lines. */
  divide: z.array(z.enum(dividable)).min(1).optional(),
  /** Blank cells of these columns have the value of the row before with the same value in `by`. */
  fill: z.strictObject({ by: columnName, columns: z.array(columnName).min(1).max(mostFilled) }).optional(),
  leaveOut: z.array(leaveOut).max(importLimits.leaveOutRules).default([]),
  /** Extra values to store with a row. */
  labels: z
    .record(z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be lowercase letters, digits and _'), rule)
    .refine((labels) => Object.keys(labels).length <= mostLabels, `has more than ${mostLabels} labels`)
    .default({}),
};

export type NumbersMapping = {
  readonly dataset: DatasetKey;
  readonly source: string;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly quote?: string | undefined;
  readonly sheet?: string | undefined;
  readonly zone?: string | undefined;
  readonly currency?: string | undefined;
  readonly missing: readonly string[];
  readonly emptyIfWrong?: readonly string[] | undefined;
  readonly round?: readonly string[] | undefined;
  readonly lowercase?: readonly string[] | undefined;
  readonly refunds?: 'full' | undefined;
  readonly negatives?: 'refunds' | undefined;
  readonly divide?: readonly (typeof dividable)[number][] | undefined;
  readonly fill?: FillRule | undefined;
  readonly leaveOut: readonly LeaveOutRule[];
  /** Rules for `external_id` and the dataset's fields, including all required ones. */
  readonly fields: Readonly<Record<string, Rule>>;
  readonly labels: Readonly<Record<string, Rule>>;
};

export const numbersMappings = Object.fromEntries(
  datasetKeys.map((dataset) => [dataset, mappingOf(dataset)]),
) as Readonly<Record<DatasetKey, z.ZodType<NumbersMapping>>>;

function mappingOf(dataset: DatasetKey): z.ZodType<NumbersMapping> {
  const fields = Object.entries(datasetOf(dataset).fields).map(([field, { required }]) => {
    const isNeeded = required && field !== datasetOf(dataset).currency;
    return [field, isNeeded ? rule : rule.optional()];
  });
  const optional = Object.entries(datasetOf(dataset).fields).flatMap(([name, { required }]) =>
    required ? [] : [name],
  );
  const mapping = z
    .strictObject({
      dataset: z.literal(dataset),
      ...options,
      fields: z.strictObject({ external_id: rule, ...Object.fromEntries(fields) }),
    })
    .transform(({ currency, ...rest }, context) => {
      const given = rest.fields as Record<string, Rule>;
      const notOptional = rest.emptyIfWrong?.find((name) => !optional.includes(name));
      if (notOptional !== undefined) {
        const message = `names "${notOptional}", which isn’t an optional field`;
        context.addIssue({ code: 'custom', path: ['emptyIfWrong'], message });
      }
      const noCount = rest.round?.find((name) => datasetOf(dataset).fields[name]?.type !== 'whole');
      if (noCount !== undefined) {
        const message = `names "${noCount}", which isn’t a field with whole numbers`;
        context.addIssue({ code: 'custom', path: ['round'], message });
      }
      const noText = rest.lowercase?.find((name) => !canBeLowercase(dataset, name));
      if (noText !== undefined) {
        const message = `names "${noText}", which isn’t a field with texts`;
        context.addIssue({ code: 'custom', path: ['lowercase'], message });
      }
      if (rest.negatives && !given.gross)
        context.addIssue({ code: 'custom', path: ['negatives'], message: 'needs a rule for gross' });
      if (rest.divide && !(given.gross && given.order_ref)) {
        const message = 'needs rules for gross and order_ref';
        context.addIssue({ code: 'custom', path: ['divide'], message });
      }
      const field = datasetOf(dataset).currency;
      if (field === null || given[field] !== undefined) return rest;
      if (currency !== undefined) return { ...rest, fields: { ...given, [field]: { constant: currency } } };
      context.addIssue({
        code: 'custom',
        path: ['currency'],
        message: 'is missing: give it for all rows, or a rule for it',
      });
      return z.NEVER;
    });
  return mapping as unknown as z.ZodType<NumbersMapping>;
}

/** Stands for an id that a mapping being edited doesn't give yet. */
export const noId: Rule = { constant: 'preview' };

/** What is valid of a mapping that is being edited, for a preview; its other parts count as not given. */
export function usableMapping(dataset: DatasetKey, given: Readonly<Record<string, unknown>>): NumbersMapping {
  const kept = Object.entries(options).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(given[name]);
    return parsed.success ? [[name, parsed.data] as const] : [];
  });
  const { currency, ...rest } = Object.fromEntries(kept) as { currency?: string };
  const names = ['external_id', ...Object.keys(datasetOf(dataset).fields)];
  const rules = Object.entries((given.fields ?? {}) as object).flatMap(([name, one]): [string, Rule][] => {
    const parsed = names.includes(name) ? rule.safeParse(one) : null;
    return parsed?.success ? [[name, parsed.data]] : [];
  });
  const isForAll = datasetOf(dataset).currency !== null && currency !== undefined;
  const forAll: Record<string, Rule> = isForAll ? { currency: { constant: currency } } : {};
  const none = { source: 'preview', missing: [], leaveOut: [], labels: {} };
  return {
    dataset,
    ...none,
    ...rest,
    fields: { external_id: noId, ...forAll, ...Object.fromEntries(rules) },
  };
}

const rulesOf = ({ fields, labels }: NumbersMapping): Rule[] => [...Object.values(fields), ...Object.values(labels)];

/** How a mapping makes the ids of rows, to notice when that changes. */
export const idRuleOf = ({ fields }: NumbersMapping): string => JSON.stringify(fields.external_id);

/** Whether ids count rows with the same values. Such an id says something only within its file. */
export const hasNumberedId = ({ fields }: NumbersMapping): boolean => occurrencesIn(fields.external_id!).length > 0;

/** Whether ids count rows, or have an amount or date of the row: then a corrected value can be another row. */
export function hasIdOfValues(mapping: NumbersMapping): boolean {
  const { fields } = datasetOf(mapping.dataset);
  const isValue = (field: string) => ['money', 'whole', 'instant', 'day'].includes(String(fields[field]?.type));
  const ofValues = Object.entries(mapping.fields).flatMap(([field, given]) =>
    isValue(field) ? columnsRead(given) : [],
  );
  return hasNumberedId(mapping) || columnsRead(mapping.fields.external_id!).some((column) => ofValues.includes(column));
}

/** Whether such an id lacks the date, so rows of other files and days can have it. */
export function isNumberedWithoutDate({ dataset, fields }: NumbersMapping): boolean {
  const [id, dated] = [fields.external_id!, fields[datasetOf(dataset).datedBy]].map((one) =>
    one === undefined ? [] : columnsRead(one),
  );
  return occurrencesIn(fields.external_id!).length > 0 && !dated!.some((column) => id!.includes(column));
}

/** The columns that a file must have for this mapping. */
export const neededColumns = (mapping: NumbersMapping): string[] => namedColumns(mapping, true);

/** The columns in the mapping; `isNeeded` leaves out optional ones. */
export function namedColumns(mapping: NumbersMapping, isNeeded = false): string[] {
  const ofRules = rulesOf(mapping).flatMap((one) => columnsRead(one, isNeeded));
  const { fill, leaveOut } = mapping;
  const ofFill = fill ? [fill.by, ...fill.columns] : [];
  return [...new Set([...ofRules, ...ofFill, ...leaveOut.map(({ column }) => column)])];
}

/** The rules of the fields, then those of the labels. */
export const ruleSetOf = (mapping: NumbersMapping, companyZone: string): RuleSet => ({
  rules: rulesOf(mapping),
  zone: mapping.zone ?? companyZone,
  missing: mapping.missing,
});
