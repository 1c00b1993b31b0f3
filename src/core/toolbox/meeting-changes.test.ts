import { describe, expect, test } from 'vitest';
import { actionOnDateNotices, type MeetingNews, newsOfDate, newsOfRemoval, newsOfSave } from './meeting-changes.ts';
import type { MeetingException } from './meeting-times.ts';

/** A Wednesday; it is 13:00 in Amsterdam. */
const moment = { now: Temporal.Instant.from('2026-11-18T12:00:00Z'), zone: 'Europe/Amsterdam' };
const weekly = {
  ...{ weekday: 3, time: '12:30', minutes: 30, firstDay: '2026-11-11', exceptions: [] as MeetingException[] },
  ...{ chairId: '1', attendeeIds: ['2', '3'], team: null, wholeTeam: false, onceOn: null as string | null },
};
const once = (day: string, more: object = {}) => ({ ...weekly, onceOn: day, ...more });
const wednesdays = { weekday: 3, time: '12:30' };
const canceled = (day: string) => ({ ...weekly, exceptions: [{ day, to: null }] });

describe('a date that is over is no news', () => {
  const moved = { ...weekly, exceptions: [{ day: '2026-11-18', to: { day: '2026-11-19', time: '09:00' } }] };
  test.each([
    ['canceled as it ends', weekly, canceled('2026-11-18'), '2026-11-18', []],
    ['canceled while it lasts', { ...weekly, minutes: 31 }, canceled('2026-11-18'), '2026-11-18', ['canceled']],
    ['restored', canceled('2026-11-11'), weekly, '2026-11-11', []],
    ['canceled, moved to a coming day', canceled('2026-11-18'), moved, '2026-11-18', ['restored']],
    ['past, moved to a coming day', weekly, moved, '2026-11-18', ['moved']],
    ['coming', weekly, canceled('2026-11-25'), '2026-11-25', ['canceled']],
    ['unchanged', canceled('2026-11-25'), canceled('2026-11-25'), '2026-11-25', []],
  ])('%s', (_case, known, planned, day, events) => {
    expect(newsOfDate(known, planned, day, moment).map(({ event }) => event)).toEqual(events);
  });

  test('nor is a meeting that took place once', () => {
    const [past, coming] = [once('2026-11-17'), once('2026-11-19')];
    const added = { attendeeIds: ['2', '4'] };
    expect(newsOfRemoval(past, 'removed', moment)).toEqual([]);
    expect(newsOfRemoval(past, 'restored', moment)).toEqual([]);
    expect(newsOfSave(null, past, moment)).toEqual([]);
    expect(newsOfSave(past, { ...past, ...added }, moment)).toEqual([]);
    expect(newsOfSave(past, coming, moment)).toHaveLength(1);
    expect(newsOfRemoval(coming, 'removed', moment)).toHaveLength(1);
  });
});

test('unread notifications of dates end with the weekday or the seat, and come back with a removed meeting', () => {
  const actions = (news: readonly MeetingNews[]) => news.map((one) => [one.event, actionOnDateNotices(one)]);
  expect(actions(newsOfRemoval(weekly, 'removed', moment))).toEqual([['removed', 'hide']]);
  expect(actions(newsOfRemoval(weekly, 'restored', moment))).toEqual([['restored', 'show']]);
  expect(actions(newsOfRemoval(once('2026-11-19'), 'removed', moment))).toEqual([['removed', 'keep']]);
  expect(actions(newsOfDate(weekly, canceled('2026-11-25'), '2026-11-25', moment))).toEqual([['canceled', 'keep']]);
  const [later, other] = [{ time: '14:00' }, { weekday: 4, attendeeIds: ['3', '4'] }];
  expect(actions(newsOfSave(weekly, { ...weekly, ...later }, moment))).toEqual([['moved', 'keep']]);
  expect(actions(newsOfSave(weekly, { ...weekly, ...other }, moment))).toEqual([
    ['moved', 'delete'],
    ['added', 'keep'],
    ['left', 'delete'],
  ]);
});

describe('a change of the whole meeting tells', () => {
  test('of another time those who stay, of seats those who come and go', () => {
    const planned = { ...weekly, attendeeIds: ['3', '4'], time: '14:00' };
    const later = { weekday: 3, time: '14:00' };
    expect(newsOfSave(weekly, planned, moment)).toEqual([
      { event: 'moved', day: null, before: wednesdays, after: later, inAll: [weekly, planned], inNone: [] },
      { event: 'added', day: null, before: null, after: later, inAll: [planned], inNone: [weekly] },
      { event: 'left', day: null, before: wednesdays, after: null, inAll: [weekly], inNone: [planned] },
    ]);
  });

  test.each([
    ['the same people in another order', { attendeeIds: ['3', '2'] }, []],
    ['a length and an agenda', { minutes: 60, agenda: 'More' }, []],
    ['another chair', { chairId: '4' }, ['added', 'left']],
    ['the whole company', { wholeTeam: true }, ['added', 'left']],
    ['a team that isn’t invited', { team: 'connect' as const }, []],
    ['another weekday', { weekday: 4 }, ['moved']],
    ['one day from now on', { onceOn: '2026-12-02' }, ['moved']],
  ])('of %s', (_case, change, events) => {
    expect(newsOfSave(weekly, { ...weekly, ...change }, moment).map(({ event }) => event)).toEqual(events);
  });

  test('of seats also the next dates that changed before, up to five', () => {
    const days = ['2026-12-30', '2026-11-11', '2026-11-25', '2026-12-02', '2026-12-09', '2026-12-16', '2026-12-23'];
    const known = { ...weekly, exceptions: days.map((day) => ({ day, to: null })) };
    const planned = { ...known, attendeeIds: ['2', '3', '4'] };
    const dates = [...days.slice(2), null];
    const added = newsOfSave(known, planned, moment).filter(({ event }) => event === 'added');
    expect(added.map(({ day }) => day)).toEqual(dates);
    expect(added.every(({ inAll, inNone }) => inAll[0] === planned && inNone[0] === known)).toBe(true);
  });

  test('of a restored meeting no dates: who knew of them knows, and who hadn’t read of them gets that back', () => {
    const news = newsOfRemoval(canceled('2026-11-25'), 'restored', moment);
    expect(news.map(({ event, day }) => [event, day])).toEqual([['restored', null]]);
  });

  test('of a meeting on a canceled day nobody', () => {
    const gone = once('2026-11-25', { exceptions: [{ day: '2026-11-25', to: null }] });
    expect(newsOfSave(gone, { ...gone, attendeeIds: ['4'] }, moment)).toEqual([]);
    expect(newsOfRemoval(gone, 'removed', moment)).toEqual([]);
  });
});
