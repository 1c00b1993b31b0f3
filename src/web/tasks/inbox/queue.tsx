import { Button } from '@mantine/core';
import { type KeyboardEvent, memo, type RefObject, useEffect, useRef, useState } from 'react';
import { countWords, plural } from '#core/base/formats.ts';
import { absenceDay } from '#core/people/absences.ts';
import { statusRule } from '#core/tasks/task-status.ts';
import { companyToday } from '#web/access/shared/absence-queries.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { DraftMark } from '#web/shell/draft-mark.tsx';
import { Age } from '#web/ui/age.tsx';
import { once } from '#web/ui/double-click.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { MoreButton } from '#web/ui/more-button.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { StatusGlyph } from '#web/ui/status-glyph.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { useChangedTexts } from '../shared/changed-texts.tsx';
import { type BoardTask, useSprints } from '../shared/queries.ts';
import { decidesForWords, ownerGoneWords } from '../shared/rules.ts';
import { detailHeadingId } from './detail.tsx';
import { type PersonGroup, splitHandedOver, sprintOver, type Waiting, type WaitingTab, waitingTabs } from './order.ts';
import classes from './queue.module.css';
import type { Approvals } from './use-approvals.ts';
import { focusRow } from './use-moves.ts';

/** So near the end of the rows, in pixels, the next page loads. */
const nearEnd = 800;

type Props = { readonly approvals: Approvals; readonly tab: WaitingTab };

/** The waiting tasks, as a list that can be cleared by keyboard. */
export function ApprovalsQueue({ approvals, tab }: Props) {
  const { items, groups, selected, picked, refused, select, move, togglePick, clearPicks, more } = approvals;
  const viewer = useViewer();
  const sprints = useSprints();
  const end = useMoreNearEnd(approvals);
  const approveAll = useApproveAll(approvals);
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
      sprintOver={sprintOver(item.task, sprints)?.name}
      decidesFor={decidesForWords(viewer, item.task)}
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
      <Search key={tab} {...approvals} />
      <QueueBar approvals={approvals} tab={tab} approveAll={approveAll} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows move among the buttons inside. */}
      <div className={classes.scroll} data-picking={picked.size > 0 || undefined} onKeyDown={onKeyDown}>
        {items.length === 0 ? (
          <NoRows {...approvals} />
        ) : groups ? (
          groups.map((group) => <Person key={group.id} {...{ group, tab, approvals, approveAll, row }} />)
        ) : (
          <Lists {...splitHandedOver(items, viewer)} hasMore={more.hasMore} title={waitingTabs[tab].title} row={row} />
        )}
        <div ref={end}>
          <MoreButton more={more} />
        </div>
      </div>
    </div>
  );
}

/** Why no task is shown: it failed, isn't read yet, or nothing matches. */
function NoRows({ failed, readAgain, isStale, more, text, setText }: Approvals) {
  if (failed)
    return <PanelError sentence="Couldn’t find tasks." onRetry={readAgain} requestId={asApiError(failed).requestId} />;
  if (isStale || more.hasMore) return <SkeletonRows rows={6} />;
  if (text === '') return null;
  return (
    <EmptyState
      title="No matching tasks"
      action={
        <Button variant="default" onClick={() => setText('')}>
          Clear search
        </Button>
      }
    />
  );
}

type Row = (item: Waiting) => React.ReactNode;

/** The viewer's own tasks, and apart from them those that were handed over. */
type ListsProps = ReturnType<typeof splitHandedOver> & { title: string; row: Row; hasMore: boolean };

function Lists({ own, handedOver, title, row, hasMore }: ListsProps) {
  return (
    <>
      {own.length > 0 && (
        <ul className={classes.list} aria-label={title}>
          {own.map(row)}
        </ul>
      )}
      {handedOver.length > 0 && (
        <section aria-label="Handed over to you">
          <div className={classes.person}>
            <h2>
              Handed over to you{' '}
              <span>
                {handedOver.length}
                {hasMore && '+'}
              </span>
            </h2>
          </div>
          <ul className={classes.list}>{handedOver.map(row)}</ul>
        </section>
      )}
    </>
  );
}

/** Reads the next page before the last row is in view. The list scrolls, or on narrow screens the page. */
function useMoreNearEnd({ more, isReading }: Approvals): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  const onScroll = useStable(() => {
    const top = end.current?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
    if (top < innerHeight + nearEnd && more.hasMore && !isReading && !more.failed) more.onMore();
  });
  useEffect(() => {
    const options = { capture: true, passive: true };
    document.addEventListener('scroll', onScroll, options);
    return () => document.removeEventListener('scroll', onScroll, options);
  }, [onScroll]);
  return end;
}

/** As many rows as fit a small screen need no search. */
const fewest = 6;

function Search({ count, text, setText, toFirst }: Pick<Approvals, 'count' | 'text' | 'setText' | 'toFirst'>) {
  // It stays while the tasks are decided one by one: its field may have the focus.
  const [isShown, setShown] = useState(text !== '');
  if (count >= fewest && !isShown) setShown(true);
  if (!isShown) return null;
  return (
    <div className={classes.search}>
      <SearchField
        scope="Approvals"
        label="Find a task, person or brand"
        value={text}
        onChange={setText}
        onEnter={toFirst}
        onArrowDown={toFirst}
        width="100%"
      />
    </div>
  );
}

