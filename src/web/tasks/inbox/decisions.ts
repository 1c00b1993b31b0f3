// Decisions in the inbox: sent immediately, shown optimistically, undoable for 30 seconds, and refused when
// someone else was first.
import { type QueryClient, useMutationState, useQueryClient } from '@tanstack/react-query';
import { taskEvents } from '#core/tasks/task.ts';
import { statusRule } from '#core/tasks/task-status.ts';
import { useMutation } from '#web/api/mutation.ts';
import { showError, showToast } from '#web/ui/toasts.tsx';
import { undoDecision } from '../shared/calls.ts';
import { shortened } from '../shared/mutations.ts';
import { dropTask, type FullTask, mergeTask, rereadTasks } from '../shared/queries.ts';
import { useOfferReason } from '../shared/reason-form.tsx';
import { type DecisionResult, type DecisionsCall, decideTasks } from './calls.ts';
import { rereadInbox } from './queries.ts';

const deciding = ['decide-inbox'] as const;

/** Tasks with a pending decision: already out of the queue, and back if the call fails. */
export function usePendingDecisions(): ReadonlySet<string> {
  const pending = useMutationState({
    filters: { mutationKey: deciding, status: 'pending' },
    select: ({ state }) => state.variables as DecisionsCall | undefined,
  });
  return new Set(pending.flatMap((call) => call?.tasks.map(({ id }) => id) ?? []));
}

/** Whether this page's decision about the task is pending; its own answer then shows the result. */
export function isBeingDecided(client: QueryClient, taskId: string): boolean {
  const calls = client.getMutationCache().findAll({ mutationKey: deciding, status: 'pending' });
  return calls.some(({ state }) =>
    (state.variables as DecisionsCall | undefined)?.tasks.some(({ id }) => id === taskId),
  );
}

type Heard = {
  /** Refused decisions, with each task's message. */
  readonly onRefused: (refused: ReadonlyMap<string, string>) => void;
  /** A decision was undone: the task waits again. */
  readonly onUndone: (taskId: string) => void;
};

export function useDecideInbox({ onRefused, onUndone }: Heard) {
  const client = useQueryClient();
  const offerReason = useOfferReason();
  const undo = useMutation({
    mutationFn: undoAll,
    meta: { what: 'Undoing the decision' },
    onSuccess: ({ undone, failed }) => {
      for (const task of undone) {
        mergeTask(client, task);
        offerReason(task);
      }
      if (failed > 0)
        showError(
          failed === 1 ? 'One decision can no longer be undone' : `${failed} decisions can no longer be undone`,
        );
      if (undone[0]) onUndone(undone[0].id);
      void rereadTasks(client);
      void rereadInbox(client);
    },
  });
  return useMutation({
    mutationKey: deciding,
    mutationFn: decideTasks,
    // The page says why a call failed.
    meta: { what: 'Deciding the tasks', quiet: true },
    onSuccess: (results, call) => {
      for (const { taskId, ok, task } of results) {
        if (task) mergeTask(client, task);
        else if (!ok) dropTask(client, taskId);
      }
      onRefused(new Map(results.filter(({ ok }) => !ok).map((result) => [result.taskId, whyRefused(result)])));
      const done = results.filter(({ ok }) => ok).map(({ taskId }) => taskId);
      tell(results, call, done.length > 0 ? () => undo.mutate(done) : null);
    },
    // Not awaited: until this call ends, its tasks count as pending.
    onSettled: () => void rereadInbox(client),
  });
}

async function undoAll(taskIds: readonly string[]): Promise<{ undone: FullTask[]; failed: number }> {
  const answers = await Promise.allSettled(taskIds.map(undoDecision));
  const undone = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const refused = answers.find((answer) => answer.status === 'rejected');
  // All failed for the same reason, which says more than a count.
  if (undone.length === 0 && refused) throw refused.reason;
  return { undone, failed: answers.length - undone.length };
}

/** "Changed in the meantime (Farah Haddad signed off)" if someone else was first, else the server's message. */
function whyRefused({ code, message, task }: DecisionResult): string {
  const last = task?.history.toSorted((a, b) => b.version - a.version)[0];
  if (code === 'CONFLICT' && last) return `Changed in the meantime (${last.actorName} ${taskEvents[last.event]})`;
  return message ?? 'Couldn’t save the decision';
}

/** One toast for the whole call: "4 approved, 1 changed in the meantime". */
function tell(
  results: readonly DecisionResult[],
  { tasks, decision }: DecisionsCall,
  onUndo: (() => void) | null,
): void {
  const [first] = tasks;
  const word = (first && statusRule(first.status)[decision]?.done) ?? 'decided';
  const refused = results.filter(({ ok }) => !ok);
  const [one] = refused;
  const title = (taskId: string) => `“${shortened(tasks.find(({ id }) => id === taskId)?.title ?? '')}”`;
  if (one && results.length === 1) {
    showError(`${title(one.taskId)}: ${whyRefused(one)}`);
    return;
  }
  const done = results.length - refused.length;
  const words =
    results.length === 1 && first
      ? `${title(first.id)} ${word}`
      : `${done} ${word}${refused.length > 0 ? `, ${refused.length} changed in the meantime` : ''}`;
  showToast({ message: words, ...(onUndo ? { onUndo } : {}) });
}
