// The search parameters of the pages of numbers. Used by the web's router and by links to these pages.
import * as z from 'zod/mini';
import { day } from '../base/inputs.ts';
import { searchSchema } from '../base/search.ts';
import type { Comparison } from './comparison.ts';
import type { Granularity, Period } from './periods.ts';

// Every page loads this file, so it imports only types. A missing value is a compile error where it is
// offered.
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
  'last-year',
  '10y',
  'sprint',
] as const satisfies readonly Period[];
const comparisons = ['none', 'previous', 'elapsed', 'year'] as const satisfies readonly Comparison[];
const granularities = ['day', 'week', 'month'] as const satisfies readonly Granularity[];

/** Filters depend on the dataset: the key is `where.` with the dimension. */
export const numbersSearch = z.catchall(
  searchSchema({
    product: z.string(),
    period: z.enum(periods),
    /** The first and last day, inclusive. */
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

const pinned = ['period', 'from', 'to', 'compare', 'by', 'currency', 'hours'];

/** What a pinned number keeps of its page's address. Sorted: equal addresses give equal texts. */
export function searchToPin(search: NumbersSearch): string {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' && (pinned.includes(name) || name.startsWith('where.')) ? [[name, value]] : [],
  );
  return entries
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1))
    .map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

/** The address of a pinned number, without unknown parts. */
export function pinnedSearch(text: string): NumbersSearch {
  try {
    const parts = text.split('&').map((part) => part.split('=', 2));
    return z.parse(
      numbersSearch,
      Object.fromEntries(parts.map(([name = '', value = '']) => [name, decodeURIComponent(value)])),
    );
  } catch {
    // A malformed escape.
    return {};
  }
}
