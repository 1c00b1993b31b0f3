// What S.T.A.R.T changes. Each call answers with the task, which is merged by id. While a call is on its way its guess lies
// over what is known (`usePendingGuesses`): shown at once, and gone by itself when the call fails, so nothing is rolled back by hand.
import { type MutationMeta, type QueryClient, useMutationState, useQueryClient } from '@tanstack/react-query';
import { type Decision, statusRule, type TaskStatus, taskStatuses } from '#core/tasks/task-status.ts';
import { useMutation } from '#web/api/mutation.ts';
import { showToast } from '#web/ui/toasts.tsx';
import * as calls from './calls.ts';
import { type BoardTask, dropTask, type FullTask, knownTask, mergeTask, readTask } from './queries.ts';

/** What a change will most likely make of the task. */
export type Guess = Partial<Pick<FullTask, 'status' | 'title' | 'summary' | 'category'>>;
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
    // One after the other, in the order of the person's hands: a second move must not overtake the first.
    scope: { id: 'tasks' },
    mutationFn: call,
    meta,
    onSuccess: (task, variables) => {
      mergeTask(client, task);
      // A changed status may have left or entered somebody's inbox.
      if (variables.guess?.status) void client.invalidateQueries({ queryKey: ['inbox'] });
      done?.(task, variables);
    },
    // Refused, perhaps because the task is not what this page thought: what it is now is read beside, nothing waits for it.
    onError: (_error, { taskId }) => {
      void rereadTask(client, taskId);
    },
  });
}

async function rereadTask(client: QueryClient, taskId: string): Promise<void> {
  const task = await readTask(taskId).catch(() => undefined);
  if (task) mergeTask(client, task);
  else if (task === null) dropTask(client, taskId);
}

/** The guesses of the calls on their way, by task. */
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

export function withGuess<Shown extends BoardTask | FullTask>(task: Shown, guess: Guess | undefined): Shown {
  return guess ? { ...task, ...guess } : task;
}

/** The owner's move. Without a version: a note written meanwhile is no reason to refuse it, and the server checks the step itself. */
export function useMoveTask() {
  const change = useTaskChange(
    ({ taskId, guess }: { taskId: string; guess: { status: TaskStatus } }) =>
      calls.updateTask({ id: taskId, status: guess.status }),
    { what: 'Moving the task' },
  );
  return (task: BoardTask, status: TaskStatus) => change.mutate({ taskId: task.id, guess: { status } });
}

/** Edits of title, summary, category and change. The editor beside the text says what went wrong, so no toast does. */
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
};

type Deciding = Aimed & {
  readonly guess: { status: TaskStatus };
  readonly version: number;
  readonly change: string | undefined;
  readonly done: string;
};

/** A decision of the approver, sent at once, with Undo in the toast while the server takes it back (D15). */
export function useDecideTask() {
  const undo = useUndoDecision();
  const { mutateAsync, isPending } = useTaskChange(
    ({ taskId, guess, version, change }: Deciding) =>
      calls.decide({ id: taskId, status: guess.status, version, change }),
    { what: 'Deciding the task' },
    (task, { taskId, done }) =>
      showToast({ message: `“${shortened(task.title)}” was ${done}`, onUndo: () => undo.mutate({ taskId }) }),
  );
  const decide = ({ task, decision, change }: DecisionCall): Promise<FullTask> => {
    const step = statusRule(task.status)[decision];
    if (!step)
      return Promise.reject(new Error(`This task is ${taskStatuses[task.status].title}. There is nothing to decide`));
    return mutateAsync({ taskId: task.id, guess: { status: step.to }, version: task.version, change, done: step.done });
  };
  return { decide, isPending };
}

export function useUndoDecision() {
  return useTaskChange(
    ({ taskId }: Aimed) => calls.undoDecision(taskId),
    { what: 'Undoing the decision' },
    (task) => showToast({ message: `“${shortened(task.title)}” is ${taskStatuses[task.status].title} again` }),
  );
}

export function useWithdrawTask() {
  return useTaskChange(
    ({ taskId }: Aimed) => calls.withdraw(taskId),
    { what: 'Withdrawing the task' },
    (task) => showToast({ message: `“${shortened(task.title)}” withdrawn. The history keeps it` }),
  );
}

export function useCarryOver() {
  return useTaskChange(
    ({ taskId }: Aimed) => calls.carryOver(taskId),
    { what: 'Carrying the task over' },
    (task) => showToast({ message: `“${shortened(task.title)}” carried over to the current sprint` }),
  );
}

/** The dialog shows what went wrong under its fields. */
export function useCreateTask() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: calls.createTask,
    meta: { what: 'Creating the task', quiet: true },
    onSuccess: (task) => mergeTask(client, task),
  });
}

export function useAddNote() {
  return useTaskChange(({ taskId, text }: Aimed & { text: string }) => calls.addNote(taskId, text), {
    what: 'Adding the note',
    quiet: true,
  });
}

export function useEditNote() {
  return useTaskChange(
    ({ taskId, noteId, text }: Aimed & { noteId: string; text: string }) => calls.editNote(taskId, noteId, text),
    { what: 'Saving the note', quiet: true },
  );
}

/** Found by its id at the time of the call, as the index moves when others remove theirs (D24). */
type Removal = Aimed & { readonly itemId: string };

export function useRemoveNote() {
  const client = useQueryClient();
  const restore = useTaskChange(({ taskId, itemId }: Removal) => calls.restoreNote(taskId, itemId), {
    what: 'Restoring the note',
  });
  return useTaskChange(
    ({ taskId, itemId }: Removal) => calls.removeNote(knownTask(client, taskId), itemId),
    { what: 'Removing the note' },
    (_task, removal) => showToast({ message: 'Note removed', onUndo: () => restore.mutate(removal) }),
  );
}

export function useRemoveFile() {
  const client = useQueryClient();
  const restore = useTaskChange(({ taskId, itemId }: Removal) => calls.restoreFile(taskId, itemId), {
    what: 'Restoring the file',
  });
  return useTaskChange(
    ({ taskId, itemId }: Removal) => calls.removeFile(knownTask(client, taskId), itemId),
    { what: 'Removing the file' },
    (_task, removal) => showToast({ message: 'File removed', onUndo: () => restore.mutate(removal) }),
  );
}

const longestInToast = 60;

/** A title as it fits into a toast. */
export function shortened(title: string): string {
  return title.length <= longestInToast ? title : `${title.slice(0, longestInToast).toWellFormed().trimEnd()}…`;
}
