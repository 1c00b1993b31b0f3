import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isScope, permittedScopes, type Scope, scopes } from '#core/access/brands.ts';
import type { Path } from '#core/access/routes.ts';
import { percentWords } from '#core/base/percent.ts';
import { config } from '#web/api/config.ts';
import { useList } from '#web/api/list-query.ts';
import { useViewer } from '#web/api/viewer.ts';
import { type TrendLine, TrendLines } from '#web/charts/trend-lines.tsx';
import { usePageTitle } from '#web/shell/page-title.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Loading, SkeletonBlock, SkeletonRows } from '#web/ui/skeleton.tsx';
import { BurnUpPanel, burnUpTitle } from './burn-up-panel.tsx';
import { DefinitionCard } from './definition-card.tsx';
import { EmployeesPanel } from './employees-panel.tsx';
import { SprintSelect } from './sprint-select.tsx';
import { sentenceShape, sprintSentence } from './sprint-words.ts';
import cards from './stat-cards.module.css';
import { StatCards } from './stat-cards.tsx';
import { useStatsChoice } from './stats-choice.ts';
import classes from './stats-page.module.css';
import {
  burnUpQuery,
  type Employee,
  employeesQuery,
  type StatsChoice,
  scopeTrendsQuery,
  sprintTotalsQuery,
  timeWithApproverQuery,
} from './stats-queries.ts';
import { TimeWithApproverPanel } from './time-with-approver.tsx';
import { byName } from './use-employees.ts';

export default function StatsPage() {
  const { choice, sprints, sprint, previous, chooseSprint, chooseScope } = useStatsChoice(
    '/top-5/stats' satisfies Path,
  );
  const viewer = useViewer();
  const totals = useQuery({
    ...sprintTotalsQuery(choice.sprint, choice.scope),
    placeholderData: keepPreviousData,
  });
  const burnUp = useQuery(burnUpQuery(choice));
  const clocks = useQuery(timeWithApproverQuery(choice));
  const running = sprint?.phase === 'active';
  const actions = (
    <div className={classes.choices}>
      <Link to="/employee-stats" search={{ sprint: choice.sprint ?? undefined }} className={classes.link}>
        Employee stats
      </Link>
      <ScopeSelect chosen={choice.scope} onChoose={chooseScope} />
      <SprintSelect sprints={sprints} chosen={choice.sprint} onChoose={chooseSprint} />
    </div>
  );
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence={sprint && sprintSentence(sprint, config().companyTimeZone)}
        expected={sentenceShape}
        actions={actions}
      />
      <OwnOnly />
      <div className={classes.page}>
        <Part query={totals} what="the totals" skeleton={<CardsSkeleton />}>
          {(found) => <StatCards totals={found} running={running} previous={previous} scope={choice.scope} />}
        </Part>
        <Part query={burnUp} what="the burn-up" skeleton={<TrendsSkeleton title={burnUpTitle} />}>
          {(found) => <BurnUpPanel {...found} />}
        </Part>
        <div className={classes.charts}>
          {permittedScopes(viewer).length > 0 ? (
            <ScopeTrends sprintId={choice.sprint} scope={choice.scope} running={running} />
          ) : (
            <PersonTrendLines choice={choice} running={running} />
          )}
          <Part query={clocks} what="the time with approvers" skeleton={<ClockSkeleton />}>
            {(found) => <TimeWithApproverPanel times={found} />}
          </Part>
        </div>
        <EmployeesPanel choice={choice} sprint={sprint} totals={totals.data} />
      </div>
    </>
  );
}

type PartProps<Data> = {
  readonly query: UseQueryResult<Data>;
  readonly what: string;
  readonly skeleton: ReactNode;
  readonly children: (data: Data) => ReactNode;
};

