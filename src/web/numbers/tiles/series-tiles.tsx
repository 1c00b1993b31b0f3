import { lackWords } from '#core/numbers/metric-value.ts';
import { type Metric, metricOf } from '#core/numbers/metrics.ts';
import { goodOf } from '#web/api/number-view.ts';
import type { Numbers } from '#web/api/numbers.ts';
import { changeOf } from '#web/charts/change.ts';
import { ChangePill } from '#web/charts/delta-pill.tsx';
import { shortWords } from '#web/charts/number-format.ts';
import { SeriesChart } from '#web/charts/series-chart.tsx';
import { topQuestion, useNumbers, withLeftOut } from '../shared/numbers-queries.ts';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import { previousWords } from '../shared/period-words.ts';
import { ChartTile, emptyWords, noResolutionTimes } from './chart-tile.tsx';
import classes from './series-tiles.module.css';
import {
  bucketsSoFar,
  chartTableOf,
  comparisonGap,
  seriesBefore,
  seriesNow,
  textsBefore,
  textsNow,
} from './tile-series.ts';

type Props = {
  readonly page: PageOfNumbers;
  readonly title: string;
  readonly name: string;
  readonly height: number;
};

/** A number over time with its comparison. */
export function LineTile({ page, title, name, height }: Props) {
  const { view } = page;
  // The line of a number on top needs no other query.
  const onTop = topQuestion(view).metrics;
  const metrics = onTop.includes(name) ? onTop : withLeftOut(view.dataset, [name]);
  const metric = metricOf(view.dataset, name)!;
  const query = useNumbers(view, { metrics, by: [view.granularity] });
  const buckets = bucketsSoFar(view, page.today);
  const draw = (numbers: Numbers) => {
    const asked = { numbers, metric, index: metrics.indexOf(name), buckets };
    const previous = seriesBefore(asked);
    const all = [seriesNow(asked, previous ? 'This period' : metric.title, 'main'), ...(previous ? [previous] : [])];
    const [now, before] = [textsNow(asked), previous && textsBefore(asked)];
    return {
      empty: reasonOfNothing(numbers, metric, now, before),
      legend: all,
      note: lackWords(view.dataset, name, (leaf) => numbers.totals[metrics.indexOf(leaf)] ?? null) ?? undefined,
      chartTable: chartTableOf(title, buckets, all, { metrics: [metric], currency: numbers.currency }),
      chart: (
        <SeriesChart
          name={title}
          keys={buckets.keys}
          labels={buckets.labels}
          titles={buckets.titles}
          series={all}
          height={height}
          unfinished={buckets.unfinished}
          tick={(value) => shortWords(value, metric.unit, numbers.currency)}
          note={(index) => {
            if (!before) return null;
            const key = buckets.keys[index]!;
            const isAlike = ['none', 'little'].includes(comparisonGap(numbers, buckets, key));
            const earlier = isAlike ? (before[index] ?? null) : null;
            return (
              <>
                <p className={classes.compared}>{previousWords(view, key)}</p>
                <ChangePill
                  change={changeOf(now[index] ?? null, earlier, metric.unit)}
                  good={goodOf(metric, view, numbers)}
                />
              </>
            );
          }}
          onOpen={(index) => page.openDrillDown(name, [[view.granularity, buckets.keys[index]!]])}
        />
      ),
    };
  };
  return <ChartTile title={title} view={page.view} metric={metric} query={query} height={height} draw={draw} />;
}

type Texts = readonly (string | null)[];

function reasonOfNothing(numbers: Numbers, metric: Metric, now: Texts, before: Texts | null): string | undefined {
  if (metric.formula.kind === 'backlog' && !numbers.isBacklogKnown) return noResolutionTimes;
  const isNothing = [...now, ...(before ?? [])].every((text) => text === null);
  return isNothing ? emptyWords(numbers, metric) : undefined;
}

/** Subtracted from the chart, so the tile is as tall as its neighbor. */
const legendHeight = 20;

type StackTileProps = {
  readonly page: PageOfNumbers;
  readonly title: string;
  readonly metrics: readonly string[];
  readonly height: number;
};

/** Additive numbers, stacked over time. */
export function StackTile({ page, title, metrics, height }: StackTileProps) {
  const { view } = page;
  const asked = withLeftOut(view.dataset, metrics);
  const query = useNumbers(view, { metrics: asked, by: [view.granularity], alone: true });
  const buckets = bucketsSoFar(view, page.today);
  const draw = (numbers: Numbers) => {
    const all = metrics.map((name, index) => {
      const metric = metricOf(view.dataset, name)!;
      return seriesNow({ numbers, metric, index, buckets }, metric.title, 'column');
    });
    const first = metricOf(view.dataset, metrics[0]!)!;
    const totalOf = (name: string) => numbers.totals[asked.indexOf(name)] ?? null;
    return {
      empty: metrics.every((name) => Number(totalOf(name) ?? 0) === 0) ? emptyWords(numbers, first) : undefined,
      legend: all,
      legendBelow: true,
      note: metrics.flatMap((name) => lackWords(view.dataset, name, totalOf) ?? [])[0],
      chartTable: chartTableOf(title, buckets, all, {
        metrics: metrics.map((name) => metricOf(view.dataset, name)!),
        currency: numbers.currency,
      }),
      chart: (
        <SeriesChart
          name={title}
          keys={buckets.keys}
          labels={buckets.labels}
          titles={buckets.titles}
          series={all}
          height={height - legendHeight}
          unfinished={buckets.unfinished}
          tick={(value) => shortWords(value, first.unit, numbers.currency)}
          onOpen={(index) => page.openDrillDown(metrics[0]!, [[view.granularity, buckets.keys[index]!]])}
        />
      ),
    };
  };
  const [only] = metrics.length === 1 ? [metricOf(view.dataset, metrics[0]!)!] : [];
  return <ChartTile title={title} view={page.view} metric={only} query={query} height={height} draw={draw} />;
}
