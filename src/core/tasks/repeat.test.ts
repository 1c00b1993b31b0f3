import { describe, expect, it } from 'vitest';
import { isAddedByRepeat, isRepeatDue, mondayOf, repeatKeys, repeatSentence, repeats, workdaysOf } from './repeat.ts';
import { type Span, sprintAfter, sprintAt } from './sprint.ts';

const instant = (text: string) => Temporal.Instant.from(text);
const sprintOn = (day: string, zone = 'UTC') => sprintAt(instant(`${day}T12:00:00Z`), zone);

/** The Mondays of the sprints, of this many from the first day on, in which the rule adds the task. */
function duesOf(rule: (typeof repeatKeys)[number], from: string, count: number, zone = 'UTC'): string[] {
  const first = sprintOn(from, zone);
  const dues: string[] = [];
  for (let span: Span = first, index = 0; index < count; index += 1, span = sprintAfter(span, zone))
    if (isRepeatDue(rule, first, span, zone)) dues.push(mondayOf(span, zone).toString());
  return dues;
}

describe('a repeating task', () => {
  it('is due neither in its own sprint nor in an earlier one', () => {
    const [earlier, own] = [sprintOn('2026-11-30'), sprintOn('2026-12-28')];
    for (const rule of repeatKeys) {
      expect(isRepeatDue(rule, own, own, 'UTC')).toBe(false);
      expect(isRepeatDue(rule, own, earlier, 'UTC')).toBe(false);
    }
  });

  it.each([
    ['weekly', ['2026-12-21', '2026-12-28', '2027-01-04', '2027-01-11', '2027-01-18', '2027-01-25', '2027-02-01']],
    ['twoWeekly', ['2026-12-28', '2027-01-11', '2027-01-25']],
    ['threeWeekly', ['2027-01-04', '2027-01-25']],
    ['fourWeekly', ['2027-01-11']],
    ['monthFirst', ['2027-01-04', '2027-02-01']],
    ['monthLast', ['2026-12-28', '2027-01-25']],
  ] as const)('%s over the end of a year with 53 weeks: %j', (rule, mondays) => {
    expect(duesOf(rule, '2026-12-14', 8)).toEqual(mondays);
  });

  it('counts its weeks over sprints in which it was not added', () => {
    const from = sprintOn('2026-11-16');
    expect(isRepeatDue('twoWeekly', from, sprintOn('2026-12-07'), 'UTC')).toBe(false);
    expect(isRepeatDue('twoWeekly', from, sprintOn('2026-12-14'), 'UTC')).toBe(true);
  });

  it.each(['Europe/Amsterdam', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Kiritimati', 'UTC'])(
    'is due every second Monday through all clock changes of %s',
    (zone) => {
      const dues = duesOf('twoWeekly', '2026-03-02', 60, zone);
      const first = mondayOf(sprintOn('2026-03-02', zone), zone);
      expect(dues).toEqual(Array.from({ length: 29 }, (_, index) => first.add({ weeks: 2 * (index + 1) }).toString()));
    },
  );

  it('keeps its weeks when the company moves to another zone', () => {
    for (const [from, to] of [
      ['UTC', 'Pacific/Kiritimati'],
      ['Pacific/Kiritimati', 'Pacific/Pago_Pago'],
    ] as const) {
      const first = sprintOn('2026-11-18', from);
      // The first of the new zone starts where the last of the old one ended, which is no local Monday.
      const second = sprintAfter(sprintAfter(first, from), to);
      expect(isRepeatDue('twoWeekly', first, second, to)).toBe(true);
      expect(isRepeatDue('twoWeekly', first, sprintAfter(second, to), to)).toBe(false);
      expect(isRepeatDue('twoWeekly', first, sprintAfter(sprintAfter(second, to), to), to)).toBe(true);
    }
  });

  it('is in the month in which the sprint starts, on the company’s calendar', () => {
    // Monday is the first in Kiritimati, and still the day before in UTC.
    const [from, to] = ['2027-01-27', '2027-02-03'].map((day) => sprintOn(day, 'Pacific/Kiritimati')) as [Span, Span];
    expect(to.start.toString()).toBe('2027-01-31T20:00:00Z');
    expect(isRepeatDue('monthFirst', from, to, 'Pacific/Kiritimati')).toBe(true);
    // The week of 30 November ends in December.
    expect(isRepeatDue('monthLast', sprintOn('2026-11-25'), sprintOn('2026-12-02'), 'UTC')).toBe(true);
    expect(isRepeatDue('monthFirst', sprintOn('2026-11-25'), sprintOn('2026-12-02'), 'UTC')).toBe(false);
  });

  it('says how it repeats', () => {
    expect(repeatKeys.map(repeatSentence)).toEqual(Object.values(repeats).map(({ words }) => `Repeats ${words}`));
    expect(repeatSentence('twoWeekly')).toBe('Repeats every 2 weeks');
  });

  it('was added with its sprint until somebody changes it', () => {
    expect(isAddedByRepeat({ repeats: 'weekly', version: 1 })).toBe(true);
    expect(isAddedByRepeat({ repeats: 'weekly', version: 2 })).toBe(false);
    expect(isAddedByRepeat({ repeats: null, version: 1 })).toBe(false);
  });
});

describe('the workdays of a sprint', () => {
  it.each([
    ['2026-11-18', 'UTC', '2026-11-16', '2026-11-20'],
    ['2026-10-21', 'Europe/Amsterdam', '2026-10-19', '2026-10-23'],
    ['2026-12-30', 'Pacific/Pago_Pago', '2026-12-28', '2027-01-01'],
  ])('at %s in %s are %s to %s', (day, zone, firstDay, lastDay) => {
    const days = workdaysOf(sprintOn(day, zone), { zone, holidays: [] });
    expect([days.length, days[0], days.at(-1)]).toEqual([5, firstDay, lastDay]);
  });

  it('leave company holidays out', () => {
    const off = (firstDay: string, lastDay: string) => ({
      zone: 'UTC',
      holidays: [{ firstDay, lastDay, name: 'Holiday' }],
    });
    const sprint = sprintOn('2026-11-18');
    expect(workdaysOf(sprint, off('2026-11-14', '2026-11-18'))).toEqual(['2026-11-19', '2026-11-20']);
    expect(workdaysOf(sprint, off('2026-11-16', '2026-11-20'))).toEqual([]);
  });
});
