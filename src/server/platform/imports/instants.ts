// Common spellings of instants.

const written = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9})\d*)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * ISO 8601 with or without a colon in the offset; without an offset it is company time. Numbers are epoch
 * seconds or milliseconds.
 */
export function readInstant(value: unknown, zone: string): Temporal.Instant | null {
  try {
    if (typeof value === 'number') return readEpoch(value);
    return typeof value === 'string' ? readText(value.trim(), zone) : null;
  } catch {
    // A nonexistent day, or an instant out of range.
    return null;
  }
}

/** Seconds reach this number in the year 5138; milliseconds passed it in 1973. */
const firstMilliseconds = 1e11;

function readEpoch(value: number): Temporal.Instant {
  const milliseconds = Math.abs(value) < firstMilliseconds ? value * 1000 : value;
  return Temporal.Instant.fromEpochMilliseconds(Math.round(milliseconds));
}

function readText(text: string, zone: string): Temporal.Instant | null {
  const match = written.exec(text);
  if (!match) return null;
  const [, day, time = '00:00', fraction, offset] = match;
  const seconds = time.length === 5 ? `${time}:00` : time;
  const wall = `${day}T${seconds}${fraction ? `.${fraction}` : ''}`;
  if (offset === undefined) return Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).toInstant();
  return Temporal.Instant.from(`${wall}${offset}`);
}

/** In the database's format: milliseconds in UTC. */
export function storedInstant(instant: Temporal.Instant): string {
  return instant.round({ smallestUnit: 'millisecond', roundingMode: 'floor' }).toString({ fractionalSecondDigits: 3 });
}
