import { expect, test } from 'vitest';
import {
  areaPath,
  labelledIndexes,
  labelMiddle,
  labelRoom,
  labelWidth,
  linear,
  linePath,
  niceTicks,
  runsOf,
} from './scale.ts';

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
  [51, 300, [0, 25, 50]],
  [51, 500, [0, 25, 50]],
  [12, 600, [1, 3, 5, 7, 9, 11]],
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

test('the label before an incomplete last one leaves it room', () => {
  expect(labelRoom(['1 Nov', '9 Nov'])).toBe(90);
  expect(labelRoom(['19 Oct', '25 Nov, so far'])).toBeGreaterThan(
    labelWidth('25 Nov, so far') + labelWidth('19 Nov') / 2,
  );
});

test('a label of wide letters gets more room than one of narrow signs', () => {
  expect(labelWidth('MX$6.5M')).toBeGreaterThan(48);
  expect(labelWidth('1,111')).toBeLessThan(36);
});

test('a label stays between the edges, and in the middle of its point where it can', () => {
  const label = '31 Aug – 6 Sep';
  const half = labelWidth(label) / 2;
  const middles = [30, 300, 590].map((x) => labelMiddle(label, x, [0, 600]));
  expect(middles).toEqual([half, 300, 600 - half]);
});
