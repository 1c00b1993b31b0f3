import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { countWords } from '#core/base/formats.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { lackWords, leftOutLeaves } from '#core/numbers/metric-value.ts';
import { type Metric, metricOf } from '#core/numbers/metrics.ts';
import { useList } from '#web/api/list-query.ts';
import { dimensionTitle, goodOf, isUnlike, questionOf, type View, valueWords } from '#web/api/number-view.ts';
import { type NumberGroup, type Numbers, numberPagesQuery, numbersQuery } from '#web/api/numbers.ts';
import { changeOf } from '#web/charts/change.ts';
import { ChangePill } from '#web/charts/delta-pill.tsx';
import { numberWords, toNumber } from '#web/charts/number-format.ts';
import { type DataColumn, DataTable, type Order } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import type { Place } from '../shared/drill-down.ts';
import { topQuestion, useNumbers } from '../shared/numbers-queries.ts';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import tile from './chart-tile.module.css';
import { TileState } from './chart-tile.tsx';
import { baseOf, ExportTable, knownOf, withKnown } from './table-csv.tsx';
import classes from './table-tile.module.css';

type Props = {
  readonly page: PageOfNumbers;
  readonly title: string;
  readonly by: string;
  readonly metrics: readonly string[];
  readonly top: number;
  readonly watch?: boolean;
  /** It reads every row of the period, so it loads only when someone asks. */
  readonly onRequest?: boolean;
  /** It shows no comparison, however wide it is. */
  readonly alone?: boolean;
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

/** A dimension's largest values with several numbers each. A row opens its first number that isn't 0. */
export function TableTile(props: Props) {
  const [requested, setRequested] = useState(false);
  if (!props.onRequest || requested) return <LoadedTable {...props} />;
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

/** The first number that has values leads: a source may lack the one that is given first. */
function useMetrics({ page: { view }, by, metrics: given, top, onRequest = false, alone = false, width }: Props) {
  const isAlone = alone || width <= widthWithoutChange;
  const questionIn = (metrics: readonly string[], { id, desc } = largestFirst(metrics)) => ({
    ...questionOf(view, {
      metrics: withKnown(view.dataset, metrics),
      by: [by],
      alone: isAlone,
    }),
    ...{ top, order: id, descending: desc },
  });
  const inOrder = (metrics: readonly string[], order?: Order) => numberPagesQuery(questionIn(metrics, order));
  // Reading every row twice takes too long. Totals come from the roll-ups.
  const sums = useQuery({
    ...numbersQuery(questionOf(view, { metrics: given, alone: true })),
    enabled: onRequest,
  });
  const list = useList({ ...inOrder(given), enabled: !onRequest });
  const totals = (onRequest ? sums.data : list.first)?.totals ?? [];
  const lead = filledMetric(view.dataset, given, totals) ?? given[0]!;
  const metrics = useMemo(() => [lead, ...given.filter((name) => name !== lead)], [given, lead]);
  return { metrics, questionIn, inOrder, isWaiting: onRequest && sums.isPending };
}

type Listed = { readonly items: readonly NumberGroup[]; readonly first: Numbers | undefined };

/** Without zeros that nobody knows. */
function useKnown(dataset: DatasetKey, metrics: readonly string[], { items, first }: Listed) {
  return useMemo(() => {
    const known = knownOf(dataset, metrics);
    return { rows: items.map(known), first: first && { ...first, totals: known({ values: first.totals }).values } };
  }, [dataset, metrics, items, first]);
}

function LoadedTable(props: Props) {
  const { page, title, by, top, watch = false, width } = props;
  const { view } = page;
  const { metrics, questionIn, inOrder, isWaiting } = useMetrics(props);
  const [chosen, setOrder] = useState<Order>();
  // Without a comparison there is no change to sort by.
  const isWithout = chosen === undefined || (chosen.id === changeId && view.compare === 'none');
  const order = isWithout ? largestFirst(metrics) : chosen;
  const list = useList({ ...inOrder(metrics, order), enabled: !isWaiting });
  const question = questionIn(metrics, order);
  const { rows, first } = useKnown(view.dataset, metrics, list);
  // Marks compare with the largest affiliates in any order of the table.
  const largest = useList({ ...inOrder(metrics), enabled: watch }).first;
  const columns = useMemo(
    () => (first ? columnsOf(page, { by, metrics, marksOf: markerOf(largest, metrics) }, first, rows) : []),
    [page, by, metrics, first, rows, largest],
  );
  return (
    <Panel
      title={title}
      {...(first ? { note: first.groups - first.goneGroups } : {})}
      actions={<ExportTable {...{ view, title, by, metrics, question, list }} />}
      flush
    >
      <div className={`${tile.body} ${width <= 6 ? classes.narrow : ''}`} aria-busy={list.query.isPlaceholderData}>
        <TileState query={list.query} what={title} height={280} skeleton={<SkeletonRows rows={7} />}>
          {first && first.goneGroups > 0 && (
            <p className={classes.gone}>
              {goneWords(first.goneGroups)}{' '}
              <Button variant="subtle" size="compact-xs" onClick={() => setOrder({ id: changeId, desc: false })}>
                Show biggest drops
              </Button>
            </p>
          )}
          <Lacks view={view} metrics={metrics} hasWholeOrders={first?.hasWholeOrders === true} />
          <DataTable
            caption={title}
            items={rows}
            columns={columns}
            keyOf={({ keys }) => keys[0] ?? ''}
            onOpen={(row) => openRow(page, { by, metrics }, row)}
            order={order}
            onOrder={setOrder}
            pageSize={top}
            more={list.more}
            {...(first && first.groups > 1 ? { totals: totalsOf(view.dataset, by, metrics, first) } : {})}
            empty={
              // Rows without any of these numbers are no reason to look elsewhere.
              first && first.matchingRows > 0 ? (
                <EmptyState title="None in this period" />
              ) : (
                <EmptyState title="Nothing in this period">Choose other days or remove filters.</EmptyState>
              )
            }
          />
        </TileState>
      </div>
    </Panel>
  );
}

type LacksProps = { readonly view: View; readonly metrics: readonly string[]; readonly hasWholeOrders: boolean };

/** What the numbers on top say that rows lack, for those of the table. Once they are loaded: it asks nothing. */
function Lacks({ view, metrics, hasWholeOrders }: LacksProps) {
  const onTop = topQuestion(view);
  const { data } = useNumbers(view, onTop, false);
  const totalOf = (leaf: string) => data?.totals[onTop.metrics.indexOf(leaf)] ?? null;
  const asked = metrics.filter((name) =>
    leftOutLeaves(view.dataset, name).every((leaf) => onTop.metrics.includes(leaf)),
  );
  const lacks = [...new Set(asked.flatMap((name) => lackWords(view.dataset, name, totalOf) ?? []))];
  return (
    <>
      {hasWholeOrders && <p className={classes.gone}>{wholeOrderWords}</p>}
      {lacks.length > 0 && <p className={classes.gone}>{lacks.join('. ')}</p>}
    </>
  );
}

const wholeOrderWords =
  'Some imported discounts or refunds are of whole orders. They count at each order’s first line, so single titles can be wrong.';

const largestFirst = (metrics: readonly string[]): Order => ({ id: metrics[0]!, desc: true });

/** The first number that isn't 0. A rate says nothing of how much there is. */
const filledMetric = (
  dataset: DatasetKey,
  metrics: readonly string[],
  values: readonly (string | null)[],
): string | undefined =>
  metrics.find((name, index) => metricOf(dataset, name)!.unit !== 'percent' && Number(values[index] ?? 0) !== 0);

/** Opens the rows of a number, by default the first one that isn't 0. If all are 0 now, the rows compared with. */
function openRow({ view, openDrillDown }: PageOfNumbers, { by, metrics }: Named, row: NumberGroup, name?: string) {
  const filled = filledMetric(view.dataset, metrics, row.values);
  const before = filled ? undefined : filledMetric(view.dataset, metrics, row.previousValues ?? []);
  const at: Place[] = [[by, row.keys[0] ?? '']];
  openDrillDown(name ?? filled ?? before ?? metrics[0]!, before ? [...at, ['compared', '']] : at);
}

const goneWords = (count: number): string =>
  count === 1
    ? '1 more had numbers in the comparison period but has none in this one.'
    : `${countWords(count)} more had numbers in the comparison period but have none in this one.`;

/** The totals of the period, pinned to the bottom. */
function totalsOf(dataset: DatasetKey, by: string, metrics: readonly string[], { totals, currency }: Numbers) {
  const words = metrics.map((name, index) => [
    name,
    numberWords(totals[index] ?? null, metricOf(dataset, name)!.unit, currency),
  ]);
  return { [by]: 'Total', ...Object.fromEntries(words) };
}

type Named = Pick<Props, 'by' | 'metrics'>;
type Shape = Named & { readonly marksOf: (row: NumberGroup) => readonly Watch[] };

function columnsOf(
  page: PageOfNumbers,
  { by, metrics, marksOf }: Shape,
  numbers: Numbers,
  rows: readonly NumberGroup[],
): DataColumn<NumberGroup>[] {
  const { view } = page;
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
      onOpen: (row) => openRow(page, { by, metrics }, row, each),
      base: (row) => baseOf(view.dataset, metrics, each, row),
    }),
  );
  const change =
    numbers.previousTotals && !isUnlike(view, numbers)
      ? [changeColumn(page, metricOf(view.dataset, metrics[0]!)!, numbers)]
      : [];
  return [name, first!, ...change, ...others];
}

