// Finds the formats of a column's dates, to offer them and to warn of a column with several.
import { readDate, zonePattern } from './date-formats.ts';

export type DateShape = { readonly format: string; readonly count: number; readonly example: string };

const shares = { dates: 0.8 } as const;
const yearFirst = /^\d{4}([-/.])\d{1,2}\1\d{1,2}(.*)$/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(.*)$/;
/** Days and months that could be either: 3/4/2026. */
const either = 'either';

/** In English: the names of other languages need a mapping that says the language. */
const monthFirst = /^\p{L}{3,9}\.? \d{1,2}(st|nd|rd|th)?(,?) \d{4}(.*)$/u;
const monthSecond = /^\d{1,2}(\.?)([ -])\p{L}{3,9}\.?\2(\d{4}|\d{2})(.*)$/u;
const time = new RegExp(
  `^(T|,?\\s)\\d{1,2}:\\d{2}(:\\d{2})?(?:(\\s?)[AP]\\.?M\\.?)?(?:(\\s?)(?:${zonePattern}))?$`,
  'i',
);
const zoneName = /[A-Z]{3,}$/;
const compact = /^(?:19|20)\d{6}(.*)$/;
const weekday = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?(,? )(.+)$/i;

function timeOf(rest: string): string | null {
  if (rest === '') return '';
  const [, before, seconds, half, beforeZone] = time.exec(rest) ?? [];
  if (before === undefined) return null;
  const start = before === 'T' ? '[T]' : before.replace(/\s/, ' ');
  const minutes = `:mm${seconds === undefined ? '' : ':ss'}`;
  const zone = beforeZone === undefined ? '' : `${beforeZone && ' '}Z`;
  return start + (half === undefined ? `H${minutes}` : `h${minutes}${half && ' '}A`) + zone;
}

/** The format of a date with the month's name: Sep 21, 2025. */
function namedFormat(text: string): string | null {
  const [, ordinal, comma, afterYear] = monthFirst.exec(text) ?? [];
  const [, dot, sign, year, rest = afterYear] = monthSecond.exec(text) ?? [];
  if (rest === undefined) return null;
  const years = year?.length === 2 ? 'YY' : 'YYYY';
  const day = comma === undefined ? `D${dot}${sign}MMM${sign}${years}` : `MMM ${ordinal ? 'Do' : 'D'}${comma} YYYY`;
  const hours = timeOf(rest);
  const format = hours === null ? null : day + hours;
  return format !== null && readDate(text, { format, zone: 'UTC' }) !== null ? format : null;
}

const monthOfYear = /^(?:19|20)\d{2}([-/])(?:0[1-9]|1[0-2])$/;
const monthBeforeYear = /^(?:0?[1-9]|1[0-2])([-/])(?:19|20)\d{2}$/;
const nameBeforeYear = /^\p{L}{3,9}\.?([ -])(?:19|20)\d{2}$/u;

/** The format of a date that has no day: 2026, 2026-11, Nov 2026. */
function formatWithoutDay(text: string): string | null {
  if (/^(19|20)\d{2}$/.test(text)) return 'YYYY';
  const [, sign] = monthOfYear.exec(text) ?? [];
  if (sign !== undefined) return `YYYY${sign}MM`;
  const [, between] = monthBeforeYear.exec(text) ?? [];
  if (between !== undefined) return `M${between}YYYY`;
  const [, after] = nameBeforeYear.exec(text) ?? [];
  const format = `MMM${after}YYYY`;
  return after !== undefined && readDate(text, { format, zone: 'UTC' }) !== null ? format : null;
}

/** The format of 20260131, also with a time; null if the digits are no day. */
function compactFormat(text: string, rest: string): string | null {
  const hours = timeOf(rest);
  const format = `YYYYMMDD${hours}`;
  return hours !== null && readDate(text, { format, zone: 'UTC' }) !== null ? format : null;
}

/** Whether the text is a month or a year alone. */
export const hasNoDay = (text: string): boolean => formatWithoutDay(text) !== null;

