// Decides the shape of what starts and stops a look as somebody else.
// Asked by the server's mutations.
import * as z from 'zod/mini';
import { storable } from './inputs.ts';

const id = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'is not an id'));

export const startViewingInput = z.strictObject({
  personId: z.optional(id),
  role: z.optional(z.string().check(z.maxLength(200, 'is longer than 200 characters'), storable)),
});
export const stopViewingInput = z.strictObject({ id });
