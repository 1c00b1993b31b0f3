// Decides how a metric is computed from others, exactly. Used by the query builder, the rows behind a number
// and everything that sums those rows.

import { divideHalfEven, tenThousandths } from '../base/decimals.ts';
import { countWords } from '../base/formats.ts';
import { type DatasetKey, datasetOf } from './datasets.ts';
import type { Coverage, Formula, Metric } from './metric.ts';
import { metricOf, metrics } from './metrics.ts';

/** A formula that doesn't use other metrics. */
export type LeafFormula = Exclude<Formula, { kind: 'difference' | 'quotient' }>;

/** Values are ten-thousandths, counts and hours too; null if there is nothing to count. */
export type LeafValues = ReadonlyMap<string, bigint | null>;

function knownMetric(dataset: DatasetKey, name: string) {
  const metric = metricOf(dataset, name);
  if (!metric) throw new Error(`${dataset} has no metric ${name}`);
  return metric;
}

export function leafFormulaOf(dataset: DatasetKey, name: string): LeafFormula {
  const { formula } = knownMetric(dataset, name);
  if (formula.kind === 'difference' || formula.kind === 'quotient') throw new Error(`${name} is made of other metrics`);
  return formula;
}

/** The basic metrics this one is computed from, without duplicates; a basic metric returns itself. */
export function leavesOf(dataset: DatasetKey, name: string): string[] {
  const { formula } = knownMetric(dataset, name);
  if (formula.kind === 'quotient') return unique([formula.of, formula.by].flatMap((part) => leavesOf(dataset, part)));
  if (formula.kind === 'difference')
    return unique([formula.of, ...formula.less].flatMap((part) => leavesOf(dataset, part)));
  return [name];
}

/** The metric that counts the rows whose time this percentile leaves out; null if it leaves out none. */
export function leftOutOf(dataset: DatasetKey, name: string): string | null {
  const spanOf = (metric: string) => {
    const { formula } = knownMetric(dataset, metric);
    return formula.kind === 'percentile' && typeof formula.of !== 'string' ? `${formula.of.from} ${formula.of.to}` : '';
  };
  const span = spanOf(name);
  const counting = Object.entries<Metric>(metrics[dataset]).find(
    ([, { formula }]) => span !== '' && formula.kind === 'leftOut' && spanOf(formula.of) === span,
  );
  return counting?.[0] ?? null;
}

type CountedSpan = { readonly from: string; readonly to: string; readonly title: string };

/** The times between two instants that numbers leave out if the second is earlier. */
export const countedSpans = (dataset: DatasetKey): readonly CountedSpan[] =>
  Object.values<Metric>(metrics[dataset]).flatMap(({ title, measures = title, formula }) =>
    formula.kind === 'percentile' && typeof formula.of !== 'string' && formula.share === 0.5 && !formula.of.signed
      ? [{ ...formula.of, title: measures }]
      : [],
  );

const coveragesOf = ({ coverage }: Metric): Coverage[] =>
  coverage ? [coverage, ...(coverage.also ? [coverage.also] : [])] : [];

/** The metrics that count the rows which this one leaves out. */
export function leftOutLeaves(dataset: DatasetKey, name: string): string[] {
  const leftOut = leftOutOf(dataset, name);
  const counts = coveragesOf(knownMetric(dataset, name)).flatMap(({ known, of, proof = [], own = [] }) => [
    known,
    of,
    ...proof,
    ...own,
  ]);
  return [...(leftOut === null ? [] : [leftOut]), ...counts];
}

/** The metrics that a drill-down shows beside it. Of a sum, the others only prove which field rows lack. */
export function shownParts(dataset: DatasetKey, name: string): string[] {
  const parts = leavesOf(dataset, name).filter((leaf) => leaf !== name);
  const leftOut = leftOutOf(dataset, name);
  const counts = coveragesOf(knownMetric(dataset, name)).flatMap(({ known, of, own }) => (own ? [] : [known, of]));
  return unique([...parts, ...(leftOut === null ? [] : [leftOut]), ...counts]);
}

/** By field, titles of metrics that leave out rows without it. A median and its “9 in 10” share one. */
export function metricsLackingField(dataset: DatasetKey): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { title, measures = title, coverage } of Object.values<Metric>(metrics[dataset]))
    for (const field of coverage
      ? leavesOf(dataset, coverage.known).flatMap((leaf) => optionalFieldsOf(dataset, leaf))
      : [])
      found.set(field, unique([...(found.get(field) ?? []), measures]));
  return found;
}

/** A number says so from this share of rows that lack its field; a higher one if only some are to have it. */
const muchMissing = { usual: 0.05, sparse: 1 / 3 } as const;

function isOfSparse(dataset: DatasetKey, known: string): boolean {
  const fields = leavesOf(dataset, known).flatMap((leaf) => optionalFieldsOf(dataset, leaf));
  return fields.some((field) => isSparse(dataset, field));
}

/** Fewer rows can be alike by chance. */
const fewestAlike = 20;

