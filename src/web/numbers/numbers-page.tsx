import { useMediaQuery } from '@mantine/hooks';
import { useDeferredValue, useEffect, useMemo } from 'react';
import * as z from 'zod/mini';
import { isWithheld } from '#core/access/viewing.ts';
import { dashboards } from '#core/numbers/dashboards.ts';
import { canReadDataset } from '#core/numbers/dataset-access.ts';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import { numbersSearch } from '#core/numbers/numbers-search.ts';
import { questionOf, readView, type View } from '#web/api/number-view.ts';
import { type Numbers, numbersQuery } from '#web/api/numbers.ts';
import { queryClient } from '#web/api/query-client.ts';
import { type SignedIn, viewerQuery } from '#web/api/viewer.ts';
import { SharedCursor } from '#web/charts/shared-cursor.tsx';
import { parseSearch } from '#web/shell/address.ts';
import { loadWhenIdle } from '#web/shell/idle.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { LazyPanel, lazyPart } from '#web/ui/lazy-part.tsx';
import { OpenedLate } from '#web/ui/opened-late.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { firstAnswerMs } from '#web/ui/timing.ts';
import type { DrillDownPanelProps } from './drill-down/drill-down-panel.tsx';
import { MetabaseOrTiles, useIsFramed } from './embed/metabase-or-tiles.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import { PeriodBar } from './filters/period-bar.tsx';
import classes from './numbers-page.module.css';
import { NothingInRange, PageSentence } from './page-sentence.tsx';
import { closeDrillDown, openDrillDown, readDrillDown } from './shared/drill-down.ts';
import { topQuestion, useNumbers, useRefreshWhile } from './shared/numbers-queries.ts';
import type { PageOfNumbers } from './shared/page-of-numbers.ts';
import { type Change, changes, useView } from './shared/view.ts';
import { KpiRow } from './tiles/kpi-row.tsx';
import type { AnyTile } from './tiles/tile.tsx';

/** Charts and tables load after the numbers on top. */
const Tile = lazyPart(
  () => import('./tiles/tile.tsx'),
  (module) => module.Tile,
);

const loadDrillDownPanel = () => import('./drill-down/drill-down-panel.tsx');
const DrillDownPanel = lazyPart(loadDrillDownPanel, (module) => module.DrillDownPanel);

/**
 * Whether the viewer can see the page and its numbers; otherwise a notice replaces it, and nothing is
 * requested.
 */
function isShownNumbers(viewer: SignedIn, dataset: DatasetKey, scope: string | null): boolean {
  const { viewing } = viewer;
  if (viewing && isWithheld(viewer, viewing.readable, datasetOf(dataset).page, scope)) return false;
  return canReadDataset(viewer, dataset, scope);
}

/**
 * Requests the numbers on top before rendering, and waits a moment for them, because rendering twice is
 * slower.
 */
export async function firstNumbers(dataset: DatasetKey): Promise<void> {
  // The code is also prefetched while the browser is idle.
  if (location.pathname !== datasetOf(dataset).page) return;
  const view = readView(dataset, z.parse(numbersSearch, parseSearch(location.search)));
  const viewer = await queryClient.ensureQueryData(viewerQuery).catch(() => null);
  if (!viewer || !isShownNumbers(viewer, dataset, view.scope)) return;
  const question = questionOf(view, topQuestion(view));
  const late = new Promise<void>((resolve) => setTimeout(resolve, firstAnswerMs));
  await Promise.race([queryClient.prefetchQuery(numbersQuery(question)), late]);
}

