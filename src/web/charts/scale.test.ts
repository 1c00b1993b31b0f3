import { expect, test } from 'vitest';
import { areaPath, curvePath, labelledIndexes, linear, linePath, niceTicks, runsOf } from './scale.ts';

const at = (x: number, y: number) => ({ x, y });

test('a range of one value divides by nothing', () => {
  expect(linear([5, 5], [0, 100])(5)).toBe(0);
});

test('values lie evenly between the ends, also where the drawing counts from the top', () => {
  expect(linear([0, 100], [200, 0])(25)).toBe(150);
});

test('a week without a value is a hole in the line', () => {
  const runs = runsOf([null, at(1, 10), at(2, 20), null, at(4, 5), null]);
  expect(runs).toEqual([[at(1, 10), at(2, 20)], [at(4, 5)]]);
  expect(linePath(runs)).toBe('M1 10L2 20M4 5');
  expect(areaPath(runs, 30)).toBe('M1 10L2 20L2 30L1 30Z');
});

test.each([
  [0, 600, []],
  [1, 600, [0]],
  [13, 600, [0, 3, 6, 9, 12]],
  [13, 40, [12]],
  [4, 600, [0, 1, 2, 3]],
])('%i labels on %i pixels: %j', (count, width, expected) => {
  expect(labelledIndexes(count, width)).toEqual(expected);
});

test.each([
  [[7_840], [0, 2_000, 4_000, 6_000, 8_000]],
  [
    [0, 0],
    [0, 1],
  ],
  [[], [0, 1]],
  [
    [1, 3, 10],
    [0, 5, 10],
  ],
  [
    [0.5, 1],
    [0, 0.25, 0.5, 0.75, 1],
  ],
  [
    [-3, null, 10],
    [-5, 0, 5, 10],
  ],
  [
    [-0.4, 10],
    [0, 5, 10],
  ],
])('the axis of %j is %j', (values, ticks) => {
  expect(niceTicks(values)).toEqual(ticks);
});

test('a curve passes a peak level, so that it shows no value above it', () => {
  expect(curvePath([[at(0, 10), at(3, 0), at(6, 10)]])).toBe('M0 10C1 6.7 2 0 3 0C4 0 5 6.7 6 10');
});
