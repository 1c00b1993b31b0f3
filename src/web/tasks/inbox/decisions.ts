// Decisions in the inbox: sent immediately, shown optimistically, undoable for 30 seconds, and refused when
// someone else was first.
import { type QueryClient, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { plural } from '#core/base/formats.ts';
import { eventSentence } from '#core/tasks/task.ts';
import { decisionBetween, statusRule, taskStatuses } from '#core/tasks/task-status.ts';
import { isUnanswered } from '#web/api/api-error.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useViewer } from '#web/api/viewer.ts';
import { hideToasts, showError, showToast } from '#web/ui/toasts.tsx';
import { undoDecisions } from '../shared/calls.ts';
import { doneWith, shortened } from '../shared/mutations.ts';
import { changesDelivery, changesText } from '../shared/past.ts';
import { type BoardTask, dropTask, type HistoryEntry, mergeTask, taskQuery } from '../shared/queries.ts';
import { useOfferReason } from '../shared/reason-form.tsx';
import { aboutDecision, type DecisionResult, type DecisionsCall, decideTasks, readDecided } from './calls.ts';
import { addToInbox, rereadInbox } from './queries.ts';

const deciding = ['decide-inbox'] as const;

/**
 * `pending`: tasks already out of the queue, and back if the call fails. `uncounted`: these, and those
 * decided since the server counted what waits.
 */
export function useDecisions(countedAt: number): Record<'pending' | 'uncounted', readonly BoardTask[]> {
  const all = useMutationState({ filters: { mutationKey: deciding }, select: ({ state }) => state });
  const tasksOf = (isMeant: (state: (typeof all)[number]) => boolean) =>
    all.filter(isMeant).flatMap(({ variables }) => (variables as DecisionsCall | undefined)?.tasks ?? []);
  return {
    pending: tasksOf(({ status }) => status === 'pending'),
    uncounted: tasksOf(
      ({ status, submittedAt }) => status === 'pending' || (status === 'success' && submittedAt >= countedAt),
    ),
  };
}

/** Whether this page's decision about the task is pending; its own answer then shows the result. */
export function isBeingDecided(client: QueryClient, taskId: string): boolean {
  const calls = client.getMutationCache().findAll({ mutationKey: deciding, status: 'pending' });
  return calls.some(({ state }) =>
    (state.variables as DecisionsCall | undefined)?.tasks.some(({ id }) => id === taskId),
  );
}

type Heard = {
  /** The decisions of a call that were refused, with each task's message. */
  readonly onRefused: (call: DecisionsCall, refused: ReadonlyMap<string, string>) => void;
  /** A decision was undone: the task waits again. */
  readonly onUndone: (taskId: string) => void;
};

export function useDecideInbox({ onRefused, onUndone }: Heard) {
  const client = useQueryClient();
  const undo = useUndoDecided(onUndone);
  const { id: viewerId } = useViewer();
  const settle = (results: readonly DecisionResult[], call: DecisionsCall) => {
    hideToasts(aboutDecision(call));
    for (const { taskId, ok, task } of results) {
      if (task) mergeTask(client, task);
      else if (!ok) dropTask(client, taskId);
    }
    const refused = results.filter((result) => !result.ok && !isSameDecision(result, call));
    onRefused(call, new Map(refused.map((result) => [result.taskId, whyRefused(result, call)])));
    const done = results.filter(({ ok }) => ok).map(({ taskId }) => taskId);
    tell(results, call, done.length > 0 ? () => undo.mutate(done) : null);
  };
  const setLost = useLostDecision(settle);
  return useMutation({
    mutationKey: deciding,
    mutationFn: (call: DecisionsCall) => decideTasks(call, viewerId),
    // The page says why a call failed.
    meta: { what: 'Saving the decision', quiet: true, undoable: true },
    onMutate: (call) => {
      hideToasts(aboutDecision(call));
      setLost(null);
    },
    onError: (error, call) => isUnanswered(error) && setLost(call),
    onSuccess: settle,
    // Not awaited: until this call ends, its tasks count as pending.
    onSettled: () => void rereadInbox(client),
  });
}

/** The decision whose answer was lost: told once its first task shows that the server made it after all. */
function useLostDecision(settle: (results: readonly DecisionResult[], call: DecisionsCall) => void) {
  const [lost, setLost] = useState<DecisionsCall | null>(null);
  const { id: viewerId } = useViewer();
  const [first] = lost?.tasks ?? [];
  const { data: task } = useQuery({ ...taskQuery(first?.id ?? ''), enabled: first !== undefined });
  const isChanged = first !== undefined && task !== undefined && (task?.version ?? Infinity) > first.version;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the task has changed.
  useEffect(() => {
    if (!lost || !isChanged) return;
    setLost(null);
    readDecided(lost, viewerId).then(
      (results) => settle(results, lost),
      () => undefined,
    );
  }, [isChanged]);
  return setLost;
}

function useUndoDecided(onUndone: Heard['onUndone']) {
  const client = useQueryClient();
  const offerReason = useOfferReason();
  return useMutation({
    mutationFn: undoDecisions,
    meta: { what: 'Undoing the decision', retryable: true },
    onSuccess: (undone) => {
      for (const task of undone) {
        mergeTask(client, task);
        void addToInbox(client, task);
        offerReason(task);
      }
      const [first] = undone;
      if (first) {
        const what = undone.length === 1 ? `“${shortened(first.title)}” is` : `${plural(undone.length, 'task')} are`;
        showToast({ message: `${what} ${taskStatuses[first.status].title} again` });
        onUndone(first.id);
      }
      void rereadInbox(client);
    },
  });
}

/**
 * Someone else approved it first: nothing is left to do. A denial has its reason, and an approval may have
 * edits, so another one is none.
 */
export function isSameDecision(
  { taskId, code, task }: DecisionResult,
  { tasks, decision, edit = {} }: DecisionsCall,
): boolean {
  const before = tasks.find(({ id }) => id === taskId);
  if (code !== 'CONFLICT' || decision !== 'approve' || Object.keys(edit).length > 0 || !task || !before) return false;
  return decisionBetween(before.status, task.status) === decision;
}

/** The latest move: notes and edits may have followed it. */
const lastEntry = ({ task }: DecisionResult) =>
  task?.history.filter(({ from, to }) => from !== to).toSorted((a, b) => b.version - a.version)[0];

/** What changed a text, a file or a note after the version that was decided. */
function lastChange({ taskId, task }: DecisionResult, { tasks }: DecisionsCall) {
  const seen = tasks.find(({ id }) => id === taskId)?.version ?? Infinity;
  const isMeant = (entry: HistoryEntry) => entry.version > seen && (changesText(entry) || changesDelivery(entry));
  return task?.history.filter(isMeant).toSorted((a, b) => b.version - a.version)[0];
}

/** "Farah Haddad signed off this task" if someone else was first, else what changed or the server's message. */
function whyRefused(result: DecisionResult, call: DecisionsCall): string {
  const { code, message, task } = result;
  const before = call.tasks.find(({ id }) => id === result.taskId);
  const last = (task?.status === before?.status && lastChange(result, call)) || lastEntry(result);
  if (code === 'CONFLICT' && last) return eventSentence(last.actorName, last.event, 'this task');
  if (code === 'NOT_FOUND') return 'Someone else already decided, or you no longer can';
  return message ?? 'Couldn’t save the decision';
}

/** One toast for the whole call: "4 approved, 1 had already changed". */
function tell(results: readonly DecisionResult[], call: DecisionsCall, onUndo: (() => void) | null): void {
  const { tasks, decision, edit = {} } = call;
  const [first] = tasks;
  const word = doneWith((first && statusRule(first.status)[decision]?.done) ?? 'decided', edit);
  const refused = results.filter((result) => !result.ok && !isSameDecision(result, call));
  const [one] = refused;
  const title = (taskId: string) => `“${shortened(tasks.find(({ id }) => id === taskId)?.title ?? '')}”`;
  if (one && results.length === 1) {
    showError(`${title(one.taskId)}: ${whyRefused(one, call)}`);
    return;
  }
  const done = results.length - refused.length;
  const why = refused.some(({ code }) => code === null) ? 'not saved' : 'had already changed';
  const [only] = results;
  const by = only && !only.ok ? ` by ${lastEntry(only)?.actorName}` : '';
  const words =
    results.length === 1 && first
      ? `${title(first.id)} ${word}${by}`
      : `${done} ${word}${refused.length > 0 ? `, ${refused.length} ${why}` : ''}`;
  showToast({ message: words, ...(onUndo ? { onUndo } : {}) });
}
