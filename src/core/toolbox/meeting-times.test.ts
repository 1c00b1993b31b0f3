import { describe, expect, it } from 'vitest';
import {
  clashesOf,
  instantOfWallTime,
  isDayOfSeries,
  isIn,
  nextOf,
  occurrencesBetween,
  occurrencesOfAll,
  placesOfDay,
  type WeeklySeries,
  weekFrom,
} from './meeting-times.ts';

const series = (change: Partial<WeeklySeries> = {}): WeeklySeries => ({
  weekday: 1,
  time: '09:30',
  minutes: 45,
  firstDay: '2026-01-05',
  exceptions: [],
  ...change,
});
const at = (text: string) => Temporal.Instant.from(text);
const starts = (one: WeeklySeries, from: string, to: string, zone: string) =>
  occurrencesBetween(one, at(from), at(to), zone).map(({ start }) => start.toString());

describe('a weekly meeting keeps its wall time when clocks change', () => {
  it.each([
    // Europe's clocks go forward and back.
    ['Europe/Amsterdam', '2026-03-23', ['2026-03-23T08:30:00Z', '2026-03-30T07:30:00Z']],
    ['Europe/Amsterdam', '2026-10-19', ['2026-10-19T07:30:00Z', '2026-10-26T08:30:00Z']],
    // America's change on other weekends.
    ['America/New_York', '2026-03-02', ['2026-03-02T14:30:00Z', '2026-03-09T13:30:00Z']],
    ['America/New_York', '2026-10-26', ['2026-10-26T13:30:00Z', '2026-11-02T14:30:00Z']],
    // The southern hemisphere, and half an hour of daylight saving.
    ['Australia/Lord_Howe', '2026-03-30', ['2026-03-29T22:30:00Z', '2026-04-05T23:00:00Z']],
    ['Pacific/Auckland', '2026-09-21', ['2026-09-20T21:30:00Z', '2026-09-27T20:30:00Z']],
    // Far from UTC, without daylight saving.
    ['Pacific/Kiritimati', '2026-06-01', ['2026-05-31T19:30:00Z', '2026-06-07T19:30:00Z']],
    ['Pacific/Niue', '2026-06-01', ['2026-06-01T20:30:00Z', '2026-06-08T20:30:00Z']],
    ['Asia/Kathmandu', '2026-06-01', ['2026-06-01T03:45:00Z', '2026-06-08T03:45:00Z']],
    ['UTC', '2026-06-01', ['2026-06-01T09:30:00Z', '2026-06-08T09:30:00Z']],
  ])('%s from %s', (zone, monday, expected) => {
    const { from } = weekFrom(Temporal.PlainDate.from(monday), zone);
    const { to } = weekFrom(Temporal.PlainDate.from(monday).add({ days: 7 }), zone);
    expect(starts(series(), from.toString(), to.toString(), zone)).toEqual(expected);
  });
  it('a time that the clocks leave out counts on from before, one that comes twice is the first', () => {
    expect(instantOfWallTime('2026-03-29', '02:30', 'Europe/Amsterdam').toString()).toBe('2026-03-29T01:30:00Z');
    expect(instantOfWallTime('2026-10-25', '02:30', 'Europe/Amsterdam').toString()).toBe('2026-10-25T00:30:00Z');
  });
  it('a week is as long as its days are', () => {
    const { from, to } = weekFrom(Temporal.PlainDate.from('2026-03-23'), 'Europe/Amsterdam');
    expect(from.until(to).total('hours')).toBe(167);
  });
});

