import { useMemo } from 'react';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { type Metric, metricOf } from '#core/numbers/metrics.ts';
import type { NumberGroup, Numbers } from '#web/api/numbers.ts';
import { changeOf } from '#web/charts/change.ts';
import { ChangePill } from '#web/charts/delta-pill.tsx';
import { drawn, numberWords } from '#web/charts/number-format.ts';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { dimensionTitle, valueWords } from '../shared/behind.ts';
import { useNumbers } from '../shared/numbers-queries.ts';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import tile from './chart-tile.module.css';
import { TileState } from './chart-tile.tsx';
import classes from './table-tile.module.css';

type Props = {
  readonly page: PageOfNumbers;
  readonly title: string;
  readonly by: string;
  readonly metrics: readonly string[];
  readonly top: number;
  readonly watch?: boolean;
  /** Of the tile, in twelfths: half a page has no room for bars beside the numbers, a third none for their change. */
  readonly width: number;
};

/** The largest of a dimension with several numbers each; a row opens what stands behind its first number. */
export function TableTile({ page, title, by, metrics, top, watch = false, width }: Props) {
  const { view } = page;
  const query = useNumbers(view, { metrics, by: [by], top });
  const { data } = query;
  const columns = useMemo(
    () => (data ? columnsOf(page, { by, metrics, watch, width }, data) : []),
    [page, by, metrics, data, watch, width],
  );
  // A row in which nothing happened says nothing.
  const rows = useMemo(() => data?.rows.filter(hasNumbers) ?? [], [data]);
  return (
    <Panel title={title} {...(data ? { note: rows.length } : {})} flush>
      <div
        className={`${tile.body} ${width <= 6 ? classes.narrow : ''}`}
        data-stale={query.isPlaceholderData || undefined}
      >
        <TileState query={query} what={title} height={280} skeleton={<SkeletonRows rows={7} />}>
          <DataTable
            caption={title}
            items={rows}
            columns={columns}
            keyOf={({ keys }) => keys[0] ?? ''}
            onOpen={({ keys }) => page.openDrillDown(metrics[0]!, [[by, keys[0] ?? '']])}
            sortedBy={{ id: metrics[0]!, desc: true }}
            {...(data ? othersOf(view.dataset, by, metrics, data) : {})}
            empty={<EmptyState title="Nothing in this period">Choose other days or remove filters.</EmptyState>}
          />
        </TileState>
      </div>
    </Panel>
  );
}

const hasNumbers = ({ values }: NumberGroup): boolean => values.some((value) => value !== null && Number(value) !== 0);

/** What the rows beyond the largest come to together, pinned at the bottom. */
function othersOf(dataset: DatasetKey, by: string, metrics: readonly string[], { others, currency }: Numbers) {
  if (!others) return {};
  const words = metrics.map((name, index) => {
    const text = others.values[index] ?? null;
    return [name, text === null ? '' : numberWords(text, metricOf(dataset, name)!.unit, currency)];
  });
  return { totals: { [by]: `${others.groups.toLocaleString('en-GB')} more`, ...Object.fromEntries(words) } };
}

type Shape = Required<Pick<Props, 'by' | 'metrics' | 'watch' | 'width'>>;

function columnsOf(
  { view, openDrillDown }: PageOfNumbers,
  { by, metrics, watch, width }: Shape,
  numbers: Numbers,
): DataColumn<NumberGroup>[] {
  const marks = watch ? watchMarks(numbers, metrics) : new Map<string, Watch[]>();
  const name: DataColumn<NumberGroup> = {
    id: by,
    title: dimensionTitle(view.dataset, by),
    sortBy: ({ keys }) => valueWords(view.dataset, by, keys[0] ?? null),
    cell: ({ keys }) => (
      <span className={classes.name}>
        {valueWords(view.dataset, by, keys[0] ?? null)}
        {marks.get(keys[0] ?? '')?.map(({ mark, reason }) => (
          <Pill key={mark} tone="warn" title={reason}>
            {mark}
          </Pill>
        ))}
      </span>
    ),
  };
  const [first, ...others] = metrics.map((each, index) =>
    metricColumn({
      metric: metricOf(view.dataset, each)!,
      name: each,
      index,
      numbers,
      onOpen: (key) => openDrillDown(each, [[by, key]]),
    }),
  );
  const change = numbers.previousTotals && width > 4 ? [changeColumn(metricOf(view.dataset, metrics[0]!)!)] : [];
  return [name, first!, ...change, ...others];
}

