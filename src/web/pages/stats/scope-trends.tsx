import { isScope, scopes } from '#core/brands.ts';
import { percentWords } from '#web/charts/percent.ts';
import { type TrendLine, TrendLines } from '#web/charts/trend-lines.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { DefinitionCard } from './definition-card.tsx';
import type { SprintStats } from './stats-queries.ts';

const shares = [0, 25, 50, 75, 100] as const;

type Props = { readonly stats: SprintStats; readonly scope: string | null };

/** % Completed of each scope over 13 weeks. Six scopes exist, so the grey of "Other" is one scope under its own name. */
export function ScopeTrends({ stats, scope }: Props) {
  const lines: TrendLine[] = stats.scopeTrends.map((trend) => ({
    key: trend.scope,
    title: isScope(trend.scope) ? scopes[trend.scope].title : trend.scope,
    values: trend.percentages,
  }));
  return (
    <Panel title="% Completed by scope" note="13 weeks" actions={<DefinitionCard of="trend" />}>
      {lines.length === 0 ? (
        <EmptyState title="No scope to draw">
          Trends by scope show to those who may see the stats of a scope. Your own trend stands in the table below.
        </EmptyState>
      ) : (
        <TrendLines
          title="% Completed by scope"
          labels={stats.weeks}
          lines={lines}
          emphasis={scope}
          format={percentWords}
          ticks={shares}
        />
      )}
    </Panel>
  );
}
