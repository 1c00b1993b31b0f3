// Everything that a stranger can name is stored in bounded memory (security review, row 9).
import { expect, test } from 'vitest';
import { formatFault } from '#server/platform/imports/date-formats.ts';
import { matchesPattern } from '#server/platform/imports/safe-pattern.ts';
import { FetchCounts, mostCounted } from '#server/toolbox/schedule/fetch-limits.ts';

/** The largest size of any `Map` during the work, and its size at the end. */
function largestMap(work: () => void): number {
  const { set } = Map.prototype;
  let largest = 0;
  Map.prototype.set = function (key, value) {
    const result = set.call(this, key, value);
    largest = Math.max(largest, this.size);
    return result;
  };
  try {
    work();
    return largest;
  } finally {
    Map.prototype.set = set;
  }
}

const flood = 40_000;
const now = Temporal.Instant.from('2026-11-18T12:00:00Z');

test.each<[string, number, () => void]>([
  [
    'calendar addresses',
    mostCounted,
    () => {
      const counts = new FetchCounts();
      for (let index = 0; index < flood; index += 1) counts.waitFor(`address ${index}`, 10, now);
      expect(counts.size).toBe(mostCounted);
    },
  ],
  [
    'patterns of mappings',
    500,
    () => {
      for (let index = 0; index < flood / 10; index += 1) matchesPattern(`a${index}`, 'a');
    },
  ],
  [
    'formats of mappings',
    500,
    () => {
      for (let index = 0; index < flood / 10; index += 1) formatFault(`YYYY-MM-DD ${index}`);
    },
  ],
])('a flood of made-up %s keeps no more than %i', (_, most, work) => {
  expect(largestMap(work)).toBeLessThanOrEqual(most);
});

test('whose fetches are many still waits while strangers come with a few', () => {
  const counts = new FetchCounts();
  for (let index = 0; index < 60; index += 1) expect(counts.waitFor('feed 1', 60, now)).toBeNull();
  for (let index = 0; index < mostCounted / 2; index += 1) counts.waitFor(`address ${index}`, 10, now);
  expect(counts.waitFor('feed 1', 60, now)).toBe(900);
  expect(counts.waitFor('feed 1', 60, now.add({ minutes: 15 }))).toBeNull();
});
