// The mutations of S.T.A.R.T (spec 7): each returns the full task.

import { limits } from '#core/base/limits.ts';
import { refuse } from '#core/base/refusals.ts';
import { type ContentField, contentFields, type Work } from '#core/tasks/task.ts';
import { asApiError, readApiError } from '#web/api/api-error.ts';
import { graphql, type VariablesOf } from '#web/api/graphql.ts';
import { orWithoutNewFields, request } from '#web/api/request.ts';
import { isSameWork } from './past.ts';
import { type BoardTask, type FullTask, fullTaskFields, readTask } from './queries.ts';

const createDocument = graphql(
  `
    mutation CreateTask($title: String!, $userId: ID!, $summary: String, $category: String, $sprintId: ID) {
      createTask(title: $title, userId: $userId, summary: $summary, category: $category, sprintId: $sprintId) { ...FullTask }
    }
  `,
  [fullTaskFields],
);
const updateDocument = graphql(
  `
    mutation UpdateTask($id: ID!, $title: String, $change: String, $status: TaskStatus, $summary: String, $category: String, $version: Int) {
      updateTask(id: $id, title: $title, change: $change, status: $status, summary: $summary, category: $category, version: $version) {
        ...FullTask
      }
    }
  `,
  [fullTaskFields],
);
const addNoteDocument = graphql(
  `
    mutation AddNoteToTask($taskId: ID!, $text: String!) {
      addNoteToTask(taskId: $taskId, text: $text) { ...FullTask }
    }
  `,
  [fullTaskFields],
);
const editNoteDocument = graphql(
  `
    mutation EditNote($taskId: ID!, $noteId: ID!, $text: String!) {
      editNote(taskId: $taskId, noteId: $noteId, text: $text) { ...FullTask }
    }
  `,
  [fullTaskFields],
);
const removeNoteDocument = graphql(
  `
    mutation RemoveNoteFromTask($taskId: ID!, $noteIndex: Int!, $version: Int) {
      removeNoteFromTask(taskId: $taskId, noteIndex: $noteIndex, version: $version) { ...FullTask }
    }
  `,
  [fullTaskFields],
);
const restoreNoteDocument = graphql(
  `
    mutation RestoreNote($taskId: ID!, $noteId: ID!) {
      restoreNote(taskId: $taskId, noteId: $noteId) { ...FullTask }
    }
  `,
  [fullTaskFields],
);
const removeFileDocument = graphql(
  `
    mutation RemoveAttachmentFromTask($taskId: ID!, $attachmentIndex: Int!, $version: Int) {
      removeAttachmentFromTask(taskId: $taskId, attachmentIndex: $attachmentIndex, version: $version) { ...FullTask }
    }
  `,
  [fullTaskFields],
);
const restoreFileDocument = graphql(
  `
    mutation RestoreAttachment($taskId: ID!, $attachmentId: ID!) {
      restoreAttachment(taskId: $taskId, attachmentId: $attachmentId) { ...FullTask }
    }
  `,
  [fullTaskFields],
);
const withdrawDocument = graphql(
  `
    mutation WithdrawTask($taskId: ID!, $reason: String) {
      withdrawTask(taskId: $taskId, reason: $reason) { ...FullTask }
    }
  `,
  [fullTaskFields],
);
const carryOverDocument = graphql(
  `
    mutation CarryOver($taskId: ID!) {
      carryOver(taskId: $taskId) { ...FullTask }
    }
  `,
  [fullTaskFields],
);
const moveToSprintDocument = graphql(
  `
    mutation MoveToSprint($taskId: ID!, $sprintId: ID!, $version: Int) {
      moveToSprint(taskId: $taskId, sprintId: $sprintId, version: $version) { ...FullTask }
    }
  `,
  [fullTaskFields],
);
const leaveUndoneDocument = graphql(
  `
    mutation LeaveUndone($taskId: ID!, $reason: String) {
      leaveUndone(taskId: $taskId, reason: $reason) { ...FullTask }
    }
  `,
  [fullTaskFields],
);
const repeatDocument = graphql(
  `
    mutation RepeatTask($taskId: ID!, $repeats: TaskRepeat) {
      repeatTask(taskId: $taskId, repeats: $repeats) { ...FullTask }
    }
  `,
  [fullTaskFields],
);
const undoStepsDocument = graphql(
  `
    mutation UndoTaskSteps($taskIds: [ID!]!) {
      undoTaskSteps(taskIds: $taskIds) { ...FullTask }
    }
  `,
  [fullTaskFields],
);
const undoDecisionsDocument = graphql(
  `
    mutation UndoDecisions($taskIds: [ID!]!) {
      undoDecisions(taskIds: $taskIds) { ...FullTask }
    }
  `,
  [fullTaskFields],
);

const olderUndoStepDocument = graphql(
  `
    mutation OlderUndoTaskStep($taskId: ID!) {
      undoTaskStep(taskId: $taskId) { ...FullTask }
    }
  `,
  [fullTaskFields],
);
const olderUndoDecisionDocument = graphql(
  `
    mutation OlderUndoDecision($taskId: ID!) {
      undoDecision(taskId: $taskId) { ...FullTask }
    }
  `,
  [fullTaskFields],
);

export type Content = { readonly [Field in ContentField]?: string };

export type NewTask = VariablesOf<typeof createDocument>;

export const createTask = async (task: NewTask, key: string): Promise<FullTask> =>
  (await request(createDocument, task, { key })).createTask;
export const updateTask = async (variables: VariablesOf<typeof updateDocument>): Promise<FullTask> =>
  (await request(updateDocument, variables)).updateTask;
export const addNote = async (taskId: string, text: string, key: string): Promise<FullTask> =>
  (await request(addNoteDocument, { taskId, text }, { key })).addNoteToTask;
