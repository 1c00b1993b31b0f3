// Decides the shape of what the permission doctor is asked.
// Asked by the server's queries.
import * as z from 'zod/mini';
import { storable } from './inputs.ts';

const word = z.string().check(z.maxLength(200, 'is longer than 200 characters'), storable);
const id = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'is not an id'));

export const findPeopleInput = z.strictObject({ search: z.optional(word) });
export const explainInput = z.strictObject({ personId: id, path: word, product: z.optional(word) });
