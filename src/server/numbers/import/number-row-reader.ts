// Parses one row of a file as a dataset's row, or collects all its errors.

import { dayInZone } from '#core/base/day-words.ts';
import { capital, listWords } from '#core/base/formats.ts';
import {
  canBeDuration,
  type DatasetKey,
  datasetOf,
  type Field,
  fieldTitle,
  hasHours,
  valueTitle,
} from '#core/numbers/datasets.ts';
import { notWholeReason } from '#core/numbers/imports.ts';
import { identityBefore, repeatedId, stillRepeats } from '#server/platform/imports/correctable-rows.ts';
import { readDate, zoneHint } from '#server/platform/imports/date-formats.ts';
import { dateShapes, hasNoDay, isWrittenDate } from '#server/platform/imports/date-shapes.ts';
import { decimalText, parseDecimal, roundHalfToEven } from '#server/platform/imports/decimals.ts';
import { isDuration } from '#server/platform/imports/duration-shapes.ts';
import { RuleEvaluator } from '#server/platform/imports/evaluate-rules.ts';
import { find, isBlank, plainReading, type Reading } from '#server/platform/imports/find-value.ts';
import type { Fault } from '#server/platform/imports/import-error.ts';
import { isDayOnly, isoInstant } from '#server/platform/imports/iso-instants.ts';
import {
  columnsRead,
  type EvaluatedRow,
  type Found,
  type Row,
  type Rule,
} from '#server/platform/imports/mapping-rules.ts';
import { isBelowZero, numberText } from '#server/platform/imports/written-numbers.ts';
import { largestMoney, largestWhole, type NumberRow, type NumberValue } from '../number-row.ts';
import { codeOfCountry } from './country-words.ts';
import { codeOfCurrency } from './currency-words.ts';
import { hasNumberedId, type NumbersMapping, ruleSetOf } from './numbers-mapping.ts';
import { OrderRefunds } from './order-refunds.ts';
import { rowWarnings } from './row-warnings.ts';

const longest = { text: 500, longText: 20_000, id: 300 };
const moneyPlaces = 4;
// Some sources write flags as numbers with decimals.
const yes = /^(true|t|yes|y|1([.,]0+)?)$/i;
const no = /^(false|f|no|n|0([.,]0+)?)$/i;

/** A field's value, or why there is none. */
type Refused = { readonly reason: string; readonly isTooLong?: true };
type Read = { readonly value: NumberValue; readonly text?: string } | Refused;
const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

const mappingGives = 'is blank, and what the mapping gives instead';

/** A row that the mapping leaves out on purpose. */
export type LeftOut = { readonly leftOut: Fault };

export class NumberRowReader {
  readonly #mapping: NumbersMapping;
  /** With the place of their rules in the mapping's set. */
  readonly #fields: readonly (readonly [string, Field, number, Hints])[];
  readonly #externalId: number;
  readonly #labelNames: readonly (readonly [string, number])[];
  readonly #evaluator: RuleEvaluator;
  readonly #reading: Reading;
  readonly #zones: Zones;
  readonly #datedBy: string | null;
  readonly #dataset: DatasetKey;
  readonly #refunds: OrderRefunds | null;
  /** The file says of gifts only which series they belong to: those of none are one-off. */
  readonly #tellsSeries: boolean;
  /** About the row that was read last. */
  warnings: readonly Fault[] = [];
  /** The occurrence numbers of the row that was read last. */
  numbers: readonly number[] = [];
  /** What could be read of that row, even if it has faults. */
  readable: NumberRow = { externalId: '', values: {}, labels: {}, texts: {} };

