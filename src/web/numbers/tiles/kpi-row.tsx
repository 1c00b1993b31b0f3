import { ActionIcon } from '@mantine/core';
import { IconPin, IconPinFilled } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, useDeferredValue } from 'react';
import { dayWithYear } from '#core/base/day-words.ts';
import { listWords, plural } from '#core/base/formats.ts';
import { datasetOf } from '#core/numbers/datasets.ts';
import { isBalance } from '#core/numbers/metric.ts';
import { lackWords, leftOutOf, missingFields } from '#core/numbers/metric-value.ts';
import { type Metric, metricOf } from '#core/numbers/metrics.ts';
import { searchToPin } from '#core/numbers/numbers-search.ts';
import { useMutation } from '#web/api/mutation.ts';
import { endWords, isUnlike, type View } from '#web/api/number-view.ts';
import { isPinned, pin, pinnedNumbersQuery, unpin } from '#web/api/pinned-numbers.ts';
import { changeOf } from '#web/charts/change.ts';
import { DefinitionCard } from '#web/charts/definition-card.tsx';
import { ChangePill } from '#web/charts/delta-pill.tsx';
import { numberWords, toNumber } from '#web/charts/number-format.ts';
import { Sparkline } from '#web/charts/sparkline.tsx';
import { useAddress } from '#web/shell/address.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonBlock } from '#web/ui/skeleton.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { topMetrics, topQuestion, useNumbers } from '../shared/numbers-queries.ts';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import classes from './kpi-row.module.css';
import { bucketsSoFar, textsNow } from './tile-series.ts';

type Props = {
  readonly page: PageOfNumbers;
  readonly name: string;
  readonly metric: Metric;
  readonly now: string | null;
  /** Null without a comparison, or if there was nothing. */
  readonly before: string | null;
  /** The comparison begins before this day, the first with data. */
  readonly dataFrom: string | null;
  /** So much earlier that they aren't alike. */
  readonly unlike: boolean;
  /** The period's data ends so early that its change is neither good nor bad. */
  readonly ends: string | null;
  /** How many rows it leaves out. */
  readonly leftOut: string | null;
  /** Which rows those are. */
  readonly leftOutWords: string | null;
  /** What many rows lack that it needs. */
  readonly lack: string | null;
  /** The fields without which it is unknown, although there are rows. */
  readonly missing: string | null;
  readonly currency: string | null;
  readonly points: readonly (string | null)[];
  /** The last point is incomplete. */
  readonly unfinished: boolean;
};

/** A number with its change and sparkline. The whole card opens its rows. */
function KpiCard({ page, name, metric, now, before, dataFrom, currency, points, unfinished, ...more }: Props) {
  const { leftOut, leftOutWords, lack, missing, unlike, ends } = more;
  const leavesOut = Number(leftOut ?? 0) > 0;
  const words = (text: string | null) => numberWords(text, metric.unit, currency);
  const allTime = isBalance(metric);
  const compared = page.view.compare !== 'none' && !allTime;
  const begins = now !== null && dataFrom && `data begins ${dayWithYear(dataFrom)}`;
  const reason = reasonWithout(now, leavesOut, missing ?? lack) ?? (begins || 'No data to compare with');
  return (
    <li className={classes.card}>
      <p className={classes.label}>
        {metric.title}
        <span className={classes.controls}>
          <Controls view={page.view} name={name} metric={metric} />
        </span>
      </p>
      <button
        type="button"
        className={classes.value}
        // Longer numbers are smaller, so they always fit.
        style={{ '--signs': words(now).length } as CSSProperties}
        aria-label={`${metric.title}: ${words(now)}. Show the rows behind it`}
        onClick={() => page.openDrillDown(name)}
      >
        {words(now)}
      </button>
      <p className={classes.change}>
        {allTime && 'all time'}
        {compared && (
          <>
            <ChangePill
              change={changeOf(now, unlike ? null : before, metric.unit)}
              good={ends === null ? metric.good : 'none'}
              reason={reason}
              before={before === null || unlike ? undefined : words(before)}
            />
            {begins && <span className={classes.before}>{begins}</span>}
            {ends && <span className={classes.lack}>{ends}</span>}
          </>
        )}
        {leavesOut && (
          <span className={now === null ? classes.lack : ''} title={leftOutWords ?? undefined}>
            {plural(Number(leftOut), 'row')} left out{now === null && leftOutWords && `: ${leftOutWords}`}
          </span>
        )}
        <Lacks lines={[missing, lack]} />
      </p>
      {!allTime && (
        <Sparkline
          values={points.map(toNumber)}
          label={shapeWords(metric, points, words)}
          width={240}
          height={34}
          stretched
          unfinished={unfinished}
        />
      )}
    </li>
  );
}

const missingWords = (titles: readonly string[]): string | null =>
  titles.length === 0 ? null : `Missing in these rows: ${listWords(titles, 'or')}`;

function Lacks({ lines }: { readonly lines: readonly (string | null)[] }) {
  const shown = lines.filter((line) => line !== null);
  return shown.map((line) => (
    <span key={line} className={classes.lack}>
      {line}
    </span>
  ));
}

/** Why there is no number, or null if there is one. */
function reasonWithout(now: string | null, leavesOut: boolean, lack: string | null): string | null {
  if (now !== null) return null;
  return leavesOut ? 'No usable times' : (lack ?? 'No data in this period');
}

