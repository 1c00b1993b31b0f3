// Decides the shape and limits of inputs about tasks and sprints (spec 5). Used by the server's calls and the
// forms.
import * as z from 'zod/mini';
import { categories, defaultCategory, isCategory } from '../access/brands.ts';
import { filled, filledLine, id, index, pageInput, text, version } from '../base/inputs.ts';
import { limits, taskLimits } from '../base/limits.ts';
import { repeatKeys } from './repeat.ts';
import { awaitingStatuses, taskStatusKeys } from './task-status.ts';

const status = z.enum(taskStatusKeys);

/** An empty category means the default one (D17). */
const category = z.pipe(
  z
    .string()
    .check(z.refine<string>((value) => value === '' || isCategory(value), `must be one of ${categories.join(', ')}`)),
  z.transform((value: string) => (value === '' ? defaultCategory : value)),
);

export const createTaskInput = z.strictObject({
  title: filledLine(limits.title),
  userId: id,
  summary: z.optional(text(limits.summary)),
  category: z.optional(category),
  sprintId: z.optional(id),
});
/** The texts of a task that an edit changes, or an approval with edits. */
export const workInput = z.strictObject({
  title: z.optional(filledLine(limits.title)),
  summary: z.optional(text(limits.summary)),
  category: z.optional(category),
});
export const updateTaskInput = z.strictObject({
  id,
  ...workInput.shape,
  change: z.optional(text(limits.change)),
  status: z.optional(status),
  version: z.optional(version),
});
export const addNoteInput = z.strictObject({ taskId: id, text: filled(limits.note) });
export const editNoteInput = z.strictObject({ taskId: id, noteId: id, text: filled(limits.note) });
export const removeNoteInput = z.strictObject({ taskId: id, noteIndex: index, version: z.optional(version) });
export const restoreNoteInput = z.strictObject({ taskId: id, noteId: id });
export const removeAttachmentInput = z.strictObject({
  taskId: id,
  attachmentIndex: index,
  version: z.optional(version),
});
export const restoreAttachmentInput = z.strictObject({ taskId: id, attachmentId: id });
export const taskIdInput = z.strictObject({ taskId: id });
/** The tasks of one step. */
export const stepInput = z.strictObject({
  taskIds: z
    .array(id)
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(limits.decisions, `has more than ${limits.decisions} tasks`),
    ),
});
export const moveToSprintInput = z.strictObject({ taskId: id, sprintId: id, version: z.optional(version) });
export const orderTasksInput = z.strictObject({
  sprintId: id,
  taskIds: z.array(id).check(
    z.maxLength(taskLimits.tasksInSprint, `has more than ${taskLimits.tasksInSprint} tasks`),
    z.refine<string[]>((ids) => new Set(ids).size === ids.length, 'names a task twice'),
  ),
});
/** Without `repeats` it stops. */
export const repeatTaskInput = z.strictObject({ taskId: id, repeats: z.optional(z.enum(repeatKeys)) });
export const dropTaskInput = z.strictObject({ taskId: id, reason: z.optional(text(limits.change)) });
export const decideTasksInput = z.strictObject({
  decisions: z
    .array(
      z.strictObject({
        taskId: id,
        decision: z.enum(['approve', 'deny']),
        version: z.optional(version),
        change: z.optional(text(limits.change)),
        ...workInput.shape,
      }),
    )
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(limits.decisions, `has more than ${limits.decisions} decisions`),
    ),
});
export const getTasksInput = z.strictObject({
  taskId: z.optional(id),
  userId: z.optional(id),
  sprintId: z.optional(id),
  status: z.optional(z.array(status).check(z.maxLength(taskStatusKeys.length, 'names one twice'))),
  find: z.optional(text(limits.search)),
  ...pageInput.shape,
});
/** Pages of an approver's inbox. */
export const inboxPageInput = z.strictObject({
  status: z.enum(awaitingStatuses),
  due: z.optional(z.boolean()),
  byPerson: z.optional(z.boolean()),
  find: z.optional(text(limits.search)),
  limit: pageInput.shape.limit,
  /** `next` of the page before: when it was read, and the place of its last row. */
  after: z.optional(
    z.string().check(z.regex(/^\d{1,13}(?:_\d{1,18}){4}(?:(?:_\d{1,18}){4})?$/, 'must be the next of a page')),
  ),
});
export const inboxInput = z.strictObject({ ...pageInput.shape, taskId: z.optional(id) });
export const getSprintsInput = z.strictObject({
  all: z.optional(z.boolean()),
  categoryFilters: z.optional(
    z
      .array(text(limits.title))
      .check(z.maxLength(limits.categoryFilters, `has more than ${limits.categoryFilters} filters`)),
  ),
});
export const sprintIdInput = z.strictObject({ sprintId: z.optional(id) });
export const sprintResultInput = z.strictObject({ sprintId: id, userId: z.optional(id) });
/** `version`: of the recap that the caller saw, 0 if there was none. */
export const closeWeekInput = z.strictObject({
  sprintId: id,
  learned: text(limits.learned).check(z.trim()),
  version: z.optional(index),
});
