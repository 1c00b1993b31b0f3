import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isScope, permittedScopes, type Scope, scopes } from '#core/access/brands.ts';
import type { Path } from '#core/access/routes.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { percentWords } from '#web/charts/percent.ts';
import { type TrendLine, TrendLines } from '#web/charts/trend-lines.tsx';
import { usePageTitle } from '#web/shell/page-title.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Loading, SkeletonBlock, SkeletonRows } from '#web/ui/skeleton.tsx';
import { DefinitionCard } from './definition-card.tsx';
import { EmployeesPanel } from './employees-panel.tsx';
import { FairClock } from './fair-clock.tsx';
import { SprintSelect } from './sprint-select.tsx';
import { sentenceShape, sprintSentence } from './sprint-words.ts';
import cards from './stat-cards.module.css';
import { StatCards } from './stat-cards.tsx';
import { useStatsChoice } from './stats-choice.ts';
import classes from './stats-page.module.css';
import { type SprintStats, sprintStatsQuery } from './stats-queries.ts';

export default function StatsPage() {
  const { choice, sprints, sprint, previous, chooseSprint, chooseScope } = useStatsChoice(
    '/top-5/stats' satisfies Path,
  );
  const stats = useQuery({ ...sprintStatsQuery(choice), enabled: sprint !== null });
  const actions = (
    <div className={classes.choices}>
      <Link to="/employee-stats" search={{ sprint: choice.sprint ?? undefined }} className={classes.link}>
        Employee stats
      </Link>
      <ScopeSelect chosen={choice.scope} onChoose={chooseScope} />
      <SprintSelect sprints={sprints} chosen={choice.sprint} onChoose={chooseSprint} />
    </div>
  );
  const { data } = stats;
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence={sprint && sprintSentence(sprint, config().companyTimeZone)}
        expected={sentenceShape}
        actions={actions}
      />
      <OwnOnly />
      {stats.isError && !data ? (
        <Panel flush>
          <PanelError
            sentence="Couldn’t load the stats."
            onRetry={() => void stats.refetch()}
            requestId={stats.error.requestId}
          />
        </Panel>
      ) : (
        <Loading loading={!data} skeleton={<StatsSkeleton />}>
          {data && (
            <div className={`${classes.page} ${classes.fading}`} data-stale={stats.isPlaceholderData || undefined}>
              <StatCards
                totals={data.totals}
                running={data.sprint.phase === 'active'}
                previous={previous}
                scope={choice.scope}
              />
              <div className={classes.charts}>
                <Trends stats={data} scope={choice.scope} />
                <FairClock clocks={data.fairClock} />
              </div>
              <EmployeesPanel stats={data} scope={choice.scope} />
            </div>
          )}
        </Loading>
      )}
    </>
  );
}

/** Explains a short table to people without access to a scope (D22). */
function OwnOnly() {
  if (permittedScopes(useViewer()).length > 0) return null;
  return (
    <p className={classes.ownOnly}>
      You see your own stats and those of the people you approve. To see a whole scope, you need its permission.
    </p>
  );
}

type ScopeSelectProps = { readonly chosen: string | null; readonly onChoose: (scope: Scope | null) => void };

const everybody = 'everybody';

/** The viewer's scopes; hidden without any (D22). */
function ScopeSelect({ chosen, onChoose }: ScopeSelectProps) {
  const permitted = permittedScopes(useViewer());
  if (permitted.length === 0) return null;
  return (
    <SearchSelect
      aria-label="Scope"
      w={176}
      data={[
        { value: everybody, label: 'Everyone I can see' },
        ...permitted.map((scope) => ({ value: scope, label: scopes[scope].title })),
      ]}
      value={chosen ?? everybody}
      onChange={(value) => onChoose(permitted.find((scope) => scope === value) ?? null)}
      allowDeselect={false}
    />
  );
}

const shares = [0, 25, 50, 75, 100] as const;

/** More lines can't be told apart. There are six scopes, so "Other" gray is one of them. */
const mostLines = 6;

type TrendsProps = { readonly stats: SprintStats; readonly scope: string | null };

/**
 * % Completed over 13 weeks, one line per scope; for people without scopes one line per person, if they are
 * few.
 */
function Trends({ stats, scope }: TrendsProps) {
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
        unfinished={stats.sprint.phase === 'active'}
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

/** The stats' final shape, empty. */
function StatsSkeleton() {
  return (
    <div className={classes.page}>
      <div className={cards.cards}>
        {['a', 'b', 'c', 'd'].map((key) => (
          <div key={key} className={cards.card}>
            <SkeletonBlock width="60%" height={24} />
            <div className={cards.value}>
              <SkeletonBlock width="40%" height={28} />
            </div>
            <div className={cards.change}>
              <SkeletonBlock width="80%" height={20} />
            </div>
          </div>
        ))}
      </div>
      <div className={classes.charts}>
        <Panel title="% Completed by scope">
          <SkeletonBlock height={252} />
        </Panel>
        <Panel title="Time with approver" flush>
          <SkeletonRows rows={6} />
        </Panel>
      </div>
      <Panel title="Employees" flush>
        <SkeletonRows rows={10} />
      </Panel>
    </div>
  );
}
