// Sprints are created automatically, contiguous and once, however many servers run (spec 3, 9; D3, D4, D27).
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Holidays } from '#core/base/holidays.ts';
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts';
import { ensureSprints } from './sprints.service.ts';

let fresh: FreshDatabase;
beforeEach(async () => {
  fresh = await freshDatabase();
});
afterEach(() => fresh.drop());

const instant = (text: string) => Temporal.Instant.from(text);
const ensure = (now: string, zone = 'UTC', holidays: Holidays = []) =>
  ensureSprints(fresh.database, instant(now), { zone, holidays });

type Row = { start: string; end: string };
async function spans(): Promise<Row[]> {
  const { rows } = await fresh.database.pool.query<Row>(
    'select start_at as start, end_at as "end" from sprints order by start_at',
  );
  return rows;
}
const gaps = (rows: readonly Row[]): Row[] =>
  rows.filter((row, index) => index > 0 && rows[index - 1]?.end !== row.start);
const wallClock = (text: string, zone: string) =>
  instant(text).toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' });

describe('the roll-over', () => {
  it('does not happen one millisecond before Monday 10:00', async () => {
    await ensure('2026-11-18T12:00:00Z');
    const before = await spans();
    await Promise.all([1, 2, 3].map(() => ensure('2026-11-23T09:59:59.999Z')));
    expect(await spans()).toEqual(before);
    expect(before.map(({ start }) => start)).toEqual([
      '2026-11-09T10:00:00.000Z',
      '2026-11-16T10:00:00.000Z',
      '2026-11-23T10:00:00.000Z',
    ]);
  });

  it('happens once at Monday 10:00:00.000 when three servers see it together', async () => {
    await ensure('2026-11-18T12:00:00Z');
    await Promise.all([1, 2, 3].map(() => ensure('2026-11-23T10:00:00.000Z')));
    const rows = await spans();
    expect(rows).toHaveLength(4);
    expect(rows.at(-1)).toEqual({ start: '2026-11-30T10:00:00.000Z', end: '2026-12-07T10:00:00.000Z' });
    expect(gaps(rows)).toEqual([]);
  });

  it('of an empty database makes previous, current and next once, also with three servers at the first start', async () => {
    await Promise.all([1, 2, 3].map(() => ensure('2026-11-18T12:00:00Z')));
    expect(await spans()).toHaveLength(3);
  });

  it('after a long sleep makes every week that went by', async () => {
    await ensure('2026-11-18T12:00:00Z');
    await ensure('2027-03-03T12:00:00Z');
    const rows = await spans();
    expect(gaps(rows)).toEqual([]);
    expect(rows.at(-1)?.start).toBe('2027-03-08T10:00:00.000Z');
  });

  it('looks back only as far as a clock that was set back', async () => {
    await ensure('2026-11-18T12:00:00Z');
    await ensure('2026-11-04T12:00:00Z');
    const rows = await spans();
    expect(gaps(rows)).toEqual([]);
    expect(rows[0]?.start).toBe('2026-10-26T10:00:00.000Z');
  });
});

describe.each([
  { zone: 'America/New_York', spring: '2026-03-04T12:00:00Z', hours: [167, 169] },
  { zone: 'Europe/Berlin', spring: '2026-03-25T12:00:00Z', hours: [167, 169] },
  { zone: 'Australia/Lord_Howe', spring: '2026-04-01T12:00:00Z', hours: [167.5, 168.5] },
])('in $zone', ({ zone, hours }) => {
  it('every sprint of a year starts on Monday 10:00 on the wall clock, on both weekends of the change too', async () => {
    for (let now = instant('2026-01-07T12:00:00Z'), week = 0; week < 52; week++, now = now.add({ hours: 168 }))
      await ensureSprints(fresh.database, now, { zone, holidays: [] });
    const rows = await spans();
    expect(gaps(rows)).toEqual([]);
    expect(rows.every(({ start }) => wallClock(start, zone).endsWith('T10:00'))).toBe(true);
    expect(rows.every(({ start }) => instant(start).toZonedDateTimeISO(zone).dayOfWeek === 1)).toBe(true);
    const lengths = new Set(
      rows.map(({ start, end }) => (instant(end).epochMilliseconds - instant(start).epochMilliseconds) / 3_600_000),
    );
    expect([...lengths].sort()).toEqual([hours[0], 168, hours[1]]);
  });
});

