import { areaPath, linear, linePath, runsOf } from './scale.ts';
import classes from './sparkline.module.css';

type Props = {
  /** Oldest first; null without a value. */
  readonly values: readonly (number | null)[];
  /** The same as text, for screen readers. */
  readonly label: string;
  readonly highest?: number;
  readonly width?: number;
  readonly height?: number;
  /** As wide as its container, from the lowest value to the highest: only shows the shape. */
  readonly stretched?: boolean;
  /** The last value is incomplete: its line is dashed. */
  readonly unfinished?: boolean;
};

/** A line without axes next to its number. The latest value has a dot, so a single value is visible too. */
export function Sparkline({ values, label, highest, width = 88, height = 24, stretched, unfinished }: Props) {
  const known = values.filter((value) => value !== null);
  const top = highest ?? Math.max(stretched ? Number.NEGATIVE_INFINITY : 1, ...known);
  const bottom = stretched ? Math.min(...known) : 0;
  const edge = stretched ? 0 : 2;
  const x = linear([0, Math.max(1, values.length - 1)], [edge, width - edge * 1.5]);
  const y = linear([bottom, top], [height - 3, 3]);
  const points = values.map((value, index) => (value === null ? null : { x: x(index), y: y(value) }));
  const runs = runsOf(unfinished ? points.slice(0, -1) : points);
  const tail = unfinished ? runsOf(points.slice(-2)).filter((run) => run.length > 1) : [];
  const last = points.findLast((point) => point !== null);
  return (
    <svg
      className={classes.sparkline}
      width={stretched ? '100%' : width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio={stretched ? 'none' : undefined}
      role="img"
      aria-label={label}
    >
      <path className={classes.area} d={areaPath(runs, height - 1)} />
      <path className={classes.line} d={linePath(runs)} />
      <path className={classes.line} data-unfinished d={linePath(tail)} />
      {last && !stretched && <circle className={classes.dot} cx={last.x} cy={last.y} r="2" />}
    </svg>
  );
}
