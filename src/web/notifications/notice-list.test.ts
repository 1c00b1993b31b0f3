import { expect, test } from 'vitest';
import { groupByDay } from './notice-list.tsx';

test('notices stand under the day on which they came, on the clock of the company', () => {
  const items = ['2026-11-18T23:30:00Z', '2026-11-18T12:00:00Z', '2026-11-17T23:30:00Z', '2026-11-09T12:00:00Z'].map(
    (at) => ({ at }),
  );
  const names = (zone: string, today: string) =>
    groupByDay(items, today, zone).map(({ name, notices }) => `${name}: ${notices.length}`);
  expect(names('UTC', '2026-11-18')).toEqual(['Today: 2', 'Yesterday: 1', 'Mon 9 Nov: 1']);
  expect(names('Europe/Berlin', '2026-11-19')).toEqual(['Today: 1', 'Yesterday: 2', 'Mon 9 Nov: 1']);
});
