import { memo } from 'react';
import type { dashboards } from '#core/numbers/dashboards.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import { BarsTile, FunnelTile } from './bar-tiles.tsx';
import { CalendarTile } from './calendar-tile.tsx';
import { BalanceTile, GoalTile } from './goal-tiles.tsx';
import { HeatTile } from './heat-tile.tsx';
import { LineTile, StackTile } from './series-tiles.tsx';
import { AgesTile, HistogramTile } from './size-tiles.tsx';
import { TableTile } from './table-tile.tsx';

/** A tile of any dataset. */
export type AnyTile = (typeof dashboards)[DatasetKey][number];

type Props = {
  readonly page: PageOfNumbers;
  readonly tile: AnyTile;
  readonly height: number;
};

/** Only renders again when the view changes, not when a number on top loads. */
export const Tile = memo(function Tile({ page, tile, height }: Props) {
  const { title } = tile;
  const frame = { page, title, height };
  switch (tile.kind) {
    case 'number':
      // The top row renders them together.
      return null;
    case 'line':
      return <LineTile {...frame} name={tile.metric} />;
    case 'stack':
      return <StackTile {...frame} metrics={tile.metrics} />;
    case 'bars':
      return <BarsTile {...frame} name={tile.metric} by={tile.by} pareto={tile.pareto ?? false} />;
    case 'table':
      return (
        <TableTile
          page={page}
          title={title}
          by={tile.by}
          metrics={tile.metrics}
          top={tile.top}
          watch={tile.watch ?? false}
          onRequest={tile.onRequest ?? false}
          alone={tile.alone ?? false}
          width={tile.width}
        />
      );
    case 'heat':
      return <HeatTile {...frame} name={tile.metric} />;
    case 'funnel':
      return <FunnelTile {...frame} metrics={tile.metrics} rates={tile.rates} />;
    case 'histogram':
      return <HistogramTile {...frame} />;
    case 'ages':
      return <AgesTile {...frame} />;
    case 'goal':
      return <GoalTile {...frame} name={tile.metric} />;
    case 'calendar':
      return <CalendarTile {...frame} />;
    case 'balance':
      return <BalanceTile {...frame} />;
  }
});
