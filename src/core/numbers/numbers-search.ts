// What the address of a page of numbers may say.
// Asked by the web's router and by whatever links to these pages.
import * as z from 'zod/mini';
import { day } from '../base/inputs.ts';
import { searchSchema } from '../base/search.ts';
import type { Comparison } from './comparison.ts';
import type { Granularity, Period } from './periods.ts';

// Every page loads this file: of what it names it takes only the types. One left out does not compile where it is offered.
const periods = [
  'today',
  'yesterday',
  '7d',
  '30d',
  '90d',
  'week',
  'month',
  'quarter',
  'year',
  'last-week',
  'last-month',
  'last-quarter',
  'sprint',
] as const satisfies readonly Period[];
const comparisons = ['none', 'previous', 'elapsed', 'year'] as const satisfies readonly Comparison[];
const granularities = ['day', 'week', 'month'] as const satisfies readonly Granularity[];

/** What it is filtered by depends on the dataset: `where.` and the dimension name the values. */
export const numbersSearch = z.catchall(
  searchSchema({
    product: z.string(),
    period: z.enum(periods),
    /** The first and the last day, both shown. */
    from: day,
    to: day,
    compare: z.enum(comparisons),
    by: z.enum(granularities),
    currency: z.string(),
    hours: z.literal('working'),
    /** The metric whose rows are shown, and the place in its chart. */
    behind: z.string(),
    at: z.string(),
  }),
  z.optional(z.string()),
);
export type NumbersSearch = z.output<typeof numbersSearch>;
