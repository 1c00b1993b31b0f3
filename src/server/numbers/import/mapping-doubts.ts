// Doubts about a mapping, and so about every row of the file.
import { listWords } from '#core/base/formats.ts';
import { type DatasetKey, datasetOf, fieldTitle } from '#core/numbers/datasets.ts';
import { metricsLackingField } from '#core/numbers/metric-value.ts';
import {
  columnsRead,
  type DateRule,
  occurrencesIn,
  partsOf,
  type Rule,
} from '#server/platform/imports/mapping-rules.ts';
import { mainAmount, wholeOrderMark } from '../batch.service.ts';
import { canDivide, type NumbersMapping } from './numbers-mapping.ts';

/** A field with its rule. */
export type Given = { readonly field: string; readonly rule: Rule };
export type Mapped = Pick<NumbersMapping, 'fields' | 'fill'> &
  Partial<Pick<NumbersMapping, 'leaveOut' | 'missing' | 'labels' | 'divide'>>;
/** An amount of a whole order counts at its first line. `canDivide`: it could be divided among all of them. */
export type OfWholeOrder = { readonly mark: typeof wholeOrderMark; readonly canDivide?: true };
type DoubtOfAll = {
  readonly field: string;
  readonly column: string;
  readonly reason: string;
} & Partial<OfWholeOrder>;
/** `count`: of so many rows. */
export type CountedDoubt = DoubtOfAll & { readonly count: number };

/** The amounts that a mapping reads, each by its rule. A value for all rows was typed on purpose. */
export const givenAmounts = (dataset: DatasetKey, rules: NumbersMapping['fields']): Given[] =>
  Object.entries(datasetOf(dataset).fields).flatMap(([field, { type }]) => {
    const rule = type === 'money' ? rules[field] : undefined;
    const isGiven = rule !== undefined && !(typeof rule === 'object' && 'constant' in rule);
    return isGiven ? [{ field, rule }] : [];
  });

/** Amounts that numbers by title and SKU add up. */
export const lineFields = ['gross', 'discount', 'refunded', 'quantity'];

/** Amounts that every row adds to the totals. */
export const summedFields = ['gross', 'discount', 'tax', 'refunded'];

export const wholeOrderMarks = (field: string, { fields }: Pick<Mapped, 'fields'>): OfWholeOrder => ({
  mark: wholeOrderMark,
  ...(canDivide(field) && fields.gross && fields.order_ref && { canDivide: true }),
});

export const doubtsOfAll = (dataset: DatasetKey, mapping: Mapped, given: readonly Given[]): DoubtOfAll[] => {
  const { fields } = mapping;
  return [
    ...missingEnd(dataset, fields),
    ...oppositeDates(given),
    ...withoutDay(given),
    ...unitPriceOrWorkingHours(dataset, fields),
    ...onceAnOrder(dataset, given, mapping),
  ];
};

/** A status alone doesn't say when a conversation ended. */
function missingEnd(dataset: DatasetKey, fields: NumbersMapping['fields']): DoubtOfAll[] {
  const hasEnd = fields.closed_at !== undefined || fields.resolved_at !== undefined;
  if (dataset !== 'conversations' || hasEnd || fields.status === undefined) return [];
  const metrics = listWords(metricsLackingField(dataset).get('ended_at') ?? []);
  const reason = `and ${fieldTitle(dataset, 'closed_at')} have no column, so ${metrics} will be unknown. If no other source has end dates, open conversations can’t be counted either`;
  return [{ field: 'resolved_at', column: fieldTitle(dataset, 'resolved_at'), reason }];
}

/** `D` or `M`: what dates like 3/4/2026 begin with in this rule. */
function firstOfDate(rule: Rule): 'D' | 'M' | null {
  if (typeof rule !== 'object' || !('date' in rule)) return null;
  const orders = rule.format.split('|').map((one) => /^(?:(D)D?\WMM?|(M)M?\WDD?)\W/.exec(one.trim()));
  const [first, ...others] = new Set(orders.map((order) => order?.[1] ?? order?.[2] ?? null));
  return others.length === 0 ? ((first ?? null) as 'D' | 'M' | null) : null;
}

const orderWords = { D: 'day, month, year', M: 'month, day, year' } as const;

/** A file's dates are all written one way, even where day and month can't be told apart. */
function oppositeDates(given: readonly Given[]): DoubtOfAll[] {
  const dates = given.flatMap(({ field, rule }) => {
    const [first, [column]] = [firstOfDate(rule), columnsRead(rule)];
    return first === null || column === undefined ? [] : [{ field, column, first }];
  });
  const one = dates[0];
  const other = dates.find(({ first }) => first !== one?.first);
  if (one === undefined || other === undefined) return [];
  const reason = `is read as ${orderWords[one.first]}, but ${other.column} is read as ${orderWords[other.first]}. Check both formats`;
  return [{ field: one.field, column: one.column, reason }];
}