/** A part of the page that loads, and fails, without the others. */
function Part<Data>({ query, what, skeleton, children }: PartProps<Data>) {
  const { data, isError, error } = query;
  if (isError && data === undefined)
    return (
      <Panel flush>
        <PanelError
          sentence={`Couldn’t load ${what}.`}
          onRetry={() => void query.refetch()}
          requestId={error.requestId}
        />
      </Panel>
    );
  return (
    <Loading loading={data === undefined} skeleton={skeleton}>
      {data !== undefined && (
        <div className={classes.fading} aria-busy={query.isPlaceholderData}>
          {children(data)}
        </div>
      )}
    </Loading>
  );
}

/** Explains a short table to people without access to a scope (D22). */
function OwnOnly() {
  if (permittedScopes(useViewer()).length > 0) return null;
  return (
    <p className={classes.ownOnly}>
      You see your own stats and those of people whose tasks you approve. To see a whole scope, ask an admin for its
      permission.
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

type ScopeTrendsProps = {
  readonly sprintId: string | null;
  readonly scope: string | null;
  readonly running: boolean;
};

/** % Completed over 13 weeks, one line per scope. */
function ScopeTrends({ sprintId, scope, running }: ScopeTrendsProps) {
  const trends = useQuery(scopeTrendsQuery(sprintId));
  const title = '% Completed by scope';
  return (
    <Part query={trends} what="the trends of the scopes" skeleton={<TrendsSkeleton title={title} />}>
      {({ weeks, scopeTrends }) => {
        const lines = scopeTrends.map(({ scope: key, percentages }) => ({
          key,
          title: isScope(key) ? scopes[key].title : key,
          values: percentages,
        }));
        return <Trends title={title} weeks={weeks} lines={lines} emphasis={scope} running={running} />;
      }}
    </Part>
  );
}

const titleByPerson = '% Completed by person';

/** For people without scopes. The table says what couldn’t be loaded. */
function PersonTrendLines({ choice, running }: { readonly choice: StatsChoice; readonly running: boolean }) {
  const { query, items, first } = useList(employeesQuery({ ...choice, search: '', order: byName }));
  if (query.isError && !first) return null;
  return (
    <Loading loading={!first} skeleton={<TrendsSkeleton title={titleByPerson} />}>
      {first && <LinesOfPeople {...first} people={items} running={running} />}
    </Loading>
  );
}

type LinesProps = {
  readonly people: readonly Employee[];
  readonly total: number;
  readonly weeks: readonly string[];
  readonly running: boolean;
};

/** One line per person, if they are few. */
function LinesOfPeople({ people, total, weeks, running }: LinesProps) {
  if (total === 0) return null;
  if (total > mostLines)
    return (
      <Panel title={titleByPerson}>
        <p>The chart shows up to {mostLines} people. See the table for everyone’s last 13 weeks.</p>
      </Panel>
    );
  const lines = people.map(({ person, trend }) => ({ key: person.id, title: person.displayName, values: trend }));
  return <Trends title={titleByPerson} weeks={weeks} lines={lines} emphasis={null} running={running} />;
}

type TrendsProps = {
  readonly title: string;
  readonly weeks: readonly string[];
  readonly lines: readonly TrendLine[];
  readonly emphasis: string | null;
  readonly running: boolean;
};

function Trends({ title, weeks, lines, emphasis, running }: TrendsProps) {
  return (
    <Panel title={title} note="13 weeks" actions={<DefinitionCard of="trend" />}>
      <TrendLines
        title={title}
        labels={weeks}
        lines={lines}
        emphasis={emphasis}
        format={percentWords}
        ticks={shares}
        unfinished={running}
      />
    </Panel>
  );
}

/** The parts' final shapes, empty. */
function CardsSkeleton() {
  return (
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
  );
}

function TrendsSkeleton({ title }: { title: string }) {
  return (
    <Panel title={title}>
      <SkeletonBlock height={252} />
    </Panel>
  );
}

function ClockSkeleton() {
  return (
    <Panel title="Time with approver" flush>
      <SkeletonRows rows={6} />
    </Panel>
  );
}
