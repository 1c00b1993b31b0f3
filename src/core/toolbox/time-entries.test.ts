import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { samplePeople } from '../../../test/house/sample-people.ts';
import { readInput } from '../base/inputs.ts';
import { isRefusal } from '../base/refusals.ts';
import { mondayOf } from './meeting-times.ts';
import {
  type Around,
  addTimeInput,
  canSeeTimeOf,
  dayStarts,
  finishRefusal,
  isEarlierWeek,
  isForgotten,
  readMonday,
  reopenRefusal,
  sameTimeRefusal,
  startRefusal,
  stretchRefusal,
  type TimeEntry,
  timedTaskRefusal,
  weekGrid,
  weeksOf,
} from './time-entries.ts';

const at = (text: string) => Temporal.Instant.from(text);
const day = (text: string) => Temporal.PlainDate.from(text);
const zone = 'Europe/Berlin';
const now = at('2026-11-18T12:00:00Z');
const monday = day('2026-11-16');
const entry = (start: string, end: string | null, taskId = '1'): TimeEntry & { title: string } => ({
  ...{ id: `${start}`, taskId, title: 'Ship it' },
  start: at(start),
  end: end === null ? null : at(end),
});

describe('who sees the sums of a person', () => {
  const { admin, approver, staff, top5 } = samplePeople;
  const owner = { id: staff.id, approverIds: [approver.id] };
  it.each([
    ['a colleague', top5, false],
    ['the person', staff, true],
    ['the person’s approver', approver, true],
    ['an admin', admin, true],
  ] as const)('%s: %s', (_who, viewer, sees) => expect(canSeeTimeOf(viewer, owner)).toBe(sees));
});

it('time is kept on one’s own tasks alone', () => {
  expect(timedTaskRefusal('1', null)?.code).toBe('NOT_FOUND');
  expect(timedTaskRefusal('1', { ownerId: '2', withdrawn: false })?.code).toBe('NOT_FOUND');
  expect(timedTaskRefusal('1', { ownerId: '1', withdrawn: false })).toBeNull();
  expect(startRefusal('1', { ownerId: '2', withdrawn: false })?.code).toBe('NOT_FOUND');
  expect(startRefusal('1', { ownerId: '1', withdrawn: false })).toBeNull();
});

it('a withdrawn task starts no timer, and keeps the time that was spent on it', () => {
  expect(startRefusal('1', { ownerId: '1', withdrawn: true })?.code).toBe('TRANSITION_NOT_ALLOWED');
  expect(timedTaskRefusal('1', { ownerId: '1', withdrawn: true })).toBeNull();
});

it.each([
  ['2026-11-18T09:00:00Z', true],
  ['2028-02-29T23:59:59.999Z', true],
  ['0000-01-01T00:00:00Z', false],
  ['0001-01-01T00:00:00Z', false],
  ['2026-02-31T00:00:00Z', false],
  ['2026-11-01T24:00:00Z', false],
  ['2026-11-01T09:00:60Z', false],
  ['2026-11-18T09:00:00+01:00', false],
])('an instant that exists in this century is an instant: %s', (start, isOne) => {
  const read = readInput(addTimeInput, { taskId: '1', start, end: '2026-11-18T10:00:00Z' });
  expect(isRefusal(read) ? read.code : null).toBe(isOne ? null : 'BAD_INPUT');
});

