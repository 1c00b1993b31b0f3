// Maps values to positions. Plain functions, used by every chart.

export type Point = { readonly x: number; readonly y: number };

/** Maps values linearly from one range to another. */
export function linear([fromLow, fromHigh]: readonly [number, number], [toLow, toHigh]: readonly [number, number]) {
  const size = fromHigh - fromLow || 1;
  return (value: number): number => toLow + ((value - fromLow) / size) * (toHigh - toLow);
}

/** Splits points at gaps: a week without a value is a gap in the line, not a zero. */
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

/** An SVG path through each run's points. */
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

/**
 * Which labels fit on an axis: evenly spaced, always including the last. The first is included too if a step
 * of at most three times the smallest one reaches it.
 */
export function labelledIndexes(count: number, width: number, room = 90): number[] {
  if (count === 0) return [];
  const least = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / room))));
  const wider = Array.from({ length: 2 * least + 1 }, (_, index) => least + index);
  const step = wider.find((each) => (count - 1) % each === 0) ?? least;
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % step === 0);
}

/** Where a label at `x` has its middle: as near as it stays between the edges, which would cut it off. */
export function labelMiddle(label: string, x: number, [from, to]: readonly [number, number]): number {
  const half = labelWidth(label) / 2;
  return Math.min(Math.max(x, from + half), to - half);
}

/**
 * Round numbers from the lowest to the highest in about `count` steps, always including zero. A small dip
 * below zero gets no step.
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

/** The room of a label, up to the last one: that ends at its point and may say that it is incomplete. */
export const labelRoom = (labels: readonly string[]): number =>
  Math.max(90, labelWidth(labels.at(-1) ?? '') + labelWidth(labels[0] ?? '') / 2 + 12);

/** The approximate width of an axis label in px: Inter at 11.5 px. */
export function labelWidth(text: string): number {
  return [...text].reduce(
    (width, sign) => width + (/[MWm%@—]/.test(sign) ? 10.5 : /[.,:;'’|ijl ]/.test(sign) ? 3.8 : 7.3),
    0,
  );
}
