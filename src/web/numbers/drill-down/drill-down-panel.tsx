import { Button } from '@mantine/core';
import { decimalText, readDecimal } from '#core/base/decimals.ts';
import { plural } from '#core/base/formats.ts';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import { isBalance } from '#core/numbers/metric.ts';
import { representedReference, shownParts } from '#core/numbers/metric-value.ts';
import { metricOf, metrics } from '#core/numbers/metrics.ts';
import { config } from '#web/api/config.ts';
import { useList } from '#web/api/list-query.ts';
import { useMutation } from '#web/api/mutation.ts';
import { dimensionTitle, type View, valueWords } from '#web/api/number-view.ts';
import { numberWords } from '#web/charts/number-format.ts';
import { MoreButton } from '#web/ui/more-button.tsx';
import { useOpenedOnceDrawn } from '#web/ui/opened-late.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { Loading, SkeletonBlock, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import type { DrillDown } from '../shared/drill-down.ts';
import { useNumbers } from '../shared/numbers-queries.ts';
import { daysWords } from '../shared/period-words.ts';
import classes from './drill-down-panel.module.css';
import { DrillDownRows } from './drill-down-rows.tsx';
import { downloadRows, drillDownQuery, type RowsPage } from './number-row-queries.ts';

type Props = {
  readonly view: View;
  readonly drillDown: DrillDown;
  /** The page's currency. */
  readonly currency: string | null;
  /** Shows another number of the same rows. */
  readonly onChoose: (metric: string) => void;
};

/** How a number is computed, and its rows. */
function DrillDownNumber({ view, drillDown, currency, onChoose }: Props) {
  const { metric, days, filters } = drillDown;
  const narrowed = { ...view, days, filters, currency };
  const leaves = shownParts(view.dataset, drillDown.name);
  const number = useNumbers(narrowed, { metrics: [drillDown.name, ...leaves], alone: true });
  const saving = useMutation({
    mutationFn: () => downloadRows(view, drillDown, currency),
    meta: { what: 'Exporting the rows' },
  });
  const zone = config().companyTimeZone;
  return (
    <div className={classes.drillDown}>
      <Loading loading={number.isPending} skeleton={<SkeletonBlock width="50%" height={32} />}>
        <p className={classes.value}>{numberWords(number.data?.totals[0] ?? null, metric.unit, currency)}</p>
      </Loading>
      <SearchSelect
        aria-label="Number"
        size="sm"
        data={Object.entries(metrics[view.dataset]).map(([value, { title }]) => ({ value, label: title }))}
        value={drillDown.name}
        onChange={(value) => value && onChoose(value)}
        allowDeselect={false}
      />
      <p className={classes.definition}>{metric.definition}</p>
      <dl className={classes.facts}>
        {leaves.map((leaf, index) => (
          <LeafFact
            key={leaf}
            dataset={view.dataset}
            leaf={leaf}
            total={number.data?.totals[index + 1]}
            currency={currency}
          />
        ))}
        <dt>Days</dt>
        <dd>{isBalance(metric) ? 'All time' : `${daysWords(days)} (${zone})`}</dd>
        {filters.map(({ dimension, values }) => (
          <Fact key={`${dimension} ${values.join()}`} view={view} dimension={dimension} values={values} />
        ))}
      </dl>
      <div className={classes.head}>
        <h3>Rows</h3>
        <Writes>
          <Button variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
            Export CSV
          </Button>
        </Writes>
      </div>
      <RowsRead view={view} drillDown={drillDown} currency={currency} total={number.data?.totals[0]} />
    </div>
  );
}

type RowsProps = Pick<Props, 'view' | 'drillDown' | 'currency'> & {
  /** Undefined until it is loaded. */
  readonly total: string | null | undefined;
};

