import { expect, test } from 'vitest';
import { balanceNote, judgedPace, resultOf } from './goal-tiles.tsx';

test.each([
  [99.4, 'bad'],
  [99.6, undefined],
  [100, undefined],
  [100.4, undefined],
  [101, 'good'],
] as const)('a pace of %d is %s', (pace, judged) => {
  expect(judgedPace(pace)).toBe(judged);
});

test.each([
  ['4613443.34', 'Missed by $386,556.66'],
  ['5000000', 'Reached'],
  ['4999999.996', 'Reached'],
  ['5000000.5', 'Exceeded by $0.50'],
  [null, 'Missed by $5,000,000.00'],
])('a month that ended with %s of its goal says %s', (actual, words) => {
  const goal = { month: '2019-12', amount: '5000000', currency: 'USD', actual, pace: '92', elapsedShare: 1 };
  const judged = words.startsWith('Missed') ? 'bad' : 'good';
  expect(resultOf(goal as never, { unit: 'money' })).toEqual({ words, judged });
});

test.each([
  ['collected', 200, 200, undefined],
  ['remitted', 150, 200, '75% of what was collected'],
  ['open', 50, 200, '25% of what was collected'],
  ['open', -50, 200, 'more remitted than collected'],
  ['remitted', 50, 0, undefined],
] as const)('of the balance, %s of %d with %d collected says %s', (key, value, collected, says) => {
  expect(balanceNote(key, value, collected)).toBe(says);
});