type ApproveAll = { readonly approveAll: (tasks: readonly BoardTask[]) => void };

/** Approves tasks from the list, unless the text of one has just changed in its row. */
function useApproveAll({ items, decide }: Approvals): ApproveAll['approveAll'] {
  const texts = useChangedTexts(items.map(({ task }) => task));
  return (tasks) => {
    if (texts.holdsBack('decides', tasks)) showToast({ message: 'A task has just changed. Press again to confirm' });
    else void decide(tasks, 'approve').catch(() => undefined);
  };
}

/** Above the rows: their order, or the picked ones with a bulk action. */
function QueueBar({ approvals, tab, approveAll }: Props & ApproveAll) {
  const { items, picks, selected, groups, group, clearPicks } = approvals;
  const { approve } = statusRule(waitingTabs[tab].status);
  if (picks.length > 0) {
    return (
      <div className={classes.bar} data-picking>
        <span>{picks.length} selected</span>
        <span className={classes.barActions}>
          <Button size="compact-sm" variant="subtle" onClick={clearPicks}>
            Clear
          </Button>
          {/* An opened task has the buttons for the selection. */}
          {selected === null && approve && (
            <Writes>
              <Button size="compact-sm" onClick={once(() => approveAll(picks))}>
                {approve.verb} {picks.length}
              </Button>
            </Writes>
          )}
        </span>
      </div>
    );
  }
  return (
    <div className={classes.bar}>
      <span>
        {shownWords(approvals)}, {orderWords(items)}
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

function orderWords(items: readonly Waiting[]): string {
  const hasOverdue = items.some(({ overdue }) => overdue);
  const isMixed = new Set(items.map(({ later }) => later)).size > 1;
  // Together with the count they fit one line.
  if (isMixed) return `${hasOverdue ? 'overdue' : 'oldest'} first, next sprint last`;
  return hasOverdue ? 'overdue first, then oldest' : 'oldest first';
}

function shownWords({ items, isCounted, count, text, more }: Approvals): string {
  const found = text === '' ? plural(items.length, 'task') : plural(items.length, 'match', 'matches');
  if (!isCounted) return more.hasMore ? `First ${found}` : found;
  if (items.length === count) return plural(count, 'task');
  const of = `${countWords(items.length)} of ${plural(count, 'task')}`;
  if (!more.hasMore) return of;
  return text === '' ? `First ${of}` : `First ${found} in ${plural(count, 'task')}`;
}

type PersonProps = Props & ApproveAll & { readonly group: PersonGroup; readonly row: Row };

/** Signing off needs a look at each task, so only approving is offered for all of a person's tasks. */
function Person({ group, tab, approvals, approveAll, row }: PersonProps) {
  const { approve } = statusRule(waitingTabs[tab].status);
  const count = group.items.length;
  return (
    <section aria-label={group.name}>
      <div className={classes.person}>
        <h2>
          {group.name} <span>{approvals.isWhole(group.id) ? count : `${count}+`}</span>
        </h2>
        {tab === 'approve' && approve && count > 1 && approvals.isWhole(group.id) && (
          <Writes>
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={once(() => approveAll(group.items.map(({ task }) => task)))}
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

/** After a key press, focuses the selected row: the previous one may be gone. */
function useFocusOnSelected({ selected, followFocus }: Approvals): void {
  useEffect(() => {
    if (followFocus.current === selected && focusRow(selected)) followFocus.current = null;
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
  /** Its name, if an approval counts there as not completed. */
  readonly sprintOver: string | undefined;
  readonly decidesFor: string | null;
  /** `opens`: Enter was pressed on the row to read the task. */
  readonly onSelect: (id: string, opens: boolean) => void;
  readonly onPick: (task: BoardTask) => void;
};

/** One waiting task. Its checkbox covers the glyph on touch, on hover, on focus and while any is picked. */
const ApprovalRow = memo(function ApprovalRow(props: ApprovalRowProps) {
  const { task, overdue, later, selected, picked, reached, refusal, decidesFor, onSelect, onPick } = props;
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
          onChange={() => onPick(task)}
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
            {later && ', next sprint'}
            {props.sprintOver && `, ${props.sprintOver} is over`}
          </span>
          <DraftMark about="task" id={task.id} />
          {overdue && <span className={classes.overdue}>Overdue</span>}
          {task.ownerKeepsTasks === false && <span className={classes.absent}>{ownerGoneWords}</span>}
          {task.ownerAwayUntil && (
            <span className={classes.absent}>Away until {absenceDay(task.ownerAwayUntil, companyToday())}</span>
          )}
          {decidesFor && <span className={classes.absent}>For {decidesFor}</span>}
          {task.editedSince && <span className={classes.edited}>Edited since {task.editedSince}</span>}
        </span>
        {refusal && <span className={classes.refusal}>{refusal}</span>}
      </button>
    </li>
  );
});
