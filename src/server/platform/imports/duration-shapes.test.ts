import { expect, test } from 'vitest';
import { durationShape } from './duration-shapes.ts';

test.each([[[]], [['0', '0:00:00', '']], [['a', 'b', '3.5']], [['1735689600', '1735693200']], [['-5', '-1']]])(
  '%j are no durations',
  (texts) => {
    expect(durationShape(texts)).toBeNull();
  },
);

test.each([
  [['3.5', '', '0'], false],
  [['210', '3:30'], false],
  [['00:03:30', '14:05'], false],
  [['00:03:30', '27:00:00'], true],
  [['2d 4h', '0'], true],
  [['90 min', '45 min', '20 min', '5 min', '-'], true],
])('%j are durations, clearly: %s', (texts, isClear) => {
  expect(durationShape(texts)).toEqual({ isClear });
});
