import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { refusalAt } from '#core/access/access.ts';
import type { VisibleEntry } from '#core/access/navigation.ts';
import { isPath } from '#core/access/routes.ts';
import { plural } from '#core/base/formats.ts';
import { nobody as noRole } from '#core/people/people-search.ts';
import { useViewer } from '#web/api/viewer.ts';
import { toHelpQuery } from '#web/people/shared/people-to-help.ts';
import { targetsOf } from '#web/shell/navigation-target.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { waitingQuery } from './my-week-queries.ts';
import classes from './week-side.module.css';
import { WeekRowsSkeleton, WeekTaskList, WeekTaskRow } from './week-task-row.tsx';

/** Links for someone without tasks, to the pages that open for them. */
export function YourPages({ pages }: { pages: readonly VisibleEntry[] }) {
  const viewer = useViewer();
  const opens = ({ path }: VisibleEntry) => isPath(path) && refusalAt(viewer, path) === null;
  const rows = pages
    .map((page) => ({ page, links: targetsOf(page.children.length === 0 ? [page] : page.children).filter(opens) }))
    .filter(({ links }) => links.length > 0);
  if (rows.length === 0) {
    return (
      <Panel flush>
        <EmptyState title="No other pages yet">Ask an admin to add pages to your role.</EmptyState>
      </Panel>
    );
  }
  return (
    <Panel title="Your pages">
      <ul className={classes.pages}>
        {rows.map(({ page, links }) => (
          <li key={page.key}>
            {page.children.length > 0 && <span className={classes.title}>{page.title}</span>}
            <span className={classes.links}>
              {links.map((link) => (
                <PageLink key={link.key} page={link} />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What waits for someone who manages people: those who can't start, or whose tasks nobody can approve. */
export function PeopleToHelp() {
  const toHelp = useQuery(toHelpQuery);
  const { withoutRole, unapproved } = toHelp.data ?? { withoutRole: 0, unapproved: 0 };
  return (
    <Panel title="People" {...(toHelp.data ? { note: withoutRole + unapproved } : {})} flush>
      {toHelp.isError && !toHelp.data ? (
        <PanelError
          sentence="Couldn’t load people."
          onRetry={() => void toHelp.refetch()}
          requestId={toHelp.error.requestId}
        />
      ) : (
        <Loading loading={!toHelp.data} skeleton={<WeekRowsSkeleton rows={2} />}>
          {withoutRole + unapproved === 0 ? (
            <EmptyState title="Everyone can work">Everyone has a role, and an approver who can decide.</EmptyState>
          ) : (
            <ul className={classes.help}>
              {withoutRole > 0 && (
                <li>
                  <Link to="/usermanagement" search={{ role: noRole }}>
                    {plural(withoutRole, 'person has no role', 'people have no role')}
                  </Link>
                </li>
              )}
              {unapproved > 0 && (
                <li>
                  <Link to="/approvermanagement" search={{ show: 'undecided' }}>
                    Nobody can approve the tasks of {plural(unapproved, 'person', 'people')}
                  </Link>
                </li>
              )}
            </ul>
          )}
        </Loading>
      )}
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
            <EmptyState title="You’re all caught up">Tasks that your people submit or complete appear here.</EmptyState>
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
