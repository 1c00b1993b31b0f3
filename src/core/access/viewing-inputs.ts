// Decides the shape of inputs that start and stop viewing as someone else. Used by the server's mutations.
import * as z from 'zod/mini';
import { id, storable } from '../base/inputs.ts';

export const startViewingInput = z.strictObject({
  personId: z.optional(id),
  role: z.optional(z.string().check(z.maxLength(200, 'is longer than 200 characters'), storable)),
});
export const stopViewingInput = z.strictObject({ id });
