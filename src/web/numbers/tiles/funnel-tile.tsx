import { metricOf } from '#core/numbers/metrics.ts';
import type { Numbers } from '#web/api/numbers.ts';
import { Bars } from '#web/charts/bars.tsx';
import { drawn, numberWords, shortWords } from '#web/charts/number-format.ts';
import { useNumbers } from '../shared/numbers-queries.ts';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import { ChartTile } from './chart-tile.tsx';

type Props = {
  readonly page: PageOfNumbers;
  readonly title: string;
  readonly metrics: readonly string[];
  readonly height: number;
};

/** Each step beside the one before it. */
export function FunnelTile({ page, title, metrics, height }: Props) {
  const { view } = page;
  const query = useNumbers(view, { metrics });
  const draw = (numbers: Numbers) => {
    const steps = metrics.map((name, index) => {
      const metric = metricOf(view.dataset, name)!;
      const text = numbers.totals[index] ?? null;
      const before = numbers.previousTotals && (numbers.previousTotals[index] ?? null);
      const [value, wider] = [drawn(text) ?? 0, index > 0 ? drawn(numbers.totals[index - 1]) : null];
      const words = (exact: string | null) => numberWords(exact, metric.unit, numbers.currency);
      return {
        key: name,
        label: metric.title,
        value,
        shown: words(text),
        short: shortWords(value, metric.unit, numbers.currency),
        before: before === null ? null : { value: drawn(before) ?? 0, shown: words(before) },
        ...(wider
          ? { note: `${shareOf(value, wider)} of ${metricOf(view.dataset, metrics[index - 1]!)!.title.toLowerCase()}` }
          : {}),
      };
    });
    return {
      twin: {
        caption: title,
        head: ['Step', 'Number', 'Share of the step before'],
        rows: steps.map(({ label, shown, value, note }) => ({
          label,
          shown: [shown, note ?? ''],
          raw: [value, null],
        })),
      },
      chart: <Bars height={height} name={title} bars={steps} onOpen={(name) => page.openBehind(name)} />,
    };
  };
  return <ChartTile title={title} query={query} height={height} draw={draw} />;
}

/** A click in a thousand is still one: as many digits as it takes to be seen. */
function shareOf(value: number, whole: number): string {
  return `${((value / whole) * 100).toLocaleString('en-GB', { maximumSignificantDigits: 2 })} %`;
}
