import { expect, test } from 'vitest';
import { balanceNote, judgedPace } from './goal-tiles.tsx';

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
  ['collected', 200, 200, undefined],
  ['remitted', 150, 200, '75% of collected'],
  ['open', 50, 200, '25% of collected'],
  ['open', -50, 200, 'more remitted than collected'],
  ['remitted', 50, 0, undefined],
] as const)('of the balance, %s of %d with %d collected says %s', (key, value, collected, says) => {
  expect(balanceNote(key, value, collected)).toBe(says);
});
