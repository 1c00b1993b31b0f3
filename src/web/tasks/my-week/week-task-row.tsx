import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Path } from '#core/access/routes.ts';
import { config } from '#web/api/config.ts';
import { Age } from '#web/ui/age.tsx';
import { StatusPill } from '#web/ui/pill.tsx';
import { SkeletonBlock } from '#web/ui/skeleton.tsx';
import type { WeekTask } from './my-week-queries.ts';
import classes from './week-task-row.module.css';

type Page = Extract<Path, '/top-5/tasks' | '/top-5/approvals'>;

type Props = {
  readonly task: WeekTask;
  /** The page that opens the task; null where the viewer may not enter it. */
  readonly to: Page | null;
  readonly search: { readonly task: string; readonly sprint?: string };
  /** Whose it is, where that is somebody else. */
  readonly owner?: boolean;
  readonly actions?: ReactNode;
};

/** One task in a line: title, status, brand and how long it has stood so. */
export function WeekTaskRow({ task, to, search, owner = false, actions }: Props) {
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        {to ? (
          <Link to={to} search={search} className={classes.title}>
            {task.title}
          </Link>
        ) : (
          <span className={classes.title}>{task.title}</span>
        )}
        <p className={classes.meta}>
          <StatusPill status={task.status} />
          <span>
            {owner && `${task.owner.displayName}, `}
            {task.category}, <Age instant={task.statusSince} zone={config().companyTimeZone} ago />
            {task.extra && ', extra'}
            {task.carriedOver > 0 && `, carried over ×${task.carriedOver}`}
          </span>
        </p>
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </li>
  );
}

/** Rows of the same height on their way. */
export function WeekRowsSkeleton({ rows }: { rows: number }) {
  return (
    <WeekTaskList>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
        <li key={index} className={classes.row}>
          <div className={classes.words}>
            <SkeletonBlock width={`${72 - ((index * 17) % 30)}%`} height={20} />
            <div className={classes.meta}>
              <SkeletonBlock width={96} height={20} />
              <SkeletonBlock width={120} height={18} />
            </div>
          </div>
        </li>
      ))}
    </WeekTaskList>
  );
}

export function WeekTaskList({ children }: { children: ReactNode }) {
  return <ul className={classes.list}>{children}</ul>;
}
