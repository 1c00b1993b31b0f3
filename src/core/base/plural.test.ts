import { expect, test } from 'vitest';
import { plural } from './plural.ts';

test.each([
  [0, 'task', undefined, '0 tasks'],
  [1, 'task', undefined, '1 task'],
  [2, 'task', undefined, '2 tasks'],
  [1, 'person', 'people', '1 person'],
  [7, 'person', 'people', '7 people'],
  [1_300, 'task', undefined, '1,300 tasks'],
] as const)('a count of %s %s is written with the right form', (count, one, many, text) => {
  expect(plural(count, one, many)).toBe(text);
});
