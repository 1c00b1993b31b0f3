import { expect, it } from 'vitest';
import { lengthWords } from '#web/ui/age.tsx';
import { hostOf, whenWords } from './meeting-words.ts';

const start = Temporal.Instant.from('2026-11-23T09:30:00Z');
const span = { start, end: start.add({ minutes: 45 }) };

it('tells when a meeting is on the clock of a zone', () => {
  expect(whenWords(span, 'Europe/Amsterdam')).toBe('Mon 23 Nov 10:30–11:15');
});

it.each([
  ['https://meet.example.com/abc?pwd=1', 'meet.example.com'],
  ['https://zoom.us.evil.example:8443/j/1', 'zoom.us.evil.example:8443'],
])('the link %s leads to %s', (link, host) => {
  expect(hostOf(link)).toBe(host);
});

it.each([
  [5, '5 minutes'],
  [60, '1 hour'],
  [90, '1 hour 30 minutes'],
  [121, '2 hours 1 minute'],
])('%i minutes are %s', (minutes, words) => {
  expect(lengthWords(minutes)).toBe(words);
});
