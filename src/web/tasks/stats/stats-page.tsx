import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { permittedScopes } from '#core/access/brands.ts';
import type { Path } from '#core/access/routes.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { EmployeesPanel } from './employees-panel.tsx';
import { FairClock } from './fair-clock.tsx';
import { ScopeSelect } from './scope-select.tsx';
import { SprintSelect } from './sprint-select.tsx';
import { sentenceShape, sprintSentence } from './sprint-words.ts';
import { StatCards } from './stat-cards.tsx';
import { useStatsChoice } from './stats-choice.ts';
import classes from './stats-page.module.css';
import { sprintStatsQuery } from './stats-queries.ts';
import { StatsSkeleton } from './stats-skeleton.tsx';
import { Trends } from './trends.tsx';

const employeeStatsPath: Path = '/employee-stats';

export default function StatsPage() {
  const { choice, sprints, sprint, previous, chooseSprint, chooseScope } = useStatsChoice();
  const stats = useQuery({ ...sprintStatsQuery(choice), enabled: sprint !== null });
  const actions = (
    <div className={classes.choices}>
      <Link to={employeeStatsPath} search={{ sprint: choice.sprint } as never} className={classes.link}>
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
            sentence="The stats could not be loaded."
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

/** Says why the table is short for whoever may see no scope (D22). */
function OwnOnly() {
  if (permittedScopes(useViewer()).length > 0) return null;
  return (
    <p className={classes.ownOnly}>
      You see your own numbers and those of the people you approve. The stats of a whole scope need its permission.
    </p>
  );
}
