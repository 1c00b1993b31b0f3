// S.T.A.R.T's mutations. Each returns the task, which is merged by id. A pending call's expected result is
// applied on top of the data (`usePendingGuesses`): visible immediately, and gone if the call fails, so no
// manual rollback is needed.
import { type MutationMeta, type QueryClient, useMutationState, useQueryClient } from '@tanstack/react-query';
import { repeats } from '#core/tasks/repeat.ts';
import type { Work } from '#core/tasks/task.ts';
import { type Decision, statusRule, type TaskStatus, taskStatuses } from '#core/tasks/task-status.ts';
import { asApiError, isUnanswered } from '#web/api/api-error.ts';
import { useMutation } from '#web/api/mutation.ts';
import { questionMs } from '#web/api/request.ts';
import { timerQuery, useStopTimerOf } from '#web/api/timer.ts';
import { useViewer } from '#web/api/viewer.ts';
import { showFailure, showToast } from '#web/ui/toasts.tsx';
import * as calls from './calls.ts';
import { type BoardTask, dropTask, type FullTask, knownTask, mergeTask, myWeekKey, readTask } from './queries.ts';
import { useOfferReason } from './reason-form.tsx';

/** The expected result of a change. */
export type Guess = Partial<Pick<FullTask, 'status' | 'title' | 'summary' | 'category' | 'repeats'>>;
type Aimed = { readonly taskId: string; readonly guess?: Guess };

const changing = ['change-task'] as const;

function useTaskChange<Variables extends Aimed>(
  call: (variables: Variables) => Promise<FullTask>,
  meta: MutationMeta,
  done?: (task: FullTask, variables: Variables) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: changing,
    // In sequence: a second move must not overtake the first.
    scope: { id: 'tasks' },
    mutationFn: (variables: Variables) => call(variables).catch((error: unknown) => changedAnyway(variables, error)),
    meta: { ...meta, undoable: true },
    onSuccess: (task, variables) => {
      mergeTask(client, task);
      // A changed status may affect someone's inbox.
      if (variables.guess?.status) void client.invalidateQueries({ queryKey: ['inbox'] });
      done?.(task, variables);
    },
    // Refused, perhaps because the task has changed: rereads it in the background.
    onError: (error, { taskId }) => {
      void rereadTask(client, taskId);
      // The sprint went on since the page read it.
      if (error.code === 'SPRINT_DOES_NOT_ALLOW') void client.invalidateQueries({ queryKey: myWeekKey });
    },
  });
}

/** After a lost answer, the task itself shows whether the change was made. Otherwise throws the failure. */
async function changedAnyway({ taskId, guess }: Aimed, failure: unknown): Promise<FullTask> {
  const wanted = Object.entries(guess ?? {}) as [keyof Guess, unknown][];
  if (wanted.length === 0 || !isUnanswered(failure)) throw failure;
  const task = await readTask(taskId, { answerMs: questionMs }).catch(() => null);
  if (!task || wanted.some(([field, value]) => task[field] !== value)) throw failure;
  return task;
}

async function rereadTask(client: QueryClient, taskId: string): Promise<void> {
  const task = await readTask(taskId).catch(() => undefined);
  if (task) mergeTask(client, task);
  else if (task === null) dropTask(client, taskId);
}

/** The expected results of pending calls, by task. */
export function usePendingGuesses(): ReadonlyMap<string, Guess> {
  const pending = useMutationState({
    filters: { mutationKey: changing, status: 'pending' },
    select: ({ state }) => state.variables as Aimed | undefined,
  });
  const guesses = new Map<string, Guess>();
  for (const each of pending) {
    if (each?.guess) guesses.set(each.taskId, { ...guesses.get(each.taskId), ...each.guess });
  }
  return guesses;
}

/** Where the latest change of this task should have moved it, and why it failed; null unless it did. */
export function useFailedMove(taskId: string): { readonly to: TaskStatus; readonly message: string } | null {
  const changes = useMutationState({
    filters: {
      mutationKey: changing,
      predicate: ({ state }) => (state.variables as Aimed | undefined)?.taskId === taskId,
    },
    select: ({ state }) => ({
      to: (state.variables as Aimed | undefined)?.guess?.status,
      failure: state.status === 'error' ? asApiError(state.error).message : null,
    }),
  });
  const last = changes.at(-1);
  return last?.to && last.failure !== null ? { to: last.to, message: last.failure } : null;
}

export function withGuess<Shown extends object>(task: Shown, guess: Guess | undefined): Shown {
  return guess ? { ...task, ...guess } : task;
}

