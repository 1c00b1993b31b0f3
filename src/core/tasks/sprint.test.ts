import { describe, expect, it } from 'vitest';
import {
  boundary,
  boundaryFor,
  burnUpInstants,
  dayEnds,
  defaultSettlingHours,
  defaultTaskLimit,
  endsSoon,
  isOverdue,
  isTimeToClose,
  type Span,
  settledAt,
  sprintAfter,
  sprintAllows,
  sprintAt,
  sprintBefore,
  sprintName,
  sprintPhase,
  sprintRefusal,
  sprintState,
  sprintToClose,
  untilNextPhase,
} from './sprint.ts';

const instant = (text: string) => Temporal.Instant.from(text);
const spanText = ({ start, end }: Span) => `${start} ${end}`;
const hours = ({ start, end }: Span) => start.until(end).total('hours');

describe('what a sprint refuses (D39)', () => {
  // y allowed, n refused; from D39.
  const table = `
             create edit move complete decide withdraw changeSprint order carryOver leaveUndone recap repeat note attach
  future     y      y    y    y        y      y        y            y     n         n           n     y      y    y
  active     y      y    y    y        y      y        y            y     n         n           y     y      y    y
  settling   n      y    n    y        y      y        n            n     y         y           y     n      y    y
  settled    n      n    n    n        y      y        n            n     y         y           n     n      y    n`
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/));
  const [acts = [], ...rows] = table;
  const cells = rows.flatMap(([phase, ...letters]) =>
    letters.map((letter, index) => [acts[index], phase, letter] as const),
  );

  it.each(cells)('%s in a sprint that is %s: %s', (act, phase, letter) => {
    const refusal = sprintRefusal(phase as 'active', act as 'edit');
    if (letter === 'y') expect(refusal).toBeNull();
    else
      expect(refusal).toMatchObject({
        kind: 'refusal',
        code: 'SPRINT_DOES_NOT_ALLOW',
        message: expect.stringMatching(/\w/),
      });
  });
  it('leaves out no act and no phase', () => {
    expect(Object.keys(sprintAllows)).toEqual(rows.map(([phase]) => phase));
    for (const row of Object.values(sprintAllows)) expect(Object.keys(row)).toEqual(acts);
  });
});

describe('closing a week', () => {
  const end = '2026-11-23T10:00:00Z';
  const current = { phase: 'active', endDate: end };

  it('is of the previous sprint until that is settled, then of the current one', () => {
    const previous = { phase: 'settling', endDate: '2026-11-16T10:00:00Z' };
    expect(sprintToClose(current, previous)).toBe(previous);
    expect(sprintToClose(current, { ...previous, phase: 'settled' })).toBe(current);
    expect(sprintToClose(current, null)).toBe(current);
  });
  it.each([
    ['active', '2026-11-19T22:59:59Z', false],
    ['active', '2026-11-19T23:00:00Z', true],
    ['active', '2026-11-22T22:00:00Z', true],
    ['settling', '2026-11-23T10:00:00Z', true],
    ['settled', '2026-11-25T10:00:00Z', false],
    ['future', '2026-11-22T22:00:00Z', false],
  ])('of a sprint that is %s is offered at %s: %s', (phase, now, offered) => {
    expect(isTimeToClose({ phase, endDate: end }, instant(now), { zone: 'Europe/Amsterdam', holidays: [] })).toBe(
      offered,
    );
  });
  it.each([
    ['2026-11-18T23:59:59Z', false],
    ['2026-11-19T00:00:00Z', true],
  ])('before a Friday off, at %s: %s', (now, offered) => {
    const friday = { firstDay: '2026-11-20', lastDay: '2026-11-20', name: 'Friday off' };
    expect(isTimeToClose(current, instant(now), { zone: 'UTC', holidays: [friday] })).toBe(offered);
  });
});

