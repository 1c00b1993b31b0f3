import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Metric } from '#core/numbers/metrics.ts';
import type { ApiError } from '#web/api/api-error.ts';
import { DefinitionCard } from '#web/charts/definition-card.tsx';
import { Legend } from '#web/charts/legend.tsx';
import type { Series } from '#web/charts/series.ts';
import { TableTwin, type Twin } from '#web/charts/table-twin.tsx';
import { TwinActions } from '#web/charts/twin-actions.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonBlock } from '#web/ui/skeleton.tsx';
import classes from './chart-tile.module.css';

export type Drawn = {
  readonly twin: Twin;
  readonly legend?: readonly Series[];
  /** Over the drawing instead of beside the title: where its words are long. */
  readonly legendBelow?: boolean;
  readonly chart: ReactNode;
  /** What is left out: "8 of 13". */
  readonly note?: string | undefined;
  /** Nothing to draw, in a sentence. */
  readonly empty?: string | undefined;
};

type Props<Data> = {
  readonly title: string;
  readonly metric?: Metric | undefined;
  /** Behind the title, where the card of the metric would stand. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly query: UseQueryResult<Data, ApiError>;
  readonly height: number;
  readonly draw: (data: Data) => Drawn;
};

/** A chart in its panel: it loads, fails and is read as a table alone; its height never changes. */
export function ChartTile<Data>({ title, metric, note, actions, query, height, draw }: Props<Data>) {
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
          {drawn && !drawn.empty && <TwinActions twin={drawn.twin} asTable={asTable} onChange={setAsTable} />}
        </>
      }
    >
      <div className={classes.body} style={{ minHeight: height }} data-stale={query.isPlaceholderData || undefined}>
        <TileState query={query} what={title} height={height}>
          {drawn?.legend && drawn.legendBelow && !drawn.empty && <Legend series={drawn.legend} />}
          {drawn?.empty && <p className={classes.empty}>{drawn.empty}</p>}
          {drawn && !drawn.empty && (asTable ? <TableTwin twin={drawn.twin} height={height} /> : drawn.chart)}
        </TileState>
      </div>
    </Panel>
  );
}

type StateProps = {
  readonly query: UseQueryResult<unknown, ApiError>;
  readonly what: string;
  readonly height: number;
  /** In the final shape; a block of the height where nothing else is said. */
  readonly skeleton?: ReactNode;
  readonly children: ReactNode;
};

/** What a tile shows while it has no numbers: its shape, or why there are none. */
export function TileState({ query, what, height, skeleton = <SkeletonBlock height={height} />, children }: StateProps) {
  if (query.isError && (query.data === undefined || query.isPlaceholderData)) {
    return (
      <PanelError
        sentence={`${what} could not be loaded. ${query.error.message}.`}
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
