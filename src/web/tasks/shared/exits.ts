// The owner's steps that take tasks out of a sprint, with one Undo for all of them.
import { useQueryClient } from '@tanstack/react-query';
import { plural } from '#core/base/formats.ts';
import type { TaskActions } from '#core/tasks/task.ts';
import { ApiError, asApiError } from '#web/api/api-error.ts';
import { isConfirmCode } from '#web/api/confirm.ts';
import { useMutation } from '#web/api/mutation.ts';
import { undoToastMs } from '#web/ui/timing.ts';
import { showToast } from '#web/ui/toasts.tsx';
import * as calls from './calls.ts';
import { shortened, succeeds } from './mutations.ts';
import { allTasksKey, type FullTask, mergeTask, myWeekKey, nextSprint, type Sprint } from './queries.ts';

/** The owner's steps that take a task out of a sprint. */
export const exits = {
  carryOver: {
    call: ({ task }: Step) => calls.carryOver(task.id),
    ...{ done: 'carried over to the current sprint', undone: 'moved back' },
  },
  moveToSprint: {
    call: ({ task, to }: Step) => calls.moveToSprint(task.id, to?.id ?? '', task.version),
    ...{ done: 'moved to another sprint', undone: 'moved back' },
  },
  leaveUndone: {
    call: ({ task, reason }: Step) => calls.leaveUndone(task.id, reason),
    ...{ done: 'left undone', undone: 'reopened' },
  },
  withdraw: {
    call: ({ task, reason }: Step) => calls.withdraw(task.id, reason),
    ...{ done: 'withdrawn', undone: 'restored' },
  },
} as const;

/** "carried over", "carried over twice", "carried over 3 times" */
export const carriedOverWords = (times: number): string =>
  ['carried over', 'carried over twice'][times - 1] ?? `carried over ${times} times`;

/** What each step does, shown on hover. */
export const exitHints: Readonly<Record<keyof typeof exits, string>> = {
  carryOver: 'Moves the task to the current sprint',
  moveToSprint: 'Its approver will decide on it there',
  leaveUndone: 'Closes the task as not completed. It stays in its sprint',
  withdraw: 'Takes the task off the board. Its history is kept',
};
type Step = {
  readonly task: Pick<FullTask, 'id' | 'title'> & Partial<Pick<FullTask, 'repeats' | 'version'>>;
  /** Kept in the task's history. */
  readonly reason?: string;
  /** The sprint that it moves to. */
  readonly to?: Pick<Sprint, 'id' | 'name'>;
};
export type Exit = Step & { readonly step: keyof typeof exits };

/** Trying again sends the others only. */
const sent = new WeakSet<Exit>();

/**
 * Takes one or more tasks out of a sprint: one message with one Undo for all of them. Each is a separate
 * call: a refused one doesn't stop the others, and the first refusal is shown. `isAwaited`: the caller goes
 * on with the answer, so a lost one is tried again there.
 */
export function useExits({ isAwaited = false } = {}) {
  const client = useQueryClient();
  const eachOf = async (taken: readonly Exit[], call: (exit: Exit) => Promise<FullTask>, done: Exit[]) => {
    const refused: unknown[] = [];
    for (const exit of taken) {
      try {
        mergeTask(client, await call(exit));
        done.push(exit);
      } catch (error) {
        const failure = asApiError(error);
        refused.push(failure.code === 'NETWORK' ? unsent(taken.slice(taken.indexOf(exit)), failure) : error);
        // Without the server, the others would fail too.
        if (!isRefused(error)) break;
      }
    }
    void client.invalidateQueries({ queryKey: allTasksKey });
    if (refused.length > 0) throw refused[0];
  };
  const undo = useMutation({
    scope: { id: 'tasks' },
    mutationFn: async (taken: readonly Exit[]) => {
      const undone = await calls.undoSteps(taken.map(({ task }) => task.id));
      for (const task of undone) mergeTask(client, task);
      showToast({ message: stepWords(taken, 'undone') });
    },
    onSettled: () => void client.invalidateQueries({ queryKey: allTasksKey }),
    meta: { what: 'Undoing the change', retryable: true },
  });
  return useMutation({
    scope: { id: 'tasks' },
    mutationFn: async (taken: readonly Exit[]) => {
      const done: Exit[] = [];
      const rest = taken.filter((exit) => !sent.has(exit));
      const week = client.getQueryData<KnownWeek>(myWeekKey);
      const startedAt = performance.now();
      await eachOf(rest, (exit) => exits[exit.step].call(exit), done).finally(() => {
        for (const exit of done) sent.add(exit);
        // The server undoes all of a step or nothing, and none that took longer.
        const canUndo = performance.now() - startedAt < undoToastMs;
        const toast = { message: whatWasDone(done, week), ...(canUndo && { onUndo: () => undo.mutate(done) }) };
        if (done.length > 0) showToast(toast);
      });
    },
    meta: { what: 'Changing the task', undoable: true, ...(!isAwaited && { retryable: true }) },
  });
}

