import { expect, test } from 'vitest';
import { axisHours } from './time-words.ts';

test.each([
  ['a few seconds', [0.005], [0, 2, 4, 6]],
  ['six minutes', [0, 0.1], [0, 2, 4, 6]],
  ['half an hour', [0.49, 0.2], [0, 10, 20, 30]],
  ['hours', [3.5], [0, 60, 120, 180, 240]],
] as const)('an axis of %s has even steps of whole minutes', (_, hours, minutes) => {
  expect(axisHours(hours).map((hour) => Math.round(hour * 6_000) / 100)).toEqual(minutes);
});
