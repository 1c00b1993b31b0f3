// How calendars read the feed, checked with two independent parsers. `ical.js` uses the VTIMEZONE,
// `node-ical` only the zone's name: calendar apps do one or the other.
import fc from 'fast-check';
import ICAL from 'ical.js';
import ical, { type VEvent } from 'node-ical';
import { describe, expect, it } from 'vitest';
import { oneLine } from '#core/base/one-line.ts';
import { type MeetingException, occurrencesBetween, weekdayFrom } from '#core/toolbox/meeting-times.ts';
import { calendarOf } from './calendar.ts';
import { escapedText, foldedLine } from './calendar-text.ts';
import type { Meeting } from './meetings.service.ts';

const chair = { id: '1', displayName: 'Marcus Adeyemi' };

function meeting(change: Partial<Meeting> = {}): Meeting {
  return {
    id: '7',
    uid: '0b9a2a31-6a7c-4f5f-9f5c-3f2f9f0f7a11',
    title: 'Weekly of Connect',
    team: 'connect',
    chairId: '1',
    chair,
    attendeeIds: [],
    attendance: { people: [], count: 0 },
    guests: [],
    disabledIds: [],
    wholeTeam: false,
    weekday: 1,
    time: '09:30',
    minutes: 45,
    place: 'Room 2',
    link: 'https://meet.example.com/connect?a=1;b=2,3',
    agenda: 'Numbers; then, questions\nand \\ more',
    firstDay: '2026-01-05',
    exceptions: [],
    version: 4,
    createdAt: '2026-01-02T08:00:00.000Z',
    changedAt: '2026-02-02T08:30:00.000Z',
    ...change,
  };
}

const written = (one: Meeting, zone: string, now = '2026-06-01T00:00:00Z') =>
  calendarOf([one], { name: 'My meetings', product: 'Staff dashboard', zone, now: Temporal.Instant.from(now) });

type Span = readonly [start: string, end: string];
const from = Temporal.Instant.from('2026-01-01T00:00:00Z');
const to = Temporal.Instant.from('2028-01-01T00:00:00Z');
const inOrder = (spans: Span[]): Span[] => spans.sort(([a], [b]) => (a < b ? -1 : 1));
const isAsked = ([start]: Span): boolean => start >= from.toString() && start < to.toString();
const instant = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds).toString();

const byCore = (one: Meeting, zone: string): Span[] =>
  occurrencesBetween(one, from, to, zone)
    .filter(({ canceled }) => !canceled)
    .map(({ start, end }) => [start.toString(), end.toString()]);

/**
 * Whether the meeting's local time occurs exactly once that day. If it is skipped or repeated, RFC 5545 and
 * the core agree on the instant, but one parser differs and the other drops the meeting.
 */
function isShownOnce([start]: Span, one: Meeting, zone: string): boolean {
  const day = Temporal.Instant.from(start).toZonedDateTimeISO(zone).toPlainDate();
  const [earlier, later] = (['earlier', 'later'] as const).map((disambiguation) =>
    day.toPlainDateTime(one.time).toZonedDateTime(zone, { disambiguation }).toInstant().toString(),
  );
  return earlier === later;
}

/** By the zone rules in the feed itself. */
function byZoneOfFeed(text: string): Span[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const zone = new ICAL.Timezone(calendar.getFirstSubcomponent('vtimezone')!);
  const events = calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
  const series = events.find((event) => !event.isRecurrenceException())!;
  for (const event of events) if (event.isRecurrenceException()) series.relateException(event);
  const inZone = (time: ICAL.Time) => {
    const local = time.clone();
    local.zone = zone;
    return instant(local.toUnixTime() * 1000);
  };
  const spans: Span[] = [];
  const iterator = series.iterator();
  for (let next = iterator.next(); next && next.year < 2029; next = iterator.next()) {
    const { startDate, item } = series.getOccurrenceDetails(next);
    const start = inZone(startDate);
    spans.push([start, Temporal.Instant.from(start).add({ seconds: item.duration.toSeconds() }).toString()]);
  }
  return inOrder(spans.filter(isAsked));
}

