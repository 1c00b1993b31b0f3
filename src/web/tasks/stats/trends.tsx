import { isScope, scopes } from '#core/access/brands.ts';
import { percentWords } from '#web/charts/percent.ts';
import { type TrendLine, TrendLines } from '#web/charts/trend-lines.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { DefinitionCard } from './definition-card.tsx';
import type { SprintStats } from './stats-queries.ts';

const shares = [0, 25, 50, 75, 100] as const;

/** More lines than this cannot be told apart. There are six scopes, so the grey of "Other" is one under its own name. */
const mostLines = 6;

type Props = { readonly stats: SprintStats; readonly scope: string | null };

/** % Completed over 13 weeks, a line a scope; for who may see no scope, a line a person while they are few. */
export function Trends({ stats, scope }: Props) {
  const byScope = stats.scopeTrends.length > 0;
  const lines = byScope ? scopeLines(stats) : personLines(stats);
  if (lines.length === 0 || lines.length > mostLines) return null;
  const title = byScope ? '% Completed by scope' : '% Completed by person';
  return (
    <Panel title={title} note="13 weeks" actions={<DefinitionCard of="trend" />}>
      <TrendLines
        title={title}
        labels={stats.weeks}
        lines={lines}
        emphasis={scope}
        format={percentWords}
        ticks={shares}
      />
    </Panel>
  );
}

const scopeLines = ({ scopeTrends }: SprintStats): TrendLine[] =>
  scopeTrends.map(({ scope, percentages }) => ({
    key: scope,
    title: isScope(scope) ? scopes[scope].title : scope,
    values: percentages,
  }));

const personLines = ({ employees }: SprintStats): TrendLine[] =>
  employees.map(({ person, trend }) => ({ key: person.id, title: person.displayName, values: trend }));
