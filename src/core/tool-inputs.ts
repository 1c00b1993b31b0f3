// Decides the shape and the limits of what comes in from the tools page: settings, cards and the audit log.
// Asked by the server's mutations and the page's forms.
import * as z from 'zod/mini';
import { storable } from './inputs.ts';

const word = (longest: number) =>
  z.string().check(z.maxLength(longest, `is longer than ${longest} characters`), storable);

/** Without `value` the setting goes back to its default. Version 0: it was never changed. */
export const changeSettingInput = z.strictObject({
  key: word(100),
  value: z.optional(word(1_000)),
  version: z.optional(z.int().check(z.nonnegative('must not be negative'))),
});
