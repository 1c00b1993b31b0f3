import { describe, expect, it } from 'vitest';
import { samplePeople } from '../../../test/house/sample-people.ts';
import { readInput } from '../base/inputs.ts';
import {
  canEditMeeting,
  changedParts,
  type KnownMeeting,
  meetingInput,
  meetingLimits,
  planCreateMeeting,
  planOccurrence,
  planUpdateMeeting,
  removeMeetingRefusal,
} from './meetings.ts';

const { admin, approver, staff, sales } = samplePeople;
const wednesday = Temporal.PlainDate.from('2026-11-18');

const on = {
  today: wednesday,
  teams: new Map<string, string | null>([
    ['approver', 'connect'],
    ['colleague', 'connect'],
    ['stranger', 'green'],
    ['nobody', null],
  ]),
  colleagues: [],
};
const creating = { today: wednesday, count: 0, colleagues: [] };

const content = {
  title: 'Weekly of Connect',
  team: 'connect' as const,
  wholeTeam: false,
  chairId: 'approver',
  attendeeIds: ['staff'],
  weekday: 1,
  time: '10:30',
  minutes: 30,
  place: 'Room 2',
  link: '',
  agenda: '',
};
const known: KnownMeeting = {
  ...content,
  id: '1',
  version: 3,
  firstDay: '2026-11-02',
  exceptions: [{ day: '2026-11-23', to: null }],
};

describe('who changes a meeting', () => {
  it.each([
    ['an admin', admin, true],
    ['its chair', approver, true],
    ['an attendee', staff, false],
    ['a stranger', sales, false],
    ['a chair who may not read the schedule any more', { ...sales, id: 'approver' }, false],
  ])('%s', (_who, viewer, may) => {
    expect(canEditMeeting(viewer, known)).toBe(may);
    const plan = planUpdateMeeting(viewer, known, { ...content, version: 3, title: 'New' }, on);
    expect(plan).toMatchObject(may ? { title: 'New' } : { code: 'FORBIDDEN' });
    expect(planOccurrence(viewer, known, { day: '2026-11-30', version: 3 }, wednesday)).toMatchObject(
      may ? { exception: { to: null } } : { code: 'FORBIDDEN' },
    );
  });
  it('is never the chair where it is about making, removing or another chair', () => {
    expect(planCreateMeeting(approver, content, creating)).toMatchObject({ code: 'FORBIDDEN' });
    expect(removeMeetingRefusal(approver, known, 3)).toMatchObject({ code: 'FORBIDDEN' });
    const handedOn = { ...content, version: 3, chairId: 'staff' };
    expect(planUpdateMeeting(approver, known, handedOn, on)).toMatchObject({
      code: 'FORBIDDEN',
      field: 'chairId',
    });
    expect(planUpdateMeeting(admin, known, handedOn, on)).toMatchObject({ chairId: 'staff', attendeeIds: [] });
  });
  it('is the chair only within the team: an admin adds people from outside it, or changes it', () => {
    const plan = (viewer: typeof admin, change: object, before = known) =>
      planUpdateMeeting(viewer, before, { ...content, version: 3, ...change }, on);
    const along = (id: string) => ({ attendeeIds: ['staff', id] });
    expect(plan(approver, along('colleague'))).toMatchObject(along('colleague'));
    expect(plan(approver, { attendeeIds: [] })).toMatchObject({ attendeeIds: [] });
    for (const id of ['stranger', 'nobody', 'unknown'])
      expect(plan(approver, along(id))).toMatchObject({ code: 'FORBIDDEN', field: 'attendeeIds' });
    expect(plan(approver, { team: null })).toMatchObject({ code: 'FORBIDDEN', field: 'team' });
    expect(plan(approver, along('nobody'), { ...known, team: null })).toMatchObject({ code: 'FORBIDDEN' });
    expect(plan(admin, { team: null, ...along('stranger') })).toMatchObject({ team: null, ...along('stranger') });
  });
  it('is told when it was changed meanwhile', () => {
    expect(planUpdateMeeting(admin, known, { ...content, version: 2 }, on)).toMatchObject({ code: 'CONFLICT' });
    expect(removeMeetingRefusal(admin, known, 2)).toMatchObject({ code: 'CONFLICT' });
    expect(removeMeetingRefusal(admin, known, 3)).toBeNull();
    expect(planOccurrence(admin, known, { day: '2026-11-30', version: 2 }, wednesday)).toMatchObject({
      code: 'CONFLICT',
    });
  });
});