/** Names the tasks, whose page may be left before someone tries again. */
function unsent(rest: readonly Exit[], error: ApiError): ApiError {
  const { code, statusCode } = error;
  const message = `${named(rest)} ${rest.length > 1 ? 'weren’t' : 'wasn’t'} ${exits[rest[0]!.step].done}: ${error.message}`;
  return new ApiError({ code, statusCode, message });
}

/** The task's own refusal: changed, gone or not allowed. A proof that wasn't given is refused for all. */
function isRefused(error: unknown): boolean {
  const { code, statusCode } = asApiError(error);
  return !isConfirmCode(code) && [400, 403, 404, 409].includes(statusCode);
}

const named = (taken: readonly Exit[]): string =>
  taken.length > 1 ? plural(taken.length, 'task') : `“${shortened(taken[0]!.task.title)}”`;

function stepWords(taken: readonly Exit[], words: 'done' | 'undone'): string {
  const wordsOf = ({ step, to }: Exit) => (to && words === 'done' ? `moved to ${to.name}` : exits[step][words]);
  return [...Map.groupBy(taken, wordsOf)].map(([said, some]) => `${named(some)} ${said}`).join(', ');
}

function whatWasDone(taken: readonly Exit[], week: KnownWeek | undefined): string {
  const withStep = (wanted: Exit['step']) => taken.filter(({ step }) => step === wanted);
  return stepWords(taken, 'done') + extraWords(withStep('carryOver').length, week) + repeatWords(withStep('withdraw'));
}

/** Withdrawing skips one sprint. */
function repeatWords(withdrawn: readonly Exit[]): string {
  const count = withdrawn.filter(({ task }) => task.repeats).length;
  if (count === 0) return '';
  return `. ${withdrawn.length === 1 ? 'It still repeats' : plural(count, 'task still repeats', 'tasks still repeat')}`;
}

/** The current sprint before the change. */
type KnownWeek = { readonly taskLimit: number; readonly tasks: readonly unknown[] };

/** How many tasks the carried ones push beyond the limit: the ones created last. */
function extraWords(carried: number, week: KnownWeek | undefined): string {
  if (!week) return '';
  const extra = carried - Math.max(0, week.taskLimit - week.tasks.length);
  if (carried === 0 || extra <= 0) return '';
  return `. ${plural(extra, 'more task now counts', 'more tasks now count')} as extra, beyond the ${week.taskLimit} planned`;
}

/** The owner's step to the next sprint, or from a later one to the current sprint; null where none is open. */
export function useSprintMove(
  task: Step['task'] & Pick<FullTask, 'sprintId'>,
  actions: TaskActions,
  sprints: readonly Sprint[],
) {
  const exits = useExits({ isAwaited: true });
  const here = sprints.find(({ id }) => id === task.sprintId);
  const to = here && (here.current ? nextSprint(here, sprints) : sprints.find(({ current }) => current));
  if (!to || !actions.moveToSprint) return null;
  return {
    to,
    label: here.current ? 'Move to next sprint' : 'Move to current sprint',
    isPending: exits.isPending,
    /** Resolves to whether it succeeded. */
    run: () => succeeds(exits.mutateAsync([{ task, step: 'moveToSprint', to }])),
  };
}
