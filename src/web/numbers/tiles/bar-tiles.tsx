import { percentWords } from '#core/base/percent.ts';
import { lackWords } from '#core/numbers/metric-value.ts';
import { type Metric, metricOf } from '#core/numbers/metrics.ts';
import { dimensionTitle, isUnlike, valueWords } from '#web/api/number-view.ts';
import type { NumberGroup, Numbers } from '#web/api/numbers.ts';
import { type Bar, Bars } from '#web/charts/bars.tsx';
import { numberWords, shortWords, titleWithUnit, toNumber } from '#web/charts/number-format.ts';
import { useNumbers, withLeftOut } from '../shared/numbers-queries.ts';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import { previousTitle } from '../shared/period-words.ts';
import { ChartTile, emptyWords } from './chart-tile.tsx';
import { emptyValue } from './tile-series.ts';

type Props = {
  readonly page: PageOfNumbers;
  readonly title: string;
  readonly name: string;
  readonly by: string;
  /** Adds to each bar the cumulative share up to it. */
  readonly pareto?: boolean;
  readonly height: number;
};

/** More rows don't fit in a tile; the table has them all. */
const mostBars = 8;

/** A number by dimension, the largest first. */
export function BarsTile({ page, title, name, by, pareto = false, height }: Props) {
  const { view } = page;
  const metric = metricOf(view.dataset, name)!;
  const query = useNumbers(view, { metrics: [name], by: [by] });
  const draw = (numbers: Numbers) => {
    const rows = numbers.rows.filter(({ values }) => values[0] !== null);
    // Skips bars that are zero now and before.
    const bars = rows
      .map((row) => barOf(page, by, metric, row, numbers))
      .filter(({ value, before }) => value !== 0 || (before?.value ?? 0) !== 0);
    const noted = pareto ? withShares(bars) : bars;
    return {
      note: bars.length > mostBars ? `${mostBars} of ${bars.length}` : undefined,
      empty: bars.length === 0 ? emptyWords(numbers, metric) : undefined,
      chartTable: {
        caption: title,
        head: [dimensionTitle(view.dataset, by), metric.title, ...(isCompared(page, numbers) ? ['Previous'] : [])],
        csvHead: [
          dimensionTitle(view.dataset, by),
          ...[metric.title, ...(isCompared(page, numbers) ? [previousTitle(view, metric.title)] : [])].map((each) =>
            titleWithUnit({ title: each, unit: metric.unit }, numbers.currency),
          ),
        ],
        rows: noted.map(({ label, shown, value, before }) => ({
          label,
          shown: [shown, ...(before ? [before.shown] : [])],
          raw: [value, ...(before ? [before.value] : [])],
        })),
      },
      chart: (
        <Bars
          height={height}
          name={title}
          bars={noted.slice(0, mostBars)}
          onOpen={(value) => page.openDrillDown(name, [[by, value]])}
        />
      ),
    };
  };
  return <ChartTile title={title} view={page.view} metric={metric} query={query} height={height} draw={draw} />;
}

/** Whether nearly all days of the comparison have data. Before that, nothing isn't zero. */
const isCompared = ({ view }: PageOfNumbers, numbers: Numbers): boolean =>
  numbers.previousTotals !== null && !isUnlike(view, numbers);

function barOf(page: PageOfNumbers, by: string, metric: Metric, row: NumberGroup, numbers: Numbers): Bar {
  const [now] = row.values;
  const before =
    isCompared(page, numbers) && row.previousValues
      ? (row.previousValues[0] ?? emptyValue(metric, numbers.totals[0]))
      : null;
  const words = (text: string | null) => numberWords(text, metric.unit, numbers.currency);
  const key = row.keys[0] ?? '';
  return {
    key,
    label: valueWords(page.view.dataset, by, key),
    value: toNumber(now) ?? 0,
    shown: words(now ?? null),
    short: shortWords(toNumber(now), metric.unit, numbers.currency),
    before: before === null ? null : { value: toNumber(before) ?? 0, shown: words(before) },
  };
}

function withShares(bars: readonly Bar[]): Bar[] {
  const all = bars.reduce((sum, { value }) => sum + value, 0) || 1;
  let so = 0;
  return bars.map((bar, index) => {
    so += bar.value;
    return { ...bar, note: `Top ${index + 1}: ${percentWords(Math.round((so / all) * 100))}` };
  });
}

type FunnelTileProps = {
  readonly page: PageOfNumbers;
  readonly title: string;
  readonly metrics: readonly string[];
  readonly rates: readonly string[];
  readonly height: number;
};

/** Each step next to the previous one. */
export function FunnelTile({ page, title, metrics, rates, height }: FunnelTileProps) {
  const { view } = page;
  const asked = withLeftOut(view.dataset, [...metrics, ...rates]);
  const query = useNumbers(view, { metrics: asked });
  const draw = (numbers: Numbers) => {
    const totalOf = (name: string) => numbers.totals[asked.indexOf(name)] ?? null;
    const steps = metrics.map((name, index) => {
      const metric = metricOf(view.dataset, name)!;
      const text = totalOf(name);
      const before = isCompared(page, numbers) ? (numbers.previousTotals?.[index] ?? null) : null;
      const rate = rates[index - 1];
      const share = rate === undefined ? null : toNumber(totalOf(rate));
      const ofBoth = rate !== undefined && lackWords(view.dataset, rate, totalOf) ? ', in rows with both' : '';
      const words = (exact: string | null) => numberWords(exact, metric.unit, numbers.currency);
      return {
        key: name,
        label: metric.title,
        value: toNumber(text) ?? 0,
        shown: words(text),
        short: shortWords(toNumber(text), metric.unit, numbers.currency),
        before: before === null ? null : { value: toNumber(before) ?? 0, shown: words(before) },
        share,
        ...(share !== null && {
          note: `${shareWords(share)} of ${metricOf(view.dataset, metrics[index - 1]!)!.title.toLowerCase()}${ofBoth}`,
        }),
      };
    });
    const first = metricOf(view.dataset, metrics[0]!)!;
    return {
      empty: numbers.totals.every((total) => total === null) ? emptyWords(numbers, first) : undefined,
      chartTable: {
        caption: title,
        head: ['Step', 'Number', '% of previous step'],
        rows: steps.map(({ label, shown, value, share, note }) => ({
          label,
          shown: [shown, note ?? ''],
          raw: [value, share],
        })),
      },
      chart: <Bars height={height} name={title} bars={steps} onOpen={(name) => page.openDrillDown(name)} />,
    };
  };
  return <ChartTile title={title} view={page.view} query={query} height={height} draw={draw} />;
}

/** Uses enough digits to show a small share, such as one click in a thousand. */
const shareWords = (percent: number): string => `${percent.toLocaleString('en-US', { maximumSignificantDigits: 2 })}%`;
