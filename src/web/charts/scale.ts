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
