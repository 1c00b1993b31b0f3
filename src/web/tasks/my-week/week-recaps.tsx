import { Link } from '@tanstack/react-router';
import { resultWords } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { useList } from '#web/api/list-query.ts';
import { useViewer } from '#web/api/viewer.ts';
import { navigationTarget } from '#web/shell/navigation-target.ts';
import { Age } from '#web/ui/age.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { MoreButton } from '#web/ui/more-button.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { LongText } from '../shared/long-text.tsx';
import { recapsQuery, type WeekRecap } from './my-week-queries.ts';
import classes from './week-recaps.module.css';
import { WeekRowsSkeleton } from './week-task-row.tsx';

/** The weeks that the viewer's people closed, with what they learned. */
export function WeekRecaps() {
  const { query, items, more } = useList(recapsQuery);
  return (
    <Panel title="Recaps" flush>
      {query.isError && !query.data ? (
        <PanelError
          sentence="Couldn’t load the recaps."
          onRetry={() => void query.refetch()}
          requestId={query.error.requestId}
        />
      ) : (
        <Loading loading={!query.data} skeleton={<WeekRowsSkeleton rows={2} />}>
          {items.length === 0 ? (
            <EmptyState title="No recaps yet">
              When your people close their week, their results and what they learned appear here.
            </EmptyState>
          ) : (
            <ul className={classes.list}>
              {items.map((recap) => (
                <Recap key={recap.id} recap={recap} />
              ))}
            </ul>
          )}
          <MoreButton more={more} className={classes.more} />
        </Loading>
      )}
    </Panel>
  );
}

/** The name leads to the board of that week, for people who can open it. */
function Recap({ recap }: { recap: WeekRecap }) {
  const { displayName, userId, sprintId, sprintName, counts, carriedOut, learned, closedAt } = recap;
  const opensBoards = navigationTarget(useViewer(), 'tasks') !== null;
  return (
    <li>
      <p className={classes.head}>
        {opensBoards ? (
          <Link to="/top-5/tasks" search={{ person: userId, sprint: sprintId }} className={classes.name}>
            {displayName}
          </Link>
        ) : (
          <span className={classes.name}>{displayName}</span>
        )}
        <Age instant={closedAt} zone={config().companyTimeZone} ago />
      </p>
      <p className={classes.result}>
        {sprintName}: completed {resultWords(counts, carriedOut)}
      </p>
      {learned !== '' && (
        <LongText text={learned}>
          <p className={classes.learned}>{learned}</p>
        </LongText>
      )}
    </li>
  );
}
