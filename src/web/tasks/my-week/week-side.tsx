import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { VisibleEntry } from '#core/access/navigation.ts';
import { targetsOf } from '#web/shell/navigation-target.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { waitingQuery } from './my-week-queries.ts';
import classes from './week-side.module.css';
import { WeekRowsSkeleton, WeekTaskList, WeekTaskRow } from './week-task-row.tsx';

/** Links for someone without S.T.A.R.T. */
export function YourPages({ pages }: { pages: readonly VisibleEntry[] }) {
  if (pages.length === 0) {
    return (
      <Panel flush>
        <EmptyState title="No other pages yet">Ask your manager or an admin to add pages to your role.</EmptyState>
      </Panel>
    );
  }
  return (
    <Panel title="Your pages">
      <ul className={classes.pages}>
        {pages.map((page) => (
          <li key={page.key}>
            {page.children.length === 0 ? (
              <PageLink page={page} />
            ) : (
              <span className={classes.title}>{page.title}</span>
            )}
            {targetsOf(page.children).map((child) => (
              <PageLink key={child.key} page={child} />
            ))}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function PageLink({ page: { title, path, product } }: { page: VisibleEntry }) {
  return (
    <Link to={path} search={product ? { product } : {}}>
      {title}
    </Link>
  );
}

/** How much waits for a decision, and the oldest. */
export function WaitingForMe() {
  const waiting = useQuery(waitingQuery);
  const count = waiting.data?.inboxCount;
  const all = count ? count.toApprove + count.toSignOff : 0;
  return (
    <Panel
      title="Waiting for me"
      {...(count ? { note: all } : {})}
      actions={
        all > 0 && (
          <Link to="/top-5/approvals" className={classes.headLink}>
            Decide
          </Link>
        )
      }
      flush
    >
      {waiting.isError && !waiting.data ? (
        <PanelError
          sentence="Couldn’t load what waits for you."
          onRetry={() => void waiting.refetch()}
          requestId={waiting.error.requestId}
        />
      ) : (
        <Loading loading={!waiting.data} skeleton={<WeekRowsSkeleton rows={4} />}>
          {all === 0 ? (
            <EmptyState title="Nothing waits for you.">
              Tasks that your people submit or complete appear here.
            </EmptyState>
          ) : (
            <WeekTaskList>
              {waiting.data?.inbox.map((task) => (
                <WeekTaskRow key={task.id} task={task} to="/top-5/approvals" search={{ task: task.id }} owner />
              ))}
            </WeekTaskList>
          )}
        </Loading>
      )}
    </Panel>
  );
}