describe('a new meeting', () => {
  it('begins on the next day of its weekday, today included, with everybody once', () => {
    const plan = (weekday: number) =>
      planCreateMeeting(admin, { ...content, weekday, attendeeIds: ['staff', 'approver', 'staff'] }, creating);
    expect(plan(1)).toMatchObject({ firstDay: '2026-11-23', attendeeIds: ['staff'], exceptions: [] });
    expect(plan(3)).toMatchObject({ firstDay: '2026-11-18' });
    expect(plan(7)).toMatchObject({ firstDay: '2026-11-22' });
  });
  it('that does not repeat is on its own day, which says the weekday and is never past', () => {
    const plan = (onceOn: string) => planCreateMeeting(admin, { ...content, onceOn }, creating);
    expect(plan('2026-11-17')).toMatchObject({ code: 'BAD_INPUT', field: 'onceOn' });
    expect(plan('2026-11-18')).toMatchObject({ onceOn: '2026-11-18', firstDay: '2026-11-18', weekday: 3 });
  });
  it('is refused when there are too many', () => {
    const state = { ...creating, count: meetingLimits.meetings };
    expect(planCreateMeeting(admin, content, state)).toMatchObject({ code: 'BAD_INPUT' });
  });
});

describe('a meeting of a whole team', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `of the team ${index}`);
  const whole = { ...content, wholeTeam: true };
  const create = (change: object, colleagues: readonly string[] = []) =>
    planCreateMeeting(admin, { ...whole, ...change }, { ...creating, colleagues });
  const update = (viewer: typeof admin, before: KnownMeeting, change: object, colleagues: readonly string[] = []) =>
    planUpdateMeeting(viewer, before, { ...whole, version: 3, ...change }, { ...on, colleagues });
  const refused = { code: 'BAD_INPUT', field: 'wholeTeam' };
  it('is not widened by a chair who has left the team, or was never in it', () => {
    const forbidden = (field: string) => ({ code: 'FORBIDDEN', field });
    for (const team of ['green', null]) {
      const teams = new Map([...on.teams, ['approver', team] as const]);
      const left = (before: KnownMeeting, change: object) =>
        planUpdateMeeting(approver, before, { ...content, version: 3, ...change }, { ...on, teams });
      expect(left(known, { wholeTeam: true, link: 'https://evil.test' })).toMatchObject(forbidden('wholeTeam'));
      for (const id of ['colleague', 'stranger'])
        expect(left(known, { attendeeIds: ['staff', id] })).toMatchObject(forbidden('attendeeIds'));
      expect(left(known, { place: 'Hall', attendeeIds: [] })).toMatchObject({ place: 'Hall', attendeeIds: [] });
      expect(left({ ...known, wholeTeam: true }, {})).toMatchObject({ wholeTeam: false });
    }
  });
  it('is, without a team, for the whole company, which only admins invite and which can be of any size', () => {
    const company = { ...known, team: null, wholeTeam: true };
    const forbidden = {
      code: 'FORBIDDEN',
      field: 'wholeTeam',
      message: 'Only admins can invite everyone in the company',
    };
    expect(update(approver, { ...company, wholeTeam: false }, { team: null })).toMatchObject(forbidden);
    expect(update(approver, known, { team: null })).toMatchObject({ code: 'FORBIDDEN', field: 'team' });
    const many200 = many(meetingLimits.attendees + 2);
    expect(create({ team: null }, many200)).toMatchObject({ team: null, wholeTeam: true });
    expect(update(admin, known, { team: null }, many200)).toMatchObject({ team: null, wholeTeam: true });
    expect(update(approver, company, { team: null, place: 'Hall' })).toMatchObject({ wholeTeam: true, place: 'Hall' });
    expect(update(approver, company, { team: null, wholeTeam: false })).toMatchObject({ wholeTeam: false });
  });
  it('is refused with too many people, who count once and without the chair', () => {
    const team = [...many(meetingLimits.attendees), 'approver'];
    expect(create({ attendeeIds: [team[0]] }, team)).toMatchObject({ wholeTeam: true, attendeeIds: [team[0]] });
    const message = 'A meeting can have up to 200 attendees';
    expect(create({}, team)).toMatchObject({ ...refused, message });
    expect(update(admin, known, {}, team)).toMatchObject({ ...refused, message });
    expect(update(admin, known, { wholeTeam: false }, team)).toMatchObject({ wholeTeam: false });
  });
  it('can be changed after its team grew too large, but gets no more people', () => {
    const before = { ...known, wholeTeam: true };
    const team = many(meetingLimits.attendees + 2);
    expect(update(approver, before, { place: 'Hall', attendeeIds: [] }, team)).toMatchObject({ place: 'Hall' });
    expect(update(admin, before, { attendeeIds: ['staff', 'stranger'] }, team)).toMatchObject(refused);
    expect(update(admin, before, { chairId: 'colleague' }, team)).toMatchObject({ chairId: 'colleague' });
    expect(update(admin, before, { team: 'green' }, team)).toMatchObject(refused);
  });
  it('is switched on and off by its chair, unless it has no team', () => {
    expect(update(approver, known, {})).toMatchObject({ wholeTeam: true, attendeeIds: ['staff'] });
    expect(update(approver, { ...known, wholeTeam: true }, { wholeTeam: false })).toMatchObject({ wholeTeam: false });
    const teamless = { ...known, team: null };
    expect(update(approver, teamless, {})).toMatchObject({ code: 'FORBIDDEN', field: 'team' });
    expect(update(staff, known, {})).toMatchObject({ code: 'FORBIDDEN' });
  });
  it('differs from one with the same guests', () => {
    expect(changedParts(known, { ...known, wholeTeam: true })).toEqual(['wholeTeam']);
  });
});