describe('a stretch', () => {
  const around: Around = { others: [entry('2026-11-18T09:00:00Z', '2026-11-18T10:00:00Z')], finalWeeks: [], now, zone };
  const refused = (start: string, end: string, more: Partial<Around> = {}) =>
    stretchRefusal(at(start), at(end), { ...around, ...more })?.message ?? null;
  it.each<[string, string, string, string | null]>([
    ['beside another', '2026-11-18T08:00:00Z', '2026-11-18T09:00:00Z', null],
    ['right after it', '2026-11-18T10:00:00Z', '2026-11-18T11:00:00Z', null],
    ['up to now', '2026-11-18T11:00:00Z', '2026-11-18T12:00:00Z', null],
    ['into the future', '2026-11-18T11:00:00Z', '2026-11-18T12:00:01Z', 'You can’t enter time in the future'],
    ['backwards', '2026-11-18T11:00:00Z', '2026-11-18T10:30:00Z', 'The end must be after the start'],
    ['of nothing', '2026-11-18T11:00:00Z', '2026-11-18T11:00:00Z', 'The end must be after the start'],
    ['of more than a week', '2026-11-10T11:00:00Z', '2026-11-17T11:00:01Z', 'An entry can’t be longer than 7 days'],
    ['into another', '2026-11-18T08:30:00Z', '2026-11-18T09:30:00Z', 'This overlaps “Ship it” from 10:00 to 11:00'],
    ['around another', '2026-11-18T08:30:00Z', '2026-11-18T11:30:00Z', 'This overlaps “Ship it” from 10:00 to 11:00'],
  ])('%s', (_words, start, end, message) => expect(refused(start, end)).toBe(message));

  it('that meets the running timer is told so', () => {
    const others = [entry('2026-11-18T11:30:00Z', null)];
    expect(refused('2026-11-18T11:00:00Z', '2026-11-18T11:30:00Z', { others })).toBeNull();
    expect(refused('2026-11-18T11:00:00Z', '2026-11-18T11:31:00Z', { others })).toBe(
      'This overlaps “Ship it” from 12:30 to now (still running)',
    );
  });

  it('that reaches into a final week is refused, from either side', () => {
    const finalWeeks = ['2026-11-16'];
    expect(refused('2026-11-15T22:00:00Z', '2026-11-15T23:00:01Z', { finalWeeks })).toBe(
      'This week is final. Reopen it to change its time',
    );
    expect(refused('2026-11-15T22:00:00Z', '2026-11-15T22:30:00Z', { finalWeeks })).toBeNull();
  });
});

it.each([
  ['of the same day’s', '2026-11-18T08:00:00Z', '2026-11-18T09:00:00Z', false],
  ['of the next day’s same time', '2026-11-17T08:00:00Z', '2026-11-18T08:00:00Z', true],
  ['of the same time after a change of clocks', '2026-10-24T07:00:00Z', '2026-10-25T08:00:00Z', true],
  ['of 24 hours to another time', '2026-10-24T07:00:00Z', '2026-10-25T07:00:00Z', false],
  ['of the day after next', '2026-11-16T08:00:00Z', '2026-11-18T08:00:00Z', false],
])('an entry %s is no slip, or one: %s to %s', (_words, start, end, isSlip) =>
  expect(sameTimeRefusal(at(start), at(end), zone) !== null).toBe(isSlip),
);