describe('when a meeting takes place', () => {
  it('is on one day if it doesn’t repeat, wherever that was moved', () => {
    const once = series({ firstDay: '2026-11-23', onceOn: '2026-11-23' });
    const around = ['2026-11-01T00:00:00Z', '2026-12-31T00:00:00Z', 'UTC'] as const;
    expect(starts(once, ...around)).toEqual(['2026-11-23T09:30:00Z']);
    const moved = { ...once, exceptions: [{ day: '2026-11-23', to: { day: '2026-11-25', time: '11:00' } }] };
    expect(starts(moved, ...around)).toEqual(['2026-11-25T11:00:00Z']);
    expect(isDayOfSeries(once, '2026-11-23')).toBe(true);
    expect(isDayOfSeries(once, '2026-11-30')).toBe(false);
  });
  it('is never before its first day', () => {
    expect(starts(series({ firstDay: '2026-11-23' }), '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z', 'UTC')).toEqual([
      '2026-11-23T09:30:00Z',
      '2026-11-30T09:30:00Z',
    ]);
  });
  it('is from the start on and before the end', () => {
    const week = ['2026-11-16T09:30:00Z', '2026-11-23T09:30:00Z'] as const;
    expect(starts(series(), ...week, 'UTC')).toEqual(['2026-11-16T09:30:00Z']);
  });
  it('stays in a week that is canceled, marked, and is elsewhere in one that is moved', () => {
    const changed = series({
      exceptions: [
        { day: '2026-11-16', to: null },
        { day: '2026-11-23', to: { day: '2026-11-25', time: '16:00' } },
      ],
    });
    const found = occurrencesBetween(changed, at('2026-11-16T00:00:00Z'), at('2026-12-07T00:00:00Z'), 'UTC');
    expect(found.map(({ day, start, moved, canceled }) => [day, start.toString(), moved, canceled])).toEqual([
      ['2026-11-16', '2026-11-16T09:30:00Z', false, true],
      ['2026-11-23', '2026-11-25T16:00:00Z', true, false],
      ['2026-11-30', '2026-11-30T09:30:00Z', false, false],
    ]);
  });
  it('is found in the week that it was moved to, from either side', () => {
    const far = series({
      exceptions: [
        { day: '2026-11-02', to: { day: '2026-11-26', time: '08:00' } },
        { day: '2026-12-21', to: { day: '2026-11-27', time: '08:00' } },
      ],
    });
    expect(starts(far, '2026-11-24T00:00:00Z', '2026-11-30T00:00:00Z', 'UTC')).toEqual([
      '2026-11-26T08:00:00Z',
      '2026-11-27T08:00:00Z',
    ]);
  });
});

describe('the next meeting', () => {
  const now = (text: string) => nextOf([series()], at(text), 'UTC')?.occurrence.start.toString();
  it('is the one that runs until it has ended, then the one of next week', () => {
    expect(now('2026-11-16T09:00:00Z')).toBe('2026-11-16T09:30:00Z');
    expect(now('2026-11-16T10:14:59Z')).toBe('2026-11-16T09:30:00Z');
    expect(now('2026-11-16T10:15:00Z')).toBe('2026-11-23T09:30:00Z');
  });
  it('is none without meetings, and in the future where a series begins later', () => {
    expect(nextOf([], at('2026-11-16T09:00:00Z'), 'UTC')).toBeNull();
    expect(nextOf([series({ firstDay: '2026-12-07' })], at('2026-11-16T09:00:00Z'), 'UTC')?.occurrence.day).toBe(
      '2026-12-07',
    );
  });
  it('is one that begins or takes place in more than a quarter', () => {
    const later = (change: object) => nextOf([series(change)], at('2026-11-16T09:00:00Z'), 'UTC')?.occurrence.day;
    expect(later({ firstDay: '2027-06-07' })).toBe('2027-06-07');
    expect(later({ firstDay: '2027-06-07', onceOn: '2027-06-07' })).toBe('2027-06-07');
  });
  it('is never one that is canceled', () => {
    const canceled = series({ exceptions: [{ day: '2026-11-16', to: null }] });
    expect(nextOf([canceled], at('2026-11-16T09:00:00Z'), 'UTC')?.occurrence.day).toBe('2026-11-23');
  });
  it('is the earliest of several', () => {
    const all = [series(), series({ weekday: 3, firstDay: '2026-01-07' })];
    expect(nextOf(all, at('2026-11-17T00:00:00Z'), 'UTC')?.series).toBe(all[1]);
  });
});

