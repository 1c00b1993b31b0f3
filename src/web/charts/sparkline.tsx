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
};

/** A line without axes beside its number. The latest value has a dot, so that one value alone shows too. */
export function Sparkline({ values, label, highest, width = 88, height = 24 }: Props) {
  const top = highest ?? Math.max(1, ...values.map((value) => value ?? 0));
  const x = linear([0, Math.max(1, values.length - 1)], [2, width - 3]);
  const y = linear([0, top], [height - 3, 3]);
  const points = values.map((value, index) => (value === null ? null : { x: x(index), y: y(value) }));
  const runs = runsOf(points);
  const last = points.findLast((point) => point !== null);
  return (
    <svg
      className={classes.sparkline}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <path className={classes.area} d={areaPath(runs, height - 1)} />
      <path className={classes.line} d={linePath(runs)} />
      {last && <circle className={classes.dot} cx={last.x} cy={last.y} r="2" />}
    </svg>
  );
}