describe('a week', () => {
  it.each([
    ['2026-11-16', true],
    ['2026-11-17', false],
    ['2026-02-31', false],
    ['Monday', false],
    ['__proto__', false],
  ])('is named by its Monday: %s', (text, good) => expect('code' in readMonday(text)).toBe(!good));

  it('has days of 23 and 25 hours where clocks change, and never loses or doubles a second', () => {
    const hours = (first: string) =>
      dayStarts(day(first), zone).map((start, index, all) =>
        index === 7 ? 0 : all[index + 1]!.since(start).total('hours'),
      );
    expect(hours('2026-03-23').slice(0, 7)).toEqual([24, 24, 24, 24, 24, 24, 23]);
    expect(hours('2026-10-19').slice(0, 7)).toEqual([24, 24, 24, 24, 24, 24, 25]);
    fc.assert(
      fc.property(
        fc.constantFrom('2026-03-23', '2026-10-19', '2026-11-16'),
        fc.array(fc.tuple(fc.nat(7 * 86_400), fc.nat(90_000)), { maxLength: 6 }),
        (first, made) => {
          const starts = dayStarts(day(first), zone);
          const entries = made.map(([from, long], index) => ({
            id: String(index),
            taskId: '1',
            start: starts[0]!.add({ seconds: from }),
            end: starts[0]!.add({ seconds: from + long }),
          }));
          const week = starts[7]!.since(starts[0]!).total('seconds');
          const wanted = made.reduce((sum, [from, long]) => sum + Math.max(0, Math.min(from + long, week) - from), 0);
          const sum = (weekGrid(entries, day(first), zone, starts[7]!).get('1') ?? []).reduce(
            (total, seconds) => total + seconds,
            0,
          );
          expect(sum).toBe(wanted);
        },
      ),
    );
  });

  it('shows the hours of a task on the day they were worked, and the running one up to now', () => {
    const grid = weekGrid(
      [entry('2026-11-16T22:30:00Z', '2026-11-16T23:30:00Z'), entry('2026-11-18T11:00:00Z', null, '2')],
      monday,
      zone,
      now,
    );
    expect(grid.get('1')).toEqual([1800, 1800, 0, 0, 0, 0, 0]);
    expect(grid.get('2')).toEqual([0, 0, 3600, 0, 0, 0, 0]);
  });

  it('is touched by every stretch that reaches into it', () => {
    expect(weeksOf(at('2026-11-15T22:00:00Z'), at('2026-11-16T02:00:00Z'), zone).map(String)).toEqual([
      '2026-11-09',
      '2026-11-16',
    ]);
    const sundayEvening = weeksOf(at('2026-11-15T22:00:00Z'), at('2026-11-15T23:00:00Z'), zone);
    expect(sundayEvening.map(String)).toEqual(['2026-11-09']);
    const mondayMidnight = at('2026-11-15T23:00:00Z');
    expect(weeksOf(mondayMidnight, mondayMidnight, zone).map(String)).toEqual(['2026-11-16']);
    expect(mondayOf(now, zone).equals(monday)).toBe(true);
  });

  it.each<[string, Temporal.Instant | null, string | null]>([
    ['2026-11-23', null, 'You can’t mark a future week as final'],
    ['2026-11-16', now.subtract({ hours: 1 }), 'Stop the timer first'],
    ['2026-11-09', now.subtract({ hours: 1 }), null],
    ['2026-11-16', null, null],
    ['2025-11-10', null, null],
    ['2025-11-03', null, 'Time from more than a year ago can’t be changed'],
  ])('that begins on %s is called final, with a timer since %s: %s', (first, since, message) => {
    expect(finishRefusal(day(first), since, now, zone)?.message ?? null).toBe(message);
  });

  it('that can’t change anymore isn’t reopened either: it couldn’t be marked again', () => {
    expect(reopenRefusal(day('2025-11-03'), now, now, zone)?.message).toBe(
      'Time from more than a year ago can’t be changed',
    );
  });

  it.each(['2025-11-10', '2026-11-09', '2026-11-16'])(
    'that may be marked final is reopened for 14 days: %s',
    (first) => {
      expect(finishRefusal(day(first), null, now, zone)).toBeNull();
      const at = now.add({ hours: 14 * 24 });
      // The oldest one is too old to change by then.
      if (first !== '2025-11-10')
        expect(reopenRefusal(day(first), now, at.subtract({ milliseconds: 1 }), zone)).toBeNull();
      expect(reopenRefusal(day(first), now, at, zone)?.code).toBe('TOO_LATE');
    },
  );

  it.each([
    ['2026-11-16', false],
    ['2026-11-09', false],
    ['2026-11-02', true],
  ])('that begins on %s is before the last one: %s', (first, isEarlier) => {
    expect(isEarlierWeek(day(first), now, zone)).toBe(isEarlier);
  });
});

it.each([
  ['2026-11-18T00:00:00Z', false],
  ['2026-11-17T23:00:00Z', false],
  ['2026-11-17T22:59:59Z', true],
])('a timer that began %s is forgotten: %s', (start, forgotten) => {
  expect(isForgotten(at(start), now, zone)).toBe(forgotten);
});
