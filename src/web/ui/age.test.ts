import { expect, test } from 'vitest';
import { ageOf, timeLeft } from './age.tsx';

const now = Date.parse('2026-11-20T12:00:00Z');

test('nothing is left once the instant has passed', () => {
  expect(timeLeft('2026-11-20T12:00:00Z', now)).toBeNull();
});

test.each([
  ['2026-11-23T10:00:00Z', '2 days left'],
  ['2026-11-21T13:00:00Z', '25 hours left'],
  ['2026-11-20T13:30:00Z', '1 hour 30 minutes left'],
  ['2026-11-20T12:00:20Z', '1 minute left'],
])('what is left until %s is told in few words', (instant, words) => {
  expect(timeLeft(instant, now)).toBe(words);
});

test.each([
  ['2026-11-20T12:00:30Z', 'now'],
  ['2026-11-20T11:40:00Z', '20m'],
  ['2026-11-20T08:00:00Z', '4h'],
  ['2026-11-18T11:00:00Z', '2d'],
  ['2026-10-20T11:00:00Z', '4w'],
])('the age of %s is told in the fewest letters', (instant, words) => {
  expect(ageOf(instant, now)).toBe(words);
});
