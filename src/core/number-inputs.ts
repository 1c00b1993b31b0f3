// Decides the shape of what is kept beside the numbers: goals, pins and the balance of a cause.
// Asked by the server's queries and mutations and by the goal's form.
import * as z from 'zod/mini';
import { datasetKeys } from './datasets.ts';
import { readDecimal } from './decimals.ts';

const word = z.string().check(z.maxLength(100, 'is longer than 100 characters'));
const dataset = z.enum(datasetKeys);
const month = z.string().check(z.regex(/^(19|20)\d{2}-(0[1-9]|1[0-2])$/, 'is not a month like 2026-01'));

/** A goal is an exact amount above zero, or a count. */
const amount = z
  .string()
  .check(
    z.refine<string>(
      (text) => (readDecimal(text) ?? 0n) > 0n,
      'is not an amount above zero, with at most four decimals',
    ),
  );

export const numberGoalsInput = z.strictObject({ dataset, scope: z.optional(word), month, currency: z.optional(word) });
export const setNumberGoalInput = z.strictObject({
  ...numberGoalsInput.shape,
  metric: word,
  amount: z.optional(amount),
});
export const pinInput = z.strictObject({ dataset, metric: word, scope: z.optional(word) });
export const balanceInput = z.strictObject({ cause: word, currency: z.optional(word) });

/** How many numbers a person keeps on the start page. */
export const mostPins = 2;