describe('another company zone', () => {
  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kolkata', 'America/New_York'])(
    '%s holds from the next sprint on, without a gap and without touching what exists',
    async (zone) => {
      await ensure('2026-11-18T12:00:00Z');
      const before = await spans();
      for (const now of ['2026-11-25T12:00:00Z', '2026-12-02T12:00:00Z', '2026-12-09T12:00:00Z'])
        await ensure(now, zone);
      const rows = await spans();
      expect(rows.slice(0, 3)).toEqual(before);
      expect(gaps(rows)).toEqual([]);
      expect(rows).toHaveLength(6);
      expect(rows.slice(4).map(({ start }) => wallClock(start, zone).slice(-5))).toEqual(['10:00', '10:00']);
      const days = rows.map(
        ({ start, end }) => (instant(end).epochMilliseconds - instant(start).epochMilliseconds) / 86_400_000,
      );
      expect(days.every((length) => length > 5.5 && length < 8.5)).toBe(true);
    },
  );
});

describe('a holiday on a Monday', () => {
  const off = (...days: string[]): Holidays => days.map((day) => ({ firstDay: day, lastDay: day, name: 'Day off' }));
  const ends = async () => (await spans()).map(({ end }) => end.slice(0, 16));

  it('moves the end of this sprint and of the next one, also where they exist, and back once it is removed', async () => {
    await ensure('2026-11-18T12:00:00Z');
    await ensure('2026-11-18T13:00:00Z', 'UTC', off('2026-11-23', '2026-11-30', '2026-12-01'));
    expect(await ends()).toEqual(['2026-11-16T10:00', '2026-11-24T10:00', '2026-12-02T10:00']);
    expect(gaps(await spans())).toEqual([]);
    await ensure('2026-11-18T14:00:00Z');
    expect(await ends()).toEqual(['2026-11-16T10:00', '2026-11-23T10:00', '2026-11-30T10:00']);
  });

  it('rolls over at the moved time, and the week after ends on Monday again', async () => {
    const days = off('2026-11-23');
    await ensure('2026-11-18T12:00:00Z', 'UTC', days);
    await ensure('2026-11-24T09:59:59.999Z', 'UTC', days);
    expect(await spans()).toHaveLength(3);
    await Promise.all([1, 2, 3].map(() => ensure('2026-11-24T10:00:00Z', 'UTC', days)));
    expect(await ends()).toEqual(['2026-11-16T10:00', '2026-11-24T10:00', '2026-11-30T10:00', '2026-12-07T10:00']);
    expect(gaps(await spans())).toEqual([]);
  });

  it('moves no boundary that is past, and none into the past', async () => {
    await ensure('2026-11-18T12:00:00Z', 'UTC', off('2026-11-23'));
    await ensure('2026-11-23T12:00:00Z');
    expect((await ends())[1]).toBe('2026-11-24T10:00');
    await ensure('2026-11-24T12:00:00Z');
    await ensure('2026-11-24T13:00:00Z', 'UTC', off('2026-11-23', '2026-11-24'));
    expect((await ends())[1]).toBe('2026-11-24T10:00');
  });

  it('leaves the end of an imported sprint, and one from before a change of the zone', async () => {
    await ensure('2026-11-18T12:00:00Z', 'America/New_York');
    await ensure('2026-11-18T12:00:00Z', 'UTC', off('2026-11-23'));
    expect((await ends())[1]).toBe('2026-11-23T15:00');
  });
});
