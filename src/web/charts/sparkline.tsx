import { areaPath, linear, linePath, runsOf } from './scale.ts';
import classes from './sparkline.module.css';

type Props = {
  /** Oldest first; null where there is no value. */
  readonly values: readonly (number | null)[];
  /** The same in words, as a reader cannot see the line. */
  readonly label: string;
  readonly highest?: number;
  readonly width?: number;
  readonly height?: number;
  /** As wide as its place, from the lowest value to the highest: for the shape only. */
  readonly stretched?: boolean;
};

/** A line without axes beside its number. The latest value has a dot, so that one value alone shows too. */
export function Sparkline({ values, label, highest, width = 88, height = 24, stretched = false }: Props) {
  const known = values.filter((value) => value !== null);
  const top = highest ?? Math.max(stretched ? Number.NEGATIVE_INFINITY : 1, ...known);
  const bottom = stretched ? Math.min(...known) : 0;
  const edge = stretched ? 0 : 2;
  const x = linear([0, Math.max(1, values.length - 1)], [edge, width - edge * 1.5]);
  const y = linear([bottom, top], [height - 3, 3]);
  const points = values.map((value, index) => (value === null ? null : { x: x(index), y: y(value) }));
  const runs = runsOf(points);
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
      {last && !stretched && <circle className={classes.dot} cx={last.x} cy={last.y} r="2" />}
    </svg>
  );
}
