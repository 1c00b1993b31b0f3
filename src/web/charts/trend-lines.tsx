import { useState } from 'react';
import { type ChartTable, ChartTableView } from './chart-table.tsx';
import { ChartTableActions } from './chart-table-actions.tsx';
import { Legend } from './legend.tsx';
import { markedSoFar, type Series } from './series.ts';
import { SeriesChart } from './series-chart.tsx';
import classes from './trend-lines.module.css';

export type TrendLine = Pick<Series, 'key' | 'title' | 'values'> & {
  /** By default a line like the others. */
  readonly look?: Series['look'];
  /** Each value's exact text, where `format` is shorter. */
  readonly shown?: Series['shown'];
};

type Props = {
  /** The chart's name. */
  readonly title: string;
  /** One label per point, oldest first. */
  readonly labels: readonly string[];
  /** In the tooltip and the table, where longer ones fit. No two are the same. */
  readonly titles?: readonly string[];
  /** At most six; the sixth is gray like "Other". */
  readonly lines: readonly TrendLine[];
  /** The emphasized line; the others fade. */
  readonly emphasis?: string | null;
  readonly format: (value: number | null) => string;
  readonly ticks?: readonly number[];
  /** The header of the table's first column. */
  readonly of?: string;
  /** The last point is incomplete: drawn dashed. */
  readonly unfinished?: boolean;
};

const height = 220;

/** Lines over time, one per group, with a cursor for pointer and keys and the same numbers as a table. */
export function TrendLines(props: Props) {
  const { title, lines, emphasis = null, format, ticks, of = 'Sprint', unfinished = false } = props;
  const labels = unfinished ? markedSoFar(props.labels) : props.labels;
  const { titles = labels } = props;
  const [asTable, setAsTable] = useState(false);
  const series = lines.map(
    ({ look = 'line', shown, ...line }): Series => ({ ...line, look, shown: shown ?? line.values.map(format) }),
  );
  const chartTable: ChartTable = {
    caption: title,
    head: [of, ...lines.map((line) => line.title)],
    rows: titles.map((label, index) => ({
      label,
      shown: series.map(({ shown }) => shown[index] ?? ''),
      raw: series.map(({ values }) => values[index] ?? null),
    })),
  };
  return (
    <div className={classes.chart}>
      <div className={classes.head}>
        <Legend series={series} />
        <div className={classes.actions}>
          <ChartTableActions chartTable={chartTable} asTable={asTable} onChange={setAsTable} />
        </div>
      </div>
      {asTable ? (
        <ChartTableView chartTable={chartTable} height={height} />
      ) : (
        <SeriesChart
          name={title}
          keys={titles}
          labels={labels}
          titles={titles}
          series={series}
          emphasis={emphasis}
          tick={format}
          {...(ticks && { ticks })}
          height={height}
          unfinished={unfinished}
          apart
        />
      )}
    </div>
  );
}
