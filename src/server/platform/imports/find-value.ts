// Applies a rule of a mapping file to a row.
import { hash } from 'node:crypto';
import { durationUnits, readDuration } from '#core/base/durations.ts';
import { instantAt, readDate, zoneHint } from './date-formats.ts';
import { absolute, compare, type Decimal, decimalText, multiply, negate, parseDecimal } from './decimals.ts';
import { isDayOnly, isoInstant } from './iso-instants.ts';
import type { Condition, DateRule, DurationRule, Found, OccurrenceRule, Row, Rule } from './mapping-rules.ts';
import { parseExactJson } from './ndjson-rows.ts';
import { matchesPattern } from './safe-pattern.ts';
import { numberText } from './written-numbers.ts';

/** What a rule needs besides the row. */
export type Reading = {
  /** For dates without a zone. */
  readonly zone: string;
  /** Texts that mean "no value": `?`, `#N/A`. */
  readonly missing: ReadonlySet<string>;
  readonly occurrence: (rule: OccurrenceRule) => number;
};

export const plainReading: Reading = { zone: 'UTC', missing: new Set(), occurrence: () => 1 };
const nothing: Found = { value: undefined, column: '' };

export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Finds a column by name, else by its dotted path. */
function columnOf(row: unknown, path: string): unknown {
  let value = row;
  if (isObject(value) && Object.hasOwn(value, path)) return value[path];
  for (const step of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null;

export function find(wanted: Rule, row: Row, reading: Reading = plainReading): Found {
  if (typeof wanted === 'string') return findColumn(wanted, row, reading);
  if ('column' in wanted) return findColumn(wanted.column, row, reading);
  if ('constant' in wanted) return { value: wanted.constant, column: '' };
  if ('first' in wanted) return findFirst(wanted.first, row, reading);
  if ('join' in wanted) return findJoined(wanted.join, wanted.with, row, reading);
  if ('map' in wanted) return findMapped(wanted, row, reading);
  if ('last' in wanted) return findLast(wanted.last, wanted.take, row, reading);
  if ('multiply' in wanted) return calculate(wanted.multiply, row, reading, (numbers) => numbers.reduce(multiply));
  if ('negate' in wanted) return calculate([wanted.negate], row, reading, ([number]) => negate(number!));
  if ('absolute' in wanted) return calculate([wanted.absolute], row, reading, ([number]) => absolute(number!));
  if ('number' in wanted) return findText(wanted.number, row, reading, (text) => numberText(text, wanted.decimal));
  if ('date' in wanted) return findDate(wanted, row, reading);
  if ('duration' in wanted) return findMoment(wanted, row, reading);
  if ('occurrence' in wanted) return { value: String(reading.occurrence(wanted)), column: '' };
  if ('json' in wanted) return findInJson(wanted.json, wanted.path, row, reading);
  if ('hash' in wanted) return findHash(wanted.hash, row, reading);
  if ('trim' in wanted)
    return findText(wanted.trim, row, reading, (text) => ({ value: trimmed(text, wanted.start, wanted.end) }));
  return findWhen(wanted, row, reading);
}

function findColumn(path: string, row: Row, { missing }: Reading): Found {
  const value = columnOf(row, path);
  const isMissing = missing.size > 0 && typeof value === 'string' && missing.has(value.trim());
  return { value: isMissing ? undefined : value, column: path };
}

function findFirst(rules: readonly Rule[], row: Row, reading: Reading): Found {
  let found = nothing;
  for (const candidate of rules) {
    found = find(candidate, row, reading);
    if (found.fault || !isBlank(found.value)) return found;
  }
  return found;
}

function findJoined(rules: readonly Rule[], separator: string, row: Row, reading: Reading): Found {
  const parts = rules.map((part) => find(part, row, reading));
  const broken = parts.find(({ fault }) => fault !== undefined);
  if (broken) return broken;
  const filled = parts.filter(({ value }) => !isBlank(value)).map(({ value }) => String(value).trim());
  return { value: filled.join(separator), column: parts[0]?.column ?? '' };
}

function findMapped(
  { value: from, map, default: otherwise }: Extract<Rule, { map: unknown }>,
  row: Row,
  reading: Reading,
): Found {
  const found = find(from, row, reading);
  if (found.fault) return found;
  const key = isBlank(found.value) ? '' : String(found.value);
  if (Object.hasOwn(map, key)) return { ...found, value: map[key] };
  if (Object.hasOwn(map, key.trim())) return { ...found, value: map[key.trim()] };
  if (otherwise !== undefined) return { ...found, value: otherwise };
  if (isBlank(found.value)) return { ...found, value: undefined };
  return { ...found, fault: `has the value ${JSON.stringify(key.slice(0, 60))}, which isn’t in the mapping` };
}

function findLast(list: string, take: Rule, row: Row, reading: Reading): Found {
  const items = columnOf(row, list);
  if (isBlank(items)) return { value: undefined, column: list };
  if (!Array.isArray(items)) return { value: undefined, column: list, fault: 'is not a list' };
  const last: unknown = items.at(-1);
  if (!isObject(last)) return { value: undefined, column: list };
  const found = find(take, last, reading);
  return { ...found, column: `${list}[${items.length - 1}].${found.column}` };
}

type Made = { readonly value: string | undefined; readonly fault?: string };

/** Makes a value from a text; blank stays blank. */
function findText(from: Rule, row: Row, reading: Reading, make: (text: string) => Made): Found {
  const found = find(from, row, reading);
  if (found.fault || isBlank(found.value)) return found;
  return { column: found.column, ...make(String(found.value).trim()) };
}

/** Calculates exactly; blank when one operand is. */
function calculate(
  rules: readonly Rule[],
  row: Row,
  reading: Reading,
  make: (numbers: readonly Decimal[]) => Decimal,
): Found {
  const numbers: Decimal[] = [];
  let column = '';
  for (const part of rules) {
    const found = find(part, row, reading);
    if (found.fault || isBlank(found.value)) return found;
    const number = parseDecimal(String(found.value).trim());
    if (number === null)
      return { ...found, fault: `isn’t a number: ${JSON.stringify(String(found.value).slice(0, 60))}` };
    column ||= found.column;
    numbers.push(number);
  }
  return { value: decimalText(make(numbers)), column };
}

function findDate({ date, format, zone, language }: DateRule, row: Row, reading: Reading): Found {
  return findText(date, row, reading, (text) => {
    const value = readDate(text, { format, zone: zone ?? reading.zone, language });
    return value === null
      ? {
          value: undefined,
          fault: `isn’t a date in the format ${format}: ${JSON.stringify(text.slice(0, 60))}${zoneHint(text)}`,
        }
      : { value };
  });
}

/** Blank when the duration or the moment before it is. */
function findMoment({ duration, unit, after }: DurationRule, row: Row, reading: Reading): Found {
  const written = find(duration, row, reading);
  if (written.fault || isBlank(written.value)) return written;
  const begin = find(after, row, reading);
  if (begin.fault || isBlank(begin.value)) return { ...begin, value: undefined };
  const read = readDuration(String(written.value), unit);
  const moment = 'fault' in read ? read : momentAfter(String(begin.value).trim(), read.ms, reading.zone);
  return { value: undefined, column: written.column, ...moment };
}

function momentAfter(begin: string, ms: number, zone: string): Made {
  const instant = isoInstant(begin, zone);
  const quoted = JSON.stringify(begin.slice(0, 60));
  if (instant === null) return { value: undefined, fault: `is counted from ${quoted}, which isn’t a date` };
  // Hours after a day are no moment.
  if (isDayOnly(begin) && ms % durationUnits.days !== 0)
    return { value: undefined, fault: `is counted from ${quoted}, which has no time. Choose a column with the time` };
  const start = Temporal.Instant.from(isDayOnly(begin) ? `${begin}T00:00Z` : instant);
  const moment = instantAt(start.epochMilliseconds + ms);
  if (moment === null) return { value: undefined, fault: 'is too long a duration. Check its unit' };
  return { value: isDayOnly(begin) ? moment.slice(0, 10) : moment };
}

/** Several fields can come from the same cell. */
let lastCell: { text: string; json: unknown } = { text: '', json: undefined };

function findInJson(from: Rule, path: string, row: Row, reading: Reading): Found {
  const found = find(from, row, reading);
  if (found.fault || isBlank(found.value)) return { ...found, value: undefined };
  if (isObject(found.value)) return { column: `${found.column}.${path}`, value: columnOf(found.value, path) };
  const text = String(found.value);
  try {
    if (lastCell.text !== text) lastCell = { text, json: parseExactJson(text) };
    return { column: `${found.column}.${path}`, value: columnOf(lastCell.json, path) };
  } catch {
    return { ...found, value: undefined, fault: 'isn’t JSON' };
  }
}

function findHash(rules: readonly Rule[], row: Row, reading: Reading): Found {
  const parts = rules.map((part) => find(part, row, reading));
  const broken = parts.find(({ fault }) => fault !== undefined);
  if (broken) return broken;
  const texts = parts.map(({ value }) => (isBlank(value) ? '' : String(value).trim()));
  return { value: hash('sha256', JSON.stringify(texts)).slice(0, 32), column: parts[0]!.column };
}

function trimmed(text: string, start: string | number | undefined, end: string | number | undefined): string {
  let kept = text;
  if (typeof start === 'number') kept = kept.slice(start);
  else if (start !== undefined && kept.startsWith(start)) kept = kept.slice(start.length);
  if (typeof end === 'number') kept = kept.slice(0, Math.max(0, kept.length - end));
  else if (end !== undefined && kept.endsWith(end)) kept = kept.slice(0, kept.length - end.length);
  return kept.trim();
}

function findWhen(
  { when, give, else: otherwise }: Extract<Rule, { when: unknown }>,
  row: Row,
  reading: Reading,
): Found {
  for (const check of when) {
    const held = holds(check, row, reading);
    if (typeof held === 'object') return held;
    if (!held) return otherwise === undefined ? nothing : find(otherwise, row, reading);
  }
  return find(give, row, reading);
}

/** Whether a condition is true; a fault when it can't be evaluated. */
function holds(check: Condition, row: Row, reading: Reading): boolean | Found {
  const found = find(check.value, row, reading);
  if (found.fault) return found;
  const { value } = found;
  if (check.blank !== undefined) return isBlank(value) === check.blank;
  if (check.differsFrom !== undefined) return value !== find(check.differsFrom, row, reading).value;
  if (isBlank(value)) return check.equals === '';
  const text = String(value).trim();
  if (check.in) return check.in.includes(text);
  if (check.equals !== undefined) return text === check.equals;
  if (check.startsWith !== undefined) return [check.startsWith].flat().some((start) => text.startsWith(start));
  if (check.matches !== undefined) return matchesPattern(check.matches, text);
  const [bound, sign] = check.lessThan === undefined ? [check.moreThan!, 1] : [check.lessThan, -1];
  const other = typeof bound === 'number' ? { constant: String(bound) } : bound;
  const difference = calculate([check.value, other], row, reading, ([a, b]) => ({
    digits: BigInt(compare(a!, b!)),
    scale: 0,
  }));
  if (difference.fault) return difference;
  return Number(difference.value) === sign;
}
