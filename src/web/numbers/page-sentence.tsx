import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { dayWithYear } from '#core/base/day-words.ts';
import { capital } from '#core/base/formats.ts';
import { longestRangeYears } from '#core/numbers/comparison.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { canImport } from '#core/numbers/imports.ts';
import { countedRows } from '#core/numbers/number-request.ts';
import { comparisonTitles, periods } from '#core/numbers/periods.ts';
import { config } from '#web/api/config.ts';
import { endWords, filterWords, type View } from '#web/api/number-view.ts';
import type { Numbers } from '#web/api/numbers.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Age, useNow } from '#web/ui/age.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import classes from './page-sentence.module.css';
import { topMetrics } from './shared/numbers-queries.ts';
import { comparedWords, daysWords } from './shared/period-words.ts';
import { type Change, changes } from './shared/view.ts';

/** Data is imported at least daily; older data may mislead. */
const staleMs = 36 * 60 * 60 * 1_000;

type Props = { readonly view: View; readonly numbers: Numbers | null; readonly change: (part: Change) => void };

/** The days and their zone, the comparison, and how new the data is. */
export function PageSentence({ view, numbers, change }: Props) {
  const zone = config().companyTimeZone;
  const begins = numbers?.dataFrom ? `, but the data begins ${dayWithYear(numbers.dataFrom)}` : '';
  const newest = numbers?.newest ?? null;
  const compared = comparedWords(view) + begins;
  return (
    <span
      className={classes.sentence}
      title={view.period === 'custom' ? undefined : `${periods[view.period]}, ${comparisonTitles[view.compare]}`}
    >
      {daysWords(view.days)}
      {view.cutFrom && ` (the last ${longestRangeYears} years of ${daysWords(view.cutFrom)})`}, {compared} ({zone})
      {numbers === null ? (
        // Reserves its space, or the page would shift when the answer loads.
        <span className={classes.waiting} aria-hidden="true">
          . Last import: now
        </span>
      ) : (
        <LastImport numbers={numbers} zone={zone} />
      )}
      {newest && !numbers?.isEmpty && `. ${endOf(view, newest)}`}
      {numbers && uncountedWords(view, numbers)}
      {numbers && isNegative(view, numbers) && '. Refunds and discounts exceed gross sales in this period'}
      {numbers && <OtherCurrencies view={view} numbers={numbers} change={change} />}
    </span>
  );
}

function LastImport({ numbers: { asOf, isImporting }, zone }: { readonly numbers: Numbers; readonly zone: string }) {
  const now = useNow();
  if (isImporting)
    return <span className={classes.stale}>. An import is running, so these numbers may be incomplete</span>;
  if (asOf === null) return null;
  return (
    <>
      {'. '}
      <span className={now - Date.parse(asOf) > staleMs ? classes.stale : ''}>
        Last import: <Age instant={asOf} zone={zone} ago />
      </span>
    </>
  );
}

const endOf = (view: View, newest: string): string =>
  capital(endWords(view, { newest }) ?? `the latest row is from ${dayWithYear(newest)}`);

/** Zeros over rows that exist: pending lines, rows without an amount. */
function uncountedWords({ dataset }: View, { totals, matchingRows }: Numbers): string {
  const shown = totals.slice(0, topMetrics({ dataset }).length);
  if (matchingRows === 0 || shown.some((total) => total !== null && Number(total) !== 0)) return '';
  const rows = countedRows([matchingRows], rowWords[dataset]);
  return matchingRows === 1
    ? `. ${rows} is in this range, but the numbers at the top don’t count it`
    : `. ${rows} are in this range, but the numbers at the top count none of them`;
}

/** Whether refunds of other periods, or of sales that were never imported, make net sales negative. */
function isNegative(view: View, { totals }: Numbers): boolean {
  const metrics = topMetrics(view);
  return Number(totals[metrics.indexOf('net_sales')] ?? 0) < 0;
}

/** What a row of a dataset is called. */
const rowWords: Readonly<Record<DatasetKey, string>> = {
  orders: 'order line',
  donations: 'gift',
  affiliate_activity: 'row',
  conversations: 'conversation',
  payouts: 'payout',
  payments: 'payment',
};

/** With rows in the range that match the filters, the one with most first. */
const otherCurrencies = ({ currency, currencies, currencyRows }: Numbers) =>
  currencies
    .map((code, index) => ({ code, rows: currencyRows[index] ?? 0 }))
    .filter(({ code, rows }) => code !== currency && rows > 0)
    .toSorted((one, other) => other.rows - one.rows);

/** A page shows one currency. Says how many rows the others have, with a way to the largest. */
export function OtherCurrencies({ view, numbers, change }: Props & { readonly numbers: Numbers }) {
  const others = otherCurrencies(numbers);
  const [next] = others;
  if (!next) return null;
  const rows = others.reduce((sum, each) => sum + each.rows, 0);
  const where = others.length === 1 ? next.code : `${others.length} other currencies`;
  const which = view.filters.length > 0 ? ' that match the filters' : '';
  return (
    <>
      {`. ${countedRows(
        others.map((each) => each.rows),
        rowWords[view.dataset],
      )} in ${where}${rows === 1 ? which.replace('match', 'matches') : which} ${rows === 1 ? 'isn’t' : 'aren’t'} included. `}
      <Button variant="subtle" size="compact-xs" onClick={() => change(changes.currency(next.code))}>
        Show {next.code}
      </Button>
    </>
  );
}

const ImportLink = () => (
  <Link to="/tools" search={{ tab: 'import' }} className={classes.link}>
    Import data
  </Link>
);

/** Instead of a wall of zeros: why there is nothing, with a way to rows. */
export function NothingInRange({ view, numbers, change }: Props & { readonly numbers: Numbers }) {
  const viewer = useViewer();
  const { newest } = numbers;
  const [other] = otherCurrencies(numbers);
  const inCurrency = view.currency === null ? '' : ` in ${view.currency}`;
  const words = daysWords(view.days);
  if (newest === null)
    return view.filters.length > 0 ? (
      <Panel flush>
        <EmptyState
          title="Nothing matches these filters"
          action={
            <>
              {other && <Button onClick={() => change(changes.currency(other.code))}>Show {other.code}</Button>}{' '}
              <Button variant={other ? 'default' : 'filled'} onClick={() => change(changes.noFilters(view))}>
                Clear filters
              </Button>
            </>
          }
        >
          No data{numbers.currency && ` in ${numbers.currency}`} for {words} matches{' '}
          {filterWords(view.dataset, view.filters)}.
        </EmptyState>
      </Panel>
    ) : (
      <Panel flush>
        <EmptyState title="No data yet" action={canImport(viewer) && <ImportLink />}>
          Numbers appear here after the first import.
        </EmptyState>
      </Panel>
    );
  const day = Temporal.PlainDate.from(newest);
  const month = day.with({ day: 1 });
  const last = month.add({ months: 1 }).subtract({ days: 1 });
  const newestMonth = daysWords({ from: month.toString(), to: last.add({ days: 1 }).toString() });
  return (
    <Panel flush>
      <EmptyState
        title={`No data${inCurrency} for ${words}`}
        action={
          <Button onClick={() => change(changes.range(month.toString(), last.toString()))}>Show {newestMonth}</Button>
        }
      >
        The latest data{inCurrency} is from {daysWords({ from: newest, to: day.add({ days: 1 }).toString() })}.
      </EmptyState>
    </Panel>
  );
}
