import { expect, test } from 'vitest';
import { judgedPace } from './goal-tiles.tsx';

test.each([
  [99.4, 'bad'],
  [99.6, undefined],
  [100, undefined],
  [100.4, undefined],
  [101, 'good'],
] as const)('a pace of %d is %s', (pace, judged) => {
  expect(judgedPace(pace)).toBe(judged);
});