type Move = Aimed & {
  readonly guess: { status: TaskStatus };
  readonly from: TaskStatus;
  readonly isUndo?: true;
  /** Set by an undo that found the task moved since. It sent nothing. */
  isTooLate?: true;
};

/**
 * The owner's move. `NotMoved` shows a failure at the task. Without a version: a new note is no reason to
 * refuse it, and the server checks the step itself. Resolves to whether it succeeded.
 */
export function useMoveTask() {
  const client = useQueryClient();
  const stopTimerOf = useStopTimerOf();
  const change = useTaskChange(
    async (move: Move) => {
      const { taskId, guess, from, isUndo } = move;
      // Another tab, or a move that was sent before this call's turn, may have moved it since.
      const now = isUndo ? await readTask(taskId, { answerMs: questionMs }) : null;
      if (now && now.status !== from) {
        move.isTooLate = true;
        return now;
      }
      try {
        return await calls.updateTask({ id: taskId, status: guess.status });
      } catch (error) {
        // In a closed sprint, a completed task only moves back as an undo.
        const isClosed = asApiError(error).code === 'SPRINT_DOES_NOT_ALLOW';
        if (isUndo && isClosed && from === 'INREVIEW') return (await calls.undoSteps([taskId]))[0]!;
        throw error;
      }
    },
    { what: 'Moving the task', quiet: true },
    (task, { taskId, guess, from, isUndo, isTooLate }) => {
      const [name, place] = [`“${shortened(task.title)}”`, taskStatuses[task.status].title];
      // An older task that is open again belongs in My week's list, which only the server knows.
      if (isUndo) void client.invalidateQueries({ queryKey: myWeekKey });
      if (isTooLate) return showToast({ message: `${name} is now ${place}, so you can’t undo the earlier move` });
      const message = `${name} moved to ${place}`;
      const back = () => {
        // Its row, which would say that it failed, may be gone.
        void change
          .mutateAsync({ taskId, guess: { status: from }, from: guess.status, isUndo: true })
          .catch((error) => {
            const { message, statusCode, requestId } = asApiError(error);
            showFailure({ message, statusCode, requestId, retry: back });
          });
      };
      const runs = statusRule(guess.status).completed && client.getQueryData(timerQuery.queryKey)?.taskId === taskId;
      showToast({
        message: runs ? `${message}. Its timer is still running` : message,
        ...(isUndo ? {} : { onUndo: back }),
        ...(runs && { action: { label: 'Stop timer', run: () => stopTimerOf(taskId) } }),
      });
    },
  );
  return (task: Pick<BoardTask, 'id' | 'status'>, status: TaskStatus) =>
    succeeds(change.mutateAsync({ taskId: task.id, guess: { status }, from: task.status }));
}

/** Whether a call succeeded, where its failure is shown elsewhere. */
export const succeeds = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  );

/** Edits of title, summary, category and change. The editor shows errors, so no toast does. */
export function useSaveContent() {
  return useTaskChange(({ taskId, edits, version }: ContentEdit & Aimed) => calls.saveContent(taskId, edits, version), {
    what: 'Saving the task',
    quiet: true,
  });
}
export type ContentEdit = { readonly taskId: string; readonly edits: calls.Content; readonly version: number };

export type DecisionCall = {
  readonly task: BoardTask;
  readonly decision: Decision;
  readonly change?: string | undefined;
  /** The approver's changes to the task. */
  readonly edit?: Partial<Work>;
};

type Deciding = Aimed & {
  readonly guess: Partial<Work> & { status: TaskStatus };
  readonly version: number;
  readonly change: string | undefined;
  readonly done: string;
};

/** The approver's decision, sent immediately, with Undo in the toast while the server can undo it (D15). */
export function useDecideTask() {
  const viewer = useViewer();
  const undo = useUndoDecision();
  const { mutateAsync, isPending } = useTaskChange(
    ({ taskId, guess, version, change }: Deciding) =>
      calls.decide({ id: taskId, ...guess, version, change }, viewer.id),
    { what: 'Saving the decision' },
    (task, { taskId, done }) =>
      showToast({ message: `“${shortened(task.title)}” was ${done}`, onUndo: () => undo.mutate({ taskId }) }),
  );
  const decide = ({ task, decision, change, edit = {} }: DecisionCall): Promise<FullTask> => {
    const step = statusRule(task.status)[decision];
    if (!step)
      return Promise.reject(new Error(`This task is ${taskStatuses[task.status].title}. There is nothing to decide`));
    const aimed = { taskId: task.id, guess: { ...edit, status: step.to } };
    return mutateAsync({ ...aimed, version: task.version, change, done: doneWith(step.done, edit) });
  };
  return { decide, isPending };
}