describe('the boundary (spec 9, D3)', () => {
  it.each(['', 'Mars/Olympus', 'utc+25', '__proto__'])('refuses the zone %j', (zone) => {
    expect(() => sprintAt(instant('2026-11-16T10:00:00Z'), zone)).toThrow(RangeError);
  });

  it('is Monday 10:00', () => {
    expect(boundary).toEqual({ weekday: 1, time: '10:00' });
  });

  it.each([
    ['UTC', '2026-11-16T09:59:59.999Z', '2026-11-09T10:00:00Z 2026-11-16T10:00:00Z'],
    ['UTC', '2026-11-16T09:59:59.999999999Z', '2026-11-09T10:00:00Z 2026-11-16T10:00:00Z'],
    ['UTC', '2026-11-16T10:00:00.000Z', '2026-11-16T10:00:00Z 2026-11-23T10:00:00Z'],
    ['UTC', '2026-11-22T23:59:59.999Z', '2026-11-16T10:00:00Z 2026-11-23T10:00:00Z'],
    ['UTC', '2026-11-23T00:00:00.000Z', '2026-11-16T10:00:00Z 2026-11-23T10:00:00Z'],
    ['Europe/Amsterdam', '2026-11-16T08:59:59.999Z', '2026-11-09T09:00:00Z 2026-11-16T09:00:00Z'],
    ['Europe/Amsterdam', '2026-11-16T09:00:00.000Z', '2026-11-16T09:00:00Z 2026-11-23T09:00:00Z'],
    // Clocks go back on Sunday 25 October 2026: 169 hours.
    ['Europe/Amsterdam', '2026-10-20T12:00:00Z', '2026-10-19T08:00:00Z 2026-10-26T09:00:00Z'],
    // Clocks go forward on Sunday 29 March 2026: 167 hours.
    ['Europe/Amsterdam', '2026-03-29T01:00:00Z', '2026-03-23T09:00:00Z 2026-03-30T08:00:00Z'],
    // The local Monday has begun where the server's hasn't, and vice versa.
    ['Pacific/Kiritimati', '2026-11-15T20:00:00.000Z', '2026-11-15T20:00:00Z 2026-11-22T20:00:00Z'],
    ['Pacific/Pago_Pago', '2026-11-16T20:59:59.999Z', '2026-11-09T21:00:00Z 2026-11-16T21:00:00Z'],
    // Half an hour of daylight saving.
    ['Australia/Lord_Howe', '2026-04-05T12:00:00Z', '2026-03-29T23:00:00Z 2026-04-05T23:30:00Z'],
    // Across the end of the year.
    ['UTC', '2027-01-01T00:00:00Z', '2026-12-28T10:00:00Z 2027-01-04T10:00:00Z'],
  ])('in %s at %s lies in %s', (zone, now, span) => {
    expect(spanText(sprintAt(instant(now), zone))).toBe(span);
  });
});

describe('a change of the zone (D4)', () => {
  it('leaves no gap and no overlap: the next sprint starts where this one ends', () => {
    for (const [from, to] of [
      ['UTC', 'Pacific/Kiritimati'],
      ['Pacific/Kiritimati', 'Pacific/Pago_Pago'],
      ['America/New_York', 'Europe/Amsterdam'],
      ['Pacific/Pago_Pago', 'Asia/Tokyo'],
    ] as const) {
      const span = sprintAt(instant('2026-10-25T00:30:00Z'), from);
      const next = sprintAfter(span, to);
      expect(next.start).toEqual(span.end);
      const local = next.end.toZonedDateTimeISO(to);
      expect(`${local.dayOfWeek} ${local.toPlainTime()}`).toBe('1 10:00:00');
      expect(hours(next)).toBeGreaterThan(168 - 27);
      expect(hours(next)).toBeLessThan(168 + 27);
      expect(sprintBefore(next, from).end).toEqual(next.start);
    }
  });
});

