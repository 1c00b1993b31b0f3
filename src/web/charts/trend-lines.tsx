import { useState } from 'react';
import { Legend } from './legend.tsx';
import type { Series } from './series.ts';
import { SeriesChart } from './series-chart.tsx';
import { TableTwin, type Twin } from './table-twin.tsx';
import classes from './trend-lines.module.css';
import { TwinActions } from './twin-actions.tsx';

export type TrendLine = { readonly key: string; readonly title: string; readonly values: readonly (number | null)[] };

type Props = {
  /** What the lines show: the chart's name. */
  readonly title: string;
  /** One label a point, oldest first. */
  readonly labels: readonly string[];
  /** Six at most; the sixth is drawn in the grey of "Other". */
  readonly lines: readonly TrendLine[];
  /** The line to stand out; the others step back. */
  readonly emphasis?: string | null;
  readonly format: (value: number | null) => string;
  readonly ticks: readonly number[];
  /** What a label names: the head of the first column of the table. */
  readonly of?: string;
};

const height = 220;

/** Lines over time, one a group, with a cursor for pointer and keys and the same numbers as a table. */
export function TrendLines({ title, labels, lines, emphasis = null, format, ticks, of = 'Sprint' }: Props) {
  const [asTable, setAsTable] = useState(false);
  const series = lines.map(
    ({ values, ...line }): Series => ({ ...line, values, look: 'line', shown: values.map(format) }),
  );
  const twin: Twin = {
    caption: title,
    head: [of, ...lines.map((line) => line.title)],
    rows: labels.map((label, index) => ({
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
          <TwinActions twin={twin} asTable={asTable} onChange={setAsTable} />
        </div>
      </div>
      {asTable ? (
        <TableTwin twin={twin} height={height} />
      ) : (
        <SeriesChart
          name={title}
          keys={labels}
          labels={labels}
          series={series}
          emphasis={emphasis}
          tick={format}
          ticks={ticks}
          height={height}
          apart
        />
      )}
    </div>
  );
}