/** A dataset's page as a component for the router: its tiles are data. */
export function numbersPage(dataset: DatasetKey) {
  const tiles: readonly AnyTile[] = dashboards[dataset];
  return function NumbersPage() {
    const { search, view, today, change } = useView(dataset);
    // The same query as the top row's, so the page's header gets its data with it.
    const { data, error } = useNumbers(view, topQuestion(view));
    useRefreshWhile(data?.isImporting ?? false);
    // A currency these numbers never had is ignored, like everything unknown in the address.
    const unknown = view.currency !== null && error?.field === 'currency';
    useEffect(() => {
      if (unknown) change({ currency: null }, { replace: true });
    }, [unknown, change]);
    const framed = useIsFramed(view.scope);
    const title = usePageTitle();
    const currency = data?.currency ?? null;
    const page: PageOfNumbers = useMemo(
      () => ({ view, today, change, openDrillDown: (metric, at) => change(openDrillDown(metric, at)) }),
      [view, today, change],
    );
    return (
      <>
        <Head page={page} title={title} numbers={data ?? null} framed={framed} />
        <MetabaseOrTiles
          resource={view.scope}
          title={title}
          tiles={
            data?.isEmpty ? (
              <NothingInRange view={view} numbers={data} change={change} />
            ) : (
              <Tiles page={page} tiles={tiles} />
            )
          }
        />
        <AskedFromWhat
          view={view}
          // Not before the page's currency is known: another one may have the most rows of the narrower range.
          drillDown={data || error ? readDrillDown(view, search) : null}
          currency={currency}
          onClose={() => change(closeDrillDown, { replace: true })}
          onChoose={(metric) => change({ behind: metric })}
        />
      </>
    );
  };
}

/** Its panel is loaded while the browser is idle, or when the first number is opened. */
function AskedFromWhat(props: DrillDownPanelProps) {
  useEffect(() => loadWhenIdle(loadDrillDownPanel), []);
  return (
    <OpenedLate opened={props.drillDown !== null} onFail={props.onClose}>
      <DrillDownPanel {...props} />
    </OpenedLate>
  );
}

type HeadProps = {
  readonly page: PageOfNumbers;
  readonly title: string;
  readonly numbers: Numbers | null;
  readonly framed: boolean;
};

function Head({ page: { view, change }, title, numbers, framed }: HeadProps) {
  // The controls above the tiles only affect the tiles.
  if (framed) return <PageHead title={title} sentence="A Metabase dashboard." />;
  return (
    <PageHead
      title={title}
      sentence={<PageSentence view={view} numbers={numbers} change={change} />}
      actions={
        <>
          {view.dataset === 'conversations' && <WorkingHours view={view} change={change} />}
          <FilterBar view={view} change={change} />
          <PeriodBar
            view={view}
            change={change}
            currency={numbers?.currency ?? null}
            currencies={numbers?.currencies ?? []}
          />
        </>
      }
    />
  );
}

type TilesProps = {
  readonly page: PageOfNumbers;
  readonly tiles: readonly AnyTile[];
};

function Tiles({ page, tiles }: TilesProps) {
  const height = useChartHeight();
  // Renders the numbers on top first; the rest follows without delaying them.
  const below = useDeferredValue(true, false);
  return (
    <SharedCursor>
      <div className={classes.page}>
        <KpiRow page={page} />
        <div className={classes.grid}>
          {/* Mounted from the start, so nothing replaces what is rendered later. */}
          <LazyPanel fallback={null} attempt={page}>
            {tiles.map((tile) =>
              tile.kind === 'number' ? null : (
                <div
                  key={`${tile.kind} ${tile.title}`}
                  className={classes.tile}
                  data-width={tile.width}
                  data-kind={tile.kind}
                >
                  {below && <Tile page={page} tile={tile} height={height} />}
                </div>
              ),
            )}
          </LazyPanel>
        </div>
      </div>
    </SharedCursor>
  );
}

/** Fixed, to avoid a layout shift; lower on phones. */
function useChartHeight(): number {
  // Read before the first paint, or the page would jump.
  return useMediaQuery('(max-width: 520px)', undefined, { getInitialValueInEffect: false }) ? 220 : 260;
}

type WorkingHoursProps = { readonly view: View; readonly change: (part: Change) => void };

/** Whether durations include nights and weekends. */
function WorkingHours({ view, change }: WorkingHoursProps) {
  return (
    <Segmented
      label="Hours counted"
      segments={[
        { value: 'clock', label: 'All hours' },
        { value: 'working', label: 'Working hours' },
      ]}
      value={view.hours ?? 'clock'}
      onChange={(value) => change(changes.hours(value === 'working'))}
    />
  );
}