describe('a boundary on a holiday', () => {
  const zone = 'Europe/London';
  const off = (firstDay: string, lastDay = firstDay) => ({ firstDay, lastDay, name: 'Day off' });
  const moved = (at: string, ...holidays: ReturnType<typeof off>[]) =>
    boundaryFor(instant(at), { zone, holidays }).toString();

  it.each([
    ['without holidays stays', '2026-08-31T09:00:00Z', [], '2026-08-31T09:00:00Z'],
    ['moves to Tuesday at the same time', '2026-08-31T09:00:00Z', [off('2026-08-31')], '2026-09-01T09:00:00Z'],
    ['moves past every holiday', '2026-12-28T10:00:00Z', [off('2026-12-24', '2026-12-29')], '2026-12-30T10:00:00Z'],
    ['moves to Wednesday', '2026-12-28T10:00:00Z', [off('2026-12-28', '2026-12-29')], '2026-12-30T10:00:00Z'],
    [
      'without a working day until Wednesday stays',
      '2026-12-28T10:00:00Z',
      [off('2026-12-28', '2026-12-30')],
      '2026-12-28T10:00:00Z',
    ],
    ['that moved to Wednesday moves back', '2026-12-30T10:00:00Z', [], '2026-12-28T10:00:00Z'],
    ['on a Thursday stays', '2026-12-31T10:00:00Z', [], '2026-12-31T10:00:00Z'],
    ['moves back', '2026-09-01T09:00:00Z', [], '2026-08-31T09:00:00Z'],
    ['at another time stays', '2026-08-31T10:00:00Z', [off('2026-08-31')], '2026-08-31T10:00:00Z'],
    ['on a Friday stays', '2026-09-04T09:00:00Z', [off('2026-08-31')], '2026-09-04T09:00:00Z'],
  ])('%s', (_name, at, holidays, expected) => {
    expect(moved(at, ...holidays)).toBe(expected);
  });

  it('has a week before and after it as any other, with its name', () => {
    const wednesday = instant('2026-12-30T10:00:00Z');
    const span = { start: wednesday, end: instant('2027-01-04T10:00:00Z') };
    expect(sprintName(span, zone)).toBe('2026 W53');
    expect(sprintAfter(span, zone).end).toEqual(instant('2027-01-11T10:00:00Z'));
    expect(sprintBefore(span, zone)).toEqual({ start: instant('2026-12-21T10:00:00Z'), end: wednesday });
    const before = { start: instant('2026-12-21T10:00:00Z'), end: wednesday };
    expect(sprintAfter(before, zone)).toEqual(span);
  });
});

describe('planning ahead', () => {
  it.each([
    ['2026-11-22T21:59:59Z', false],
    ['2026-11-22T22:00:00Z', true],
    ['2026-11-23T10:00:00Z', true],
  ])('at %s, a sprint until Monday 10:00 is too nearly over to plan for: %s', (now, soon) => {
    expect(endsSoon(instant('2026-11-23T10:00:00Z'), instant(now))).toBe(soon);
  });
});

describe('a task that waits', () => {
  const week = { start: instant('2026-11-16T09:00Z'), end: instant('2026-11-23T09:00Z') };
  it.each([
    ['2026-11-17T09:00Z', '2026-11-19T09:00Z', false],
    ['2026-11-17T09:00Z', '2026-11-19T09:01Z', true],
    // From before its sprint: it waits from the start on.
    ['2026-11-12T09:00Z', '2026-11-16T08:59Z', false],
    ['2026-11-12T09:00Z', '2026-11-18T09:00Z', false],
    ['2026-11-12T09:00Z', '2026-11-18T09:01Z', true],
    // Past the sprint’s end: at once, unless it came after it.
    ['2026-11-23T08:00Z', '2026-11-23T08:59Z', false],
    ['2026-11-23T08:00Z', '2026-11-23T09:00Z', true],
    ['2026-11-23T09:00Z', '2026-11-25T09:00Z', false],
    ['2026-11-23T09:00Z', '2026-11-25T09:01Z', true],
  ])('since %s is overdue at %s: %s', (since, now, expected) => {
    expect(isOverdue(instant(since), week, instant(now))).toBe(expected);
  });
});

it('rereads at the next boundary, and before a browser’s timer overflows', () => {
  const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;
  const sprint = { startDate: '2026-11-16T10:00:00Z', endDate: '2026-11-23T10:00:00Z' };
  expect(untilNextPhase([sprint], at('2026-11-23T09:59:00Z'))).toBe(61_000);
  expect(untilNextPhase([sprint], at('2026-11-23T10:00:00Z'))).toBe(false);
  expect(untilNextPhase([{ endDate: '2026-12-31T10:00:00Z' }], at('2026-11-23T10:00:00Z'))).toBe(2_147_483_647);
});

