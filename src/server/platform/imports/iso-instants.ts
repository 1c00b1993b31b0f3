// Checks ISO 8601 texts and adds their zone's offset, fast enough for every row of a large file.

const written =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i;
/** Dates outside this range are typing errors: nobody paid in the year 202. */
const years = { first: 1900, last: 2199 };
const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a date has no time: then it is the same day in every zone. */
export const isDayOnly = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/**
 * `YYYY-MM-DDTHH:MM:SS.mmm` with its offset. A text without an offset is local time in the zone; a day is its
 * midnight. Null for an invalid or nonexistent date.
 */
export function isoInstant(text: string, zone: string): string | null {
  const match = written.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset] = match;
  if (!isDay(Number(year), Number(month), Number(day))) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const wall = `${year}-${month}-${day}T${hour.padStart(2, '0')}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  if (offset === undefined) return inZone(wall, zone);
  return `${wall}${offsetText(offset)}`;
}

export function isDay(year: number, month: number, day: number): boolean {
  if (year < years.first || year > years.last || month < 1 || month > 12 || day < 1) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 && isLeap ? 29 : daysOfMonth[month - 1]!);
}

function offsetText(offset: string): string {
  if (!/^[+-]/.test(offset)) return 'Z';
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  return `${offset[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** The offset of each hour; null if the clock changes within it. */
const offsets = new Map<string, string | null>();
const mostHours = 50_000;

function inZone(wall: string, zone: string): string {
  if (zone === 'UTC') return `${wall}Z`;
  const hour = wall.slice(0, 13);
  const key = `${zone} ${hour}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = steadyOffset(hour, zone);
    if (offsets.size >= mostHours) offsets.clear();
    offsets.set(key, offset);
  }
  if (offset !== null) return wall + offset;
  return Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).toInstant().toString({ fractionalSecondDigits: 3 });
}

function steadyOffset(hour: string, zone: string): string | null {
  const ends = ['00:00', '59:59'].map((rest) => Temporal.PlainDateTime.from(`${hour}:${rest}`));
  const found = ends.flatMap((end) =>
    (['earlier', 'later'] as const).map((disambiguation) => end.toZonedDateTime(zone, { disambiguation }).offset),
  );
  return new Set(found).size === 1 ? found[0]! : null;
}
