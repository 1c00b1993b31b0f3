import { Button } from '@mantine/core';
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react';
import { plural } from '#core/base/formats.ts';
import { statusRule } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { Age } from '#web/ui/age.tsx';
import { once } from '#web/ui/double-click.ts';
import { StatusGlyph } from '#web/ui/status-glyph.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { detailHeadingId } from './detail.tsx';
import { type PersonGroup, type Waiting, type WaitingTab, waitingTabs } from './order.ts';
import classes from './queue.module.css';
import type { Approvals } from './use-approvals.ts';

/** How many rows are rendered; a button shows more. */
const mostRendered = 300;

type Props = { readonly approvals: Approvals; readonly tab: WaitingTab };

/** The waiting tasks, as a list that can be cleared by keyboard. */
export function ApprovalsQueue({ approvals, tab }: Props) {
  const { items, groups, selected, picked, refused, select, move, togglePick, clearPicks } = approvals;
  const [drawn, setDrawn] = useState(mostRendered);
  useFocusOnSelected(approvals);
  const reached = items.some(({ task }) => task.id === selected) ? selected : items[0]?.task.id;
  const onSelect = useStable((id: string, opens: boolean) => {
    select(id, 'pointer');
    if (opens) document.getElementById(detailHeadingId)?.focus();
  });
  const row = (item: Waiting) => (
    <ApprovalRow
      key={item.task.id}
      {...item}
      selected={item.task.id === selected}
      picked={picked.has(item.task.id)}
      reached={item.task.id === reached}
      refusal={refused.get(item.task.id)}
      onSelect={onSelect}
      onPick={togglePick}
    />
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') clearPicks();
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    move(event.key === 'ArrowDown' ? 1 : -1);
  };
  return (
    <div className={classes.queue}>
      <QueueBar approvals={approvals} tab={tab} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows move among the buttons inside. */}
      <div className={classes.scroll} data-picking={picked.size > 0 || undefined} onKeyDown={onKeyDown}>
        {groups ? (
          groups.map((group) => <Person key={group.id} group={group} tab={tab} approvals={approvals} row={row} />)
        ) : (
          <ul className={classes.list} aria-label={waitingTabs[tab].title}>
            {items.slice(0, drawn).map(row)}
          </ul>
        )}
        {!groups && items.length > drawn && (
          <Button variant="subtle" onClick={() => setDrawn(drawn + mostRendered)}>
            Show {Math.min(mostRendered, items.length - drawn)} more
          </Button>
        )}
      </div>
    </div>
  );
}

/** Above the rows: their order, or the picked ones with a bulk action. */
function QueueBar({ approvals, tab }: Props) {
  const { items, picks, groups, group, clearPicks, decide } = approvals;
  const { approve } = statusRule(waitingTabs[tab].status);
  if (picks.length > 0 && approve) {
    return (
      <div className={classes.bar} data-picking>
        <span>{picks.length} selected</span>
        <span className={classes.barActions}>
          <Button size="compact-sm" variant="subtle" onClick={clearPicks}>
            Clear
          </Button>
          <Writes>
            <Button
              size="compact-sm"
              aria-keyshortcuts="a"
              onClick={once(() => void decide(picks, 'approve').catch(() => undefined))}
            >
              {approve.verb} {picks.length}
            </Button>
          </Writes>
        </span>
      </div>
    );
  }
  return (
    <div className={classes.bar}>
      <span>
        {plural(items.length, 'task')},{' '}
        {items.some(({ overdue }) => overdue) ? 'overdue first, then oldest' : 'oldest first'}
      </span>
      <Button
        size="compact-sm"
        variant={groups ? 'light' : 'subtle'}
        color={groups ? 'accent' : 'gray'}
        aria-pressed={groups !== null}
        onClick={group}
      >
        Group by person
      </Button>
    </div>
  );
}

type PersonProps = Props & { readonly group: PersonGroup; readonly row: (item: Waiting) => React.ReactNode };

/** Signing off needs a look at each task, so only approving is offered for all of a person's tasks. */
function Person({ group, tab, approvals, row }: PersonProps) {
  const { approve } = statusRule(waitingTabs[tab].status);
  const count = group.items.length;
  return (
    <section aria-label={group.name}>
      <div className={classes.person}>
        <h3>
          {group.name} <span>{count}</span>
        </h3>
        {tab === 'approve' && approve && count > 1 && (
          <Writes>
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={once(
                () =>
                  void approvals
                    .decide(
                      group.items.map(({ task }) => task),
                      'approve',
                    )
                    .catch(() => undefined),
              )}
            >
              {approve.verb} all {count}
            </Button>
          </Writes>
        )}
      </div>
      <ul className={classes.list}>{group.items.map(row)}</ul>
    </section>
  );
}

/** Focuses a task's row. Returns false if it isn't rendered. */
export function focusRow(taskId: string | null): boolean {
  const row = taskId && document.querySelector<HTMLElement>(`[data-row="${CSS.escape(taskId)}"]`);
  if (!row) return false;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
  return true;
}

/** After a key press, focuses the selected row: the previous one may be gone. */
function useFocusOnSelected({ selected, followFocus }: Approvals): void {
  useEffect(() => {
    if (followFocus.current && focusRow(selected)) followFocus.current = false;
  });
}

/** A stable function with changing behavior, so three hundred rows aren't rendered again. */
function useStable<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(run);
  latest.current = run;
  const [stable] = useState(
    () =>
      (...args: Args) =>
        latest.current(...args),
  );
  return stable;
}

type ApprovalRowProps = Waiting & {
  readonly selected: boolean;
  readonly picked: boolean;
  /** The only row in the tab order; J, K and the arrows move from it. */
  readonly reached: boolean;
  readonly refusal: string | undefined;
  /** `opens`: Enter was pressed on the row to read the task. */
  readonly onSelect: (id: string, opens: boolean) => void;
  readonly onPick: (id: string) => void;
};

/** One waiting task. Its checkbox covers the glyph on touch, on hover, on focus and while any is picked. */
const ApprovalRow = memo(function ApprovalRow(props: ApprovalRowProps) {
  const { task, overdue, selected, picked, reached, refusal, onSelect, onPick } = props;
  return (
    <li className={classes.row} data-selected={selected || undefined} data-picked={picked || undefined}>
      <label className={classes.mark}>
        <StatusGlyph status={task.status} />
        <input
          type="checkbox"
          className={classes.pick}
          checked={picked}
          tabIndex={reached ? 0 : -1}
          aria-label={`Select “${task.title}”`}
          onChange={() => onPick(task.id)}
        />
      </label>
      <button
        type="button"
        className={classes.open}
        data-row={task.id}
        aria-current={selected || undefined}
        tabIndex={reached ? 0 : -1}
        onClick={(event) => onSelect(task.id, event.detail === 0)}
      >
        <span className={classes.title}>{task.title}</span>
        <span className={classes.meta}>
          <span className={classes.words}>
            <strong>{task.owner.displayName}</strong>, {task.category},{' '}
            <Age instant={task.statusSince} zone={config().companyTimeZone} ago />
            {task.extra && ', extra'}
          </span>
          {overdue && <span className={classes.overdue}>Overdue</span>}
          {task.editedSince && <span className={classes.edited}>Edited since {task.editedSince}</span>}
        </span>
        {refusal && <span className={classes.refusal}>{refusal}</span>}
      </button>
    </li>
  );
});