describe('the name of a sprint', () => {
  it.each([
    ['2026-11-16T10:00:00Z', '2026 W47'],
    ['2026-01-01T00:00:00Z', '2026 W01'],
    ['2027-01-01T00:00:00Z', '2026 W53'],
    ['2024-12-31T00:00:00Z', '2025 W01'],
  ])('of %s is its ISO year and week: %s', (now, name) => {
    expect(sprintName(sprintAt(instant(now), 'UTC'), 'UTC')).toBe(name);
  });
});

describe('the life of a sprint (D39)', () => {
  const span = sprintAt(instant('2026-11-16T10:00:00Z'), 'UTC');
  it.each([
    ['2026-11-16T09:59:59.999Z', 'future', 'future'],
    ['2026-11-16T10:00:00.000Z', 'active', 'active'],
    ['2026-11-23T09:59:59.999Z', 'active', 'active'],
    ['2026-11-23T10:00:00.000Z', 'settling', 'closed'],
    ['2026-11-25T09:59:59.999Z', 'settling', 'closed'],
    ['2026-11-25T10:00:00.000Z', 'settled', 'closed'],
    ['2036-01-01T00:00:00Z', 'settled', 'closed'],
  ] as const)('at %s is %s, to the API %s', (now, phase, state) => {
    expect(sprintPhase(span, instant(now), defaultSettlingHours)).toBe(phase);
    expect(sprintState(phase)).toBe(state);
  });
  it('settles at once when the setting is 0', () => {
    expect(sprintPhase(span, span.end, 0)).toBe('settled');
  });
  it('settles 48 hours after its end, by elapsed time on a weekend of changing clocks too', () => {
    expect(settledAt(span, defaultSettlingHours).toString()).toBe('2026-11-25T10:00:00Z');
  });
  it('has the defaults of the decisions', () => {
    expect({ defaultSettlingHours, defaultTaskLimit }).toEqual({ defaultSettlingHours: 48, defaultTaskLimit: 5 });
  });
});

describe('the days of a sprint', () => {
  const span = { start: instant('2026-10-19T10:00:00+02:00'), end: instant('2026-10-26T10:00:00+01:00') };
  const zone = 'Europe/Amsterdam';
  const at = (now: string) => burnUpInstants(span, settledAt(span, 48), instant(now), zone).map(String);
  const midnights = ['19', '20', '21', '22', '23', '24'].map((day) => `2026-10-${day}T22:00:00Z`);
  const afterChange = '2026-10-25T23:00:00Z';

  it('end at the zone’s midnights, also when clocks change, and with the sprint', () => {
    expect(dayEnds(span, zone).map(String)).toEqual([...midnights, afterChange, '2026-10-26T09:00:00Z']);
    const fromMidnight = { start: instant('2026-10-18T22:00:00Z'), end: instant('2026-10-20T22:00:00Z') };
    expect(dayEnds(fromMidnight, zone).map(String)).toEqual(midnights.slice(0, 2));
  });

  it.each([
    ['before its start', '2026-10-19T07:59:59Z', 0, []],
    ['at its start', '2026-10-19T08:00:00Z', 0, ['2026-10-19T08:00:00Z']],
    ['on its third day', '2026-10-21T12:00:00Z', 2, ['2026-10-21T12:00:00Z']],
    ['at a midnight', '2026-10-20T22:00:00Z', 1, ['2026-10-20T22:00:00Z']],
    ['at its end', '2026-10-26T09:00:00Z', 6, [afterChange, '2026-10-26T09:00:00Z']],
    ['while it settles', '2026-10-27T00:00:00Z', 6, [afterChange, '2026-10-26T09:00:00Z', '2026-10-27T00:00:00Z']],
    ['long after', '2026-12-01T00:00:00Z', 6, [afterChange, '2026-10-26T09:00:00Z', '2026-10-28T09:00:00Z']],
  ] as const)('are the points of its burn-up, up to what is known %s', (_, now, days, last) => {
    const start = last.length === 0 || now === '2026-10-19T08:00:00Z' ? [] : ['2026-10-19T08:00:00Z'];
    expect(at(now)).toEqual([...start, ...midnights.slice(0, days), ...last]);
  });
});
