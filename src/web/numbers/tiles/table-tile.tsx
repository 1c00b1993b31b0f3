import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { countWords } from '#core/base/formats.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { type Metric, metricOf } from '#core/numbers/metrics.ts';
import { useList } from '#web/api/list-query.ts';
import { dimensionTitle, isUnlike, questionOf, valueWords } from '#web/api/number-view.ts';
import { type NumberGroup, type Numbers, numberPagesQuery } from '#web/api/numbers.ts';
import { changeOf } from '#web/charts/change.ts';
import { ChangePill } from '#web/charts/delta-pill.tsx';
import { numberWords, toNumber } from '#web/charts/number-format.ts';
import { type DataColumn, DataTable, type Order } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
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
  /**
   * The tile's width in twelfths: half a page has no room for bars next to the numbers, a third none for
   * their change.
   */
  readonly width: number;
};

/** Narrower tables show no change. */
const widthWithoutChange = 4;

/** The server's name for the order by the first metric's change. */
const changeId = 'change';

/** A dimension's largest values with several numbers each; a row opens its first number's rows. */
export function TableTile({ onRequest = false, ...props }: Props & { readonly onRequest?: boolean }) {
  const [requested, setRequested] = useState(false);
  if (!onRequest || requested) return <LoadedTable {...props} />;
  const { title } = props;
  return (
    <Panel title={title} flush>
      <EmptyState
        title="Not loaded yet"
        action={
          <Button variant="default" onClick={() => setRequested(true)}>
            Show {title.toLowerCase()}
          </Button>
        }
      >
        This table adds up every row in the period, which can take a while.
      </EmptyState>
    </Panel>
  );
}

function LoadedTable({ page, title, by, metrics: given, top, watch = false, width }: Props) {
  const { view } = page;
  const inOrder = (metrics: readonly string[], { id, desc } = largestFirst(metrics)) =>
    numberPagesQuery({
      ...questionOf(view, { metrics, by: [by], alone: width <= widthWithoutChange }),
      ...{ top, order: id, descending: desc },
    });
  const [lead, setLead] = useState(given[0]!);
  const metrics = useMemo(() => [lead, ...given.filter((name) => name !== lead)], [given, lead]);
  const [chosen, setOrder] = useState<Order>();
  // Without a comparison there is no change to sort by.
  const isWithout = chosen === undefined || (chosen.id === changeId && view.compare === 'none');
  const order = isWithout ? largestFirst(metrics) : chosen;
  const { query, items: rows, more, first } = useList(inOrder(metrics, order));
  const found = first && !query.isPlaceholderData ? leadOf(view.dataset, given, metrics, first) : lead;
  if (found !== lead) setLead(found);
  // Marks compare with the largest affiliates in any order of the table.
  const largest = useList({ ...inOrder(metrics), enabled: watch }).first;
  const columns = useMemo(
    () => (first ? columnsOf(page, { by, metrics, marksOf: markerOf(largest, metrics) }, first, rows) : []),
    [page, by, metrics, first, rows, largest],
  );
  return (
    <Panel title={title} {...(first ? { note: first.groups - first.goneGroups } : {})} flush>
      <div className={`${tile.body} ${width <= 6 ? classes.narrow : ''}`} aria-busy={query.isPlaceholderData}>
        <TileState query={query} what={title} height={280} skeleton={<SkeletonRows rows={7} />}>
          {first && first.goneGroups > 0 && (
            <p className={classes.gone}>
              {goneWords(first.goneGroups)}{' '}
              <Button variant="subtle" size="compact-xs" onClick={() => setOrder({ id: changeId, desc: false })}>
                Show what fell most
              </Button>
            </p>
          )}
          <DataTable
            caption={title}
            items={rows}
            columns={columns}
            keyOf={({ keys }) => keys[0] ?? ''}
            onOpen={({ keys }) => page.openDrillDown(metrics[0]!, [[by, keys[0] ?? '']])}
            order={order}
            onOrder={setOrder}
            pageSize={top}
            more={more}
            {...(first && first.groups > 1 ? { totals: totalsOf(view.dataset, by, metrics, first) } : {})}
            empty={<EmptyState title="Nothing in this period">Choose other days or remove filters.</EmptyState>}
          />
        </TileState>
      </div>
    </Panel>
  );
}

const largestFirst = (metrics: readonly string[]): Order => ({ id: metrics[0]!, desc: true });

/** The metric that the table leads with: a source may lack the first one. */
function leadOf(dataset: DatasetKey, given: readonly string[], asked: readonly string[], { totals }: Numbers): string {
  const hasValues = (name: string) =>
    metricOf(dataset, name)!.unit !== 'percent' && Number(totals[asked.indexOf(name)] ?? 0) !== 0;
  return given.find(hasValues) ?? given[0]!;
}

