// Parses dates in a mapping file's format, such as `D/M/YYYY HH:MM`, into ISO 8601.
import { isDayOnly, isoInstant } from './iso-instants.ts';

type Part = 'year' | 'month' | 'day' | 'weekday' | 'hour' | 'minute' | 'second' | 'fraction' | 'half' | 'offset';
type Token = { readonly part: Part; readonly pattern: string; readonly isName?: true; readonly isShortYear?: true };

/** Zones by the names that have one meaning in files. */
const zoneOffsets: Readonly<Record<string, string>> = {
  ...{ AKST: '-09:00', AKDT: '-08:00', PST: '-08:00', PDT: '-07:00', MST: '-07:00', MDT: '-06:00', EST: '-05:00' },
  ...{ EDT: '-04:00', WET: '+00:00', WEST: '+01:00', CET: '+01:00', CEST: '+02:00', EET: '+02:00', EEST: '+03:00' },
  ...{ MSK: '+03:00', JST: '+09:00', KST: '+09:00', AEST: '+10:00', AEDT: '+11:00', NZST: '+12:00', NZDT: '+13:00' },
};
export const zonePattern = `Z|UTC|GMT|${Object.keys(zoneOffsets).join('|')}|[+-]\\d{2}:?\\d{2}`;

const ambiguousZones: Readonly<Record<string, string>> = {
  ...{ CST: 'US Central, China or Cuba time', CDT: 'US Central or Cuba time', AST: 'Atlantic or Arabia time' },
  ...{ IST: 'India, Ireland or Israel time', BST: 'British or Bangladesh time' },
};

/** Why a date with such a zone isn't read, and what to do; blank for other texts. */
export function zoneHint(text: string): string {
  const [name = ''] = /[A-Z]+$/.exec(text.trim()) ?? [];
  if (!Object.hasOwn(ambiguousZones, name)) return '';
  return `. ${name} can be ${ambiguousZones[name]}. Choose the time zone, and write [${name}] in the format`;
}

/** Before a colon, one digit can only be the hour. */
const twoDigitHour = '\\d{2}|(?<!\\d)\\d(?=:)';

const tokens: Readonly<Record<string, Token>> = {
  YYYY: { part: 'year', pattern: '\\d{4}' },
  YY: { part: 'year', pattern: '\\d{2}', isShortYear: true },
  MMMM: { part: 'month', pattern: '\\p{L}+\\.?', isName: true },
  MMM: { part: 'month', pattern: '\\p{L}+\\.?', isName: true },
  MM: { part: 'month', pattern: '\\d{2}' },
  M: { part: 'month', pattern: '\\d{1,2}' },
  Do: { part: 'day', pattern: '\\d{1,2}(?:st|nd|rd|th)' },
  DD: { part: 'day', pattern: '\\d{2}' },
  D: { part: 'day', pattern: '\\d{1,2}' },
  // The date says it too.
  dddd: { part: 'weekday', pattern: '\\p{L}+\\.?' },
  ddd: { part: 'weekday', pattern: '\\p{L}+\\.?' },
  HH: { part: 'hour', pattern: twoDigitHour },
  H: { part: 'hour', pattern: '\\d{1,2}' },
  hh: { part: 'hour', pattern: twoDigitHour },
  h: { part: 'hour', pattern: '\\d{1,2}' },
  mm: { part: 'minute', pattern: '\\d{2}' },
  m: { part: 'minute', pattern: '\\d{1,2}' },
  ss: { part: 'second', pattern: '\\d{2}' },
  SS: { part: 'second', pattern: '\\d{2}' },
  s: { part: 'second', pattern: '\\d{1,2}' },
  SSS: { part: 'fraction', pattern: '\\d{1,9}' },
  A: { part: 'half', pattern: '[AaPp]\\.?[Mm]\\.?' },
  a: { part: 'half', pattern: '[AaPp]\\.?[Mm]\\.?' },
  Z: { part: 'offset', pattern: zonePattern },
};
const minutes: Token = { part: 'minute', pattern: '\\d{2}' };
const spelling = /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|Do|DD|D|dddd|ddd|HH|H|hh|h|mm|m|SSS|SS|ss|s|A|a|Z|[\s\S]/g;

type Compiled = { readonly expression: RegExp; readonly found: readonly Token[] };
const words = ['ISO', 'epoch', 'epochMs'];
const compiledFormats = new Map<string, Compiled>();
/** Formats and languages come from mappings, so their number is unlimited. */
const mostCached = 500;
const longestFormat = 100;
/** No date is longer in any language. */
const longestDate = 100;

/** A column can have several formats: `D/M/YYYY | YYYY-MM-DD`. The first one that fits a text reads it. */
const alternatives = (format: string): string[] => format.split('|').map((one) => one.trim());

/** Why a format is invalid; null if it is valid. */
export function formatFault(format: string): string | null {
  if (format.length > longestFormat) return `is longer than ${longestFormat} characters`;
  return (
    alternatives(format)
      .map(faultOfOne)
      .find((fault) => fault !== null) ?? null
  );
}

/** Why month names of a language are unknown; null if they are known. */
export function languageFault(language: string): string | null {
  try {
    new Intl.DateTimeFormat(language);
    return null;
  } catch {
    return 'isn’t a language: use one like de or pt-BR';
  }
}

function faultOfOne(format: string): string | null {
  if (words.includes(format)) return null;
  const parts = compile(format).found.map(({ part }) => part);
  if (new Set(parts).size !== parts.length) return `repeats a part in the format "${format}"`;
  // A year or a month alone is its first day.
  const needed =
    parts.includes('day') || parts.includes('hour') ? (['year', 'month', 'day'] as const) : (['year'] as const);
  const lacking = needed.filter((part) => !parts.includes(part));
  return lacking.length === 0 ? null : `has no ${lacking.join(' and no ')} in the format "${format}"`;
}

