// Defines the donations' metrics. Used through `metrics.ts`.
import { type Coverage, less, type Metric, quotient, rows, share, sum } from './metric.ts';

const completed = { status: ['completed'] } as const;
const uncounted = { status: ['refunded', 'pending', 'failed'] } as const;
const feesKnown = { known: 'gifts_with_fee', of: 'gifts', lack: 'Fee missing', rows: 'gifts', evenFew: true } as const;

const repeats = { ...completed, recurring: [true, false] } as const;
const repeatsKnown: Coverage = {
  known: 'gifts_with_recurrence',
  of: 'gifts',
  lack: 'Unknown if recurring',
  rows: 'gifts',
  evenFew: true,
};

export const donationMetrics = {
  gifts: { title: 'Gifts', unit: 'count', good: 'up', definition: 'Completed gifts', formula: sum(rows, completed) },
  gross: {
    title: 'Gross',
    unit: 'money',
    good: 'up',
    definition: 'Total amount of completed gifts',
    formula: sum('amount', completed),
  },
  fees: {
    title: 'Fees',
    unit: 'money',
    good: 'down',
    definition: 'Total fees of completed gifts',
    formula: sum('fee', completed),
    coverage: feesKnown,
  },
  gifts_with_fee: {
    title: 'Gifts with a fee',
    unit: 'count',
    good: 'none',
    definition: 'Completed gifts with a known fee, including zero',
    formula: sum(rows, { ...completed, fee: 'known' }),
  },
  net_of_fees: {
    title: 'Net of fees',
    unit: 'money',
    good: 'up',
    definition: 'Gross - fees',
    formula: less('gross', 'fees'),
    coverage: feesKnown,
  },
  donors: {
    title: 'Donors',
    unit: 'count',
    good: 'up',
    definition: 'Distinct donors of completed gifts',
    formula: { kind: 'distinct', of: 'donor_ref', where: completed },
    coverage: { known: 'gifts_with_donor', of: 'gifts', lack: 'No donor', rows: 'gifts', evenFew: true },
  },
  gifts_with_donor: {
    title: 'Gifts with a donor',
    unit: 'count',
    good: 'none',
    definition: 'Completed gifts that name a donor',
    formula: sum(rows, { ...completed, donor_ref: 'known' }),
  },
  average_gift: {
    title: 'Average gift',
    unit: 'money',
    good: 'up',
    definition: 'Gross / gifts',
    formula: quotient('gross', 'gifts'),
  },
  median_gift: {
    title: 'Median gift',
    unit: 'money',
    good: 'up',
    definition: 'Half of the completed gifts are larger, half smaller',
    formula: { kind: 'percentile', share: 0.5, of: 'amount', where: completed },
  },
  recurring_gross: {
    title: 'Recurring',
    unit: 'money',
    good: 'up',
    definition: 'Total amount of completed recurring gifts',
    formula: sum('amount', { ...completed, recurring: [true] }),
    coverage: repeatsKnown,
  },
  one_off_gross: {
    title: 'One-time',
    unit: 'money',
    good: 'up',
    definition: 'Total amount of completed one-time gifts',
    formula: sum('amount', { ...completed, recurring: [false] }),
    coverage: repeatsKnown,
  },
  recurring_share: {
    title: 'Recurring share',
    unit: 'percent',
    good: 'up',
    definition: 'Recurring / gross of gifts known to be one-time or recurring',
    formula: share('recurring_gross', 'gross_with_recurrence'),
    coverage: repeatsKnown,
  },
  gross_with_recurrence: {
    title: 'Gross with known recurrence',
    unit: 'money',
    good: 'none',
    definition: 'Total amount of completed gifts known to be one-time or recurring',
    formula: sum('amount', repeats),
  },
  gifts_with_recurrence: {
    title: 'Gifts with known recurrence',
    unit: 'count',
    good: 'none',
    definition: 'Completed gifts known to be one-time or recurring',
    formula: sum(rows, repeats),
  },
  new_donors: {
    title: 'New donors',
    unit: 'count',
    good: 'up',
    definition: 'Donors whose first completed gift to the cause is in the period',
    formula: { kind: 'firstGifts' },
  },
  year_donors: {
    title: 'Donors of the previous year',
    unit: 'count',
    good: 'none',
    definition: 'Distinct donors who gave 13–24 months before the period’s end',
    formula: { kind: 'yearDonors', which: 'all' },
  },
  retained_donors: {
    title: 'Donors who gave again',
    unit: 'count',
    good: 'up',
    definition: 'Donors who gave 13–24 months before the period’s end and again in the 12 months before it',
    formula: { kind: 'yearDonors', which: 'again' },
  },
  retention: {
    title: 'Retention',
    unit: 'percent',
    good: 'up',
    definition:
      'Share of the previous year’s donors who gave again in the 12 months up to the period’s end (or today, if earlier)',
    formula: quotient('retained_donors', 'year_donors'),
    coverage: { known: 'year_gifts_known', of: 'year_gifts', lack: 'No donor', rows: 'gifts of the previous year' },
  },
  uncounted: {
    title: 'Amount not counted',
    unit: 'money',
    good: 'none',
    definition: 'Total amount of refunded, pending and failed gifts. They never count in gross',
    formula: sum('amount', uncounted),
  },
  uncounted_gifts: {
    title: 'Gifts not counted',
    unit: 'count',
    good: 'none',
    definition: 'Refunded, pending and failed gifts',
    formula: sum(rows, uncounted),
  },
  year_gifts: {
    title: 'Gifts of the previous year',
    unit: 'count',
    good: 'none',
    definition: 'Completed gifts from 13–24 months before the period’s end',
    formula: { kind: 'yearGifts', which: 'all' },
  },
  year_gifts_known: {
    title: 'Gifts of the previous year with a donor',
    unit: 'count',
    good: 'none',
    definition: 'Completed gifts from 13–24 months before the period’s end that name a donor',
    formula: { kind: 'yearGifts', which: 'known' },
  },
} as const satisfies Readonly<Record<string, Metric>>;
