import { datasetOf } from '#core/numbers/datasets.ts';
import { lackWords } from '#core/numbers/metric-value.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import type { Numbers } from '#web/api/numbers.ts';
import { Bars } from '#web/charts/bars.tsx';
import { numberWords, shortWords, titleWithUnit, toNumber } from '#web/charts/number-format.ts';
import type { Series } from '#web/charts/series.ts';
import { SeriesChart } from '#web/charts/series-chart.tsx';
import { useNumbers, withLeftOut } from '../shared/numbers-queries.ts';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import { ChartTile, noResolutionTimes } from './chart-tile.tsx';

type Props = {
  readonly page: PageOfNumbers;
  readonly title: string;
  readonly height: number;
};

/** A dataset's buckets in order, including empty ones. */
function inBuckets(bounds: readonly number[], numbers: Numbers): (string | null)[] {
  const found = new Map(numbers.rows.map(({ keys, values }) => [Number(keys[0]), values[0] ?? null]));
  return bounds.map((bound) => found.get(bound) ?? '0');
}

/** "£5 to £10", and "£5,000 and more" at the end. */
function sizeWords(bounds: readonly number[], currency: string | null): string[] {
  const words = (bound: number) => shortWords(bound, 'money', currency);
  return bounds.map((bound, index) => {
    const next = bounds[index + 1];
    return next === undefined ? `${words(bound)} and more` : `${words(bound)} to ${words(next)}`;
  });
}

/** The number of gifts by size. */
export function HistogramTile({ page, title, height }: Props) {
  const { view } = page;
  const [name, by] = ['gifts', 'size'];
  const metric = metricOf(view.dataset, name)!;
  const bounds = datasetOf(view.dataset).buckets?.[by]?.bounds ?? [];
  const query = useNumbers(view, { metrics: [name], by: [by], alone: true });
  const draw = (numbers: Numbers) => {
    const texts = inBuckets(bounds, numbers);
    const series: Series = {
      key: name,
      title: metric.title,
      look: 'column',
      values: texts.map(toNumber),
      shown: texts.map((text) => numberWords(text, metric.unit, numbers.currency)),
    };
    const titles = sizeWords(bounds, numbers.currency);
    return {
      chartTable: {
        caption: title,
        head: ['Size', metric.title],
        csvHead: ['Size', titleWithUnit(metric, numbers.currency)],
        rows: titles.map((label, index) => ({
          label,
          shown: [series.shown[index] ?? ''],
          raw: [series.values[index] ?? null],
        })),
      },
      chart: (
        <SeriesChart
          name={title}
          keys={bounds.map(String)}
          labels={bounds.map((bound) => shortWords(bound, 'money', numbers.currency))}
          titles={titles}
          series={[series]}
          height={height}
          apart
          tick={(value) => shortWords(value, metric.unit, null)}
          onOpen={(index) => page.openDrillDown(name, [[by, String(bounds[index])]])}
        />
      ),
    };
  };
  return <ChartTile title={title} view={page.view} metric={metric} query={query} height={height} draw={draw} />;
}

const hoursWords = (hours: number): string => (hours < 24 ? `${hours} h` : `${hours / 24} d`);

/** Open items by age. */
export function AgesTile({ page, title, height }: Props) {
  const { view } = page;
  const [name, by] = ['backlog', 'age'];
  const metric = metricOf(view.dataset, name)!;
  const bounds = datasetOf(view.dataset).buckets?.[by]?.bounds ?? [];
  const query = useNumbers(view, { metrics: [name], by: [by], alone: true });
  // The backlog's line asks the same.
  const metrics = withLeftOut(view.dataset, [name]);
  const { data: line } = useNumbers(view, { metrics, by: [view.granularity] });
  const draw = (numbers: Numbers) => {
    const bars = inBuckets(bounds, numbers).map((text, index) => {
      const next = bounds[index + 1];
      return {
        key: String(bounds[index]),
        label: next === undefined ? 'Longer' : `Under ${hoursWords(next)}`,
        value: toNumber(text) ?? 0,
        shown: numberWords(text, metric.unit, null),
        short: shortWords(toNumber(text), metric.unit, null),
      };
    });
    return {
      empty: !numbers.isBacklogKnown
        ? noResolutionTimes
        : bars.every(({ value }) => value === 0)
          ? 'Nothing open at the end of this period.'
          : undefined,
      note: lackWords(view.dataset, name, (leaf) => line?.totals[metrics.indexOf(leaf)] ?? null) ?? undefined,
      chartTable: {
        caption: title,
        head: ['Open for', metric.title],
        csvHead: ['Open for', titleWithUnit(metric, numbers.currency)],
        rows: bars.map(({ label, shown, value }) => ({ label, shown: [shown], raw: [value] })),
      },
      chart: (
        <Bars height={height} name={title} bars={bars} onOpen={(bound) => page.openDrillDown(name, [[by, bound]])} />
      ),
    };
  };
  return <ChartTile title={title} view={page.view} metric={metric} query={query} height={height} draw={draw} />;
}