/** By the zone's name. */
function byNameOfZone(text: string): Span[] {
  const events = Object.values(ical.sync.parseICS(text)).filter((part) => part?.type === 'VEVENT') as VEvent[];
  const reach = { from: new Date('2025-11-01'), to: new Date('2028-03-01') };
  const spans = events.flatMap((event) =>
    ical
      .expandRecurringEvent(event, reach)
      .map(({ start, end }): Span => [instant(start.getTime()), instant(end.getTime())]),
  );
  return inOrder(spans.filter(isAsked));
}

/** Every way in which clocks change, and some that never do. */
const zones = [
  'UTC',
  'Europe/Amsterdam',
  'Europe/Dublin',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'Asia/Kathmandu',
  'Asia/Tehran',
  // Summer time stops for a month that moves through the year.
  'Africa/Casablanca',
  'Africa/Cairo',
  // Half an hour of summer.
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Niue',
];

describe.each(zones)('in %s a calendar shows the meetings when they are', (zone) => {
  // The hours at which clocks change lie in the night of a weekend.
  it.each([
    [1, '09:30'],
    [5, '23:45'],
    [6, '00:15'],
    [7, '00:30'],
    [7, '02:30'],
    [7, '03:00'],
  ])('weekday %i at %s', (weekday, time) => {
    const firstDay = weekdayFrom(Temporal.PlainDate.from('2026-01-01'), weekday).toString();
    const one = meeting({ weekday, time, firstDay });
    const text = written(one, zone);
    const expected = byCore(one, zone);
    expect(expected.length).toBeGreaterThan(103);
    const plain = expected.filter((span) => isShownOnce(span, one, zone));
    expect(plain.length).toBeGreaterThan(98);
    for (const found of [byZoneOfFeed(text), byNameOfZone(text)]) {
      const missing = plain.filter(([start, end]) => !found.some((span) => span[0] === start && span[1] === end));
      expect([missing, found.length <= expected.length]).toEqual([[], true]);
    }
  });
});

it('weeks that were cancelled or moved are so in a calendar too', () => {
  const exceptions: MeetingException[] = [
    { day: '2026-03-23', to: null },
    { day: '2026-03-30', to: { day: '2026-04-01', time: '16:00' } },
    { day: '2026-10-26', to: { day: '2026-10-23', time: '08:00' } },
    { day: '2026-11-02', to: null },
  ];
  const one = meeting({ exceptions });
  const text = written(one, 'Europe/Amsterdam');
  const expected = byCore(one, 'Europe/Amsterdam');
  expect(expected.map(([start]) => start)).toContain('2026-04-01T14:00:00Z');
  expect(byZoneOfFeed(text)).toEqual(expected);
  expect(byNameOfZone(text)).toEqual(expected);
});

it('the zone is told for ten years ahead, whenever the series began', () => {
  const text = written(meeting({ firstDay: '2015-01-05' }), 'Europe/Amsterdam');
  const calendar = new ICAL.Component(ICAL.parse(text));
  const starts = calendar
    .getFirstSubcomponent('vtimezone')!
    .getAllSubcomponents()
    .map((part) => String(part.getFirstPropertyValue('dtstart')));
  expect(starts[0]! < '2015-01-05').toBe(true);
  expect(starts.at(-1)).toBe('2036-10-26T03:00:00');
});

it('what a calendar recognises a meeting by stays, and what tells a change goes on', () => {
  const [event] = Object.values(ical.sync.parseICS(written(meeting(), 'UTC'))).filter(
    (part) => part?.type === 'VEVENT',
  ) as VEvent[];
  expect(event).toMatchObject({ uid: '0b9a2a31-6a7c-4f5f-9f5c-3f2f9f0f7a11', sequence: 3, location: 'Room 2' });
  expect([event!.created, event!.lastmodified, event!.dtstamp].map((date) => date?.toISOString())).toEqual([
    '2026-01-02T08:00:00.000Z',
    '2026-02-02T08:30:00.000Z',
    '2026-02-02T08:30:00.000Z',
  ]);
});

it('the same meetings give the same document the whole year', () => {
  const one = meeting();
  expect(written(one, 'Europe/Amsterdam', '2026-01-01T00:00:00Z')).toBe(
    written(one, 'Europe/Amsterdam', '2026-12-31T22:59:59Z'),
  );
});

