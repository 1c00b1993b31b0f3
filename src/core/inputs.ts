// Decides the shape and the limits of everything that comes in (spec 5).
// Asked by the server's mutations and the web's forms, which both parse with it.
import * as z from 'zod/mini';
import { categories, defaultCategory, isCategory, scopeKeys } from './brands.ts';
import { limits } from './limits.ts';
import { type Refusal, refuse } from './refusals.ts';
import { taskStatusKeys } from './task-status.ts';
import { withoutEmpty } from './without-empty.ts';

/** PostgreSQL cannot store NUL, and half of a surrogate pair is no text. */
export const storable = z.refine<string>(
  (value) => !value.includes('\0') && value.isWellFormed(),
  'contains a character that cannot be stored',
);

export const text = (longest: number) =>
  z.string().check(z.maxLength(longest, `is longer than ${longest} characters`), storable);
export const filled = (longest: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'must not be blank'),
      z.maxLength(longest, `is longer than ${longest} characters`),
      storable,
    );

/** Ids are positive whole numbers as text, as the database makes them. */
export const id = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'is not an id'));
const index = z.int().check(z.nonnegative('must not be negative'));
export const version = z.int().check(z.positive('must be 1 or more'));
const status = z.enum(taskStatusKeys);

/** An empty category means the default one (D17). */
const category = z.pipe(
  z
    .string()
    .check(z.refine<string>((value) => value === '' || isCategory(value), `must be one of ${categories.join(', ')}`)),
  z.transform((value: string) => (value === '' ? defaultCategory : value)),
);

/** What a browser kept from an earlier sign-in. Empty: it has nothing yet and keeps what the answer gives. */
export const deviceToken = z.string().check(z.regex(/^([\w-]{43})?$/, 'is not the token of a device'));
export const loginInput = z.strictObject({
  email: text(limits.email).check(z.trim(), z.minLength(1, 'must not be blank')),
  password: text(limits.password).check(z.minLength(1, 'must not be blank')),
  device: z.optional(deviceToken),
});

export const createTaskInput = z.strictObject({
  title: filled(limits.title),
  userId: id,
  summary: z.optional(text(limits.summary)),
  category: z.optional(category),
  sprintId: z.optional(id),
});
export const updateTaskInput = z.strictObject({
  id,
  title: z.optional(filled(limits.title)),
  change: z.optional(text(limits.change)),
  status: z.optional(status),
  summary: z.optional(text(limits.summary)),
  category: z.optional(category),
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
export const decideTasksInput = z.strictObject({
  decisions: z
    .array(
      z.strictObject({
        taskId: id,
        decision: z.enum(['approve', 'deny']),
        version: z.optional(version),
        change: z.optional(text(limits.change)),
      }),
    )
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(limits.decisions, `holds more than ${limits.decisions} decisions`),
    ),
});
export const getTasksInput = z.strictObject({
  taskId: z.optional(id),
  userId: z.optional(id),
  sprintId: z.optional(id),
  status: z.optional(z.array(status)),
  limit: z.optional(
    z.int().check(z.minimum(1, 'must be 1 or more'), z.maximum(limits.page, `must be ${limits.page} or less`)),
  ),
  offset: z.optional(index),
});
export const getSprintsInput = z.strictObject({
  all: z.optional(z.boolean()),
  categoryFilters: z.optional(
    z
      .array(text(limits.title))
      .check(z.maxLength(limits.categoryFilters, `holds more than ${limits.categoryFilters} filters`)),
  ),
});
export const sprintIdInput = z.strictObject({ sprintId: z.optional(id) });
export const sprintResultInput = z.strictObject({ sprintId: id, userId: z.optional(id) });
export const sprintStatsInput = z.strictObject({
  sprintId: z.optional(id),
  scope: z.optional(z.enum(scopeKeys)),
});
export const pageInput = z.strictObject({ limit: getTasksInput.shape.limit, offset: getTasksInput.shape.offset });

/** The same for the items of a list: a decision with `version: null` carries no version. */
const withoutEmptyInside = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((item) =>
        typeof item === 'object' && item !== null && !Array.isArray(item) ? withoutEmpty(item) : item,
      )
    : value;

/** The parsed input, or the refusal that names the first field at fault. Null values count as left out. */
export function readInput<Schema extends z.ZodMiniType>(schema: Schema, values: object): z.output<Schema> | Refusal {
  const filledIn = Object.fromEntries(
    Object.entries(withoutEmpty(values)).map(([key, value]) => [key, withoutEmptyInside(value)]),
  );
  const result = z.safeParse(schema, filledIn);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])].join(
    '.',
  );
  return refuse('BAD_INPUT', field ? `${field} ${reasonOf(issue)}` : reasonOf(issue), field ? { field } : {});
}

function reasonOf(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'is not right';
  if (issue.code === 'unrecognized_keys') return 'is not known here';
  if (issue.code === 'invalid_type') return `must be given as ${issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  return issue.message;
}
