import { metricOf } from '#core/numbers/metrics.ts';
import type { Numbers } from '#web/api/numbers.ts';
import { shortWords } from '#web/charts/number-format.ts';
import { SeriesChart } from '#web/charts/series-chart.tsx';
import { useNumbers } from '../shared/numbers-queries.ts';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import { ChartTile } from './chart-tile.tsx';
import { bucketsSoFar, seriesNow, twinOf } from './tile-series.ts';

/** Taken from the drawing, so that the tile is as high as the one beside it. */
const legendHeight = 20;

type Props = {
  readonly page: PageOfNumbers;
  readonly title: string;
  readonly metrics: readonly string[];
  readonly height: number;
};

/** Numbers that add up, on each other over time. */
export function StackTile({ page, title, metrics, height }: Props) {
  const { view } = page;
  const query = useNumbers(view, { metrics, by: [view.granularity], alone: true });
  const buckets = bucketsSoFar(view, page.today);
  const draw = (numbers: Numbers) => {
    const all = metrics.map((name, index) => {
      const metric = metricOf(view.dataset, name)!;
      return seriesNow({ numbers, metric, index, buckets }, metric.title, 'column');
    });
    const { unit } = metricOf(view.dataset, metrics[0]!)!;
    return {
      legend: all,
      legendBelow: true,
      twin: twinOf(title, 'Date', buckets.titles, all),
      chart: (
        <SeriesChart
          name={title}
          keys={buckets.keys}
          labels={buckets.labels}
          titles={buckets.titles}
          series={all}
          height={height - legendHeight}
          unfinished={buckets.unfinished}
          tick={(value) => shortWords(value, unit, numbers.currency)}
          onOpen={(index) => page.openBehind(metrics[0]!, [[view.granularity, buckets.keys[index]!]])}
        />
      ),
    };
  };
  return <ChartTile title={title} query={query} height={height} draw={draw} />;
}
