// Decides the shape and the limits of changes of approvers (D26).
// Asked by the server's mutations and by approver management, which both parse with it.
import * as z from 'zod/mini';
import { id } from './inputs.ts';

/** How many people one call may change: a whole company at once. */
export const mostChanges = 2_000;
/** Longer lists than anybody has are cut off before they are looked at. */
const mostIds = 100;

const ids = z.array(id).check(z.maxLength(mostIds, `holds more than ${mostIds} ids`));

export const setApproversInput = z.strictObject({
  changes: z.array(z.strictObject({ userId: id, approverIds: ids, known: z.optional(ids) })).check(
    z.minLength(1, 'must not be empty'),
    z.maxLength(mostChanges, `holds more than ${mostChanges} changes`),
    z.refine(
      (changes: readonly { userId: string }[]) => new Set(changes.map(({ userId }) => userId)).size === changes.length,
      'names somebody twice',
    ),
  ),
});
export const setDefaultApproverInput = z.strictObject({ approverId: z.optional(id), version: z.optional(z.int()) });
export const pendingItemsInput = z.strictObject({
  userIds: z.array(id).check(z.maxLength(mostChanges, `holds more than ${mostChanges} ids`)),
});
