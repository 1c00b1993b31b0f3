// The inbox page's state: tab, task, picked tasks, and the effect of decisions.
import { useDebouncedValue } from '@mantine/hooks';
import { QueryObserver, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { plural } from '#core/base/formats.ts';
import type { Work } from '#core/tasks/task.ts';
import { type Decision, statusRule } from '#core/tasks/task-status.ts';
import type { ApprovalsTab } from '#core/tasks/tasks-search.ts';
import { asApiError } from '#web/api/api-error.ts';
import { useList } from '#web/api/list-query.ts';
import { useViewer } from '#web/api/viewer.ts';
import { type SearchChange, useAddress } from '#web/shell/address.ts';
import { useNow } from '#web/ui/age.tsx';
import { matches } from '#web/ui/matches.ts';
import { typingPauseMs } from '#web/ui/timing.ts';
import { showFailure } from '#web/ui/toasts.tsx';
import { shortened } from '../shared/mutations.ts';
import { type BoardTask, knownTask, taskQuery, useSprints } from '../shared/queries.ts';
import { useInterruptedReason } from '../shared/reason-form.tsx';
import { useUnread } from '../shared/unread.ts';
import { aboutDecision, type DecisionsCall, notDecidedWords } from './calls.ts';
import { isBeingDecided, isSameDecision, useDecideInbox, useDecisions } from './decisions.ts';
import {
  byPerson,
  type Counts,
  countsOf,
  nextAfter,
  splitHandedOver,
  type Waiting,
  type WaitingTab,
  waitingIn,
  waitingTabKeys,
  waitingTabs,
  withoutCounts,
} from './order.ts';
import { type InboxList, type InboxOverview, inboxQuery, overviewQuery } from './queries.ts';
import { type Deciding, focusRow, useMoves } from './use-moves.ts';

/** Null: a failure interrupted a reason, and the task isn’t read yet. */
type Picked = ReadonlyMap<string, BoardTask | null>;
const none: Picked = new Map();

const nothingAsked: InboxList = { status: waitingTabs.approve.status };

/** `list`, or if it isn’t complete, what the server finds in all of it. */
function useNarrowed<List extends ReturnType<typeof useInboxList>>(list: List, narrowing: InboxList | null) {
  const isNarrowed = narrowing !== null && list.more.hasMore;
  const narrowed = useInboxList(narrowing ?? nothingAsked, isNarrowed);
  return { list: isNarrowed ? narrowed : list, isNarrowed };
}

const useInboxList = (list: InboxList, enabled = true) => useList({ ...inboxQuery(list), enabled });

/** A tab’s tasks that are loaded, and functions that leave out those being decided. */
function useQueue(tab: WaitingTab, isDue: boolean, { pending, uncounted }: ReturnType<typeof useDecisions>) {
  const { status } = waitingTabs[tab];
  const all = useInboxList({ status });
  const { list } = useNarrowed(all, isDue ? { status, due: true } : null);
  const sprints = useSprints();
  const viewer = useViewer();
  const now = useNow();
  const left = new Set(pending.map(({ id }) => id));
  const waitingOf = (tasks: readonly BoardTask[]) => {
    const once = new Map(tasks.map((task) => [task.id, task]));
    const undecided = [...once.values()].filter(({ id }) => !left.has(id));
    const { own, handedOver } = splitHandedOver(waitingIn(tab, undecided, sprints, now), viewer);
    return [...own, ...handedOver];
  };
  const itemsOf = (tasks: readonly BoardTask[]) => waitingOf(tasks).filter(({ later }) => !isDue || !later);
  const isPartial = all.more.hasMore;
  /** Without an overview, of what is loaded. */
  const countsIn = (overview: InboxOverview | undefined): Counts => {
    if (!isPartial || !overview) return countsOf(waitingOf(all.items));
    const whole = overview[tab === 'approve' ? 'toApprove' : 'toSignOff'];
    return withoutCounts(whole, countsOf(waitingIn(tab, uncounted, sprints, now)));
  };
  return { query: all.query, list, itemsOf, isPartial, countsIn };
}

/** Both queues without pending decisions, and the tab from the address. */
function useQueues() {
  const [address] = useAddress('/top-5/approvals');
  const isOn = address.due !== undefined;
  const countedAt = useQuery({ ...overviewQuery, enabled: false }).dataUpdatedAt;
  const decisions = useDecisions(countedAt);
  const lists = { approve: useQueue('approve', isOn, decisions), 'sign-off': useQueue('sign-off', isOn, decisions) };
  const all = Object.values(lists);
  const isPartial = all.some((queue) => queue.isPartial);
  const { data: overview } = useQuery({ ...overviewQuery, enabled: isPartial });
  // Until both are read, the tab isn’t known.
  const isRead = all.every(({ query }) => query.data !== undefined);
  const queues = {
    approve: isRead ? lists.approve.itemsOf(lists.approve.list.items) : [],
    'sign-off': isRead ? lists['sign-off'].itemsOf(lists['sign-off'].list.items) : [],
  };
  const opened = useOpened(address.tab ? undefined : address.task, isRead && isPartial, queues);
  // The tab doesn't change while the opened task is read.
  const isKnown = isRead && !opened.isPending;
  const wasKnown = useRef(false);
  wasKnown.current ||= isKnown;
  const counts = { approve: lists.approve.countsIn(overview), 'sign-off': lists['sign-off'].countsIn(overview) };
  const sum = (part: keyof Counts) => counts.approve[part] + counts['sign-off'][part];
  const later = sum('later');
  const shown = ({ waiting, later: others }: Counts) => (isOn ? waiting - others : waiting);
  const loaded = new Set(Object.values(queues).flatMap((queue) => queue.map(({ task }) => task.userId))).size;
  return {
    inbox: {
      isLoaded: isRead && wasKnown.current,
      error: all.find(({ query }) => !query.data && query.error)?.query.error ?? null,
      refetch: () => void Promise.all(all.map(({ query }) => query.refetch())),
    },
    lists,
    queues,
    /** What is loaded isn't counted instead of all. */
    isCounted: isRead && (!isPartial || overview !== undefined),
    counts: { approve: shown(counts.approve), 'sign-off': shown(counts['sign-off']) },
    overdue: { approve: counts.approve.overdue, 'sign-off': counts['sign-off'].overdue },
    total: {
      waiting: shown(counts.approve) + shown(counts['sign-off']),
      overdue: sum('overdue'),
      later: isOn ? 0 : later,
      people: isPartial ? (overview?.[isOn ? 'duePeople' : 'people'] ?? loaded) : loaded,
    },
    sitting: { isOn, due: sum('waiting') - later, later },
    tab: address.tab ?? opened.tab,
  };
}

/** The opened task's tab, which its status says if it isn't loaded, else the first nonempty queue. */
function useOpened(taskId: string | undefined, isPartial: boolean, queues: Record<WaitingTab, readonly Waiting[]>) {
  const holding = waitingTabKeys.find((tab) => queues[tab].some(({ task }) => task.id === taskId));
  const isMissing = isPartial && taskId !== undefined && holding === undefined;
  const { data, isPending } = useQuery({ ...taskQuery(taskId ?? ''), enabled: isMissing });
  const own = isMissing && !data?.withdrawn && waitingTabKeys.find((tab) => waitingTabs[tab].status === data?.status);
  const tab = holding ?? (own || waitingTabKeys.find((key) => queues[key].length > 0)) ?? 'approve';
  return { tab, isPending: isMissing && isPending };
}

/** Picked tasks stay picked when a search hides them, even if only the search had loaded them. */
function usePicked() {
  const interrupted = useInterruptedReason();
  const [picked, setPicked] = useState<Picked>(new Map(interrupted.map((id) => [id, null])));
  const toggle = useCallback(
    (task: BoardTask) =>
      setPicked((now) =>
        now.has(task.id) ? new Map([...now].filter(([id]) => id !== task.id)) : new Map([...now, [task.id, task]]),
      ),
    [],
  );
  const leave = (ids: ReadonlySet<string>) => setPicked((now) => new Map([...now].filter(([id]) => !ids.has(id))));
  const takeBack = (tasks: readonly BoardTask[]) =>
    setPicked((now) => new Map([...now, ...tasks.map((task) => [task.id, task] as const)]));
  return { picked, toggle, leave, takeBack, clear: () => setPicked(none) };
}

/** The picked tasks that are shown, and with those that aren’t. */
function picksOf(picked: Picked, { items, all, hasMore }: Pick<Deciding, 'items' | 'all' | 'hasMore'>) {
  const pickedOf = (some: readonly Waiting[]) => some.filter(({ task }) => picked.has(task.id)).map(({ task }) => task);
  const loaded = new Set(all.map(({ task }) => task.id));
  const unloaded = [...picked.values()].flatMap((task) => (task && hasMore && !loaded.has(task.id) ? [task] : []));
  return { picks: pickedOf(items), allPicks: [...pickedOf(all), ...unloaded] };
}

type Shown = { readonly tab: ApprovalsTab; readonly queues: ReturnType<typeof useQueues>; readonly grouped: boolean };

/** The open tab’s tasks that match the search: among all of them, loaded or not. */
function useShown({ tab, queues, grouped }: Shown) {
  const [text, setText] = useState('');
  const [find] = useDebouncedValue(text.trim(), typingPauseMs);
  const open = tab === 'done' ? 'approve' : tab;
  const { list: loaded, itemsOf } = queues.lists[open];
  const choice = {
    ...{ status: waitingTabs[open].status, ...(queues.sitting.isOn && { due: true }) },
    ...{ ...(grouped && { byPerson: true }), ...(find !== '' && { find }) },
  };
  const { list, isNarrowed } = useNarrowed(loaded, tab !== 'done' && (grouped || find !== '') ? choice : null);
  const all = tab === 'done' ? [] : queues.queues[tab];
  const words = ({ task }: Waiting) => `${task.title} ${task.owner.displayName} ${task.category}`;
  const { hasMore } = list.more;
  // Until the server answers, what is loaded stays.
  const matching = hasMore ? all : all.filter((item) => matches(words(item), text));
  const items = isNarrowed ? itemsOf(list.items) : matching;
  // The last person’s tasks may continue on the next page.
  const cut = list.items.at(-1)?.userId;
  const isStale = isNarrowed && (list.query.isPending || list.query.isPlaceholderData);
  const failed = isNarrowed && !list.query.data ? list.query.error : null;
  const isWhole = (personId: string) =>
    !hasMore || (isNarrowed && grouped && !list.query.isPlaceholderData && personId !== cut);
  return {
    ...{ text, setText, all, isWhole },
    items: tab === 'done' ? [] : items,
    count: tab === 'done' ? 0 : queues.counts[tab],
    more: {
      ...{ ...list.more, hasMore: hasMore && tab !== 'done' },
      onMore: () => void list.query.fetchNextPage({ cancelRefetch: false }),
    },
    isReading: list.query.isFetching,
    /** Why a search or another order can’t be shown. */
    failed,
    readAgain: () => void list.query.refetch(),
    /** Whether the rows are those of another search. */
    isStale,
    /** The text whose results the rows are; null while they are being read, or can’t be. */
    foundText: isStale || failed || find !== text.trim() ? null : find,
  };
}

/** Keeps what is loaded of tasks whose decision may fail: without a connection, they couldn't be read again. */
function useKeepLoaded(): (tasks: readonly BoardTask[]) => () => void {
  const client = useQueryClient();
  const kept = useRef(new Set<() => void>());
  const all = kept.current;
  useEffect(() => () => all.forEach((release) => void release()), [all]);
  return (tasks) => {
    const observers = tasks.map(({ id }) => new QueryObserver(client, { ...taskQuery(id), enabled: false }));
    const ends = observers.map((observer) => observer.subscribe(() => {}));
    const release = () => {
      for (const end of ends) end();
      all.delete(release);
    };
    all.add(release);
    return release;
  };
}

/** What the approver wrote: why they deny or send back, or changes to the task. */
export type Written = { readonly reason?: string; readonly edit?: Partial<Work> };

/** Why decisions weren't saved: of each task until it is decided again, or no longer waits. */
function useRefused() {
  const client = useQueryClient();
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const waits = (id: string): boolean => {
    const task = knownTask(client, id);
    return task !== null && statusRule(task.status).approve !== undefined;
  };
  /** Replaces what was said about the call's tasks. */
  const refuse = ({ tasks }: Pick<DecisionsCall, 'tasks'>, why: ReadonlyMap<string, string>) => {
    const decided = new Set(tasks.map(({ id }) => id));
    setRefused((before) => new Map([...[...before].filter(([id]) => !decided.has(id) && waits(id)), ...why]));
  };
  return { refused, refuse };
}

/** Names the task, because another one can be on screen. What was written is kept, and its form sends it. */
function sayFailed(call: DecisionsCall, error: unknown, again: () => void): void {
  const { tasks, decision, change, edit } = call;
  const { message: why, statusCode, requestId } = asApiError(error);
  const [{ title, status }] = tasks as [BoardTask];
  const { done = 'decided', verb = 'the form' } = statusRule(status)[decision] ?? {};
  const what = tasks.length === 1 ? `“${shortened(title)}”` : plural(tasks.length, 'task');
  const isWritten = change !== undefined || edit !== undefined;
  const message = `${what} not ${done}: ${why}${isWritten ? `. Open ${verb} again to send your text` : ''}`;
  showFailure({ message, statusCode, requestId, about: aboutDecision(call), ...(!isWritten && { retry: again }) });
}

/**
 * A decision moves on to the next task before it is answered, and returns to the task if someone else was
 * first.
 */
function useDeciding(deciding: Deciding) {
  const { tab, items, all, hasMore, picked, selected, change, followFocus, onDecide, onFail } = deciding;
  const { refused, refuse } = useRefused();
  const show = (part: SearchChange<'/top-5/approvals'>) => {
    followFocus.current = part.task ?? null;
    change(part, { replace: true });
  };
  const unread = useUnread(selected);
  /** To a task that isn't decided after all: it is no longer the next one. */
  const goBack = (part: SearchChange<'/top-5/approvals'>) => {
    unread.end();
    show(part);
  };
  const inbox = useDecideInbox({ onRefused: refuse, onUndone: (task) => goBack({ tab: null, task }) });
  const client = useQueryClient();
  const keepLoaded = useKeepLoaded();

  const decide = async (
    tasks: readonly BoardTask[],
    decision: Decision,
    { reason, edit, isAgain = false }: Written & { readonly isAgain?: boolean } = {},
  ): Promise<boolean> => {
    const undecided = tasks.filter(({ id }) => !isBeingDecided(client, id));
    if (undecided.length === 0) return false;
    // Picked tasks, or a written text, are meant for these tasks, not for one that slid in.
    const isMeant = isAgain || reason !== undefined || edit !== undefined || tasks.some(({ id }) => id !== selected);
    if (!isMeant && unread.holdsBack('decides')) return false;
    unread.begin();
    const release = keepLoaded(undecided);
    const leaving = new Set(undecided.map(({ id }) => id));
    const isTabEmptied = !hasMore && all.every(({ task }) => leaving.has(task.id));
    onDecide(leaving, isTabEmptied);
    const next = selected !== null && !leaving.has(selected) ? selected : nextAfter(items, leaving, selected);
    // An emptied tab switches to the other one.
    show(next ? { task: next } : { task: null, tab: isTabEmptied ? null : tab });
    const call = { tasks: undecided, decision, change: reason, edit };
    const results = await inbox.mutateAsync(call).catch((error: unknown) => {
      refuse(call, new Map(undecided.map(({ id }) => [id, notDecidedWords])));
      sayFailed(call, error, () => void latest.current(undecided, decision, { isAgain: true }).catch(() => undefined));
      onFail(undecided.filter(({ id }) => picked.has(id)));
      goBack({ task: undecided.length === 1 ? undecided[0]!.id : selected });
      throw error;
    });
    release();
    const lost = results.find((result) => !result.ok && !isSameDecision(result, call));
    if (lost && results.length === 1) {
      goBack({ task: lost.taskId });
      // The next press was meant for the task as it was.
      unread.begin();
    }
    return !lost;
  };
  // A message outlives the list that it was made with.
  const latest = useRef(decide);
  latest.current = decide;
  const { heldBack, holdsBack, begin: slidIn, end: chosen } = unread;
  return { refused, heldBack, holdsBack, decide, slidIn, chosen };
}

/** The task that the person chose, until the address has it. */
function useChosenId(selected: string | null): RefObject<string | null> {
  const id = useRef<string | null>(null);
  if (id.current === selected) id.current = null;
  return id;
}

/** `pinned`: the first task opens automatically, because list and task are side by side. */
export function useApprovals(pinned: boolean) {
  const [address, change] = useAddress('/top-5/approvals');
  const queues = useQueues();
  const { tab, sitting } = queues;
  const { picked, toggle: togglePick, leave: leavePicks, takeBack, clear: clearPicks } = usePicked();
  /** The keyboard continues from this row. */
  const followFocus = useRef<string | null>(null);
  const grouped = address.group !== undefined;
  const { items: found, all, ...search } = useShown({ tab, queues, grouped });
  const groups = grouped ? byPerson(found) : null;
  const items = groups ? groups.flatMap((group) => group.items) : found;
  const { hasMore } = queues.lists[tab === 'done' ? 'approve' : tab].list.more;
  const selected = address.task ?? null;
  const onDecide: Deciding['onDecide'] = (leaving, isTabEmptied) => {
    leavePicks(leaving);
    if (isTabEmptied) search.setText('');
  };
  const { chosen, slidIn, ...deciding } = useDeciding({
    ...{ tab, items, all, hasMore, picked, selected, change, followFocus, onDecide, onFail: takeBack },
  });

  const chosenId = useChosenId(selected);
  const select = (id: string | null, by: 'key' | 'pointer') => {
    chosenId.current = id;
    // An open task isn't drawn again, so its row takes the focus here.
    followFocus.current = by === 'key' && !(id === selected && focusRow(id)) ? id : null;
    chosen();
    change({ task: id }, { replace: pinned });
  };
  const restart = (part: SearchChange<'/top-5/approvals'>) => {
    clearPicks();
    search.setText('');
    change(part);
  };
  const moves = useMoves({ tab, items, selected, chosenId, pinned, change, select, slidIn, ...search });
  return {
    inbox: queues.inbox,
    /** Deciding only what is due before the sprint ends, in both tabs one after the other. */
    sitting: { ...sitting, toggle: () => restart({ due: sitting.isOn ? null : '1', tab: null, task: null }) },
    tab,
    overdue: queues.overdue,
    isCounted: queues.isCounted,
    counts: queues.counts,
    total: queues.total,
    items,
    ...search,
    groups,
    selected,
    picked,
    ...picksOf(picked, { items, all, hasMore }),
    ...deciding,
    followFocus,
    select,
    ...moves,
    togglePick,
    clearPicks,
    chooseTab: (chosen: ApprovalsTab) => restart({ tab: chosen, task: null }),
    group: () => change({ group: grouped ? null : 'person' }, { replace: true }),
  };
}

export type Approvals = ReturnType<typeof useApprovals>;
