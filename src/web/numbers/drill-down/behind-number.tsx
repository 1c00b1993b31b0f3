import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { decimalText, readDecimal } from '#core/base/decimals.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { leavesOf } from '#core/numbers/metric-value.ts';
import { metricOf, metrics } from '#core/numbers/metrics.ts';
import { config } from '#web/api/config.ts';
import { useMutation } from '#web/api/mutation.ts';
import { numberWords } from '#web/charts/number-format.ts';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Loading, SkeletonBlock, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { type Behind, dimensionTitle, valueWords } from '../shared/behind.ts';
import { useNumbers } from '../shared/numbers-queries.ts';
import { daysWords } from '../shared/period-words.ts';
import type { View } from '../shared/view.ts';
import classes from './behind-panel.module.css';
import { BehindRows } from './behind-rows.tsx';
import { behindQuery, downloadRows, type RowsPage } from './number-row-queries.ts';

type Props = {
  readonly view: View;
  readonly behind: Behind;
  /** The one that the numbers of the page are in. */
  readonly currency: string | null;
  /** Shows another number of the same rows. */
  readonly onChoose: (metric: string) => void;
};

/** How a number comes about, and the rows that it comes from. */
export function BehindNumber({ view, behind, currency, onChoose }: Props) {
  const { metric, days, filters } = behind;
  const narrowed = { ...view, days, filters, currency };
  const leaves = leavesOf(view.dataset, behind.name).filter((leaf) => leaf !== behind.name);
  const number = useNumbers(narrowed, { metrics: [behind.name, ...leaves], alone: true });
  const saving = useMutation({
    mutationFn: () => downloadRows(view, behind, currency),
    meta: { what: 'Exporting the rows' },
  });
  const zone = config().companyTimeZone;
  return (
    <div className={classes.behind}>
      <Loading loading={number.isPending} skeleton={<SkeletonBlock width="50%" height={32} />}>
        <p className={classes.value}>{numberWords(number.data?.totals[0] ?? null, metric.unit, currency)}</p>
      </Loading>
      <SearchSelect
        aria-label="Number"
        size="sm"
        data={Object.entries(metrics[view.dataset]).map(([value, { title }]) => ({ value, label: title }))}
        value={behind.name}
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
        <dd>
          {daysWords(days)} ({zone})
        </dd>
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
      <RowsRead view={view} behind={behind} currency={currency} total={number.data?.totals[0] ?? null} />
    </div>
  );
}

type RowsProps = Pick<Props, 'view' | 'behind' | 'currency'> & { readonly total: string | null };

/** The rows behind the number, with their sum beside it. */
function RowsRead({ view, behind, currency, total }: RowsProps) {
  const rows = useInfiniteQuery(behindQuery(view, behind, currency));
  if (rows.isError && !rows.data) {
    return (
      <PanelError
        sentence={`Couldn’t load the rows. ${rows.error.message}.`}
        onRetry={() => void rows.refetch()}
        requestId={rows.error.requestId}
      />
    );
  }
  return (
    <Loading loading={!rows.data} skeleton={<SkeletonRows rows={8} />}>
      {rows.data && (
        <>
          <Sums pages={rows.data.pages} behind={behind} total={total} />
          <BehindRows dataset={view.dataset} behind={behind} pages={rows.data.pages} />
          {rows.hasNextPage && (
            <Button variant="default" loading={rows.isFetchingNextPage} onClick={() => void rows.fetchNextPage()}>
              Show more rows
            </Button>
          )}
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

/** A number that this one is made of. */
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
  readonly pages: readonly RowsPage[];
  readonly behind: Behind;
  readonly total: string | null;
};

/** That the rows add up to the number: of a sum their own values, of a quotient the numbers that it is made of. */
function Sums({ pages, behind, total }: SumsProps) {
  const rows = pages.flatMap((page) => page.rows);
  const { unit } = behind.metric;
  const [first] = pages;
  if (!first || rows.length === 0) return <p className={classes.note}>No rows behind this number.</p>;
  const all = pages.at(-1)?.next === null;
  const count = `${rows.length.toLocaleString('en-GB')} ${rows.length === 1 ? 'row' : 'rows'}`;
  const added = sumOf(rows);
  if (added === null) {
    return (
      <p className={classes.note}>
        {all ? `${count}. ` : `The first ${count}. `}This number isn’t a sum of its rows. Its formula is above.
      </p>
    );
  }
  const words = (text: string | null) => numberWords(text, unit, first.currency);
  return (
    <p className={classes.note}>
      {all
        ? `${count}, adding up to ${words(added)}.`
        : `The first ${count}, adding up to ${words(added)} of ${words(total)}.`}
    </p>
  );
}

/** What the rows add up to, exactly; null where the number is no sum of its rows. */
function sumOf(rows: RowsPage['rows']): string | null {
  const values = rows.map(({ value }) => (value === null ? null : readDecimal(value)));
  if (values.some((value) => value === null)) return null;
  return decimalText(values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n));
}