/** "No donor: 10,000 of 12,000 gifts" if many rows lack what the metric needs, or any that count as zero. */
export function lackWords(
  dataset: DatasetKey,
  name: string,
  totalOf: (metric: string) => string | null,
): string | null {
  const lacks = coveragesOf(knownMetric(dataset, name)).flatMap(
    ({ known, of, lack, rows, evenFew, onlyAll, proof, own }) => {
      const all = Number(totalOf(of) ?? 0);
      const missing = all - Number(totalOf(known) ?? 0);
      if (onlyAll) {
        const isSaid = totalOf(known) !== null && missing === all && all >= fewestAlike;
        return isSaid ? [`${lack} in all ${countWords(all)} ${rows}: the source may give no other`] : [];
      }
      const isProved = proof === undefined || totalOf(proof[0]) !== totalOf(proof[1]);
      const lacksBoth = own !== undefined && totalOf(own[0]) === totalOf(own[1]);
      const isMuch = missing >= all * muchMissing[isOfSparse(dataset, known) ? 'sparse' : 'usual'];
      const isSaid = missing > 0 && ((isProved && evenFew) || (isMuch && (isProved || lacksBoth)));
      return isSaid ? [`${lack}: ${countWords(missing)} of ${countWords(all)} ${rows}`] : [];
    },
  );
  return lacks.join('. ') || null;
}

const unique = (names: readonly string[]): string[] => [...new Set(names)];

/** Whether the metric is a sum over rows, so each row contributes a part. */
export function isSumOfLeaves(dataset: DatasetKey, name: string): boolean {
  const { formula } = knownMetric(dataset, name);
  if (formula.kind === 'difference') return [formula.of, ...formula.less].every((part) => isSumOfLeaves(dataset, part));
  return formula.kind !== 'quotient' && formula.kind !== 'percentile';
}

/** Fields of a listed row that stands for all rows of its donor or order: their number and amount. */
export const representedFields = ['total_rows', 'total_amount'] as const;

/** What each listed row stands for, by its reference; null if it stands for itself. */
export function representedReference(dataset: DatasetKey, name: string): string | null {
  const references = leavesOf(dataset, name).map((leaf) => {
    const formula = leafFormulaOf(dataset, leaf);
    if (formula.kind === 'distinct') return formula.of;
    if (formula.kind === 'orderHeaders') return 'order_ref';
    return formula.kind === 'yearDonors' ? 'donor_ref' : null;
  });
  return references.includes(null) ? null : references[0]!;
}

/** The fields that a basic metric reads. Those of medians are left out: without values they are null anyway. */
function fieldsRead(formula: LeafFormula): string[] {
  switch (formula.kind) {
    case 'sum':
      return [formula.of, ...Object.keys(formula.where ?? {}), ...(formula.datedBy ? [formula.datedBy] : [])];
    case 'distinct':
      return [formula.of, ...Object.keys(formula.where ?? {})];
    case 'orderHeaders':
      return formula.which === 'all' || formula.which === 'unpriced' ? [] : ['customer_ref'];
    case 'firstGifts':
    case 'yearDonors':
      return ['donor_ref'];
    case 'yearGifts':
      return formula.which === 'all' ? [] : ['donor_ref'];
    case 'duplicates':
      return ['payee'];
    default:
      return [];
  }
}

/** The fields of a basic metric that a source may lack. Without a value of each it is unknown, not zero. */
export function optionalFieldsOf(dataset: DatasetKey, leaf: string): string[] {
  const { fields, firstOf = {} } = datasetOf(dataset);
  return fieldsRead(leafFormulaOf(dataset, leaf)).filter(
    (name) => firstOf[name] !== undefined || (fields[name] && !fields[name].required),
  );
}

/** The parts of a number that can be unknown without its coverage saying so. */
export function doubtfulParts(dataset: DatasetKey, name: string): string[] {
  const { coverage } = knownMetric(dataset, name);
  return coverage && !coverage.evenNone ? [] : leavesOf(dataset, name);
}

/** The titles of fields that rows lack, if that's why a number of theirs is unknown. */
export function missingFields(
  dataset: DatasetKey,
  name: string,
  totalOf: (metric: string) => string | null,
): readonly string[] {
  const { fields, firstOf = {} } = datasetOf(dataset);
  const unknown = doubtfulParts(dataset, name).filter((leaf) => totalOf(leaf) === null);
  const needed = unknown.flatMap((leaf) => {
    const formula = leafFormulaOf(dataset, leaf);
    if (formula.kind !== 'percentile') return optionalFieldsOf(dataset, leaf);
    return typeof formula.of === 'string' ? [formula.of] : [formula.of.from, formula.of.to];
  });
  const named = needed.flatMap((field) => firstOf[field] ?? [field]);
  return unique(named.filter((field) => fields[field] && !fields[field].required).map((field) => fields[field]!.title));
}

/** Whether rows without the field have none, instead of an unknown one. */
export function isSparse(dataset: DatasetKey, name: string): boolean {
  const { fields, firstOf = {} } = datasetOf(dataset);
  return (firstOf[name] ?? [name]).some((field) => fields[field]?.sparse);
}

/** Null when dividing by zero, or without data. Percentages are 0 to 100. */
export function metricValue(dataset: DatasetKey, name: string, leaves: LeafValues): bigint | null {
  const { formula, unit } = knownMetric(dataset, name);
  const partOf = (part: string) => metricValue(dataset, part, leaves);
  if (formula.kind === 'difference') {
    const [whole, others] = [partOf(formula.of), formula.less.map(partOf)];
    if (whole === null || (!formula.unknownIsZero && others.includes(null))) return null;
    return others.reduce<bigint>((rest, part) => rest - (part ?? 0n), whole);
  }
  if (formula.kind !== 'quotient') return leaves.get(name) ?? null;
  const [dividend, divisor] = [partOf(formula.of), partOf(formula.by)];
  if (dividend === null || divisor === null || divisor === 0n) return null;
  if (formula.unknownAtZero && dividend === 0n) return null;
  if (formula.isPart && (dividend < 0n || dividend > divisor)) return null;
  return divideHalfEven(dividend * tenThousandths * (unit === 'percent' ? 100n : 1n), divisor);
}
