import { expect, it } from 'vitest';
import { ownTimeWords } from './own-time.ts';

const start = Temporal.Instant.from('2026-11-23T09:30:00Z');

it.each([
  ['Europe/Amsterdam', null],
  ['Europe/Berlin', null],
  ['Europe/London', '09:30 your time'],
  ['Pacific/Kiritimati', '23:30 your time'],
  ['Pacific/Niue', 'Sun 22 Nov 22:30 your time'],
])('to a time of the company, %s adds %j', (own, words) => {
  expect(ownTimeWords(start, 'Europe/Amsterdam', own)).toBe(words);
});