const goneWords = (count: number): string =>
  count === 1
    ? '1 more had something in the comparison and has nothing in this period.'
    : `${countWords(count)} more had something in the comparison and have nothing in this period.`;

/** The totals of the period, pinned to the bottom. */
function totalsOf(dataset: DatasetKey, by: string, metrics: readonly string[], { totals, currency }: Numbers) {
  const words = metrics.map((name, index) => [
    name,
    numberWords(totals[index] ?? null, metricOf(dataset, name)!.unit, currency),
  ]);
  return { [by]: 'Total', ...Object.fromEntries(words) };
}

type Shape = Pick<Props, 'by' | 'metrics'> & { readonly marksOf: (row: NumberGroup) => readonly Watch[] };

function columnsOf(
  { view, openDrillDown }: PageOfNumbers,
  { by, metrics, marksOf }: Shape,
  numbers: Numbers,
  rows: readonly NumberGroup[],
): DataColumn<NumberGroup>[] {
  const name: DataColumn<NumberGroup> = {
    id: by,
    title: dimensionTitle(view.dataset, by),
    sortBy: ({ keys }) => valueWords(view.dataset, by, keys[0] ?? null),
    cell: (row) => (
      <span className={classes.name}>
        {valueWords(view.dataset, by, row.keys[0] ?? null)}
        {marksOf(row).map(({ mark, reason }) => (
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
      rows,
      onOpen: (key) => openDrillDown(each, [[by, key]]),
    }),
  );
  const change =
    numbers.previousTotals && !isUnlike(view, numbers) ? [changeColumn(metricOf(view.dataset, metrics[0]!)!)] : [];
  return [name, first!, ...change, ...others];
}

type MetricColumn = {
  readonly metric: Metric;
  readonly name: string;
  readonly index: number;
  readonly numbers: Numbers;
  readonly rows: readonly NumberGroup[];
  readonly onOpen: (key: string) => void;
};

function metricColumn({ metric, name, index, numbers, rows, onOpen }: MetricColumn): DataColumn<NumberGroup> {
  const highest = Math.max(0, ...rows.map(({ values }) => Math.abs(toNumber(values[index]) ?? 0)));
  return {
    id: name,
    title: metric.title,
    numeric: true,
    sortBy: ({ values }) => toNumber(values[index]),
    ...(index === 0 ? { phone: 'value' as const } : {}),
    cell: ({ keys, values }) => {
      const words = numberWords(values[index] ?? null, metric.unit, numbers.currency);
      if (index > 0) {
        // For the pointer; by keyboard the row opens its first number, and the panel offers the others.
        return (
          <button type="button" tabIndex={-1} className={classes.number} onClick={() => onOpen(keys[0] ?? '')}>
            {words}
          </button>
        );
      }
      const value = toNumber(values[0]) ?? 0;
      const share = highest > 0 ? (Math.abs(value) / highest) * 100 : 0;
      return (
        <span className={classes.main}>
          {words}
          <span className={classes.bar} aria-hidden="true">
            <span style={{ width: `${share}%` }} data-negative={value < 0 || undefined} />
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
    id: changeId,
    title: `Change in ${metric.title.toLowerCase()}`,
    numeric: true,
    phone: 'change',
    sortBy: ({ values, previousValues }) => {
      const [now, before] = [toNumber(values[0]), toNumber(previousValues?.[0])];
      return now === null || !before ? null : (now - before) / Math.abs(before);
    },
    cell: (row) => <ChangePill change={changeAt(row)} good={metric.good} plain />,
  };
}

type Watch = { readonly mark: string; readonly reason: string };

const rateOverMedian = 3;
const reversalsOver = 20;
const revenueOver = 25;

const nothing: readonly Watch[] = [];

/** Affiliates that need a look (pages.md): an outlying rate, many reversals, or too large a share. */
export function markerOf(largest: Pick<Numbers, 'rows' | 'totals'> | undefined, metrics: readonly string[]) {
  if (!largest) return () => nothing;
  const at = (values: readonly (string | null)[], metric: string): number =>
    Number(values[metrics.indexOf(metric)] ?? 0);
  const median = medianOf(largest.rows.map(({ values }) => at(values, 'conversion_rate')).filter((rate) => rate > 0));
  const sales = at(largest.totals, 'sales');
  return ({ values }: Pick<NumberGroup, 'values'>): readonly Watch[] => {
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
    return marks;
  };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
