// The sprint calendar over many years in every time zone, in addition to the examples in `sprint.test.ts`.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Span, sprintAfter, sprintAt, sprintBefore, sprintName } from './sprint.ts';

const instant = (text: string) => Temporal.Instant.from(text);
const spanText = ({ start, end }: Span) => `${start} ${end}`;
const hours = ({ start, end }: Span) => start.until(end).total('hours');

/**
 * Invariants of a week and its neighbors in any zone. Returns the first fault, because separate assertions
 * would be slow.
 */
function faultAround(now: Temporal.Instant, zone: string): string | null {
  const { compare } = Temporal.Instant;
  const span = sprintAt(now, zone);
  const before = sprintBefore(span, zone);
  const after = sprintAfter(span, zone);
  const names = [before, span, after].map((each) => sprintName(each, zone));
  const local = span.start.toZonedDateTimeISO(zone);
  const monday = local.toPlainDate();
  const isoWeek = `${monday.yearOfWeek} W${String(monday.weekOfYear).padStart(2, '0')}`;
  const faults: [boolean, string][] = [
    [compare(span.start, now) > 0 || compare(now, span.end) >= 0, 'does not hold the instant'],
    [compare(before.end, span.start) !== 0 || compare(span.end, after.start) !== 0, 'is not contiguous'],
    [local.dayOfWeek !== 1 || local.toPlainTime().toString() !== '10:00:00', `starts ${local}`],
    [hours(span) < 165 || hours(span) > 171, `is ${hours(span)} hours long`],
    [names[1] !== isoWeek || new Set(names).size !== 3, `is named ${names}`],
    [spanText(sprintAt(span.start, zone)) !== spanText(span), 'does not hold its own start'],
    [
      spanText(sprintAt(span.start.subtract({ milliseconds: 1 }), zone)) !== spanText(before),
      'overlaps the one before',
    ],
    [spanText(sprintAt(span.end, zone)) !== spanText(after), 'overlaps the one after'],
  ];
  const fault = faults.find(([broken]) => broken);
  return fault ? `${zone} ${now}: ${fault[1]}` : null;
}

function transitions(zone: string, from: string, to: string): Temporal.Instant[] {
  const found: Temporal.Instant[] = [];
  const last = instant(to);
  for (
    let at = instant(from).toZonedDateTimeISO(zone).getTimeZoneTransition('next');
    at;
    at = at.getTimeZoneTransition('next')
  ) {
    if (Temporal.Instant.compare(at.toInstant(), last) > 0) break;
    found.push(at.toInstant());
  }
  return found;
}

describe('one sprint per ISO week, contiguous, without overlap, 2024 to 2037', () => {
  const zones = Intl.supportedValuesOf('timeZone');

  it('in every zone, around every change of its clocks', () => {
    expect(zones.length).toBeGreaterThan(400);
    const faults: string[] = [];
    let weeks = 0;
    for (const zone of zones) {
      const changes = transitions(zone, '2024-01-01T00:00:00Z', '2038-01-01T00:00:00Z');
      const samples = changes.length > 0 ? changes : [instant('2024-02-29T12:00:00Z'), instant('2037-12-31T23:59:59Z')];
      for (const at of samples) {
        weeks += 1;
        const fault = faultAround(at, zone) ?? faultAround(at.subtract({ nanoseconds: 1 }), zone);
        if (fault) faults.push(fault);
      }
    }
    expect(faults).toEqual([]);
    expect(weeks).toBeGreaterThan(3000);
  });

  it.each([
    'UTC',
    'Europe/Amsterdam',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Pacific/Chatham',
  ])('in %s, week after week', (zone) => {
    let span = sprintAt(instant('2024-01-01T23:00:00Z'), zone);
    const names = new Set<string>();
    const last = instant('2038-01-01T00:00:00Z');
    while (Temporal.Instant.compare(span.start, last) < 0) {
      const local = span.start.toZonedDateTimeISO(zone);
      expect(`${local.dayOfWeek} ${local.toPlainTime()}`).toBe('1 10:00:00');
      names.add(sprintName(span, zone));
      const next = sprintAfter(span, zone);
      expect(spanText(sprintBefore(next, zone))).toBe(spanText(span));
      span = next;
    }
    expect(names.size).toBe(731);
  });

  it('at any instant', () => {
    const from = instant('2024-01-01T00:00:00Z').epochMilliseconds;
    const to = instant('2038-01-01T00:00:00Z').epochMilliseconds;
    fc.assert(
      fc.property(fc.integer({ min: from, max: to }), fc.constantFrom(...zones), (at, zone) => {
        expect(faultAround(Temporal.Instant.fromEpochMilliseconds(at), zone)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });
});
