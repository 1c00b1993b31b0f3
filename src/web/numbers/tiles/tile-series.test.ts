import { expect, test } from 'vitest';
import { metricOf } from '#core/numbers/metrics.ts';
import { bucketsSoFar, chartTableOf, textsBefore } from './tile-series.ts';

const view = { compare: 'none', granularity: 'week', days: { from: '2026-11-02', to: '2026-11-20' } } as never;

test('the running week is incomplete and says so', () => {
  const { unfinished, labels } = bucketsSoFar(view, '2026-11-18');
  expect({ unfinished, last: labels.at(-1) }).toEqual({ unfinished: true, last: '16 Nov, so far' });
});

test('a chart’s table says that the last week isn’t over, and its CSV has the week’s first day', () => {
  const { rows } = chartTableOf('Gross', bucketsSoFar(view, '2026-11-18'), []);
  expect(rows.at(-1)).toMatchObject({ label: expect.stringContaining('so far'), rawLabel: '2026-11-16' });
});

test('a week in which the range ends is incomplete too, long after it', () => {
  const { unfinished, labels } = bucketsSoFar(view, '2027-01-01');
  expect({ unfinished, last: labels.at(-1) }).toEqual({ unfinished: true, last: '16 Nov, partial' });
});

test('a range of whole weeks that is over is complete', () => {
  const whole = { compare: 'none', granularity: 'week', days: { from: '2026-11-02', to: '2026-11-16' } } as never;
  const { unfinished, labels } = bucketsSoFar(whole, '2027-01-01');
  expect({ unfinished, last: labels.at(-1) }).toEqual({ unfinished: false, last: '9 Nov' });
});

test('a day that the compared month does not have leaves a gap instead of zero', () => {
  const days = { from: '2026-03-01', to: '2026-04-01' };
  const march = { dataset: 'orders', compare: 'previous', granularity: 'day', days } as never;
  const buckets = bucketsSoFar(march, '2026-04-15');
  const metric = metricOf('orders', 'gross')!;
  const before = textsBefore({ numbers: { rows: [] } as never, metric, index: 0, buckets });
  expect(before.slice(-4)).toEqual(['0', null, null, null]);
});
