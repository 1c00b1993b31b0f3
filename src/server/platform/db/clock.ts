// `now` is the database's time, which all servers share (D4).
import type { Log } from './log.ts';

export type Clock = { now(): Temporal.Instant };

export type DatabaseClock = Clock & {
  /** Reads the database's time again. */
  refresh(): Promise<void>;
  /** How far this machine's clock is behind the database's, in milliseconds. */
  readonly skewMs: number;
  stop(): void;
};

const REFRESH_MS = 60_000;
// A larger difference means the clock was set or the machine slept, which the monotonic clock doesn't show.
const JUMP_MS = 1_000;
// Beyond this the operator is warned, because log lines of several machines are out of order.
const WARNED_SKEW_MS = 2_000;

type Asked = { rows: { milliseconds: string }[] };

/** `database` is anything that answers a query, such as the pool. */
export async function databaseClock(
  database: { pool: { query(sql: string): Promise<Asked> } },
  log: Log,
): Promise<DatabaseClock> {
  // The offset from our monotonic clock, which nobody can set.
  let offset = 0;
  let skewMs = 0;
  let asking: Promise<void> | undefined;
  let askedAt = 0;
  let isWarned = false;

  const ask = async () => {
    const before = performance.now();
    askedAt = before;
    const { rows } = await database.pool.query('select extract(epoch from clock_timestamp()) * 1000 as milliseconds');
    const middle = (before + performance.now()) / 2;
    offset = Number(rows[0]?.milliseconds) - middle;
    skewMs = Math.round(offset - (Date.now() - performance.now()));
    const isOff = Math.abs(skewMs) > WARNED_SKEW_MS;
    if (isOff && !isWarned) log.warn({ skewMs }, "this machine's clock differs from the database's, which is used");
    isWarned = isOff;
  };
  const refresh = () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const refreshQuietly = () => {
    refresh().catch((error) => log.warn({ err: error }, 'the time of the database could not be read'));
  };

  await refresh();
  const timer = setInterval(refreshQuietly, REFRESH_MS).unref();
  return {
    now() {
      const milliseconds = offset + performance.now();
      const hasJumped = Math.abs(milliseconds - Date.now() - skewMs) > JUMP_MS;
      if (hasJumped && performance.now() - askedAt > JUMP_MS) refreshQuietly();
      return Temporal.Instant.fromEpochMilliseconds(Math.floor(milliseconds));
    },
    refresh,
    get skewMs() {
      return skewMs;
    },
    stop: () => clearInterval(timer),
  };
}

export type FixedClock = Clock & {
  set(instant: Temporal.Instant | string): void;
  advance(duration: Temporal.DurationLike): void;
};

/** A clock that only moves when a test moves it. */
export function fixedClock(start: Temporal.Instant | string): FixedClock {
  let instant = Temporal.Instant.from(start);
  return {
    now: () => instant,
    set(next) {
      instant = Temporal.Instant.from(next);
    },
    advance(duration) {
      instant = instant.add(duration);
    },
  };
}