type MetricColumn = {
  readonly metric: Metric;
  readonly name: string;
  readonly index: number;
  readonly numbers: Numbers;
  readonly rows: readonly NumberGroup[];
  readonly onOpen: (row: NumberGroup) => void;
  readonly base: (row: NumberGroup) => ReturnType<typeof baseOf>;
};

function metricColumn({ metric, name, index, numbers, rows, onOpen, base }: MetricColumn): DataColumn<NumberGroup> {
  const highest = Math.max(0, ...rows.map(({ values }) => Math.abs(toNumber(values[index]) ?? 0)));
  return {
    id: name,
    title: metric.title,
    numeric: true,
    sortBy: ({ values }) => toNumber(values[index]),
    ...(index === 0 ? { phone: 'value' as const } : {}),
    cell: (row) => {
      const { values } = row;
      const words = numberWords(values[index] ?? null, metric.unit, numbers.currency);
      if (index > 0) {
        // For the pointer; by keyboard the row opens its first number, and the panel offers the others.
        const part = values[index] === null ? null : base(row);
        return (
          <span className={classes.based}>
            <button type="button" tabIndex={-1} className={classes.number} onClick={() => onOpen(row)}>
              {words}
            </button>
            {part && (
              <span className={classes.base} title={part.why}>
                {part.words}
              </span>
            )}
          </span>
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

function changeColumn({ view }: PageOfNumbers, metric: Metric, numbers: Numbers): DataColumn<NumberGroup> {
  const good = goodOf(metric, view, numbers);
  const changeAt = ({ values, previousValues }: NumberGroup) =>
    changeOf(values[0] ?? null, previousValues?.[0] ?? '0', metric.unit);
  return {
    id: changeId,
    title: `${metric.title}, change`,
    numeric: true,
    phone: 'change',
    sortBy: ({ values, previousValues }) => {
      const [now, before] = [toNumber(values[0]), toNumber(previousValues?.[0])];
      return now === null || before === null ? null : now - before;
    },
    cell: (row) => (
      <span className={classes.change}>
        <ChangePill
          change={changeAt(row)}
          good={good}
          before={numberWords(row.previousValues?.[0] ?? '0', metric.unit, numbers.currency)}
          plain
        />
      </span>
    ),
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