const datesIn = (rule: Rule): readonly DateRule[] => {
  if (typeof rule === 'string') return [];
  return 'date' in rule ? [rule] : partsOf(rule).flatMap(datesIn);
};

/** A year or a month counts on its first day. */
function withoutDay(given: readonly Given[]): DoubtOfAll[] {
  return given.flatMap(({ field, rule }) => {
    const dates = datesIn(rule);
    const formats = dates.flatMap(({ format }) =>
      format.split('|').map((one) => one.replace(/\[[^\]]*\]/g, '').trim()),
    );
    const dayless = formats.filter((one) => one.includes('Y') && !one.includes('D'));
    const years = dayless.filter((one) => !one.includes('M'));
    const column = dates.flatMap(({ date }) => columnsRead(date))[0];
    if (dayless.length === 0 || column === undefined) return [];
    const isAll = formats.length === (years.length || dayless.length);
    const [some, wrong] = isAll ? ['', 'will be wrong'] : ['some ', 'can be wrong'];
    const reason =
      years.length > 0
        ? `has ${some}years without a month. They count on 1 Jan, so numbers by month, week and day ${wrong}`
        : `has ${some}months without a day. They count on the 1st, so numbers by week and day ${wrong}`;
    return [{ field, column, reason }];
  });
}

/** An order's other lines lack the amount, with what they say. A first line that is left out takes it along. */
function onceAnOrder(dataset: DatasetKey, given: readonly Given[], mapping: Mapped): DoubtOfAll[] {
  const leavesOut = (mapping.leaveOut ?? []).length > 0;
  const differing = given.filter(({ rule }) => columnsRead(rule).length > 0).map(({ field }) => field);
  return given.flatMap(({ field, rule }) => {
    const isOnce = typeof rule === 'object' && 'when' in rule && occurrencesIn(rule).length > 0;
    const column = isOnce && summedFields.includes(field) ? columnsRead(rule.give)[0] : undefined;
    if (column === undefined) return [];
    const isDivided = mapping.divide?.some((one) => one === field) === true;
    const ofLines = isDivided ? [] : [...(lineFields.includes(field) ? ['title', 'sku'] : []), 'product'];
    const parts = [...ofLines, 'status'];
    const named = parts.filter((part) => differing.includes(part)).map((part) => fieldTitle(dataset, part));
    const reasons = [
      ...(named.length > 0 ? [`so numbers by ${listWords(named)} can be wrong`] : []),
      ...(leavesOut ? ['so an order loses it if its first line is left out'] : []),
    ];
    return reasons.map((reason) => ({
      ...{ field, column, reason: `counts only on an order’s first line, ${reason}` },
      ...(!isDivided && ofLines.some((part) => differing.includes(part)) && wholeOrderMarks(field, mapping)),
    }));
  });
}

/** The columns whose values a rule gives unmultiplied. Conditions only choose among values. */
export function unmultiplied(rule: Rule): string[] {
  if (typeof rule === 'string') return [rule];
  if ('multiply' in rule) return [];
  if ('when' in rule) return [rule.give, ...(rule.else === undefined ? [] : [rule.else])].flatMap(unmultiplied);
  const parts = partsOf(rule);
  return parts.length > 0 ? parts.flatMap(unmultiplied) : columnsRead(rule);
}

/** A price of one, which would be summed without its quantity, and working hours, which pass slower. */
function unitPriceOrWorkingHours(dataset: DatasetKey, rules: NumbersMapping['fields']): DoubtOfAll[] {
  const main = mainAmount(dataset);
  const hasUnits = datasetOf(dataset).fields.quantity !== undefined;
  return Object.entries(rules).flatMap(([field, rule]) => {
    const find = (name: RegExp, columns: readonly string[], reason: string) =>
      columns
        .filter((column) => name.test(column))
        .slice(0, 1)
        .map((column) => ({ field, column, reason }));
    if (typeof rule === 'object' && 'duration' in rule)
      return find(businessColumn, columnsRead(rule.duration), businessReason);
    return field === main && hasUnits ? find(priceColumn, unmultiplied(rule), priceReason) : [];
  });
}

const businessColumn =
  /business|(^|[^a-z])bhrs?([^a-z]|$)|(work|office)(ing)?[ _-]?(hours|hrs)|(gesch[äa]fts|arbeits|service|b[üu]ro)(zeit|stunden)|heures (ouvr|de travail)|horas (laborables|h[áa]biles|[úu]teis|de trab(ajo|alho))|(werk|kantoor)uren/i;
const businessReason =
  'looks like business hours, so times would be too early. Choose a column with calendar hours, or “Nothing”';
/** Says that it is the price of one. */
export const priceColumn =
  /\b(per[ _-]?(unit|item|piece)|unit[ _-]?price|price[ _-]?each|each)\b|unitprice|einzelpreis|st[üu]ckpreis|prix unitaire|precio unitario/i;
const priceReason =
  'looks like a unit price. If a line can have several units, choose “Multiply columns” and add the quantity';
