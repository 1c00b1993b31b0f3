// A chart's data over time or by size: series of points, each with its number as text.

/** `line` next to others, `main` the page's main line, `previous` the comparison, `column` stacked. */
export type Look = 'line' | 'main' | 'previous' | 'column';

export type Series = {
  readonly key: string;
  readonly title: string;
  readonly look: Look;
  /** Each point's value; null is a gap. */
  readonly values: readonly (number | null)[];
  /** Each point's exact text. */
  readonly shown: readonly string[];
};

/** The colors in order; the sixth is "Other". The previous period is always gray. */
export function colorOf({ look }: Series, index: number): string {
  return look === 'previous' ? 'var(--previous)' : `var(--chart-${Math.min(index, 5) + 1})`;
}

/** Columns are stacked, so the axis must fit their sum. */
export function reach(series: readonly Series[], count: number): number[] {
  const lines = series.filter(({ look }) => look !== 'column').flatMap(({ values }) => values);
  const columns = series.filter(({ look }) => look === 'column');
  const sums = Array.from({ length: columns.length > 0 ? count : 0 }, (_, index) =>
    columns.reduce((sum, { values }) => sum + Math.max(0, values[index] ?? 0), 0),
  );
  const negative = columns.flatMap(({ values }) => values.map((value) => Math.min(0, value ?? 0)));
  return [...lines, ...sums, ...negative].filter((value) => value !== null);
}

/** Labels of which the last says that its value is incomplete. */
export const markedSoFar = (labels: readonly string[], mark = 'so far'): string[] =>
  labels.map((label, index) => (index === labels.length - 1 ? `${label}, ${mark}` : label));
