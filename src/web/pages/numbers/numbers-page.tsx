import { useMemo } from 'react';
import { dashboards } from '#core/dashboards.ts';
import type { DatasetKey } from '#core/datasets.ts';
import { useAddress } from '#web/address.ts';
import { SharedCursor } from '#web/charts/shared-cursor.tsx';
import { usePageTitle } from '#web/page-title.ts';
import { useNow } from '#web/ui/age.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { closeBehind, openBehind, readBehind } from './behind.ts';
import { BehindPanel } from './behind-panel.tsx';
import { useChartHeight } from './chart-height.ts';
import { companyToday } from './company-today.ts';
import { FilterBar } from './filter-bar.tsx';
import { KpiRow } from './kpi-row.tsx';
import { NothingInRange } from './nothing-in-range.tsx';
import classes from './numbers-page.module.css';
import { useNumbers } from './numbers-queries.ts';
import type { PageOfNumbers } from './page-of-numbers.ts';
import { PageSentence } from './page-sentence.tsx';
import { PeriodBar } from './period-bar.tsx';
import { RememberedFilters } from './remembered-filters.tsx';
import { type AnyTile, Tile } from './tile.tsx';
import { useView } from './view.ts';
import { WorkingHours } from './working-hours.tsx';

/** The page of a dataset, as a component that the router can load: its tiles are data, the page is one. */
export function numbersPage(dataset: DatasetKey) {
  const tiles: readonly AnyTile[] = dashboards[dataset];
  const onTop: readonly string[] = tiles.flatMap((tile) => (tile.kind === 'number' ? [tile.metric] : []));
  return function NumbersPage() {
    const [view, change] = useView(dataset);
    const [search] = useAddress();
    // The same question as that of the row on top: what the page's head says comes with its answer.
    const { data } = useNumbers(view, { metrics: onTop, by: [view.granularity] });
    const today = companyToday(useNow());
    const height = useChartHeight();
    const page: PageOfNumbers = useMemo(
      () => ({
        view,
        today,
        currency: data?.currency ?? null,
        change,
        openBehind: (metric, at) => change(openBehind(metric, at)),
      }),
      [view, today, data?.currency, change],
    );
    return (
      <>
        <PageHead
          title={usePageTitle()}
          sentence={<PageSentence view={view} numbers={data ?? null} />}
          actions={
            <>
              {dataset === 'conversations' && <WorkingHours view={view} change={change} />}
              <FilterBar view={view} change={change} />
              <PeriodBar
                view={view}
                change={change}
                currency={data?.currency ?? null}
                currencies={data?.currencies ?? []}
              />
            </>
          }
        />
        <RememberedFilters view={view} change={change} />
        {data && isEmpty(data.totals, data.newest) ? (
          <NothingInRange view={view} newest={data.newest} change={change} />
        ) : (
          <SharedCursor>
            <div className={classes.page}>
              <KpiRow page={page} names={onTop} />
              <div className={classes.grid}>
                {tiles.map((tile) =>
                  tile.kind === 'number' ? null : (
                    <div
                      key={`${tile.kind} ${tile.title}`}
                      className={classes.tile}
                      data-width={tile.width}
                      data-kind={tile.kind}
                    >
                      <Tile page={page} tile={tile} shared={onTop} height={height} />
                    </div>
                  ),
                )}
              </div>
            </div>
          </SharedCursor>
        )}
        <BehindPanel
          view={view}
          behind={readBehind(view, search)}
          currency={data?.currency ?? null}
          onClose={() => change(closeBehind)}
        />
      </>
    );
  };
}

/** No rows at all; a page of zeros would look like a bad day. */
const isEmpty = (totals: readonly (string | null)[], newest: string | null): boolean =>
  newest !== null || totals.every((total) => total === null || Number(total) === 0);
