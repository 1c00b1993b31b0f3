// Defines the donations' metrics. Used through `metrics.ts`.
import { less, type Metric, quotient, rows, sum } from './metric.ts';

const completed = { status: ['completed'] } as const;

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
  },
  net_of_fees: {
    title: 'Net of fees',
    unit: 'money',
    good: 'up',
    definition: 'Gross - fees',
    formula: less('gross', 'fees'),
  },
  donors: {
    title: 'Donors',
    unit: 'count',
    good: 'up',
    definition: 'Distinct donors of completed gifts',
    formula: { kind: 'distinct', of: 'donor_ref', where: completed },
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
  },
  one_off_gross: {
    title: 'One-off',
    unit: 'money',
    good: 'up',
    definition: 'Total amount of completed one-off gifts',
    formula: less('gross', 'recurring_gross'),
  },
  recurring_share: {
    title: 'Recurring share',
    unit: 'percent',
    good: 'up',
    definition: 'Recurring / gross',
    formula: quotient('recurring_gross', 'gross'),
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
    definition: 'Distinct donors of the year before the one ending with the period',
    formula: { kind: 'yearDonors', which: 'all' },
  },
  retained_donors: {
    title: 'Donors who gave again',
    unit: 'count',
    good: 'up',
    definition: 'Donors of the previous year who also gave in the year ending with the period',
    formula: { kind: 'yearDonors', which: 'again' },
  },
  retention: {
    title: 'Retention',
    unit: 'percent',
    good: 'up',
    definition:
      'Donors of the previous year who gave again / donors of the previous year. The year ends with the period',
    formula: quotient('retained_donors', 'year_donors'),
  },
} as const satisfies Readonly<Record<string, Metric>>;