/** "approved with edits" */
export const doneWith = (done: string, edit: Partial<Work>): string =>
  Object.keys(edit).length === 0 ? done : `${done} with edits`;

export function useUndoDecision() {
  const offerReason = useOfferReason();
  return useTaskChange(
    async ({ taskId }: Aimed) => (await calls.undoDecisions([taskId]))[0]!,
    { what: 'Undoing the decision' },
    (task) => {
      offerReason(task);
      showToast({ message: `“${shortened(task.title)}” is ${taskStatuses[task.status].title} again` });
    },
  );
}

type Repeating = Aimed & { readonly guess: Pick<FullTask, 'repeats'>; readonly from: FullTask['repeats'] };

/** In which sprints the task is added again, with Undo in the toast. */
export function useRepeatTask() {
  const change = useTaskChange(
    ({ taskId, guess }: Repeating) => calls.repeatTask(taskId, guess.repeats),
    { what: 'Changing how the task repeats' },
    ({ title, repeats: now }, { taskId, guess, from }) =>
      showToast({
        message: `“${shortened(title)}” ${now ? `repeats ${repeats[now].words}` : 'no longer repeats'}`,
        onUndo: () => change.mutate({ taskId, guess: { repeats: from }, from: guess.repeats }),
      }),
  );
  return (task: Pick<BoardTask, 'id' | 'repeats'>, to: FullTask['repeats']) => {
    if (to !== task.repeats) change.mutate({ taskId: task.id, guess: { repeats: to }, from: task.repeats });
  };
}

/** The dialog shows errors below its fields. */
export function useCreateTask() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ task, key }: { task: calls.NewTask; key: string }) => calls.createTask(task, key),
    meta: { what: 'Creating the task', quiet: true, undoable: true },
    onSuccess: (task) => {
      mergeTask(client, task);
      void client.invalidateQueries({ queryKey: myWeekKey });
    },
  });
}

export function useAddNote() {
  return useTaskChange(
    ({ taskId, text, key }: Aimed & { text: string; key: string }) => calls.addNote(taskId, text, key),
    { what: 'Adding the note', quiet: true },
  );
}

/** Reads the task that a call with a lost answer created or changed, if `isThere`, and shows it. */
export function useFindSent() {
  const client = useQueryClient();
  return async (taskId: string, isThere: (task: FullTask) => boolean): Promise<FullTask | null> => {
    const task = await readTask(taskId, { answerMs: questionMs });
    if (!task || !isThere(task)) return null;
    mergeTask(client, task);
    void client.invalidateQueries({ queryKey: myWeekKey });
    return task;
  };
}

export function useEditNote() {
  return useTaskChange(
    ({ taskId, noteId, text }: Aimed & { noteId: string; text: string }) => calls.editNote(taskId, noteId, text),
    { what: 'Saving the note', quiet: true },
  );
}

/** Found by its id at the time of the call, because indexes shift when others remove theirs (D24). */
type Removal = Aimed & { readonly itemId: string };

const restoring = {
  note: { call: calls.restoreNote, what: 'Restoring the note' },
  file: { call: calls.restoreFile, what: 'Restoring the file' },
} as const;

export function useRestore(of: keyof typeof restoring) {
  const { call, what } = restoring[of];
  return useTaskChange(({ taskId, itemId }: Removal) => call(taskId, itemId), { what });
}

export function useRemoveNote() {
  const client = useQueryClient();
  const restore = useRestore('note');
  return useTaskChange(
    ({ taskId, itemId }: Removal) => calls.removeNote(knownTask(client, taskId), itemId),
    { what: 'Removing the note' },
    (_task, removal) => showToast({ message: 'Note removed', onUndo: () => restore.mutate(removal) }),
  );
}

export function useRemoveFile() {
  const client = useQueryClient();
  const restore = useRestore('file');
  return useTaskChange(
    ({ taskId, itemId }: Removal) => calls.removeFile(knownTask(client, taskId), itemId),
    { what: 'Removing the file' },
    (_task, removal) => showToast({ message: 'File removed', onUndo: () => restore.mutate(removal) }),
  );
}

/** A title shortened for a toast. */
export function shortened(title: string, most = 60): string {
  return title.length <= most ? title : `${title.slice(0, most).toWellFormed().trimEnd()}…`;
}
