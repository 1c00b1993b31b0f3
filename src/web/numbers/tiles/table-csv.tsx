// A table's numbers as CSV, and which of them nobody knows.
import type { CsvCell } from '#core/base/csv.ts';
import { countWords } from '#core/base/formats.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import { numberLimits } from '#core/numbers/number-request.ts';
import { useMutation } from '#web/api/mutation.ts';
import { dimensionTitle, isUnlike, type View, valueWords } from '#web/api/number-view.ts';
import { type Numbers, readGroups } from '#web/api/numbers.ts';
import { ExportButton } from '#web/charts/chart-table-actions.tsx';
import { titleWithUnit } from '#web/charts/number-format.ts';
import { saveCsv } from '#web/charts/save-csv.ts';
import { csvName, previousTitle } from '../shared/period-words.ts';

/** The numbers with those that count the rows which have what one of them needs. */
export const withKnown = (dataset: DatasetKey, metrics: readonly string[]): string[] => [
  ...new Set([...metrics, ...metrics.flatMap((name) => metricOf(dataset, name)!.coverage?.known ?? [])]),
];

/** A group without those counts. A number that no row knows is unknown, not zero. */
export function knownOf(dataset: DatasetKey, metrics: readonly string[]) {
  const asked = withKnown(dataset, metrics);
  return <Group extends { readonly values: readonly (string | null)[] }>(group: Group): Group => ({
    ...group,
    values: metrics.map((name, index) => {
      const { known } = metricOf(dataset, name)!.coverage ?? {};
      const count = known === undefined ? undefined : group.values[asked.indexOf(known)];
      return count === '0' ? null : (group.values[index] ?? null);
    }),
  });
}

type Named = { readonly by: string; readonly metrics: readonly string[] };

type ExportProps = Named & {
  readonly view: View;
  readonly title: string;
  readonly groups: number;
  readonly question: Parameters<typeof readGroups>[0];
};

/** All rows of the table, or very many of them, not only those that are shown, with the comparison. */
export function ExportTable({ view, title, groups, by, metrics, question }: ExportProps) {
  const save = useMutation({
    mutationFn: () => readGroups({ ...question, top: numberLimits.rows }),
    onSuccess: (numbers) => saveCsv(csvName(view, title), ...groupsCsv(view, { by, metrics }, numbers)),
    meta: { what: `Exporting ${title}` },
  });
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

export function groupsCsv(
  view: View,
  { by, metrics }: Named,
  numbers: Pick<Numbers, 'rows' | 'currency' | 'previousTotals' | 'dataFrom'>,
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