describe('a changed meeting', () => {
  it('can stop repeating, and repeat again, and then has no exceptions', () => {
    const change = { ...content, version: 3, onceOn: '2026-12-02' };
    const once = planUpdateMeeting(admin, known, change, on);
    expect(planUpdateMeeting(admin, known, { ...change, onceOn: '2026-11-23' }, on)).toMatchObject({ exceptions: [] });
    expect(once).toMatchObject({ onceOn: '2026-12-02', firstDay: '2026-12-02', weekday: 3, exceptions: [] });
    expect(planUpdateMeeting(admin, known, { ...change, onceOn: '2026-11-17' }, on)).toMatchObject({ field: 'onceOn' });
    const stored = { ...known, weekday: 3, firstDay: '2026-12-02', onceOn: '2026-12-02' };
    const weekly = planUpdateMeeting(admin, stored, { ...content, version: 3 }, on);
    expect(weekly).toMatchObject({ firstDay: '2026-12-07', weekday: 1 });
    expect(weekly).not.toHaveProperty('onceOn');
  });
  const plan = (change: object) => planUpdateMeeting(admin, known, { ...content, version: 3, ...change }, on);
  it('starts today on another weekday, without the days that were different', () => {
    expect(plan({ weekday: 4 })).toMatchObject({ firstDay: '2026-11-19', exceptions: [] });
  });
  it('starts today at another time, and keeps the days that are canceled or moved from then on', () => {
    expect(plan({ time: '11:00' })).toMatchObject({ firstDay: '2026-11-23', exceptions: known.exceptions });
    const coming = { day: '2026-12-07', to: { day: '2026-12-08', time: '09:00' } };
    const exceptions = [{ day: '2026-11-09', to: null }, ...known.exceptions, coming];
    const later = planUpdateMeeting(admin, { ...known, exceptions }, { ...content, version: 3, time: '11:00' }, on);
    expect(later).toMatchObject({ exceptions: exceptions.slice(1) });
  });
  it('keeps a past day that was moved to a coming one', () => {
    const exceptions = [{ day: '2026-11-16', to: { day: '2026-11-20', time: '09:00' } }, ...known.exceptions];
    const later = planUpdateMeeting(admin, { ...known, exceptions }, { ...content, version: 3, time: '11:00' }, on);
    expect(later).toMatchObject({ firstDay: '2026-11-16', exceptions });
  });
  it('else goes on as it was', () => {
    expect(plan({ place: 'Room 3', minutes: 60 })).toMatchObject({
      firstDay: '2026-11-02',
      exceptions: known.exceptions,
    });
  });
  it('that is still to begin does not begin earlier', () => {
    const later = { ...known, firstDay: '2027-01-04' };
    expect(planUpdateMeeting(admin, later, { ...content, version: 3, time: '11:00' }, on)).toMatchObject({
      firstDay: '2027-01-04',
    });
  });
});

