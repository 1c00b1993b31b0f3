import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { databaseClock, fixedClock } from './clock.ts';

const log = { info() {}, warn: vi.fn(), error() {} };

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  log.warn.mockClear();
});

/** A database whose clock is `ahead` milliseconds ahead of this machine. */
function databaseAhead(ahead: number) {
  const state = { ahead, isDown: false, asked: 0 };
  const query = async () => {
    state.asked++;
    if (state.isDown) throw new Error('Connection terminated');
    return { rows: [{ milliseconds: String(Date.now() + state.ahead) }] };
  };
  return { state, pool: { query } };
}

test('a clock whose database does not answer at the start is no clock', async () => {
  const database = databaseAhead(0);
  database.state.isDown = true;
  await expect(databaseClock(database, log)).rejects.toThrow('Connection terminated');
});

test('now is the time of the database, and goes on (D4)', async () => {
  const clock = await databaseClock(databaseAhead(3_600_000), log);
  expect(clock.now().toString()).toBe('2026-11-20T13:00:00Z');
  expect(clock.skewMs).toBe(3_600_000);
  vi.advanceTimersByTime(1_500);
  expect(clock.now().toString()).toBe('2026-11-20T13:00:01.5Z');
  clock.stop();
});

test('the database is asked again every minute, and its last time holds while it is away', async () => {
  const database = databaseAhead(0);
  const clock = await databaseClock(database, log);
  database.state.ahead = 500;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(clock.now().toString()).toBe('2026-11-20T12:01:00.5Z');
  database.state.isDown = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(clock.now().toString()).toBe('2026-11-20T12:02:00.5Z');
  expect(log.warn).toHaveBeenCalledOnce();
  clock.stop();
});

test('when the clock of this machine is set, now does not follow, and the database is asked again', async () => {
  const database = databaseAhead(0);
  const clock = await databaseClock(database, log);
  await vi.advanceTimersByTimeAsync(5_000);
  vi.setSystemTime(Date.parse('2038-01-19T00:00:00Z'));
  expect(clock.now().toString()).toBe('2026-11-20T12:00:05Z');
  expect(database.state.asked).toBe(2);
  clock.stop();
});

test('a machine whose clock is more than two seconds off is warned of once, until it is right again (C7)', async () => {
  const database = databaseAhead(2_000);
  const clock = await databaseClock(database, log);
  expect(log.warn).not.toHaveBeenCalled();
  for (const ahead of [-2_001, -2_001, 0, 2_001]) {
    database.state.ahead = ahead;
    await clock.refresh();
  }
  expect(log.warn.mock.calls.map(([fields]) => fields)).toEqual([{ skewMs: -2_001 }, { skewMs: 2_001 }]);
  clock.stop();
});

test('a fixed clock stands until it is moved', () => {
  const clock = fixedClock('2026-11-20T12:00:00Z');
  clock.advance({ hours: 1 });
  expect(clock.now().toString()).toBe('2026-11-20T13:00:00Z');
  clock.set('2027-01-01T00:00:00Z');
  expect(clock.now().toString()).toBe('2027-01-01T00:00:00Z');
});