type MetricColumn = {
  readonly metric: Metric;
  readonly name: string;
  readonly index: number;
  readonly numbers: Numbers;
  readonly onOpen: (key: string) => void;
};

function metricColumn({ metric, name, index, numbers, onOpen }: MetricColumn): DataColumn<NumberGroup> {
  const highest = Math.max(0, ...numbers.rows.map(({ values }) => drawn(values[index]) ?? 0));
  return {
    id: name,
    title: metric.title,
    numeric: true,
    sortBy: ({ values }) => drawn(values[index]),
    ...(index === 0 ? { phone: 'value' as const } : {}),
    cell: ({ keys, values }) => {
      const words = numberWords(values[index] ?? null, metric.unit, numbers.currency);
      if (index > 0) {
        // For the pointer; by key the row opens its first number, and the panel offers the others.
        return (
          <button type="button" tabIndex={-1} className={classes.number} onClick={() => onOpen(keys[0] ?? '')}>
            {words}
          </button>
        );
      }
      const share = highest > 0 ? Math.max(0, ((drawn(values[0]) ?? 0) / highest) * 100) : 0;
      return (
        <span className={classes.main}>
          {words}
          <span className={classes.bar} aria-hidden="true">
            <span style={{ width: `${share}%` }} />
          </span>
        </span>
      );
    },
  };
}

function changeColumn(metric: Metric): DataColumn<NumberGroup> {
  const changeAt = ({ values, previousValues }: NumberGroup) =>
    changeOf(values[0] ?? null, previousValues?.[0] ?? '0', metric.unit);
  return {
    id: 'change',
    title: 'Change',
    numeric: true,
    phone: 'change',
    sortBy: ({ values, previousValues }) => {
      const [now, before] = [drawn(values[0]), drawn(previousValues?.[0])];
      return now === null || !before ? null : (now - before) / Math.abs(before);
    },
    cell: (row) => <ChangePill change={changeAt(row)} good={metric.good} plain />,
  };
}

type Watch = { readonly mark: string; readonly reason: string };

const rateOverMedian = 3;
const reversalsOver = 20;
const revenueOver = 25;

/** Which affiliates need a look (pages.md): a rate far above the others', much taken back, or too much in one hand. */
export function watchMarks({ rows, totals }: Numbers, metrics: readonly string[]): Map<string, Watch[]> {
  const at = (values: readonly (string | null)[], metric: string): number =>
    Number(values[metrics.indexOf(metric)] ?? 0);
  const median = medianOf(rows.map(({ values }) => at(values, 'conversion_rate')).filter((rate) => rate > 0));
  const sales = at(totals, 'sales');
  return new Map(
    rows.map(({ keys, values }) => {
      const rate = at(values, 'conversion_rate');
      const share = sales > 0 ? (at(values, 'sales') / sales) * 100 : 0;
      const marks: Watch[] = [];
      if (median > 0 && rate > rateOverMedian * median)
        marks.push({
          mark: 'High rate',
          reason: `Converts over ${rateOverMedian} times as often as the median affiliate`,
        });
      if (at(values, 'reversal_rate') > reversalsOver)
        marks.push({ mark: 'Reversals', reason: `Over ${reversalsOver}% of the commission was reversed` });
      if (share > revenueOver) marks.push({ mark: 'Large share', reason: `Over ${revenueOver}% of all sales` });
      return [keys[0] ?? '', marks];
    }),
  );
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