describe('the meeting of one day', () => {
  const plan = (change: object) =>
    planOccurrence(admin, known, { version: 3, day: '2026-11-30', ...change }, wednesday);
  it.each([
    ['is cancelled', {}, { exception: { day: '2026-11-30', to: null } }],
    [
      'is moved',
      { toDay: '2026-12-01', toTime: '15:00' },
      { exception: { day: '2026-11-30', to: { day: '2026-12-01', time: '15:00' } } },
    ],
    ['is back to normal again', { restore: true }, { exception: null }],
    [
      'is back to normal when it is moved to where it is',
      { toDay: '2026-11-30', toTime: '10:30' },
      { exception: null },
    ],
    ['that is none is refused', { day: '2026-12-01' }, { code: 'BAD_INPUT', field: 'day' }],
    ['before the first is refused', { day: '2026-10-26' }, { code: 'BAD_INPUT', field: 'day' }],
    ['needs day and time both', { toDay: '2026-12-01' }, { code: 'BAD_INPUT', field: 'toTime' }],
    ['is not moved into the past', { toDay: '2026-11-17', toTime: '10:30' }, { code: 'BAD_INPUT', field: 'toDay' }],
    ['may be moved to today', { toDay: '2026-11-18', toTime: '10:30' }, { exception: { day: '2026-11-30' } }],
    ['is not moved too far', { toDay: '2026-12-29', toTime: '10:30' }, { code: 'BAD_INPUT', field: 'toDay' }],
  ])('%s', (_case, change, expected) => {
    expect(plan(change)).toMatchObject(expected);
  });
});

describe('the meeting of a day that is over', () => {
  const series = { ...known, firstDay: '2026-11-02' };
  const plan = (change: object, exceptions: typeof known.exceptions = []) =>
    planOccurrence(admin, { ...series, exceptions }, { version: 3, day: '2026-11-16', ...change }, wednesday);
  const later = { toDay: '2026-11-19', toTime: '15:00' };
  const moved = [{ day: '2026-11-16', to: { day: '2026-11-19', time: '15:00' } }];
  it.each([
    ['canceled', {}],
    ['moved', later],
    ['restored', { restore: true }],
  ])('is not %s', (_how, change) => {
    expect(plan(change)).toMatchObject({ code: 'BAD_INPUT', field: 'day' });
    const yesterday = [{ day: '2026-11-16', to: { day: '2026-11-17', time: '15:00' } }];
    expect(plan(change, yesterday)).toMatchObject({ code: 'BAD_INPUT', field: 'day' });
  });
  it('is canceled and moved while it is still to come on another day, but not put back', () => {
    expect(plan({}, moved)).toMatchObject({ exception: { to: null } });
    expect(plan({ ...later, toDay: '2026-11-20' }, moved)).toMatchObject({ exception: { to: { day: '2026-11-20' } } });
    expect(plan({ restore: true }, moved)).toMatchObject({ code: 'BAD_INPUT', field: 'day' });
    expect(plan({ toDay: '2026-11-16', toTime: '10:30' }, moved)).toMatchObject({ code: 'BAD_INPUT', field: 'toDay' });
  });
  it('is restored, or moved again, where it was canceled', () => {
    const canceled = [{ day: '2026-11-16', to: null }];
    expect(plan({ restore: true }, canceled)).toMatchObject({ exception: null });
    expect(plan(later, canceled)).toMatchObject({ exception: moved[0] });
  });
});

