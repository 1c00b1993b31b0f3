// What a chart over time or sizes draws: series of points, each with its number in words.

/** `line` with the others beside it, `main` the line a page is about, `previous` what it is compared with, `column` stacked. */
export type Look = 'line' | 'main' | 'previous' | 'column';

export type Series = {
  readonly key: string;
  readonly title: string;
  readonly look: Look;
  /** Where each point lies; null is a hole. */
  readonly values: readonly (number | null)[];
  /** What each point says, exactly. */
  readonly shown: readonly string[];
};

/** The colours in order; the sixth is "Other". The previous period is always grey. */
export function colorOf({ look }: Series, index: number): string {
  return look === 'previous' ? 'var(--previous)' : `var(--chart-${Math.min(index, 5) + 1})`;
}

/** Columns stand on each other, so the axis has to hold their sum. */
export function reach(series: readonly Series[], count: number): number[] {
  const lines = series.filter(({ look }) => look !== 'column').flatMap(({ values }) => values);
  const columns = series.filter(({ look }) => look === 'column');
  const sums = Array.from({ length: columns.length > 0 ? count : 0 }, (_, index) =>
    columns.reduce((sum, { values }) => sum + Math.max(0, values[index] ?? 0), 0),
  );
  const negative = columns.flatMap(({ values }) => values.map((value) => Math.min(0, value ?? 0)));
  return [...lines, ...sums, ...negative].filter((value) => value !== null);
}
