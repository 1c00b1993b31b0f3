import { useId } from 'react';
import { areaPath, linePath, type Point, runsOf } from './scale.ts';
import { colorOf, type Series } from './series.ts';
import classes from './series-marks.module.css';

export type Scales = {
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
  /** The position of zero. */
  readonly base: number;
  /** The distance between points. */
  readonly band: number;
  readonly indexAt: (x: number) => number;
};

type LineProps = {
  readonly series: Series;
  readonly color: string;
  readonly scales: Scales;
  readonly at: number | null;
  readonly unfinished: boolean;
  readonly back: boolean;
};

export function Line({ series, color, scales, at, unfinished, back }: LineProps) {
  const fill = useId();
  const points = series.values.map((value, index) =>
    value === null ? null : { x: scales.x(index), y: scales.y(value) },
  );
  const last = points.length - 1;
  const [finished, tail] = unfinished ? [points.slice(0, -1), tailOf(points)] : [points, null];
  const runs = runsOf(finished);
  const shown = at === null ? null : points[at];
  // A value between two gaps has no line, so it gets a dot.
  const alone = runsOf(points)
    .filter((run) => run.length === 1)
    .flat();
  const main = series.look === 'main';
  return (
    <g
      className={classes.line}
      style={{ stroke: color, fill: color }}
      data-look={series.look}
      data-back={back || undefined}
    >
      {main && (
        <>
          <linearGradient id={fill} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stopColor={color} stopOpacity="0.17" />
            <stop offset="1" stopColor={color} stopOpacity="0" />
          </linearGradient>
          <path d={areaPath(runs, scales.base)} fill={`url(#${fill})`} stroke="none" />
        </>
      )}
      <path d={linePath(runs)} fill="none" />
      {tail && <path className={classes.unfinished} d={tail} fill="none" />}
      {unfinished && points[last] && <circle className={classes.open} cx={points[last].x} cy={points[last].y} r="3" />}
      {[...alone, ...(shown ? [shown] : [])].map((point) => (
        <circle key={point.x} cx={point.x} cy={point.y} r="3.5" />
      ))}
    </g>
  );
}

/** From the last complete point to the incomplete one. */
function tailOf(points: readonly (Point | null)[]): string | null {
  const [before, last] = [points.at(-2), points.at(-1)];
  return before && last ? linePath([[before, last]]) : null;
}

type ColumnsProps = {
  readonly keys: readonly string[];
  readonly series: readonly Series[];
  readonly scales: Scales;
  readonly at: number | null;
  readonly unfinished: boolean;
};

/** Columns at one position are stacked. */
export function Columns({ keys, series, scales, at, unfinished }: ColumnsProps) {
  const width = Math.min(48, Math.max(1, scales.band * 0.72));
  return keys.map((key, index) => {
    let [above, below] = [0, 0];
    return (
      <g
        key={key}
        className={classes.column}
        data-back={(at !== null && at !== index) || undefined}
        data-unfinished={(unfinished && index === keys.length - 1) || undefined}
      >
        {series.map((each, order) => {
          const value = each.look === 'column' ? (each.values[index] ?? 0) : 0;
          if (value === 0) return null;
          const from = value > 0 ? above : below;
          if (value > 0) above += value;
          else below += value;
          const [top, bottom] = [scales.y(Math.max(from, from + value)), scales.y(Math.min(from, from + value))];
          return (
            <rect
              key={each.key}
              x={scales.x(index) - width / 2}
              y={top}
              width={width}
              height={Math.max(1, bottom - top)}
              rx={Math.min(2, width / 4)}
              fill={colorOf(each, order)}
            />
          );
        })}
      </g>
    );
  });
}