describe('a meeting that doesn’t repeat', () => {
  const once = { ...known, weekday: 3, firstDay: '2026-12-02', onceOn: '2026-12-02', exceptions: [] };
  const move = (toDay: string) =>
    planOccurrence(admin, once, { version: 3, day: '2026-12-02', toDay, toTime: '15:00' }, wednesday);
  it('is moved with its own day and time, which a later change keeps', () => {
    expect(move('2027-02-11')).toMatchObject({
      moved: { onceOn: '2027-02-11', firstDay: '2027-02-11', weekday: 4, time: '15:00', exceptions: [] },
    });
    expect(move('2026-11-17')).toMatchObject({ code: 'BAD_INPUT', field: 'toDay' });
  });
  it('stays canceled at another time, and takes place on another day', () => {
    const exceptions = [{ day: '2026-12-02', to: null }];
    const change = (part: object) =>
      planUpdateMeeting(admin, { ...once, exceptions }, { ...content, onceOn: '2026-12-02', version: 3, ...part }, on);
    expect(change({ time: '11:00' })).toMatchObject({ firstDay: '2026-12-02', exceptions });
    expect(change({ onceOn: '2026-12-09' })).toMatchObject({ firstDay: '2026-12-09', exceptions: [] });
  });
  it('gets no new time when its day is past, but a new title', () => {
    const past = { ...once, firstDay: '2026-11-11', onceOn: '2026-11-11' };
    const change = (part: object) =>
      planUpdateMeeting(admin, past, { ...content, onceOn: '2026-11-11', version: 3, ...part }, on);
    expect(change({ time: '11:00' })).toMatchObject({ code: 'BAD_INPUT', field: 'onceOn' });
    expect(change({ title: 'New' })).toMatchObject({ title: 'New', firstDay: '2026-11-11' });
  });
});

describe('what comes in', () => {
  it.each([
    ['title', ' '],
    ['team', 'sales'],
    ['chairId', '0'],
    ['attendeeIds', Array.from({ length: meetingLimits.attendees + 1 }, (_, index) => String(index + 1))],
    ['weekday', 0],
    ['weekday', 8],
    ['time', '24:00'],
    ['time', '9:30'],
    ['minutes', 4],
    ['minutes', 481],
    ['link', 'javascript:alert(1)'],
    ['link', 'data:text/html,x'],
    ['link', 'https://'],
    ['link', 'https://user@meet.example.com/'],
    ['link', 'meet.example.com'],
    ['link', 'https://meet.example.com/a b'],
    ['agenda', 'x'.repeat(meetingLimits.agenda + 1)],
  ])('is refused where %s is %j', (field, value) => {
    const input = { ...content, chairId: '1', attendeeIds: ['2'], [field]: value };
    expect(readInput(meetingInput, input)).toMatchObject({ code: 'BAD_INPUT', field });
  });
  it('is taken with an address of the web, and without a team', () => {
    const input = { ...content, chairId: '1', attendeeIds: ['2'], team: '', link: ' https://meet.example.com/a?b=1 ' };
    const address = 'https://meet.example.com/a?b=1';
    expect(readInput(meetingInput, input)).toMatchObject({ team: null, link: address });
  });
  it('is of people added by name, unless it says that the whole team attends', () => {
    const { wholeTeam: _missing, ...earlier } = { ...content, chairId: '1', attendeeIds: ['2'] };
    expect(readInput(meetingInput, earlier)).toMatchObject({ wholeTeam: false });
    expect(readInput(meetingInput, { ...earlier, wholeTeam: null })).toMatchObject({ wholeTeam: false });
    expect(readInput(meetingInput, { ...earlier, wholeTeam: true })).toMatchObject({ wholeTeam: true });
  });
});