type ControlsProps = Pick<Props, 'name' | 'metric'> & { readonly view: View };

/** Rendered a frame after the numbers, which people wait for. */
function Controls({ view, name, metric }: ControlsProps) {
  const shown = useDeferredValue(true, false);
  if (!shown) return null;
  return (
    <>
      <DefinitionCard title={metric.title} formula={metric.definition} />
      <PinButton view={view} name={name} metric={metric} />
    </>
  );
}

/** The spark line as text for screen readers. */
function shapeWords(
  { title }: Metric,
  points: readonly (string | null)[],
  words: (text: string | null) => string,
): string {
  const known = points.filter((text) => text !== null);
  if (known.length === 0) return `${title}: no data`;
  const sorted = known.toSorted((a, b) => Number(a) - Number(b));
  return `${title} over time, between ${words(sorted[0]!)} and ${words(sorted.at(-1)!)}`;
}

type PinButtonProps = { readonly view: View; readonly name: string; readonly metric: Metric };

/** Pins the number to My week. */
function PinButton({ view: { dataset, scope }, name, metric }: PinButtonProps) {
  const client = useQueryClient();
  const [address] = useAddress(datasetOf(dataset).page);
  const pinned = useQuery(pinnedNumbersQuery).data ?? [];
  // Keeps the days and filters of the number.
  const number = { dataset, scope, metric: name, search: searchToPin(address) };
  const on = isPinned(pinned, number);
  const change = useMutation({
    mutationFn: () => (on ? unpin(number) : pin(number)),
    meta: { what: on ? 'Unpinning the number' : 'Pinning the number', retryable: true },
    onSuccess: (all) => {
      client.setQueryData(pinnedNumbersQuery.queryKey, all);
      showToast({ message: on ? `${metric.title} unpinned from My week` : `${metric.title} pinned to My week` });
    },
  });
  const Icon = on ? IconPinFilled : IconPin;
  const label = on ? `Unpin ${metric.title} from My week` : `Pin ${metric.title} to My week`;
  return (
    <Writes>
      <ActionIcon
        size={24}
        aria-label={label}
        title={label}
        aria-pressed={on}
        disabled={change.isPending}
        onClick={() => change.mutate()}
      >
        <Icon size={15} stroke={1.7} />
      </ActionIcon>
    </Writes>
  );
}

/** A page's main numbers, in one query with their spark lines. */
export function KpiRow({ page }: { readonly page: PageOfNumbers }) {
  const { view } = page;
  const onTop = topQuestion(view);
  const names = topMetrics(view);
  const query = useNumbers(view, onTop);
  const { data: numbers } = query;
  if (query.isError && (!numbers || query.isPlaceholderData)) {
    return (
      <Panel>
        <PanelError
          sentence={`Couldn’t load the numbers. ${query.error.message}.`}
          onRetry={() => void query.refetch()}
          requestId={query.error.requestId}
        />
      </Panel>
    );
  }
  const buckets = bucketsSoFar(view, page.today);
  return (
    <Loading
      loading={!numbers}
      skeleton={<KpiSkeleton titles={names.map((name) => metricOf(view.dataset, name)!.title)} />}
    >
      <ul className={classes.cards} data-rest={names.length % 4 || undefined} aria-busy={query.isPlaceholderData}>
        {numbers &&
          names.map((name, index) => {
            const metric = metricOf(view.dataset, name)!;
            const leftOut = leftOutOf(view.dataset, name);
            const now = numbers.totals[index] ?? null;
            const isUnknown = now === null && numbers.matchingRows > 0;
            const totalOf = (leaf: string) => numbers.totals[onTop.metrics.indexOf(leaf)] ?? null;
            return (
              <KpiCard
                key={name}
                page={page}
                name={name}
                metric={metric}
                now={now}
                before={numbers.previousTotals && (numbers.previousTotals[index] ?? null)}
                dataFrom={numbers.dataFrom}
                unlike={isUnlike(view, numbers)}
                ends={endWords(view, numbers)}
                leftOut={leftOut && totalOf(leftOut)}
                leftOutWords={leftOut && metricOf(view.dataset, leftOut)!.definition}
                lack={lackWords(view.dataset, name, totalOf)}
                missing={isUnknown ? missingWords(missingFields(view.dataset, name, totalOf)) : null}
                currency={numbers.currency}
                points={textsNow({ numbers, metric, index, buckets })}
                unfinished={buckets.unfinished}
              />
            );
          })}
      </ul>
    </Loading>
  );
}

/** Includes the titles: one with two lines makes its card taller from the start. */
function KpiSkeleton({ titles }: { titles: readonly string[] }) {
  return (
    <div className={classes.cards} data-rest={titles.length % 4 || undefined}>
      {titles.map((title) => (
        <div key={title} className={classes.card}>
          <p className={classes.label}>
            {title}
            <span className={classes.controls}>
              <SkeletonBlock width={48} height={24} />
            </span>
          </p>
          <p className={classes.value}>
            <SkeletonBlock width="70%" height={22} />
          </p>
          <p className={classes.change}>
            <SkeletonBlock width="60%" />
          </p>
          <SkeletonBlock height={34} />
        </div>
      ))}
    </div>
  );
}