describe('meetings get in each other’s way', () => {
  const seated = (title: string, time: string, chairId: string, attendeeIds: string[], minutes = 60) => ({
    ...series({ time, minutes }),
    title,
    chairId,
    attendeeIds,
  });
  const clashes = (...all: ReturnType<typeof seated>[]) =>
    clashesOf(occurrencesOfAll(all, at('2026-11-16T00:00:00Z'), at('2026-11-23T00:00:00Z'), 'UTC')).map((found) =>
      found.map((clash) => [clash.with.title, clash.people]),
    );
  it('when they overlap and want the same people, whether these chair or attend', () => {
    expect(clashes(seated('A', '09:00', '1', ['2', '3']), seated('B', '09:30', '2', ['1', '4']))).toEqual([
      [['B', ['1', '2']]],
      [['A', ['2', '1']]],
    ]);
  });
  it('and not when one begins as the other ends, or nobody is in both', () => {
    expect(clashes(seated('A', '09:00', '1', ['2']), seated('B', '10:00', '1', ['2']))).toEqual([[], []]);
    expect(clashes(seated('A', '09:00', '1', ['2']), seated('B', '09:00', '3', ['4']))).toEqual([[], []]);
  });
  it('and not when one of them is canceled', () => {
    const off = { ...seated('A', '09:00', '1', []), exceptions: [{ day: '2026-11-16', to: null }] };
    expect(clashes(off, seated('B', '09:00', '1', []))).toEqual([[], []]);
  });
  it('when one is for everyone, who need not be listed, and as such when both are', () => {
    const all = { ...seated('All', '09:00', '9', ['1']), everyone: true };
    expect(clashes(all, seated('B', '09:00', '2', ['3']))).toEqual([[['B', ['2', '3']]], [['All', ['2', '3']]]]);
    const both = occurrencesOfAll([all, all], at('2026-11-16T00:00:00Z'), at('2026-11-23T00:00:00Z'), 'UTC');
    expect(clashesOf(both)).toMatchObject([[{ everyone: true }], [{ everyone: true }]]);
    expect([isIn(all, '4'), isIn(seated('B', '09:00', '2', ['3']), '4')]).toEqual([true, false]);
  });
  it('each with each', () => {
    const all = [seated('A', '09:00', '1', []), seated('B', '09:15', '1', [], 15), seated('C', '09:20', '1', [])];
    expect(clashes(...all).map(({ length }) => length)).toEqual([2, 2, 2]);
  });
});

describe('the places in a day’s column', () => {
  const places = (...times: readonly (readonly [start: string, end: string])[]) =>
    placesOfDay(
      times.map(([start, end]) => ({
        day: '2026-11-23',
        start: at(start),
        end: at(end),
        moved: false,
        canceled: false,
      })),
      'Europe/Amsterdam',
    );

  it('share the width while meetings overlap, and take all of it again afterwards', () => {
    expect(
      places(
        ['2026-11-23T08:00Z', '2026-11-23T09:30Z'],
        ['2026-11-23T08:30Z', '2026-11-23T09:30Z'],
        ['2026-11-23T09:00Z', '2026-11-23T11:00Z'],
        ['2026-11-23T09:30Z', '2026-11-23T10:00Z'],
        ['2026-11-23T11:00Z', '2026-11-23T12:00Z'],
      ),
    ).toEqual([
      { from: 540, to: 630, lane: 0, lanes: 3, span: 3 },
      { from: 570, to: 630, lane: 1, lanes: 3, span: 2 },
      { from: 600, to: 720, lane: 2, lanes: 3, span: 1 },
      // The meeting of the third lane goes on beside it.
      { from: 630, to: 660, lane: 0, lanes: 3, span: 2 },
      { from: 720, to: 780, lane: 0, lanes: 1, span: 1 },
    ]);
  });

  it('leave room for the title of a short meeting', () => {
    expect(places(['2026-11-23T08:00Z', '2026-11-23T08:05Z'], ['2026-11-23T08:10Z', '2026-11-23T09:00Z'])).toEqual([
      { from: 540, to: 570, lane: 0, lanes: 2, span: 1 },
      { from: 550, to: 600, lane: 1, lanes: 2, span: 1 },
    ]);
  });

  it('end with the day', () => {
    expect(places(['2026-11-23T22:00Z', '2026-11-24T01:00Z'])).toEqual([
      { from: 1_380, to: 1_440, lane: 0, lanes: 1, span: 1 },
    ]);
  });
});
