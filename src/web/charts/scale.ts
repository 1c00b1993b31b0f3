// Where a value lies on the drawing. Plain functions, so that every chart of the product draws alike.

export type Point = { readonly x: number; readonly y: number };

/** Maps values from one range to another, evenly. */
export function linear([fromLow, fromHigh]: readonly [number, number], [toLow, toHigh]: readonly [number, number]) {
  const size = fromHigh - fromLow || 1;
  return (value: number): number => toLow + ((value - fromLow) / size) * (toHigh - toLow);
}

/** The runs of points between gaps: a week without a value is a hole in the line, not a zero. */
export function runsOf(points: readonly (Point | null)[]): Point[][] {
  const runs: Point[][] = [];
  let open: Point[] | null = null;
  for (const point of points) {
    if (!point) {
      open = null;
    } else if (open) {
      open.push(point);
    } else {
      open = [point];
      runs.push(open);
    }
  }
  return runs;
}

const written = (value: number): string => String(Math.round(value * 10) / 10);

/** An SVG path through the points of each run. */
export function linePath(runs: readonly (readonly Point[])[]): string {
  return runs
    .map((run) => run.map(({ x, y }, index) => `${index ? 'L' : 'M'}${written(x)} ${written(y)}`).join(''))
    .join('');
}

/** The same, closed down to the base line. */
export function areaPath(runs: readonly (readonly Point[])[], base: number): string {
  return runs
    .filter((run) => run.length > 1)
    .map((run) => `${linePath([run])}L${written(run.at(-1)!.x)} ${base}L${written(run[0]!.x)} ${base}Z`)
    .join('');
}

/** Which labels fit on an axis: evenly chosen, the last one always among them. */
export function labelledIndexes(count: number, width: number, labelWidth = 90): number[] {
  if (count === 0) return [];
  const step = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / labelWidth))));
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % step === 0);
}

/** Which label of an axis stands where: the first begins at its point and the last ends there, or the edge would cut them off. */
export function anchorOf(index: number, count: number): 'start' | 'middle' | 'end' {
  if (index === 0) return 'start';
  return index === count - 1 ? 'end' : 'middle';
}

/**
 * Round numbers from the lowest to the highest in about `count` steps; zero is always among them. A dip below zero that is small
 * beside a step takes no step of its own.
 */
export function niceTicks(values: readonly (number | null)[], count = 4): number[] {
  const known = values.filter((value) => value !== null);
  const low = Math.min(0, ...known);
  const highest = Math.max(0, ...known);
  const high = highest === low ? 1 : highest;
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  // Counts have no halves.
  const fits = known.every(Number.isInteger) ? Number.isInteger : () => true;
  const steps = [1, 2, 2.5, 5, 10].map((each) => Number((each * power).toPrecision(12)));
  const step = steps.find((each) => each >= rough && fits(each)) ?? 10 * power;
  const first = -low < step / 2 ? 0 : Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/**
 * A curve through the points that never swings beyond them (Fritsch and Carlson): a smooth line must not show a peak that no
 * value has.
 */
export function curvePath(runs: readonly (readonly Point[])[]): string {
  return runs.map(curveOf).join('');
}

function curveOf(run: readonly Point[]): string {
  const first = run[0]!;
  const slopes = slopesOf(run);
  return run.reduce(
    (path, { x, y }, index) => {
      const before = run[index - 1];
      if (!before) return path;
      const third = (x - before.x) / 3;
      const [leave, arrive] = [before.y + slopes[index - 1]! * third, y - slopes[index]! * third];
      const points = [before.x + third, leave, x - third, arrive, x, y].map(written);
      return `${path}C${points.join(' ')}`;
    },
    `M${written(first.x)} ${written(first.y)}`,
  );
}

function slopesOf(run: readonly Point[]): number[] {
  const chords = run.slice(1).map((point, index) => (point.y - run[index]!.y) / (point.x - run[index]!.x || 1));
  return run.map((_, index) => {
    const [before, after] = [chords[index - 1], chords[index]];
    if (before === undefined || after === undefined) return before ?? after ?? 0;
    if (before * after <= 0) return 0;
    const mean = (before + after) / 2;
    const steepest = 3 * Math.min(Math.abs(before), Math.abs(after));
    return Math.sign(mean) * Math.min(Math.abs(mean), steepest);
  });
}

/** The same curve, closed down to the base line. */
export function curveArea(runs: readonly (readonly Point[])[], base: number): string {
  return runs
    .filter((run) => run.length > 1)
    .map((run) => `${curveOf(run)}L${written(run.at(-1)!.x)} ${written(base)}L${written(run[0]!.x)} ${written(base)}Z`)
    .join('');
}