function compile(format: string): Compiled {
  const known = compiledFormats.get(format);
  if (known) return known;
  const found: Token[] = [];
  let pattern = '';
  for (const [piece, literal] of format.matchAll(spelling)) {
    // `HH:MM` is how people write hours and minutes.
    const isMinutes = piece === 'MM' && found.at(-1)?.part === 'hour';
    const token = isMinutes ? minutes : Object.hasOwn(tokens, piece) ? tokens[piece] : undefined;
    if (token && literal === undefined) {
      found.push(token);
      pattern += `(${token.pattern})`;
    } else for (const sign of literal ?? piece) pattern = withSign(pattern, sign);
  }
  const compiled = { expression: new RegExp(`^${pattern}$`, 'u'), found };
  if (compiledFormats.size >= mostCached) compiledFormats.clear();
  compiledFormats.set(format, compiled);
  return compiled;
}

/** One `\s+` reads a run of spaces: two in a row could share it in many ways. */
function withSign(pattern: string, sign: string): string {
  if (/\s/.test(sign)) return pattern.endsWith('\\s+') ? pattern : `${pattern}\\s+`;
  return pattern + sign.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');
}

export type DateSpelling = { readonly format: string; readonly zone: string; readonly language?: string | undefined };

/**
 * The instant with its offset, or only the day (`YYYY-MM-DD`) if the text has no time. Null for an invalid
 * date.
 */
export function readDate(text: string, { format, zone, language }: DateSpelling): string | null {
  if (text.length > longestDate) return null;
  for (const one of alternatives(format)) {
    const value = readOne(text, { format: one, zone, language });
    if (value !== null) return value;
  }
  return null;
}

function readOne(text: string, { format, zone, language = 'en' }: DateSpelling): string | null {
  if (format === 'ISO') {
    const instant = isoInstant(text, zone);
    return instant !== null && isDayOnly(text) ? text : instant;
  }
  if (format === 'epoch' || format === 'epochMs') return readEpoch(text, format === 'epoch' ? 1_000 : 1);
  const { expression, found } = compile(format);
  const match = expression.exec(text);
  if (!match) return null;
  const parts: Partial<Record<Part, string>> = {};
  for (const [at, token] of found.entries()) {
    const value = partText(token, match[at + 1]!, language);
    if (value === null) return null;
    parts[token.part] = value;
  }
  const day = `${parts.year}-${parts.month ?? '01'}-${parts.day ?? '01'}`;
  const hour = parts.half === undefined ? parts.hour : hourOfDay(parts.hour, parts.half);
  if (hour === undefined) return isoInstant(day, zone) && day;
  const { minute = '00', second = '00', fraction, offset = '' } = parts;
  return isoInstant(`${day}T${hour}:${minute}:${second}${fraction ? `.${fraction}` : ''}${offset}`, zone);
}

function partText({ part, isName, isShortYear }: Token, text: string, language: string): string | null {
  if (isName) return monthNumber(text, language);
  if (isShortYear) return Number(text) < 70 ? `20${text}` : `19${text}`;
  if (part === 'offset') return zoneOffsets[text] ?? text;
  if (part === 'day') return String(Number.parseInt(text, 10)).padStart(2, '0');
  return ['half', 'fraction', 'weekday'].includes(part) ? text : text.padStart(2, '0');
}

function hourOfDay(hour: string | undefined, half: string): string | undefined {
  if (hour === undefined || Number(hour) < 1 || Number(hour) > 12) return '99';
  return String((Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0)).padStart(2, '0');
}

const monthsOfLanguage = new Map<string, Map<string, string>>();

function monthNumber(name: string, language: string): string | null {
  let months = monthsOfLanguage.get(language);
  if (!months) {
    months = namesOfMonths(language);
    if (monthsOfLanguage.size >= mostCached) monthsOfLanguage.clear();
    monthsOfLanguage.set(language, months);
  }
  const wanted = plain(name);
  if (months.has(wanted)) return months.get(wanted)!;
  // An abbreviation other than the language's own: `Sept`.
  const begun = [...months].filter(([month]) => wanted.length >= 3 && month.startsWith(wanted));
  return new Set(begun.map(([, number]) => number)).size === 1 ? begun[0]![1] : null;
}

function namesOfMonths(language: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const width of ['long', 'short'] as const) {
    const format = new Intl.DateTimeFormat(language, { month: width, timeZone: 'UTC' });
    for (let month = 1; month <= 12; month += 1) {
      const number = String(month).padStart(2, '0');
      const name = plain(format.format(Temporal.Instant.from(`2001-${number}-15T00:00Z`).epochMilliseconds));
      names.set(name, number);
    }
  }
  return names;
}

const plain = (name: string) => name.toLowerCase().replaceAll('.', '');

/** The farthest instant from 1970 that Temporal accepts. */
const mostMilliseconds = 8.64e15;

function readEpoch(text: string, milliseconds: number): string | null {
  if (!/^-?\d{1,16}(\.\d+)?$/.test(text)) return null;
  return instantAt(Math.round(Number(text) * milliseconds));
}

/** Null outside the years of dates. */
export function instantAt(epochMs: number): string | null {
  if (Math.abs(epochMs) > mostMilliseconds) return null;
  return isoInstant(Temporal.Instant.fromEpochMilliseconds(epochMs).toString(), 'UTC');
}