/** The number's rows with their sum. */
function RowsRead({ view, drillDown, currency, total }: RowsProps) {
  const { query, items, more, first } = useList(drillDownQuery(view, drillDown, currency));
  if (query.isError && !query.data) {
    return (
      <PanelError
        sentence={`Couldn’t load the rows. ${query.error.message}.`}
        onRetry={() => void query.refetch()}
        requestId={query.error.requestId}
      />
    );
  }
  // The rows of another number would not add up to this one.
  const isLoading = !first || query.isPlaceholderData;
  return (
    <Loading loading={isLoading} skeleton={<SkeletonRows rows={8} />}>
      {!isLoading && (
        <>
          <Sums
            dataset={view.dataset}
            rows={items}
            all={!more.hasMore}
            drillDown={drillDown}
            total={total}
            currency={first.currency}
          />
          <DrillDownRows dataset={view.dataset} drillDown={drillDown} fields={first.fields} rows={items} />
          <MoreButton more={more}>Show more rows</MoreButton>
        </>
      )}
    </Loading>
  );
}

type LeafProps = {
  readonly dataset: DatasetKey;
  readonly leaf: string;
  readonly total: string | null | undefined;
  readonly currency: string | null;
};

/** One of the numbers that this one is computed from. */
function LeafFact({ dataset, leaf, total = null, currency }: LeafProps) {
  const { title, unit } = metricOf(dataset, leaf)!;
  return (
    <>
      <dt>{title}</dt>
      <dd>{numberWords(total, unit, currency)}</dd>
    </>
  );
}

function Fact({ view, dimension, values }: { view: View; dimension: string; values: readonly string[] }) {
  const title = dimension === 'weekday' || dimension === 'hour' ? 'When' : dimensionTitle(view.dataset, dimension);
  return (
    <>
      <dt>{title}</dt>
      <dd>{values.map((value) => valueWords(view.dataset, dimension, value)).join(', ')}</dd>
    </>
  );
}

type SumsProps = {
  readonly dataset: DatasetKey;
  readonly rows: RowsPage['rows'];
  /** Whether these are all rows of the number. */
  readonly all: boolean;
  readonly drillDown: DrillDown;
  readonly total: string | null | undefined;
  readonly currency: string | null;
};

/** Shows that the rows add up to the number: a sum's own values, or the numbers of a quotient. */
function Sums({ dataset, rows, all, drillDown, total, currency }: SumsProps) {
  const { unit } = drillDown.metric;
  if (rows.length === 0) return <p className={classes.note}>No rows behind this number.</p>;
  const count = plural(rows.length, 'row');
  const added = sumOf(rows);
  if (added === null) {
    return (
      <p className={classes.note}>
        {all ? `${count}. ` : `The first ${count}. `}This number isn’t a sum of its rows. Its formula is above.
      </p>
    );
  }
  if (total === null)
    return <p className={classes.note}>{count}. Unknown: the rows are missing a field that the formula needs.</p>;
  const words = (text: string) => numberWords(text, unit, currency);
  const reference = representedReference(dataset, drillDown.name);
  const each = reference ? datasetOf(dataset).fields[reference]!.title.toLowerCase() : null;
  return (
    <p className={classes.note}>
      {each && `One row for each ${each}, with row count and total. `}
      {all || total === undefined
        ? `${all ? '' : 'The first '}${count}, adding up to ${words(added)}.`
        : `The first ${count}, adding up to ${words(added)} of ${words(total)}.`}
    </p>
  );
}

/** The exact sum of the rows; null if the number isn't a sum. */
function sumOf(rows: RowsPage['rows']): string | null {
  const values = rows.map(({ value }) => (value === null ? null : readDecimal(value)));
  if (values.some((value) => value === null)) return null;
  return decimalText(values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n));
}

export type DrillDownPanelProps = {
  readonly view: View;
  readonly drillDown: DrillDown | null;
  readonly currency: string | null;
  readonly onClose: () => void;
  readonly onChoose: (metric: string) => void;
};

/** "From what?" of the number that the address names. */
export function DrillDownPanel({ view, drillDown, currency, onClose, onChoose }: DrillDownPanelProps) {
  const shown = useOpenedOnceDrawn(drillDown !== null);
  const title = drillDown ? [drillDown.metric.title, ...drillDown.words].join(', ') : '';
  return (
    <SidePanel inAddress opened={shown} title={title} width={960} onClose={onClose}>
      {drillDown && <DrillDownNumber view={view} drillDown={drillDown} currency={currency} onChoose={onChoose} />}
    </SidePanel>
  );
}
