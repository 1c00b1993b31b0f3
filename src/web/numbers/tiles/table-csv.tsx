// A table's numbers as CSV, and which of them nobody knows.
import { useEffect, useRef } from 'react';
import type { CsvCell } from '#core/base/csv.ts';
import { countWords } from '#core/base/formats.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { lackWords } from '#core/numbers/metric-value.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import { numberLimits } from '#core/numbers/number-request.ts';
import { useMutation } from '#web/api/mutation.ts';
import { dimensionTitle, isUnlike, type View, valueWords } from '#web/api/number-view.ts';
import { type NumberGroup, type Numbers, readGroups } from '#web/api/numbers.ts';
import { ExportButton } from '#web/charts/chart-table-actions.tsx';
import { titleWithUnit } from '#web/charts/number-format.ts';
import { saveCsv } from '#web/charts/save-csv.ts';
import { showToast } from '#web/ui/toasts.tsx';
import { csvName, previousTitle } from '../shared/period-words.ts';

/** The numbers with those that count all rows, and the rows which have what one of them needs. */
export const withKnown = (dataset: DatasetKey, metrics: readonly string[]): string[] => [
  ...new Set([
    ...metrics,
    ...metrics.flatMap((name) => {
      const { coverage } = metricOf(dataset, name)!;
      return coverage ? [coverage.known, coverage.of] : [];
    }),
  ]),
];

/** A number that no row knows is unknown, not zero. The counts stay behind the numbers. */
export function knownOf(dataset: DatasetKey, metrics: readonly string[]) {
  const asked = withKnown(dataset, metrics);
  return <Group extends { readonly values: readonly (string | null)[] }>(group: Group): Group => {
    const countOf = (count: string) => group.values[asked.indexOf(count)];
    const isUnknown = (name: string) => {
      const { coverage } = metricOf(dataset, name)!;
      const { known, of, evenNone = false } = coverage ?? {};
      return known && of && !evenNone && countOf(known) === '0' && Number(countOf(of) ?? 0) > 0;
    };
    return { ...group, values: asked.map((name, index) => (isUnknown(name) ? null : (group.values[index] ?? null))) };
  };
}

/** How many rows a group's rate or median is of, if it leaves out many; `why` says what those lack. */
export function baseOf(dataset: DatasetKey, metrics: readonly string[], name: string, { values }: NumberGroup) {
  const { coverage } = metricOf(dataset, name)!;
  // Rows that count aren't left out, as zero or with one status.
  if (!coverage || coverage.evenFew || coverage.onlyAll || coverage.proof) return null;
  const asked = withKnown(dataset, metrics);
  const countOf = (count: string) => values[asked.indexOf(count)] ?? null;
  const why = lackWords(dataset, name, countOf);
  const [known, of] = [coverage.known, coverage.of].map((count) => countWords(Number(countOf(count) ?? 0)));
  return why === null ? null : { words: `based on ${known} of ${of}`, why };
}

type TableNumbers = Pick<Numbers, 'rows' | 'groups' | 'currency' | 'previousTotals' | 'dataFrom'>;

type Named = { readonly by: string; readonly metrics: readonly string[] };

type Listed = {
  readonly query: { readonly isPlaceholderData: boolean };
  readonly items: readonly NumberGroup[];
  readonly first: Numbers | undefined;
};

/** What a table has loaded, if it is everything and of the days that are chosen now. */
const allOf = ({ query, items, first }: Listed): TableNumbers | null =>
  first && !query.isPlaceholderData && first.groups <= items.length ? { ...first, rows: [...items] } : null;

type ExportProps = Named & {
  readonly view: View;
  readonly title: string;
  readonly list: Listed;
  readonly question: Parameters<typeof readGroups>[0];
};

/** All rows of the table, or very many of them, not only those that are shown, with the comparison. */
export function ExportTable({ view, title, list, by, metrics, question }: ExportProps) {
  const reading = useRef<AbortController>(null);
  useEffect(() => () => reading.current?.abort(), []);
  const save = useMutation({
    // It saves here: callbacks would have the view that was chosen while it was reading.
    mutationFn: async () => {
      reading.current = new AbortController();
      const { signal } = reading.current;
      const read =
        allOf(list) ?? (await readGroups({ ...question, top: numberLimits.rows }, signal).catch(ignoreIf(signal)));
      if (read === null) return;
      const [count, all] = [read.rows.length, read.groups];
      const part = all > count ? ` first ${count} of ${all}` : '';
      saveCsv(csvName(view, title + part), ...groupsCsv(view, { by, metrics }, read));
      if (part) showToast({ message: `Exported the first ${countWords(count)} of ${countWords(all)} rows` });
    },
    meta: { what: `Exporting ${title}` },
  });
  const groups = list.first?.groups ?? 0;
  if (groups === 0) return null;
  const isPart = groups > numberLimits.rows;
  return (
    <ExportButton
      of={title}
      {...(isPart && { title: `Export the first ${countWords(numberLimits.rows)} as CSV` })}
      isPending={save.isPending}
      onExport={() => save.mutate()}
    />
  );
}

/** Nobody waits for what was aborted. */
const ignoreIf = (signal: AbortSignal) => (error: unknown) => {
  if (signal.aborted) return null;
  throw error;
};

export function groupsCsv(
  view: View,
  { by, metrics }: Named,
  numbers: Omit<TableNumbers, 'groups'>,
): [head: string[], rows: CsvCell[][]] {
  const known = knownOf(view.dataset, metrics);
  const isCompared = numbers.previousTotals !== null && !isUnlike(view, numbers);
  const titleOf = (name: string, isPrevious: boolean) => {
    const { title, unit } = metricOf(view.dataset, name)!;
    return titleWithUnit({ title: isPrevious ? previousTitle(view, title) : title, unit }, numbers.currency);
  };
  const cells = (values: readonly (string | null)[]): CsvCell[] =>
    metrics.map((_, index) => {
      const decimal = values[index] ?? null;
      return decimal === null ? null : { decimal };
    });
  const head = [false, ...(isCompared ? [true] : [])].flatMap((isPrevious) =>
    metrics.map((name) => titleOf(name, isPrevious)),
  );
  return [
    [dimensionTitle(view.dataset, by), ...head],
    numbers.rows.map((row) => [
      valueWords(view.dataset, by, row.keys[0] ?? null),
      ...cells(known(row).values),
      ...(isCompared ? cells(known({ values: row.previousValues ?? [] }).values) : []),
    ]),
  ];
}
