import { Link } from '@tanstack/react-router';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import type { Path } from '#core/access/routes.ts';
import { capital } from '#core/base/formats.ts';
import { repeatSentence } from '#core/tasks/repeat.ts';
import { needsOwner, taskStatuses } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { DraftMark } from '#web/shell/draft-mark.tsx';
import { Age } from '#web/ui/age.tsx';
import { Markdown } from '#web/ui/markdown.tsx';
import { SkeletonBlock } from '#web/ui/skeleton.tsx';
import { StatusGlyph } from '#web/ui/status-glyph.tsx';
import { doublePressMs } from '#web/ui/timing.ts';
import { carriedOverWords } from '../shared/exits.ts';
import { NotMoved } from '../shared/not-moved.tsx';
import type { WeekTask } from './my-week-queries.ts';
import type { Drag } from './own-order.tsx';
import classes from './week-task-row.module.css';

type Page = Extract<Path, '/top-5/tasks' | '/top-5/approvals'>;

type Props = {
  readonly task: WeekTask;
  /** The page that opens the task; null if the viewer can't enter it. */
  readonly to: Page | null;
  readonly search: { readonly task: string; readonly sprint?: string };
  /** Shows the owner, if it isn't the viewer. */
  readonly owner?: boolean;
  readonly actions?: ReactNode;
  /** At the end of the line. */
  readonly menu?: ReactNode;
  /** Below the title. */
  readonly children?: ReactNode;
  /** What Space does on the title. */
  readonly onSpace?: (() => void) | undefined;
  readonly linkRef?: Ref<HTMLAnchorElement>;
  /** What Alt+↑ and Alt+↓ do on the title. */
  readonly onStep?: ((step: 1 | -1) => void) | undefined;
  readonly rowRef?: Ref<HTMLLIElement>;
  readonly drag?: Drag;
};

/** The row that got the focus from a completed one. */
let passed: { readonly to: HTMLElement; readonly at: number } | null = null;

export function passFocus(to: HTMLElement | null): void {
  to?.focus();
  passed = to && { to, at: performance.now() };
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 };

function press(event: KeyboardEvent, { onSpace, onStep }: Pick<Props, 'onSpace' | 'onStep'>): void {
  const step = event.altKey ? steps[event.key] : undefined;
  if (step && onStep) {
    event.preventDefault();
    onStep(step);
  }
  if (event.key !== ' ' || !onSpace) return;
  event.preventDefault();
  const isStray = event.currentTarget === passed?.to && performance.now() - passed.at < doublePressMs;
  // A held key, or one pressed twice, would go on with each row that gets the focus.
  if (!event.repeat && !isStray) onSpace();
}

/** One task per line: status as a glyph, title, brand and how long it has had the status. */
export function WeekTaskRow(props: Props) {
  const { task, to, search, owner = false, actions, menu, onSpace, linkRef, rowRef, drag } = props;
  const { title: status, completed } = taskStatuses[task.status];
  return (
    <li
      ref={rowRef}
      className={classes.row}
      data-completed={(completed && !owner) || undefined}
      data-owner={owner || undefined}
      data-space={onSpace ? true : undefined}
      data-drag={drag}
    >
      <span className={classes.mark} title={status}>
        <StatusGlyph status={task.status} />
      </span>
      <div className={classes.words}>
        {to ? (
          <Link
            to={to}
            search={search}
            className={classes.title}
            onKeyDown={(event) => press(event, props)}
            ref={linkRef}
            data-task={task.id}
            data-owner={task.userId}
          >
            {task.title}
          </Link>
        ) : (
          <span className={classes.title}>{task.title}</span>
        )}
        <span className="visually-hidden">{status}</span>
        {actions && <div className={classes.actions}>{actions}</div>}
        <div className={classes.meta}>
          {owner && <strong>{task.owner.displayName}</strong>}
          <DraftMark about="task" id={task.id} />
          {task.extra && <span>Extra</span>}
          {task.carriedOver > 0 && <span>{capital(carriedOverWords(task.carriedOver))}</span>}
          {task.repeats && <span>{repeatSentence(task.repeats)}</span>}
          <span className={classes.end}>
            <span className={classes.brand}>{task.category}</span>
            <Age instant={task.statusSince} zone={config().companyTimeZone} />
            {menu && <span className={classes.menus}>{menu}</span>}
          </span>
        </div>
        {!owner && needsOwner(task) && task.reason && (
          <div className={classes.reason}>
            <Markdown text={task.reason} />
          </div>
        )}
        {props.children}
        <NotMoved task={task} />
      </div>
    </li>
  );
}

/** Leads a denied task's owner to its form. `sprint`: of an earlier week, whose tasks have no key. */
export function ResendLink({ task, sprint }: { task: WeekTask; sprint?: string }) {
  return (
    <Link
      to="/top-5/tasks"
      search={{ task: task.id, resend: '1', ...(sprint !== undefined && { sprint }) }}
      className={classes.resend}
      aria-keyshortcuts={sprint === undefined ? 'e' : undefined}
    >
      Edit and resend
    </Link>
  );
}

/** Placeholder rows of the same height. */
export function WeekRowsSkeleton({ rows }: { rows: number }) {
  return (
    <WeekTaskList>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
        <li key={index} className={classes.row}>
          <div className={classes.words}>
            <SkeletonBlock width={`${72 - ((index * 17) % 30)}%`} height={20} />
            <div className={classes.meta}>
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
