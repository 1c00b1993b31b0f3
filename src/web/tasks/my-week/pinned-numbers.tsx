import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { datasetOf, isDataset } from '#core/numbers/datasets.ts';
import { type Metric, metricOf } from '#core/numbers/metrics.ts';
import { daysOf, defaultComparison, defaultPeriod, periods } from '#core/numbers/periods.ts';
import { config } from '#web/api/config.ts';
import { useMutation } from '#web/api/mutation.ts';
import { numbersQuery, type Question } from '#web/api/numbers.ts';
import { type PinnedNumber, pinnedNumbersQuery, unpin } from '#web/api/pinned-numbers.ts';
import { changeOf } from '#web/charts/change.ts';
import { ChangePill } from '#web/charts/delta-pill.tsx';
import { numberWords } from '#web/charts/number-format.ts';
import { titleOf } from '#web/shell/page-title.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonBlock, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './pinned-numbers.module.css';

/** The two numbers that a person keeps in sight, for those who may see numbers at all. */
export function PinnedNumbers() {
  const pinned = useQuery(pinnedNumbersQuery);
  const all = pinned.data ?? [];
  return (
    <Panel
      title="My numbers"
      {...(all.length > 0 ? { note: periods[defaultPeriod].toLowerCase() } : {})}
      flush={all.length > 0}
    >
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
              <p className={classes.reason}>Pin up to two numbers from any page of numbers to see them here.</p>
            </>
          ) : (
            <ul className={classes.list}>
              {all.map((number) => (
                <PinnedRow key={`${number.dataset} ${number.scope} ${number.metric}`} number={number} />
              ))}
            </ul>
          )}
        </Loading>
      )}
    </Panel>
  );
}

/** A number that this version does not know is left out. */
function PinnedRow({ number }: { number: PinnedNumber }) {
  const metric = isDataset(number.dataset) ? metricOf(number.dataset, number.metric) : null;
  return metric && isDataset(number.dataset) ? (
    <KnownRow number={number} metric={metric} question={questionOf(number.dataset, number)} />
  ) : null;
}

function questionOf(dataset: Question['dataset'], { scope, metric }: PinnedNumber): Question {
  return {
    dataset,
    scope,
    metrics: [metric],
    ...daysOf(defaultPeriod, Temporal.Now.instant(), config().companyTimeZone),
    compare: defaultComparison,
    currency: null,
    by: [],
    filters: [],
    hours: null,
    top: null,
  };
}

type KnownProps = { readonly number: PinnedNumber; readonly metric: Metric; readonly question: Question };

function KnownRow({ number, metric, question }: KnownProps) {
  const { data, error, refetch } = useQuery(numbersQuery(question));
  const { page } = datasetOf(question.dataset);
  const where = titleOf(page, number.scope ?? undefined);
  const [now, before] = [data?.totals[0] ?? null, data?.previousTotals?.[0] ?? null];
  const words = (text: string | null) => numberWords(text, metric.unit, data?.currency ?? null);
  if (error && !data) {
    return (
      <li className={classes.row}>
        <PanelError
          sentence={`${metric.title} of ${where} could not be loaded.`}
          onRetry={() => void refetch()}
          requestId={error.requestId}
        />
      </li>
    );
  }
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <Link to={page} search={{ product: number.scope ?? undefined }} className={classes.name}>
          {metric.title}, {where}
        </Link>
        <Loading loading={!data} skeleton={<SkeletonBlock width={160} height={28} />}>
          <p className={classes.value}>{words(now)}</p>
          <p className={classes.change}>
            <ChangePill change={changeOf(now, before, metric.unit)} good={metric.good} />
            {before !== null && <span>from {words(before)}</span>}
          </p>
        </Loading>
      </div>
      <Unpin number={number} title={metric.title} />
    </li>
  );
}

function Unpin({ number, title }: { number: PinnedNumber; title: string }) {
  const client = useQueryClient();
  const removing = useMutation({
    mutationFn: () => unpin(number),
    meta: { what: 'Unpinning the number' },
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
