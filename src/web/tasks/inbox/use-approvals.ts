// The inbox page's state: tab, task, picked tasks, and the effect of decisions.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Decision } from '#core/tasks/task-status.ts';
import type { ApprovalsTab } from '#core/tasks/tasks-search.ts';
import { asApiError } from '#web/api/api-error.ts';
import { type SearchChange, useAddress } from '#web/shell/address.ts';
import { useNow } from '#web/ui/age.tsx';
import { doublePressMs } from '#web/ui/timing.ts';
import { showError } from '#web/ui/toasts.tsx';
import { type BoardTask, useSprints } from '../shared/queries.ts';
import { isBeingDecided, useDecideInbox, usePendingDecisions } from './decisions.ts';
import { byPerson, nextAfter, type Waiting, type WaitingTab, waitingIn, waitingTabKeys } from './order.ts';
import { inboxQuery } from './queries.ts';

const none: ReadonlySet<string> = new Set();

/** Both queues without pending decisions, and the tab from the address. */
function useQueues() {
  const [address] = useAddress('/top-5/approvals');
  const inbox = useQuery(inboxQuery);
  const pending = usePendingDecisions();
  const sprints = useSprints();
  const now = useNow();
  const open = (inbox.data ?? []).filter(({ id }) => !pending.has(id));
  const queues: Record<WaitingTab, Waiting[]> = {
    approve: waitingIn('approve', open, sprints, now),
    'sign-off': waitingIn('sign-off', open, sprints, now),
  };
  return { inbox, queues, tab: address.tab ?? tabOf(queues, address.task) };
}

/** The opened task's tab, else the first nonempty queue. */
function tabOf(queues: Record<WaitingTab, Waiting[]>, opened: string | undefined): WaitingTab {
  const holding = waitingTabKeys.find((tab) => queues[tab].some(({ task }) => task.id === opened));
  return holding ?? waitingTabKeys.find((tab) => queues[tab].length > 0) ?? 'approve';
}

const overdueIn = (queue: readonly Waiting[]): number => queue.filter(({ overdue }) => overdue).length;

function usePicked() {
  const [picked, setPicked] = useState(none);
  const toggle = useCallback(
    (id: string) =>
      setPicked((now) => (now.has(id) ? new Set([...now].filter((each) => each !== id)) : new Set([...now, id]))),
    [],
  );
  return { picked, toggle, clear: () => setPicked(none) };
}

type Deciding = {
  readonly items: readonly Waiting[];
  readonly selected: string | null;
  readonly change: ReturnType<typeof useAddress<'/top-5/approvals'>>[1];
  /** The task whose row takes the focus once it is selected. */
  readonly followFocus: RefObject<string | null>;
  /** Called when a decision is sent. */
  readonly onDecide: () => void;
};

/**
 * A decision moves on to the next task before it is answered, and returns to the task if someone else was
 * first.
 */
function useDeciding({ items, selected, change, followFocus, onDecide }: Deciding) {
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const show = (part: SearchChange<'/top-5/approvals'>) => {
    followFocus.current = part.task ?? null;
    change(part, { replace: true });
  };
  const inbox = useDecideInbox({ onRefused: setRefused, onUndone: (task) => show({ tab: null, task }) });
  const client = useQueryClient();
  const unread = useUnread(selected);

  const decide = async (tasks: readonly BoardTask[], decision: Decision, reason?: string): Promise<boolean> => {
    const undecided = tasks.filter(({ id }) => !isBeingDecided(client, id));
    if (undecided.length === 0) return false;
    // Picked tasks, or a written reason, are meant for these tasks, not for one that slid in.
    const isMeant = reason !== undefined || tasks.some(({ id }) => id !== selected);
    if (!isMeant && unread.holdsBack()) return false;
    onDecide();
    unread.begin();
    const leaving = new Set(undecided.map(({ id }) => id));
    const next = selected !== null && !leaving.has(selected) ? selected : nextAfter(items, leaving, selected);
    // An emptied tab switches to the other one.
    show(next ? { task: next } : { task: null, tab: null });
    const results = await inbox.mutateAsync({ tasks: undecided, decision, change: reason }).catch((error: unknown) => {
      const { code, message, requestId } = asApiError(error);
      setRefused(new Map(undecided.map(({ id }) => [id, 'Not decided. Try again'])));
      // The page's banner says that the connection is lost.
      if (code !== 'NETWORK') showError(message, requestId);
      if (undecided.length === 1) show({ task: undecided[0]?.id ?? null });
      throw error;
    });
    const lost = results.find(({ ok }) => !ok);
    if (lost && results.length === 1) show({ task: lost.taskId });
    return !lost;
  };
  return { refused, heldBack: unread.heldBack, decide, chosen: unread.end };
}

