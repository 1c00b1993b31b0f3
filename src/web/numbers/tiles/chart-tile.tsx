import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Metric } from '#core/numbers/metrics.ts';
import { countedRows } from '#core/numbers/number-request.ts';
import type { ApiError } from '#web/api/api-error.ts';
import type { View } from '#web/api/number-view.ts';
import type { Numbers } from '#web/api/numbers.ts';
import { type ChartTable, ChartTableView } from '#web/charts/chart-table.tsx';
import { ChartTableActions } from '#web/charts/chart-table-actions.tsx';
import { DefinitionCard } from '#web/charts/definition-card.tsx';
import { Legend } from '#web/charts/legend.tsx';
import type { Series } from '#web/charts/series.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonBlock } from '#web/ui/skeleton.tsx';
import { csvName } from '../shared/period-words.ts';
import classes from './chart-tile.module.css';

export type Drawn = {
  readonly chartTable: ChartTable;
  readonly legend?: readonly Series[];
  /** Above the chart instead of next to the title, for long texts. */
  readonly legendBelow?: boolean;
  readonly chart: ReactNode;
  /** What is left out: "8 of 13". */
  readonly note?: string | undefined;
  /** The text when there is nothing to draw. */
  readonly empty?: string | undefined;
};

type Props<Data> = {
  readonly title: string;
  /** The view of the page, if the tile is of its days and filters. */
  readonly view?: View;
  readonly metric?: Metric | undefined;
  /** After the title, instead of the metric's definition. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly query: UseQueryResult<Data, ApiError>;
  readonly height: number;
  readonly draw: (data: Data) => Drawn;
};

export const noResolutionTimes =
  'No conversation of this period has a resolved or closed date, so it’s unknown what was open.';

/** Why there is nothing to draw: no rows, or rows that have no part in the number. */
export function emptyWords(
  { matchingRows, totals }: Pick<Numbers, 'matchingRows' | 'totals'>,
  { title, definition, none: known }: Metric,
): string {
  if (matchingRows === 0) return 'No rows in this period match.';
  if (known && totals[0] === '0') return known;
  const none =
    matchingRows === 1
      ? 'The only row in this period doesn’t count'
      : `None of the ${countedRows([matchingRows], 'row')} in this period count`;
  return `${none} toward ${title}. Formula: ${definition}.`;
}

/** A chart in its panel: loads, fails and switches to a table by itself; its height never changes. */
export function ChartTile<Data>({ title, view, metric, note, actions, query, height, draw }: Props<Data>) {
  const [asTable, setAsTable] = useState(false);
  const { data } = query;
  const drawn = data === undefined ? null : draw(data);
  return (
    <Panel
      title={title}
      note={note ?? (metric && <DefinitionCard title={metric.title} formula={metric.definition} />)}
      actions={
        <>
          {drawn?.legend && !drawn.legendBelow && !drawn.empty && <Legend series={drawn.legend} />}
          {drawn?.note && <span className={classes.note}>{drawn.note}</span>}
          {actions}
          {drawn && !drawn.empty && (
            <ChartTableActions
              chartTable={drawn.chartTable}
              fileName={view && csvName(view, title)}
              asTable={asTable}
              onChange={setAsTable}
            />
          )}
        </>
      }
    >
      <div className={classes.body} style={{ minHeight: height }} aria-busy={query.isPlaceholderData}>
        <TileState query={query} what={title} height={height}>
          {drawn?.legend && drawn.legendBelow && !drawn.empty && <Legend series={drawn.legend} />}
          {drawn?.empty && <p className={classes.empty}>{drawn.empty}</p>}
          {drawn &&
            !drawn.empty &&
            (asTable ? <ChartTableView chartTable={drawn.chartTable} height={height} /> : drawn.chart)}
        </TileState>
      </div>
    </Panel>
  );
}

type StateProps = {
  readonly query: Pick<UseQueryResult<unknown, ApiError>, 'data' | 'error' | 'isPlaceholderData'> & {
    readonly refetch: () => unknown;
  };
  readonly what: string;
  readonly height: number;
  /** In the final shape; by default a block of the height. */
  readonly skeleton?: ReactNode;
  readonly children: ReactNode;
};

/** A tile without numbers: its shape, or why there are none. */
export function TileState({ query, what, height, skeleton = <SkeletonBlock height={height} />, children }: StateProps) {
  if (query.error && (query.data === undefined || query.isPlaceholderData)) {
    return (
      <PanelError
        sentence={`Couldn’t load ${what}. ${query.error.message}.`}
        onRetry={() => void query.refetch()}
        requestId={query.error.requestId}
      />
    );
  }
  return (
    <Loading loading={query.data === undefined} skeleton={skeleton}>
      {children}
    </Loading>
  );
}
