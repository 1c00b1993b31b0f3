import { expect, test } from 'vitest';
import { bucketsSoFar } from './tile-series.ts';

const view = { granularity: 'week', days: { from: '2026-11-02', to: '2026-11-20' } } as never;

test('the running week is incomplete and says so', () => {
  const { unfinished, labels } = bucketsSoFar(view, '2026-11-18');
  expect({ unfinished, last: labels.at(-1) }).toEqual({ unfinished: true, last: '16 Nov, so far' });
});

test('a week in which the range ends is incomplete too, long after it', () => {
  const { unfinished, labels } = bucketsSoFar(view, '2027-01-01');
  expect({ unfinished, last: labels.at(-1) }).toEqual({ unfinished: true, last: '16 Nov, partial' });
});

test('a range of whole weeks that is over is complete', () => {
  const whole = { granularity: 'week', days: { from: '2026-11-02', to: '2026-11-16' } } as never;
  const { unfinished, labels } = bucketsSoFar(whole, '2027-01-01');
  expect({ unfinished, last: labels.at(-1) }).toEqual({ unfinished: false, last: '9 Nov' });
});
