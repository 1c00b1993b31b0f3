import { lackWords, leftOutOf } from '#core/numbers/metric-value.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import { endWords, isUnlike } from '#web/api/number-view.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonBlock } from '#web/ui/skeleton.tsx';
import { topMetrics, topQuestion, useNumbers } from '../shared/numbers-queries.ts';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import { KpiCard } from './kpi-card.tsx';
import classes from './kpi-row.module.css';
import { bucketsSoFar, textsNow } from './tile-series.ts';

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
            const totalOf = (leaf: string) => numbers.totals[onTop.metrics.indexOf(leaf)] ?? null;
            return (
              <KpiCard
                key={name}
                page={page}
                name={name}
                metric={metric}
                now={numbers.totals[index] ?? null}
                before={numbers.previousTotals && (numbers.previousTotals[index] ?? null)}
                dataFrom={numbers.dataFrom}
                unlike={isUnlike(view, numbers)}
                ends={endWords(view, numbers)}
                leftOut={leftOut && totalOf(leftOut)}
                leftOutWords={leftOut && metricOf(view.dataset, leftOut)!.definition}
                lack={lackWords(view.dataset, name, totalOf)}
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
