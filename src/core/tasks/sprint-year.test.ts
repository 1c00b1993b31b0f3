import { describe, expect, it } from 'vitest';
import { sprintsOfYear, yearOf } from './sprint-year.ts';

const amsterdam = { zone: 'Europe/Amsterdam', holidays: [] };

describe('the sprints of a year', () => {
  it.each([
    [2024, 52],
    [2025, 52],
    [2026, 53],
    [2027, 52],
    [2032, 53],
  ])('of %i are %i', (year, count) => {
    for (const zone of ['UTC', 'Europe/Amsterdam', 'America/New_York', 'Pacific/Auckland', 'Pacific/Kiritimati'])
      expect([zone, sprintsOfYear(year, { zone, holidays: [] }).length]).toEqual([zone, count]);
  });
  it('follow one another without a gap, from the first to the last of the year, on to the next', () => {
    const weeks = [...sprintsOfYear(2026, amsterdam), ...sprintsOfYear(2027, amsterdam)];
    expect(weeks[0]).toMatchObject({ name: '2026 W01', extraHours: 0 });
    expect(String(weeks[0]!.start)).toBe('2025-12-29T09:00:00Z');
    expect(weeks[52]!.name).toBe('2026 W53');
    for (const [index, week] of weeks.entries())
      if (index > 0) expect(String(week.start)).toBe(String(weeks[index - 1]!.end));
    expect(weeks.slice(0, 53).every((week) => yearOf(week, 'Europe/Amsterdam') === 2026)).toBe(true);
  });
  it('are longer or shorter where clocks change', () => {
    const changed = (zone: string) =>
      sprintsOfYear(2026, { zone, holidays: [] })
        .filter(({ extraHours }) => extraHours !== 0)
        .map(({ name, extraHours }) => [name, extraHours]);
    // The Sundays 29 March and 25 October.
    expect(changed('Europe/Amsterdam')).toEqual([
      ['2026 W13', -1],
      ['2026 W43', 1],
    ]);
    expect(changed('UTC')).toEqual([]);
    expect(changed('Australia/Lord_Howe')).toEqual([
      ['2026 W14', 0.5],
      ['2026 W40', -0.5],
    ]);
  });
  it('start and end on the next working day where Monday is a holiday', () => {
    const holidays = [{ firstDay: '2026-05-25', lastDay: '2026-05-25', name: 'Whit Monday' }];
    const byName = new Map(sprintsOfYear(2026, { ...amsterdam, holidays }).map((week) => [week.name, week]));
    expect(byName.get('2026 W21')?.end.toString()).toBe('2026-05-26T08:00:00Z');
    expect(byName.get('2026 W22')).toMatchObject({ extraHours: 0 });
    expect(byName.get('2026 W22')?.start.toString()).toBe('2026-05-26T08:00:00Z');
  });
});