describe('texts', () => {
  const textOf = (change: Partial<Meeting>, name: string) =>
    new ICAL.Component(ICAL.parse(written(meeting(change), 'UTC')))
      .getFirstSubcomponent('vevent')!
      .getFirstPropertyValue(name);
  it('come back as they were, commas, semicolons, backslashes and line breaks included', () => {
    expect(textOf({}, 'description')).toBe(
      'Join: https://meet.example.com/connect?a=1;b=2,3\nChair: Marcus Adeyemi\nTeam: Connect\n\nNumbers; then, questions\nand \\ more',
    );
    expect(textOf({}, 'url')).toBe('https://meet.example.com/connect?a=1;b=2,3');
  });
  it('cannot end their property and begin another', () => {
    const title = 'Weekly\r\nATTENDEE:mailto:x@example.com\nEND:VEVENT\r\u0085BEGIN:VALARM';
    const calendar = new ICAL.Component(ICAL.parse(written(meeting({ title }), 'UTC')));
    const event = calendar.getFirstSubcomponent('vevent')!;
    expect(event.getAllSubcomponents()).toEqual([]);
    expect(event.hasProperty('attendee')).toBe(false);
    expect(calendar.getAllSubcomponents('vevent')).toHaveLength(1);
  });
  it('of any kind come back', () => {
    const typed = fc.string({ unit: 'grapheme', maxLength: 300 });
    const kept = (text: string) =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what a calendar can't contain.
      text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
    fc.assert(
      fc.property(typed, (title) => {
        expect(textOf({ title }, 'summary') ?? '').toBe(kept(oneLine(title)));
      }),
    );
  });
  it('are folded at 75 octets, between characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const line = `SUMMARY:${escapedText(text)}`;
        const folded = foldedLine(line);
        const pieces = folded.slice(0, -2).split('\r\n');
        expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(75);
        expect(pieces.slice(1).every((piece) => piece.startsWith(' '))).toBe(true);
        expect(pieces.map((piece, index) => (index === 0 ? piece : piece.slice(1))).join('')).toBe(line);
        expect(folded.endsWith('\r\n')).toBe(true);
      }),
    );
  });
});

describe('a meeting that does not repeat', () => {
  const once = { firstDay: '2026-06-08', onceOn: '2026-06-08' };
  const events = (change: Partial<Meeting>) =>
    new ICAL.Component(ICAL.parse(written(meeting({ ...once, ...change }), 'Europe/Amsterdam'))).getAllSubcomponents(
      'vevent',
    );
  const startOf = (change: Partial<Meeting>) =>
    events(change).map((event) => String(event.getFirstPropertyValue('dtstart')));
  it('is one event without a rule, at its moved time, or none if it is canceled', () => {
    const [event] = events({});
    expect(event?.hasProperty('rrule')).toBe(false);
    expect(startOf({})).toEqual(['2026-06-08T09:30:00']);
    const moved = [{ day: '2026-06-08', to: { day: '2026-06-10', time: '11:00' } }];
    expect(startOf({ exceptions: moved })).toEqual(['2026-06-10T11:00:00']);
    expect(startOf({ exceptions: [{ day: '2026-06-08', to: null }] })).toEqual([]);
  });
});

it('stays small when every week of years is moved: the agenda is then in the series only', () => {
  const start = Temporal.PlainDate.from('2026-01-05');
  const moves = (weeks: number): MeetingException[] =>
    Array.from({ length: weeks }, (_, week) => {
      const day = start.add({ weeks: week });
      return { day: day.toString(), to: { day: day.add({ days: 1 }).toString(), time: '11:00' } };
    });
  const agenda = '漢字;,'.repeat(1_250);
  const few = written(meeting({ agenda, exceptions: moves(5) }), 'Europe/Madrid');
  expect(few.match(/漢/g)).toHaveLength(6 * 1_250);
  const many = written(meeting({ agenda, exceptions: moves(300) }), 'Europe/Madrid');
  expect(many.match(/漢/g)).toHaveLength(1_250);
  expect(many.length).toBeLessThan(10 * few.length);
  const events = Object.values(ical.sync.parseICS(many)).filter((one) => one?.type === 'VEVENT') as VEvent[];
  expect(Object.keys(events[0]?.recurrences ?? {}).length).toBeGreaterThanOrEqual(300);
});
