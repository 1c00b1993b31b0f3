import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { daySpanWithYear, dayWithYear } from '#core/base/day-words.ts';
import { type DatasetKey, datasetOf, isDataset } from '#core/numbers/datasets.ts';
import { isBalance } from '#core/numbers/metric.ts';
import { type Metric, metricOf } from '#core/numbers/metrics.ts';
import { pinnedSearch } from '#core/numbers/numbers-search.ts';
import { periods } from '#core/numbers/periods.ts';
import { useMutation } from '#web/api/mutation.ts';
import { endWords, filterWords, goodOf, isUnlike, questionOf, readView, type View } from '#web/api/number-view.ts';
import { numbersQuery } from '#web/api/numbers.ts';
import { type PinnedNumber, pinnedNumbersQuery, unpin } from '#web/api/pinned-numbers.ts';
import { changeOf } from '#web/charts/change.ts';
import { ChangePill } from '#web/charts/delta-pill.tsx';
import { numberWords } from '#web/charts/number-format.ts';
import { titleOf } from '#web/shell/page-title.ts';
import { useQuarterHour } from '#web/ui/age.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonBlock, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './pinned-numbers.module.css';

/** The person's two pinned numbers, for people with access to numbers. */
export function PinnedNumbers() {
  const pinned = useQuery(pinnedNumbersQuery);
  const all = pinned.data ?? [];
  return (
    <Panel title="My numbers" flush={all.length > 0}>
      {pinned.isError && !pinned.data ? (
        <PanelError
          sentence="Couldn’t load your numbers."
          onRetry={() => void pinned.refetch()}
          requestId={pinned.error.requestId}
        />
      ) : (
        <Loading loading={!pinned.data} skeleton={<SkeletonRows rows={2} />}>
          {all.length === 0 ? (
            <>
              <p className={classes.title}>No pinned numbers yet</p>
              <p className={classes.reason}>Pin up to two numbers from any dashboard to see them here.</p>
            </>
          ) : (
            <ul className={classes.list}>
              {all.map((number) => (
                <PinnedRow
                  key={`${number.dataset} ${number.scope} ${number.metric} ${number.search}`}
                  number={number}
                />
              ))}
            </ul>
          )}
        </Loading>
      )}
    </Panel>
  );
}

/** Skips a number unknown to this version. */
function PinnedRow({ number }: { number: PinnedNumber }) {
  const metric = isDataset(number.dataset) ? metricOf(number.dataset, number.metric) : null;
  return metric && isDataset(number.dataset) ? (
    <KnownRow number={number} metric={metric} dataset={number.dataset} />
  ) : null;
}

type KnownProps = { readonly number: PinnedNumber; readonly metric: Metric; readonly dataset: DatasetKey };

/** The number as its page shows it at the address that was pinned. */
function KnownRow({ number, metric, dataset }: KnownProps) {
  const search = { ...pinnedSearch(number.search), product: number.scope ?? undefined };
  const view = readView(dataset, search, useQuarterHour());
  const { data, error, refetch } = useQuery(numbersQuery(questionOf(view, { metrics: [number.metric] })));
  const { page } = datasetOf(dataset);
  const where = titleOf(page, number.scope ?? undefined);
  const begins = data?.dataFrom ? `data begins ${dayWithYear(data.dataFrom)}` : undefined;
  const ends = data && view.compare !== 'none' ? endWords(view, data) : null;
  const before = data && !isUnlike(view, data) ? (data.previousTotals?.[0] ?? null) : null;
  const now = data?.totals[0] ?? null;
  const words = (text: string | null) => numberWords(text, metric.unit, data?.currency ?? null);
  if (error && !data) {
    return (
      <li className={classes.row}>
        <PanelError
          sentence={`Couldn’t load ${metric.title}, ${where}.`}
          onRetry={() => void refetch()}
          requestId={error.requestId}
        />
      </li>
    );
  }
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <Link to={page} search={search} className={classes.name}>
          {metric.title}, {where}
        </Link>
        <p className={classes.of}>{viewWords(view, metric)}</p>
        <Loading loading={!data} skeleton={<SkeletonBlock width={160} height={28} />}>
          <p className={classes.value}>{words(now)}</p>
          {!isBalance(metric) && (
            <p className={classes.change}>
              <ChangePill
                change={changeOf(now, before, metric.unit)}
                good={data ? goodOf(metric, view, data) : 'none'}
                reason={begins}
                before={before === null ? undefined : words(before)}
              />
              {begins && <span>{begins}</span>}
              {ends && <span>{ends}</span>}
            </p>
          )}
        </Loading>
      </div>
      <Unpin number={number} title={metric.title} />
    </li>
  );
}

/** "Last 30 days, Country France". */
function viewWords({ dataset, period, days, filters }: View, metric: Metric): string {
  const last = Temporal.PlainDate.from(days.to).subtract({ days: 1 });
  const range = period === 'custom' ? daySpanWithYear(days.from, last) : periods[period];
  const when = isBalance(metric) ? 'All time' : range;
  return [when, ...(filters.length > 0 ? [filterWords(dataset, filters)] : [])].join(', ');
}

function Unpin({ number, title }: { number: PinnedNumber; title: string }) {
  const client = useQueryClient();
  const removing = useMutation({
    mutationFn: () => unpin(number),
    meta: { what: 'Unpinning the number', retryable: true },
    onSuccess: (left) => client.setQueryData(pinnedNumbersQuery.queryKey, left),
  });
  return (
    <Writes>
      <ActionIcon aria-label={`Unpin ${title}`} disabled={removing.isPending} onClick={() => removing.mutate()}>
        <IconX size={16} stroke={1.7} />
      </ActionIcon>
    </Writes>
  );
}