/**
 * The next task slides under the pointer after a decision. A second press meant for the first task must not
 * decide it, so presses are blocked, with a message, until the task has been visible for a moment.
 */
function useUnread(selected: string | null) {
  const since = useRef<number | null>(null);
  const [heldBack, setHeldBack] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the moment counts from when the next task is drawn.
  useEffect(() => {
    if (since.current !== null) since.current = performance.now();
  }, [selected]);
  return {
    begin: () => {
      since.current = performance.now();
    },
    /** The person selected this task themselves. */
    end: () => {
      since.current = null;
      setHeldBack(null);
    },
    holdsBack: () => {
      const tooSoon = since.current !== null && performance.now() - since.current < doublePressMs;
      if (tooSoon) setHeldBack(selected);
      return tooSoon;
    },
    /** The task whose press was blocked. */
    heldBack,
  };
}

/** `pinned`: the first task opens automatically, because list and task are side by side. */
export function useApprovals(pinned: boolean) {
  const [address, change] = useAddress('/top-5/approvals');
  const { inbox, queues, tab } = useQueues();
  const { picked, toggle: togglePick, clear: clearPicks } = usePicked();
  /** The keyboard continues from this row. */
  const followFocus = useRef<string | null>(null);
  const grouped = address.group !== undefined;
  const waiting = tab === 'done' ? [] : queues[tab];
  const groups = grouped ? byPerson(waiting) : null;
  const items = groups ? groups.flatMap((group) => group.items) : waiting;
  const selected = address.task ?? null;
  const { chosen, ...deciding } = useDeciding({ items, selected, change, followFocus, onDecide: clearPicks });

  // Written to the address, so a task removed by someone else never puts the next one under a key about to be
  // pressed.
  const first = items[0]?.task.id;
  useEffect(() => {
    if (pinned && !selected && first) change({ tab, task: first }, { replace: true });
  }, [pinned, selected, first, tab, change]);

  const select = (id: string | null, by: 'key' | 'pointer') => {
    followFocus.current = by === 'key' ? id : null;
    chosen();
    change({ task: id }, { replace: pinned });
  };
  const at = items.findIndex(({ task }) => task.id === selected);
  /** The opened task's position: when it leaves the queue, the next one has moved there. */
  const place = useRef(0);
  if (at !== -1) place.current = at;
  const move = (step: 1 | -1) => {
    const wanted = at === -1 && step === 1 ? place.current : place.current + step;
    const to = items[Math.min(items.length - 1, Math.max(0, wanted))];
    if (to) select(to.task.id, 'key');
  };
  return {
    inbox,
    tab,
    overdue: { approve: overdueIn(queues.approve), 'sign-off': overdueIn(queues['sign-off']) },
    counts: { approve: queues.approve.length, 'sign-off': queues['sign-off'].length },
    everything: [...queues.approve, ...queues['sign-off']],
    items,
    groups,
    selected,
    picked,
    picks: items.filter(({ task }) => picked.has(task.id)).map(({ task }) => task),
    ...deciding,
    followFocus,
    select,
    move,
    togglePick,
    clearPicks,
    chooseTab: (chosen: ApprovalsTab) => {
      clearPicks();
      change({ tab: chosen, task: null });
    },
    group: () => change({ group: grouped ? null : 'person' }, { replace: true }),
  };
}

export type Approvals = ReturnType<typeof useApprovals>;