export const editNote = async (taskId: string, noteId: string, text: string): Promise<FullTask> =>
  (await request(editNoteDocument, { taskId, noteId, text })).editNote;
export const restoreNote = async (taskId: string, noteId: string): Promise<FullTask> =>
  (await request(restoreNoteDocument, { taskId, noteId })).restoreNote;
export const restoreFile = async (taskId: string, attachmentId: string): Promise<FullTask> =>
  (await request(restoreFileDocument, { taskId, attachmentId })).restoreAttachment;
export const withdraw = async (taskId: string, reason?: string): Promise<FullTask> =>
  (await request(withdrawDocument, { taskId, reason })).withdrawTask;
export const carryOver = async (taskId: string): Promise<FullTask> =>
  (await request(carryOverDocument, { taskId })).carryOver;
export const leaveUndone = async (taskId: string, reason?: string): Promise<FullTask> =>
  (await request(leaveUndoneDocument, { taskId, reason })).leaveUndone;
export const repeatTask = async (taskId: string, repeats: FullTask['repeats']): Promise<FullTask> =>
  (await request(repeatDocument, { taskId, repeats })).repeatTask;
type UndoTogether = (taskIds: string[]) => Promise<FullTask[]>;
type UndoOne = (taskId: string) => Promise<FullTask>;

/** All of them or none, unless they are more than the server takes at once, or it is an older one. */
const inParts = (undo: UndoTogether, olderUndo: UndoOne) => async (taskIds: readonly string[]) => {
  const undone: FullTask[] = [];
  const oneByOne = async (part: readonly string[]) => {
    const tasks: FullTask[] = [];
    for (const taskId of part) tasks.push(await olderUndo(taskId));
    return tasks;
  };
  for (let first = 0; first < taskIds.length; first += limits.decisions) {
    const part = taskIds.slice(first, first + limits.decisions);
    undone.push(...(await orWithoutNewFields(undo(part), () => oneByOne(part))));
  }
  return undone;
};
export const undoSteps = inParts(
  async (taskIds) => (await request(undoStepsDocument, { taskIds }, { isLong: true })).undoTaskSteps,
  async (taskId) => (await request(olderUndoStepDocument, { taskId })).undoTaskStep,
);
export const undoDecisions = inParts(
  async (taskIds) => (await request(undoDecisionsDocument, { taskIds }, { isLong: true })).undoDecisions,
  async (taskId) => (await request(olderUndoDecisionDocument, { taskId })).undoDecision,
);

/** How often to retry when unrelated fields changed. */
const mostAttempts = 3;

/**
 * Sends an edit of `version`. If the task has changed, but `clashes` finds no conflict among the changed
 * fields and the task `isStill` what the person saw, retries with the current version. Otherwise the caller
 * handles the conflict (D25).
 */
async function withVersion(
  taskId: string,
  version: number | undefined,
  clashes: (changed: readonly string[]) => boolean,
  call: (version: number | undefined) => Promise<FullTask>,
  isStill: (task: FullTask) => boolean = () => true,
): Promise<FullTask> {
  let current = version;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call(current);
    } catch (error) {
      const { code, changed } = asApiError(error);
      if (code !== 'CONFLICT' || attempt === mostAttempts || clashes(changed)) throw error;
      const task = await readTask(taskId);
      if (task && !isStill(task)) throw error;
      current = task?.version;
    }
  }
}

/** The owner's text. Someone's note or move isn't a conflict; a change of the same field is. */
export function saveContent(taskId: string, edits: Content, version: number): Promise<FullTask> {
  const clashes = (changed: readonly string[]) => changed.some((field) => Object.hasOwn(edits, field));
  return withVersion(taskId, version, clashes, (current) => updateTask({ id: taskId, ...edits, version: current }));
}

/** A change of these fields means the approver has to look again. */
const decidedOn: readonly string[] = ['status', ...contentFields];

export function decide(
  decision: Partial<Work> & {
    id: string;
    status: FullTask['status'];
    version: number;
    change?: string | undefined;
  },
  viewerId: string,
) {
  const clashes = (changed: readonly string[]) =>
    changed.length === 0 || changed.some((field) => decidedOn.includes(field));
  const isStill = (task: FullTask) => isSameWork(task, decision.version, viewerId);
  return withVersion(
    decision.id,
    decision.version,
    clashes,
    (version) => updateTask({ ...decision, version }),
    isStill,
  );
}

/** What others wrote since moves with it. */
export function moveToSprint(taskId: string, sprintId: string, version: number | undefined): Promise<FullTask> {
  const clashes = (changed: readonly string[]) => changed.some((field) => field === 'status' || field === 'sprintId');
  return withVersion(taskId, version, clashes, (current) =>
    request(moveToSprintDocument, { taskId, sprintId, version: current }).then((data) => data.moveToSprint),
  );
}

const gone = (what: 'note' | 'file') => readApiError({ ...refuse('CONFLICT', `Someone already removed this ${what}`) });

export async function removeNote(task: BoardTask | null, noteId: string): Promise<FullTask> {
  const noteIndex = task?.notes.findIndex(({ id }) => id === noteId) ?? -1;
  if (!task || noteIndex < 0) throw gone('note');
  return (await request(removeNoteDocument, { taskId: task.id, noteIndex, version: task.version })).removeNoteFromTask;
}

export async function removeFile(task: BoardTask | null, attachmentId: string): Promise<FullTask> {
  const attachmentIndex = task?.attachments.findIndex(({ id }) => id === attachmentId) ?? -1;
  if (!task || attachmentIndex < 0) throw gone('file');
  const variables = { taskId: task.id, attachmentIndex, version: task.version };
  return (await request(removeFileDocument, variables)).removeAttachmentFromTask;
}