/** The format of one text; null if it is no date. */
function formatOfDate(text: string): string | null {
  const withoutDay = formatWithoutDay(text);
  if (withoutDay !== null) return withoutDay;
  const [, afterWeekday, date] = weekday.exec(text) ?? [];
  if (date !== undefined) {
    const format = formatOfDate(date);
    return format === null || format.startsWith(either) || format === 'ISO' ? null : `ddd${afterWeekday}${format}`;
  }
  const [, sign, after] = yearFirst.exec(text) ?? [];
  if (sign !== undefined) {
    const isNamed = zoneName.test(after!) && !/(?:UTC|GMT)$/.test(after!);
    if (sign === '-' && !isNamed)
      return /^\d{4}-\d\d-\d\d$/.test(text) ? 'YYYY-MM-DD' : after === '' ? 'YYYY-M-D' : 'ISO';
    const hours = timeOf(after!);
    return hours === null ? null : `YYYY${sign}M${sign}D${hours}`;
  }
  const [, afterCompact] = compact.exec(text) ?? [];
  if (afterCompact !== undefined) return compactFormat(text, afterCompact);
  const [, first, between, second, year, rest] = yearLast.exec(text) ?? [];
  if (first === undefined) return namedFormat(text);
  const hours = timeOf(rest!);
  const order = Number(first) > 12 ? ['D', 'M'] : Number(second) > 12 ? ['M', 'D'] : [either, either];
  return hours === null ? null : `${order.join(between)}${between}${year!.length === 4 ? 'YYYY' : 'YY'}${hours}`;
}

/** Whether the text is a date in a format that must be given. */
export const isWrittenDate = (text: string): boolean =>
  !yearFirst.test(text) && formatOfDate(text) !== null && !hasNoDay(text);

/**
 * The formats of a column's texts, the most frequent first; none if most texts are no dates, or if day and
 * month can't be told apart.
 */
export function dateShapes(texts: readonly string[]): DateShape[] {
  const filled = texts.map((text) => text.trim()).filter((text) => text !== '');
  const found = new Map<string, { count: number; example: string }>();
  for (const text of filled) {
    const format = formatOfDate(text);
    if (format === null) continue;
    const { count, example } = found.get(format) ?? { count: 0, example: text };
    found.set(format, { count: count + 1, example });
  }
  const sum = [...found.values()].reduce((so, { count }) => so + count, 0);
  if (filled.length === 0 || sum < filled.length * shares.dates) return [];
  const ambiguousCount = (format: string) =>
    /^[DM]\W[DM]\W/.test(format) ? (found.get(withEither(format))?.count ?? 0) : 0;
  const known = [...found]
    .filter(([format]) => !format.startsWith(either))
    .map(([format, { count, example }]) => ({ format, example, count: count + ambiguousCount(format) }));
  return asDays(
    filled,
    known.toSorted((one, other) => other.count - one.count),
  );
}

const fewestMidnights = 3;
const midnight = /^\d{4}-\d\d-\d\d([T ]00:00(?::00(?:\.0+)?)?(?:\s?(?:Z|UTC|GMT)|[+-]\d\d(?::?\d\d)?)?)$/;

/** If all times are midnight, the file gives days: many programs write those so. Later times stay times. */
function asDays(texts: readonly string[], shapes: DateShape[]): DateShape[] {
  const [shape, ...others] = shapes;
  const end = midnight.exec(texts[0] ?? '')?.[1];
  const isDays = end !== undefined && texts.length >= fewestMidnights && texts.every((text) => text.endsWith(end));
  if (!shape || others.length > 0 || shape.format !== 'ISO' || !isDays) return shapes;
  return [{ ...shape, format: `YYYY-MM-DD[${end}] | ISO` }];
}

const dayOrMonth = /^(\d{1,2})\W(\d{1,2})\W/;

/** Both formats of texts whose day and month can't be told apart, with one that they read differently. */
export function unclearDates(texts: readonly string[]): readonly Omit<DateShape, 'count'>[] {
  const filled = texts.map((text) => text.trim()).filter((text) => text !== '');
  const unclear = filled.filter((text) => formatOfDate(text)?.startsWith(either));
  if (unclear.length === 0 || unclear.length < filled.length * shares.dates || dateShapes(texts).length > 0) return [];
  const formats = [...new Set(unclear.map((text) => formatOfDate(text)!))];
  const example = unclear.find((text) => new Set(dayOrMonth.exec(text)!.slice(1).map(Number)).size > 1);
  if (example === undefined) return [];
  return [
    ['D', 'M'],
    ['M', 'D'],
  ].map(([first, second]) => ({
    format: formats.map((format) => format.replace(either, first!).replace(either, second!)).join(' | '),
    example,
  }));
}

/** The format of dates that this one can read as well, but not only this one. */
const withEither = (format: string): string => format.replace(/^([DM])(\W)[DM]/, `${either}$2${either}`);
