// The state of the inbox page: which tab, which task, which are picked, and what a decision does to them.
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Decision } from '#core/task-status.ts';
import { useAddress } from '#web/address.ts';
import { useNow } from '#web/ui/age.tsx';
import { useDecideInbox, usePendingDecisions } from './approvals-decisions.ts';
import {
  type ApprovalsTab,
  byPerson,
  isApprovalsTab,
  nextAfter,
  type Waiting,
  type WaitingTab,
  waitingIn,
} from './approvals-order.ts';
import { inboxQuery } from './approvals-queries.ts';
import { type BoardTask, useSprints } from './task-queries.ts';

const none: ReadonlySet<string> = new Set();

/** Both queues without what is being decided right now, and the tab: the address's, else the first that holds something. */
function useQueues() {
  const [address] = useAddress();
  const inbox = useQuery(inboxQuery);
  const pending = usePendingDecisions();
  const sprints = useSprints();
  const now = useNow();
  const open = (inbox.data ?? []).filter(({ id }) => !pending.has(id));
  const queues: Record<WaitingTab, Waiting[]> = {
    approve: waitingIn('approve', open, sprints, now),
    'sign-off': waitingIn('sign-off', open, sprints, now),
  };
  const firstFilled: ApprovalsTab =
    queues.approve.length === 0 && queues['sign-off'].length > 0 ? 'sign-off' : 'approve';
  return { inbox, queues, tab: isApprovalsTab(address.tab) ? address.tab : firstFilled };
}

/** `pinned`: the first task is opened by itself, as it is where list and task stand side by side. */
export function useApprovals(pinned: boolean) {
  const [address, change] = useAddress();
  const { inbox, queues, tab } = useQueues();
  const [picked, setPicked] = useState(none);
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  /** The keyboard goes on from the row that is selected next. */
  const followFocus = useRef(false);

  const grouped = address.group === 'person';
  const waiting = tab === 'done' ? [] : queues[tab];
  const groups = grouped ? byPerson(waiting) : null;
  const items = groups ? groups.flatMap((group) => group.items) : waiting;
  const selected = address.task ?? null;
  const picks = items.filter(({ task }) => picked.has(task.id)).map(({ task }) => task);

  // Written into the address, so that a task that leaves by somebody else's hand never puts another one under a key about to be pressed.
  const first = items[0]?.task.id;
  useEffect(() => {
    if (pinned && !selected && first) change({ tab, task: first }, { replace: true });
  }, [pinned, selected, first, tab, change]);

  const select = useCallback(
    (id: string | null, by: 'key' | 'pointer') => {
      followFocus.current = by === 'key';
      change({ task: id }, { replace: pinned });
    },
    [change, pinned],
  );
  const decideInbox = useDecideInbox({
    onRefused: setRefused,
    onUndone: (taskId) => {
      followFocus.current = true;
      change({ tab: null, task: taskId }, { replace: true });
    },
  });
  const decide = (tasks: readonly BoardTask[], decision: Decision, reason?: string) => {
    const leaving = new Set(tasks.map(({ id }) => id));
    const stays = selected !== null && !leaving.has(selected);
    const next = stays ? selected : nextAfter(items, leaving, selected);
    setPicked(none);
    followFocus.current = true;
    // A tab that is empty now gives way to the one that is not.
    change(next ? { task: next } : { task: null, tab: null }, { replace: true });
    return decideInbox.mutateAsync({ tasks, decision, change: reason }).then((results) => {
      const lost = results.find(({ ok }) => !ok);
      // Somebody else was first: the task as it is now, with who did it.
      if (lost && results.length === 1) change({ task: lost.taskId }, { replace: true });
      return !lost;
    });
  };
  const move = (step: 1 | -1) => {
    const at = items.findIndex(({ task }) => task.id === selected);
    const to = items[at === -1 ? 0 : Math.min(items.length - 1, Math.max(0, at + step))];
    if (to) select(to.task.id, 'key');
  };
  const togglePick = useCallback(
    (id: string) =>
      setPicked((now) => (now.has(id) ? new Set([...now].filter((each) => each !== id)) : new Set([...now, id]))),
    [],
  );
  return {
    inbox,
    tab,
    counts: { approve: queues.approve.length, 'sign-off': queues['sign-off'].length },
    everything: [...queues.approve, ...queues['sign-off']],
    items,
    groups,
    selected,
    picked,
    picks,
    refused,
    followFocus,
    select,
    move,
    decide,
    togglePick,
    clearPicks: () => setPicked(none),
    chooseTab: (chosen: ApprovalsTab) => {
      setPicked(none);
      change({ tab: chosen, task: null });
    },
    group: () => change({ group: grouped ? null : 'person' }, { replace: true }),
  };
}

export type Approvals = ReturnType<typeof useApprovals>;
