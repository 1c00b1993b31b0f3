// Decides the shape of inputs about notifications. Used by the server's calls.
import * as z from 'zod/mini';
import { id, text, time } from '../base/inputs.ts';
import { limits } from '../base/limits.ts';
import { choosableKinds } from './notices.ts';
import { isSpan } from './quiet-hours.ts';

const someIds = (most: number) => z.array(id).check(z.maxLength(most, `has more than ${most} ids`));

/** The most notifications per call. */
export const mostNotices = 100;
const mostPeople = 20;
const longestName = 100;

export const noticesInput = z.strictObject({
  before: z.optional(id),
  limit: z.optional(z.int().check(z.minimum(1, 'must be 1 or more'), z.maximum(mostNotices, `is over ${mostNotices}`))),
});
export const markNoticesInput = z.strictObject({
  ids: someIds(mostNotices).check(z.minLength(1, 'must not be empty')),
  read: z.boolean(),
});
export const seeNoticesInput = z.strictObject({ ids: someIds(mostNotices) });
export const markAllNoticesInput = z.strictObject({ upTo: id });
export const chooseNoticesInput = z.strictObject({
  kind: z.enum(choosableKinds),
  inApp: z.boolean(),
  mail: z.boolean(),
});
export const chooseQuietHoursInput = z
  .strictObject({ on: z.boolean(), from: time, to: time, daysOff: z.boolean() })
  .check(z.refine(isSpan, { path: ['to'], error: 'is the same time as the start' }));
export const retryMailsInput = z.strictObject({
  ids: someIds(limits.page).check(z.minLength(1, 'must not be empty')),
});
export const mentionableInput = z.strictObject({
  taskId: id,
  name: z.optional(text(longestName)),
  ids: z.optional(someIds(mostPeople)),
});
