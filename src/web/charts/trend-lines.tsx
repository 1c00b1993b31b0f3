import { Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { usePointCursor } from './point-cursor.ts';
import { saveCsv } from './save-csv.ts';
import { labelledIndexes, linear, linePath, runsOf } from './scale.ts';
import { TableTwin } from './table-twin.tsx';
import classes from './trend-lines.module.css';

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
};

const height = 220;
const inset = { top: 10, right: 14, bottom: 26, left: 46 } as const;
const colorOf = (index: number): string => `var(--chart-${Math.min(index, 5) + 1})`;

/** Lines over time, one a group, with a cursor for pointer and keys and the same numbers as a table. */
export function TrendLines(props: Props) {
  const { title, labels, lines, format } = props;
  const [asTable, setAsTable] = useState(false);
  const rows = labels.map((label, index) => [label, ...lines.map(({ values }) => values[index] ?? null)] as const);
  const head = ['Sprint', ...lines.map((line) => line.title)];
  return (
    <div className={classes.chart}>
      <div className={classes.head}>
        <ul className={classes.legend} aria-label="Lines">
          {lines.map((line, index) => (
            <li key={line.key}>
              <span className={classes.swatch} style={{ background: colorOf(index) }} />
              {line.title}
            </li>
          ))}
        </ul>
        <div className={classes.actions}>
          <Button variant="subtle" size="compact-sm" onClick={() => setAsTable(!asTable)} aria-pressed={asTable}>
            View as table
          </Button>
          {asTable && (
            <Button variant="subtle" size="compact-sm" onClick={() => saveCsv(title, head, rows)}>
              Export CSV
            </Button>
          )}
        </div>
      </div>
      {asTable ? (
        <TableTwin caption={title} head={head} rows={rows} format={format} height={height} />
      ) : (
        <Drawing {...props} />
      )}
    </div>
  );
}

function Drawing({ title, labels, lines, emphasis, format, ticks }: Props) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const x = linear([0, Math.max(1, labels.length - 1)], [inset.left, Math.max(inset.left + 1, width - inset.right)]);
  const y = linear([ticks[0] ?? 0, ticks.at(-1) ?? 1], [height - inset.bottom, inset.top]);
  const step = x(1) - x(0);
  const cursor = usePointCursor(labels.length, (at) => Math.round((at - inset.left) / step));
  const said = cursor.index === null ? '' : wordsAt(cursor.index, labels, lines, format);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls; this is a drawing.
    <div
      ref={ref}
      className={classes.drawing}
      style={{ height }}
      role="group"
      aria-roledescription="chart"
      aria-label={`${title}. Arrow keys read the points`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys move the cursor of the chart.
      tabIndex={0}
      onKeyDown={cursor.onKeyDown}
      onPointerMove={cursor.onPointerMove}
      onPointerLeave={cursor.clear}
      onBlur={cursor.clear}
    >
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true">
          {ticks.map((tick) => (
            <g key={tick}>
              <line className={classes.grid} x1={inset.left} x2={width - inset.right} y1={y(tick)} y2={y(tick)} />
              <text className={classes.label} x={inset.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
                {format(tick)}
              </text>
            </g>
          ))}
          {labelledIndexes(labels.length, width - inset.left).map((index) => (
            <text
              key={labels[index]}
              className={classes.label}
              x={x(index)}
              y={height - 6}
              textAnchor={anchorOf(index, labels.length)}
            >
              {labels[index]}
            </text>
          ))}
          {cursor.index !== null && (
            <line
              className={classes.cursor}
              x1={x(cursor.index)}
              x2={x(cursor.index)}
              y1={inset.top}
              y2={height - inset.bottom}
            />
          )}
          {lines.map((line, index) => (
            <Line
              key={line.key}
              line={line}
              color={colorOf(index)}
              x={x}
              y={y}
              at={cursor.index}
              back={Boolean(emphasis) && emphasis !== line.key}
            />
          ))}
        </svg>
      )}
      {cursor.index !== null && (
        <Tooltip index={cursor.index} labels={labels} lines={lines} format={format} x={x(cursor.index)} width={width} />
      )}
      <span className="visually-hidden" aria-live="polite">
        {said}
      </span>
    </div>
  );
}

type LineProps = {
  readonly line: TrendLine;
  readonly color: string;
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
  readonly at: number | null;
  readonly back: boolean;
};

function Line({ line, color, x, y, at, back }: LineProps) {
  const points = line.values.map((value, index) => (value === null ? null : { x: x(index), y: y(value) }));
  const runs = runsOf(points);
  const shown = at === null ? null : points[at];
  // A value between two gaps has no line to lie on.
  const alone = runs.filter((run) => run.length === 1).flat();
  return (
    <g className={classes.line} style={{ stroke: color, fill: color }} data-back={back || undefined}>
      <path d={linePath(runs)} fill="none" />
      {[...alone, ...(shown ? [shown] : [])].map((point) => (
        <circle key={point.x} cx={point.x} cy={point.y} r="3" />
      ))}
    </g>
  );
}

type TooltipProps = Pick<Props, 'labels' | 'lines' | 'format'> & {
  readonly index: number;
  readonly x: number;
  readonly width: number;
};

function Tooltip({ index, labels, lines, format, x, width }: TooltipProps) {
  const side = x > width / 2 ? { right: width - x + 12 } : { left: x + 12 };
  return (
    <div className={classes.tooltip} style={side} aria-hidden="true">
      <p>{labels[index]}</p>
      <dl>
        {lines.map((line, order) => (
          <div key={line.key}>
            <dt>
              <span className={classes.swatch} style={{ background: colorOf(order) }} />
              {line.title}
            </dt>
            <dd>{format(line.values[index] ?? null)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function wordsAt(index: number, labels: Props['labels'], lines: Props['lines'], format: Props['format']): string {
  return `${labels[index]}: ${lines.map(({ title, values }) => `${title} ${format(values[index] ?? null)}`).join(', ')}`;
}

function anchorOf(index: number, count: number): 'start' | 'middle' | 'end' {
  if (index === 0) return 'start';
  return index === count - 1 ? 'end' : 'middle';
}