  constructor(dataset: DatasetKey, mapping: NumbersMapping, companyZone: string) {
    this.#mapping = mapping;
    this.#dataset = dataset;
    this.#refunds = dataset === 'orders' ? new OrderRefunds(mapping) : null;
    this.#datedBy = hasHours(datasetOf(dataset)) ? datasetOf(dataset).datedBy : null;
    this.#zones = { source: mapping.zone ?? companyZone, company: companyZone };
    this.#tellsSeries =
      dataset === 'donations' && mapping.fields.recurring === undefined && mapping.fields.recurring_ref !== undefined;
    const given = Object.keys(mapping.fields);
    this.#fields = Object.entries(datasetOf(dataset).fields).flatMap(([name, field]) => {
      const place = given.indexOf(name);
      const hints = {
        typed: isTyped(mapping.fields[name]),
        later: canBeDuration(dataset, name),
        rounded: mapping.round?.includes(name) === true,
        lowercase: mapping.lowercase?.includes(name) === true,
      };
      return place === -1 ? [] : [[name, field, place, hints] as const];
    });
    this.#externalId = given.indexOf('external_id');
    this.#labelNames = Object.keys(mapping.labels).map((name, index) => [name, given.length + index] as const);
    this.#evaluator = new RuleEvaluator(ruleSetOf(mapping, companyZone));
    this.#reading = { ...plainReading, missing: new Set(mapping.missing) };
  }

  /**
   * Call it for every row of the file in order: rejected rows count too, so other rows keep their ids when
   * they are corrected. `evaluated` is the row's result of the mapping's rules, if its reader made it.
   */
  read(row: Row, evaluated?: EvaluatedRow): NumberRow | readonly Fault[] | LeftOut {
    const { found: results, numbers } = evaluated ?? this.#evaluator.evaluate(row);
    this.numbers = numbers;
    const leftOut = this.#leftOut(row);
    if (leftOut) return { leftOut };
    const faults: Fault[] = [];
    const emptied: Fault[] = [];
    const titleOf = (field: string) => fieldTitle(this.#dataset, field);
    const refuse: Refuse = (field, found, reason) => {
      const column = found || titleOf(field);
      if (this.#mapping.emptyIfWrong?.includes(field))
        return void emptied.push({ column, reason: `${reason}. The cell was left blank`, field });
      const isKnown = faults.some((fault) => fault.column === column && fault.reason === reason);
      if (!isKnown) faults.push({ column, reason, field });
    };
    const refuseGiven: Refuse = (field, found, reason) => {
      const blank = this.#blankColumn(field, row);
      refuse(field, blank ?? found, blank === null ? reason : `${mappingGives} ${reason}`);
    };
    const values: Record<string, NumberValue> = {};
    const texts: Record<string, string> = {};
    let isWithoutTime = false;
    for (const [name, field, place, hints] of this.#fields) {
      const found = results[place]!;
      const { column } = found;
      if (found.fault !== undefined) refuseGiven(name, column, found.fault);
      else if (isBlank(found.value)) {
        if (field.required) refuse(name, column, this.#blankReason(name, column, row));
      } else {
        const read = readValue(found, name, field, this.#zones, hints);
        if ('reason' in read) refuseRead(name, column, read, this.#mapping.fields[name], refuseGiven);
        else {
          values[name] = read.value;
          if (name === this.#datedBy) isWithoutTime = isDayOnly(String(found.value).trim());
          // For the field that dates the row, the store keeps this text itself.
          if (read.text !== undefined && name !== this.#datedBy) texts[name] = read.text;
        }
      }
    }
    const ofOtherLines = this.#refunds?.take(values) ?? null;
    if (this.#tellsSeries && !emptied.some(({ field }) => field === 'recurring_ref'))
      values.recurring = values.recurring_ref !== undefined;
    this.warnings = [
      ...emptied,
      ...rowWarnings(this.#dataset, { values, texts, isDayOnly: isWithoutTime }, this.#mapping, ofOtherLines),
    ];
    const kept = hasNumberedId(this.#mapping) ? identityBefore(row).id : null;
    const idRule = this.#mapping.fields.external_id;
    const externalId = kept ?? textOf('external_id', results[this.#externalId]!, longest.id, refuse, idRule);
    if (externalId === '' && faults.length === 0) refuse('external_id', '', 'is blank');
    if (faults.length === 0 && stillRepeats(row, externalId))
      faults.push(repeatedId(titleOf('external_id'), externalId, null));
    const labels: Record<string, string> = {};
    for (const [name, place] of this.#labelNames) {
      const text = textOf(name, results[place]!, longest.text, refuse);
      if (text !== '') labels[name] = text;
    }
    this.readable = { externalId, values, labels, texts, isDayOnly: isWithoutTime };
    return faults.length > 0 ? faults : this.readable;
  }

  #blankReason(name: string, column: string, row: Row): string {
    const { title } = datasetOf(this.#dataset).fields[name]!;
    const rule = this.#mapping.fields[name]!;
    const cell = typeof rule === 'object' && 'map' in rule ? find(rule.value, row, this.#reading).value : null;
    if (!isBlank(cell)) return `has the value ${quoted(String(cell))}. Choose its ${title}`;
    return ['', name, title].includes(column) ? 'is blank' : `is blank, but ${title} is required`;
  }

  /** The field's column if the row fills none of its columns, so its value is the mapping's. */
  #blankColumn(field: string, row: Row): string | null {
    const columns = columnsRead(this.#mapping.fields[field]!);
    const isFilled = columns.some((column) => !isBlank(find(column, row, this.#reading).value));
    return isFilled ? null : (columns[0] ?? null);
  }

  #leftOut(row: Row): Fault | null {
    for (const { column, has, lacks, reason } of this.#mapping.leaveOut) {
      const { value } = find(column, row, this.#reading);
      const text = isBlank(value) ? '' : String(value).trim();
      const isLeft = has?.includes(text) ?? (lacks ? !lacks.includes(text) : isBelowZero(text));
      if (isLeft) return { column, reason };
    }
    return null;
  }
}

/** Whether a person gave the value for all rows, so no other choice of a column reads it. */
const isTyped = (rule: Rule | undefined): boolean => typeof rule === 'object' && 'constant' in rule;

/** `found`: the file's column, if there is one. */
type Refuse = (field: string, found: string, reason: string) => void;

/** A text of several columns that is too long is no single column's fault. */
function refuseRead(field: string, column: string, read: Refused, rule: Rule | undefined, refuse: Refuse): void {
  if (read.isTooLong && typeof rule === 'object' && 'join' in rule)
    refuse(field, '', `${read.reason}. Choose fewer columns`);
  else refuse(field, column, read.reason);
}

function textOf(name: string, { value, column, fault }: Found, most: number, refuse: Refuse, rule?: Rule): string {
  if (fault === undefined && isBlank(value)) return '';
  const read: Read = fault === undefined ? readText(value, most, column) : { reason: fault };
  if ('value' in read) return String(read.value);
  refuseRead(name, column, read, rule, refuse);
  return '';
}

/** A time without an offset is in the source's zone. A day without a time is in the company's calendar. */
type Zones = { readonly source: string; readonly company: string };

/**
 * What to do about a wrong value: it was typed for all rows, could be a duration after the row's date, or is
 * rounded. And whether a text is imported in lowercase.
 */
type Hints = Readonly<Record<'typed' | 'later' | 'rounded' | 'lowercase', boolean>>;

function readValue(
  { value: found, column }: Found,
  name: string,
  { type, title }: Field,
  zones: Zones,
  hints: Hints,
): Read {
  if (name === 'currency') return readCurrency(found, hints);
  if (name === 'country') return readCountry(found, column);
  if (type === 'text' || type === 'longText') {
    const read = readText(found, longest[type], column);
    return hints.lowercase && 'value' in read ? { value: String(read.value).toLowerCase() } : read;
  }
  if (typeof found === 'object') return { reason: objectReason(found, column) };
  const text = String(found).trim();
  const { typed } = hints;
  if (type === 'money') return readMoney(text, typed);
  if (type === 'whole') return readWhole(text, hints);
  if (type === 'instant') return readInstant(text, zones, hints);
  if (type === 'day') return readDay(text, zones, hints);
  if (type === 'flag') return readFlag(text);
  if (type === 'score') return readScore(text);
  const value = fixedValue(type, text);
  return value !== undefined
    ? { value }
    : { reason: `has ${quoted(text)}, which isn’t a valid ${title}. Use ${listWords(type.map(namedValue), 'or')}` };
}

/** One of fixed values, also as screens and people write it: "Arcade" and "BGP" are `bgp`. */
const fixedValue = (type: readonly string[], text: string): string | undefined =>
  type.find((value) => value === text) ??
  type.find((value) => [value, valueTitle(value)].some((word) => word.toLowerCase() === text.toLowerCase()));

/** A key that people call something else has that name too. */
const namedValue = (value: string): string => {
  const title = valueTitle(value);
  return title === capital(value) ? value : `${value} (${title})`;
};

/** What to choose instead of an object or list. */
function objectReason(found: object | null, column: string): string {
  if (Array.isArray(found)) return 'is a list. For a value of its last item, choose “Rule as JSON” with last and take';
  const [key] = Object.keys(found ?? {});
  return `is an object. Choose a value in it${key === undefined ? '' : `, such as ${column}.${key}`}`;
}

function readText(found: unknown, most: number, column: string): Read {
  if (typeof found === 'object') return { reason: objectReason(found, column) };
  const text = String(found).trim();
  if (text.includes('\0')) return { reason: 'contains NUL, which can’t be stored' };
  if (!text.isWellFormed()) return { reason: 'contains half of a surrogate pair, which can’t be stored' };
  return text.length > most ? { reason: `is longer than ${most} characters`, isTooLong: true } : { value: text };
}

const codesOfSigns: Readonly<Record<string, string>> = {
  ...{ '€': 'EUR', US$: 'USD', '£': 'GBP', '₹': 'INR', '₺': 'TRY', '₽': 'RUB', '₴': 'UAH', R$: 'BRL', C$: 'CAD' },
  ...{ CA$: 'CAD', A$: 'AUD', MX$: 'MXN', 'S/': 'PEN', KČ: 'CZK', ZŁ: 'PLN', 'FR.': 'CHF' },
};

/** Several countries have one. */
const likelyCodes: Readonly<Record<string, string>> = {
  ...{ $: 'USD', '¥': 'JPY', DOLLAR: 'USD', DOLLARS: 'USD', POUND: 'GBP', POUNDS: 'GBP', FRANC: 'CHF', FRANKEN: 'CHF' },
};

/** An ISO code, or another unit's code (D31). A person who types a sign for all rows sees what it becomes. */
function readCurrency(found: unknown, { typed }: Hints): Read {
  const code = String(found).trim().toUpperCase();
  const named = codeOfCurrency(code) ?? (typed ? codesOfSigns[code] : undefined);
  if (named !== undefined) return { value: named };
  const meant = codesOfSigns[code] ?? likelyCodes[code];
  if (meant === undefined && /^[A-Z][A-Z0-9]{1,9}$/.test(code)) return { value: code };
  return { reason: `isn’t a currency: ${quoted(code)}. Replace it with a code like ${meant ?? 'EUR'}` };
}

/** A known country's code, so all its names and codes are one group. Any other text stays. */
function readCountry(found: unknown, column: string): Read {
  const read = readText(found, longest.text, column);
  return 'value' in read ? { value: codeOfCountry(String(read.value)) ?? read.value } : read;
}

/** A rounded amount keeps the source's text (D31). */
function readMoney(text: string, typed: boolean): Read {
  const amount = parseDecimal(text);
  if (amount === null) return { reason: `isn’t an amount: ${quoted(text)}${numberHint(text, typed)}` };
  const { units, isExact } = roundHalfToEven(amount, moneyPlaces);
  if (units > largestMoney || units < -largestMoney) return { reason: `is too large an amount: ${quoted(text)}` };
  return isExact ? { value: units } : { value: units, text: decimalText(amount) };
}

/** A number that people can read needs its decimal sign. */
function numberHint(text: string, typed: boolean): string {
  const signs = [',', '.'] as const;
  const values = new Set(signs.map((sign) => numberText(text, sign).value).filter((value) => value !== undefined));
  if (!typed) return values.size > 0 ? '. Choose “A number as text”' : '';
  return values.size === 1 ? `. Write it as ${[...values][0]}` : '. Write it like 1234.50';
}

/** A rounded count keeps the source's text, as an amount does. */
function readWhole(text: string, { typed, rounded }: Pick<Hints, 'typed' | 'rounded'>): Read {
  const number = parseDecimal(text);
  const { units, isExact } = number ? roundHalfToEven(number, 0) : { units: 0n, isExact: false };
  if (number === null || !(isExact || rounded))
    return { reason: `${notWholeReason}: ${quoted(text)}${number ? '' : numberHint(text, typed)}` };
  const value = Number(units);
  return Math.abs(value) > largestWhole
    ? { reason: `is too large a number: ${quoted(text)}` }
    : { value, ...(isExact ? {} : { text: decimalText(number) }) };
}

/** A date that people can read needs its format. */
function dateHint(text: string, { typed, later }: Hints): string {
  // 20260131 is a day, and 45123 is one of Excel's.
  if (!typed && later && isDuration(text) && !/^\d{5,}$/.test(text)) return '. If it’s a duration, choose “A duration”';
  const epoch = !typed && /^(\d{10}|\d{13})$/.test(text);
  if (epoch)
    return `. If it counts from 1970, choose “A date” and the format ${text.length > 10 ? 'epochMs' : 'epoch'}`;
  if (!typed) return isWrittenDate(text) || hasNoDay(text) ? '. Choose “A date”' : zoneHint(text);
  const [shape] = dateShapes([text]);
  const day = shape && readDate(text, { format: shape.format, zone: 'UTC' })?.slice(0, 10);
  return day ? `. Write it as ${day}` : '. Write it like 2026-01-31';
}

function readInstant(text: string, { source, company }: Zones, hints: Hints): Read {
  const value = isoInstant(text, isDayOnly(text) ? company : source);
  if (value === null) return { reason: `isn’t a date: ${quoted(text)}${dateHint(text, hints)}` };
  return isDayOnly(text) ? { value, text } : { value };
}

/** For an instant, its day in the company's zone. */
function readDay(text: string, { source, company }: Zones, hints: Hints): Read {
  const instant = isoInstant(text, source);
  if (instant === null) return { reason: `isn’t a day: ${quoted(text)}${dateHint(text, hints)}` };
  return { value: isDayOnly(text) ? text : dayInZone(instant, company) };
}

function readFlag(text: string): Read {
  if (yes.test(text)) return { value: true };
  return no.test(text) ? { value: false } : { reason: `is neither true nor false: ${quoted(text)}` };
}

function readScore(text: string): Read {
  const read = readWhole(text, { typed: false, rounded: false });
  const isScore = 'value' in read && Number(read.value) >= 1 && Number(read.value) <= 5;
  return isScore ? read : { reason: `isn’t a score from 1 to 5: ${quoted(text)}` };
}
