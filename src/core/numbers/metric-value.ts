// Decides how a metric is computed from others, exactly. Used by the query builder, the rows behind a number
// and everything that sums those rows.

import { divideHalfEven, tenThousandths } from '../base/decimals.ts';
import type { DatasetKey } from './datasets.ts';
import type { Formula } from './metric.ts';
import { metricOf } from './metrics.ts';

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

const unique = (names: readonly string[]): string[] => [...new Set(names)];

/** Whether the metric is a sum over rows, so each row contributes a part. */
export function isSumOfLeaves(dataset: DatasetKey, name: string): boolean {
  const { formula } = knownMetric(dataset, name);
  if (formula.kind === 'difference') return [formula.of, ...formula.less].every((part) => isSumOfLeaves(dataset, part));
  return formula.kind !== 'quotient' && formula.kind !== 'percentile';
}

/** Null when dividing by zero, or without data. Percentages are 0 to 100. */
export function metricValue(dataset: DatasetKey, name: string, leaves: LeafValues): bigint | null {
  const { formula, unit } = knownMetric(dataset, name);
  const partOf = (part: string) => metricValue(dataset, part, leaves);
  if (formula.kind === 'difference') {
    return formula.less
      .map(partOf)
      .reduce<bigint | null>((rest, part) => (rest === null || part === null ? null : rest - part), partOf(formula.of));
  }
  if (formula.kind !== 'quotient') return leaves.get(name) ?? null;
  const [dividend, divisor] = [partOf(formula.of), partOf(formula.by)];
  if (dividend === null || divisor === null || divisor === 0n) return null;
  return divideHalfEven(dividend * tenThousandths * (unit === 'percent' ? 100n : 1n), divisor);
}
