// Which affiliates need a look (pages.md): a rate far above the others', much taken back, or too much in one hand.
import type { Numbers } from '#web/api/numbers.ts';

export type Watch = { readonly mark: string; readonly reason: string };

const rateOverMedian = 3;
const reversalsOver = 20;
const revenueOver = 25;

export function watchMarks({ rows, totals }: Numbers, metrics: readonly string[]): Map<string, Watch[]> {
  const at = (values: readonly (string | null)[], metric: string): number =>
    Number(values[metrics.indexOf(metric)] ?? 0);
  const median = medianOf(rows.map(({ values }) => at(values, 'conversion_rate')).filter((rate) => rate > 0));
  const sales = at(totals, 'sales');
  return new Map(
    rows.map(({ keys, values }) => {
      const rate = at(values, 'conversion_rate');
      const share = sales > 0 ? (at(values, 'sales') / sales) * 100 : 0;
      const marks: Watch[] = [];
      if (median > 0 && rate > rateOverMedian * median)
        marks.push({
          mark: 'High rate',
          reason: `Converts more than ${rateOverMedian} times as often as the median affiliate`,
        });
      if (at(values, 'reversal_rate') > reversalsOver)
        marks.push({ mark: 'Reversals', reason: `More than ${reversalsOver} % of the commission was reversed` });
      if (share > revenueOver)
        marks.push({ mark: 'Large share', reason: `More than ${revenueOver} % of all sales come from here` });
      return [keys[0] ?? '', marks];
    }),
  );
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
