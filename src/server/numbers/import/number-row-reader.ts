// Parses one row of a file as a dataset's row, or collects all its errors.

import { dayInZone } from '#core/base/day-words.ts';
import { type DatasetKey, datasetOf, type Field, hasHours } from '#core/numbers/datasets.ts';
import { numbersBefore } from '#server/platform/imports/correctable-rows.ts';
import { decimalText, parseDecimal, roundHalfToEven } from '#server/platform/imports/decimals.ts';
import { find, isBlank, type Reading } from '#server/platform/imports/find-value.ts';
import type { Fault } from '#server/platform/imports/import-error.ts';
import { isDayOnly, isoInstant } from '#server/platform/imports/iso-instants.ts';
import { KeyTable } from '#server/platform/imports/key-table.ts';
import type { OccurrenceRule, Row, Rule } from '#server/platform/imports/mapping-rules.ts';
import { largestMoney, largestWhole, type NumberRow, type NumberValue } from '../number-row.ts';
import { countingRules, type NumbersMapping } from './numbers-mapping.ts';

const longest = { text: 500, longText: 20_000, id: 300 };
const moneyPlaces = 4;
const yes = /^(true|t|yes|y|1)$/i;
const no = /^(false|f|no|n|0)$/i;

/** A field's value, or why there is none. */
type Read = { readonly value: NumberValue; readonly text?: string } | { readonly reason: string };
const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

export const sameId = (externalId: string, line: number): Fault => ({
  column: 'external_id',
  reason: `has the id of line ${line}: ${JSON.stringify(externalId)}`,
});

/** A row that the mapping leaves out on purpose. */
export type LeftOut = { readonly leftOut: Fault };

export class NumberRowReader {
  readonly #mapping: NumbersMapping;
  readonly #fields: readonly (readonly [string, Field, Rule])[];
  readonly #counting: readonly (readonly [OccurrenceRule, KeyTable])[];
  readonly #occurrences = new Map<OccurrenceRule, number>();
  readonly #reading: Reading;
  readonly #zones: Zones;
  readonly #datedBy: string | null;
  readonly #dataset: DatasetKey;
  /** About the row that was read last. */
  warnings: readonly Fault[] = [];

  constructor(dataset: DatasetKey, mapping: NumbersMapping, companyZone: string) {
    this.#mapping = mapping;
    this.#dataset = dataset;
    this.#datedBy = hasHours(datasetOf(dataset)) ? datasetOf(dataset).datedBy : null;
    this.#zones = { source: mapping.zone ?? companyZone, company: companyZone };
    this.#fields = Object.entries(datasetOf(dataset).fields).flatMap(([name, field]) => {
      const rule = mapping.fields[name];
      return rule === undefined ? [] : [[name, field, rule] as const];
    });
    this.#counting = countingRules(mapping).map((rule) => [rule, new KeyTable()] as const);
    this.#reading = {
      zone: this.#zones.source,
      missing: new Set(mapping.missing),
      occurrence: (rule) => this.#occurrences.get(rule) ?? 0,
    };
  }

  /**
   * Call it for every row of the file in order: rejected rows count too, so other rows keep their ids when
   * they are corrected.
   */
  read(row: Row): NumberRow | readonly Fault[] | LeftOut {
    this.#count(row);
    const leftOut = this.#leftOut(row);
    if (leftOut) return { leftOut };
    const faults: Fault[] = [];
    const refuse = (column: string, reason: string) => {
      if (!faults.some((fault) => fault.column === column && fault.reason === reason)) faults.push({ column, reason });
    };
    const values: Record<string, NumberValue> = {};
    const texts: Record<string, string> = {};
    let isWithoutTime = false;
    for (const [name, field, rule] of this.#fields) {
      const found = find(rule, row, this.#reading);
      const column = found.column || name;
      if (found.fault !== undefined) refuse(column, found.fault);
      else if (isBlank(found.value)) {
        if (field.required)
          refuse(column, column === name ? 'is blank' : `is blank, and gives ${name}, which is needed`);
      } else {
        const read = readValue(found.value, name, field, this.#zones);
        if ('reason' in read) refuse(column, read.reason);
        else {
          values[name] = read.value;
          if (name === this.#datedBy) isWithoutTime = isDayOnly(String(found.value).trim());
          if (read.text !== undefined) texts[name] = read.text;
        }
      }
    }
    this.warnings = this.#refundWarning(values);
    const externalId = this.#text('external_id', this.#mapping.fields.external_id!, row, longest.id, refuse);
    if (externalId === '' && faults.length === 0) refuse('external_id', 'is blank');
    const labels = this.#labels(row, refuse);
    return faults.length > 0 ? faults : { externalId, values, labels, texts, isDayOnly: isWithoutTime };
  }

  /** A refunded row without an amount would count as a sale. */
  #refundWarning(values: Record<string, NumberValue>): readonly Fault[] {
    const { status, gross, refunded, discount } = values;
    const isMissing = this.#dataset === 'orders' && status === 'refunded' && !refunded && typeof gross === 'bigint';
    if (!isMissing || gross <= 0n) return [];
    if (this.#mapping.refunds !== 'full')
      return [{ column: 'refunded', reason: 'is blank although the status is refunded: the row counts as a sale' }];
    values.refunded = gross - (typeof discount === 'bigint' ? discount : 0n);
    return [];
  }

  /** The occurrence numbers of the row that was read last. */
  get numbers(): number[] {
    return this.#counting.map(([rule]) => this.#occurrences.get(rule) ?? 1);
  }

  #leftOut(row: Row): Fault | null {
    for (const { column, has, lacks, reason } of this.#mapping.leaveOut) {
      const { value } = find(column, row, this.#reading);
      const text = isBlank(value) ? '' : String(value).trim();
      if (has ? has.includes(text) : !lacks!.includes(text)) return { column, reason };
    }
    return null;
  }

  #count(row: Row): void {
    const before = numbersBefore(row);
    for (const [index, [rule, table]] of this.#counting.entries()) {
      const values = rule.occurrence.map((part) => find(part, row, this.#reading).value);
      const counted = table.count(JSON.stringify(values));
      this.#occurrences.set(rule, before[index] ?? counted);
    }
  }

  #labels(row: Row, refuse: (column: string, reason: string) => void): Record<string, string> {
    const labels: Record<string, string> = {};
    for (const [name, rule] of Object.entries(this.#mapping.labels)) {
      const text = this.#text(name, rule, row, longest.text, refuse);
      if (text !== '') labels[name] = text;
    }
    return labels;
  }

  #text(name: string, rule: Rule, row: Row, most: number, refuse: (column: string, reason: string) => void): string {
    const { value, column, fault } = find(rule, row, this.#reading);
    if (fault === undefined && isBlank(value)) return '';
    const read: Read = fault === undefined ? readText(value, most) : { reason: fault };
    if ('value' in read) return String(read.value);
    refuse(column || name, read.reason);
    return '';
  }
}

/** A time without an offset is in the source's zone. A day without a time is in the company's calendar. */
type Zones = { readonly source: string; readonly company: string };

function readValue(found: unknown, name: string, { type }: Field, zones: Zones): Read {
  if (name === 'currency') return readCurrency(found);
  if (type === 'text' || type === 'longText') return readText(found, longest[type]);
  if (typeof found === 'object') return { reason: 'is an object or a list' };
  const text = String(found).trim();
  if (type === 'money') return readMoney(text);
  if (type === 'whole') return readWhole(text);
  if (type === 'instant') return readInstant(text, zones);
  if (type === 'day') return readDay(text, zones);
  if (type === 'flag') return readFlag(text);
  if (type === 'score') return readScore(text);
  return type.includes(text)
    ? { value: text }
    : { reason: `gives ${name} ${quoted(text)}, which is none of ${type.join(', ')}` };
}

function readText(found: unknown, most: number): Read {
  if (typeof found === 'object') return { reason: 'is an object or a list' };
  const text = String(found).trim();
  if (text.includes('\0')) return { reason: 'contains NUL, which can’t be stored' };
  if (!text.isWellFormed()) return { reason: 'contains half of a surrogate pair, which can’t be stored' };
  return text.length > most ? { reason: `has ${text.length} characters, the limit is ${most}` } : { value: text };
}

/** An ISO code, or another unit's code (D31). */
function readCurrency(found: unknown): Read {
  const code = String(found).trim().toUpperCase();
  return /^[A-Z][A-Z0-9]{1,9}$/.test(code) ? { value: code } : { reason: `isn’t a currency: ${quoted(code)}` };
}

/** A rounded amount keeps the source's text (D31). */
function readMoney(text: string): Read {
  const amount = parseDecimal(text);
  if (amount === null) return { reason: `isn’t an amount: ${quoted(text)}` };
  const { units, isExact } = roundHalfToEven(amount, moneyPlaces);
  if (units > largestMoney || units < -largestMoney) return { reason: `is too large an amount: ${quoted(text)}` };
  return isExact ? { value: units } : { value: units, text: decimalText(amount) };
}

function readWhole(text: string): Read {
  const number = parseDecimal(text);
  const { units, isExact } = number ? roundHalfToEven(number, 0) : { units: 0n, isExact: false };
  if (!isExact) return { reason: `isn’t a whole number: ${quoted(text)}` };
  const value = Number(units);
  return Math.abs(value) > largestWhole ? { reason: `is too large a number: ${quoted(text)}` } : { value };
}

function readInstant(text: string, { source, company }: Zones): Read {
  const value = isoInstant(text, isDayOnly(text) ? company : source);
  return value === null ? { reason: `isn’t a date: ${quoted(text)}` } : { value };
}

/** For an instant, its day in the company's zone. */
function readDay(text: string, { source, company }: Zones): Read {
  const instant = isoInstant(text, source);
  if (instant === null) return { reason: `isn’t a day: ${quoted(text)}` };
  return { value: isDayOnly(text) ? text : dayInZone(instant, company) };
}

function readFlag(text: string): Read {
  if (yes.test(text)) return { value: true };
  return no.test(text) ? { value: false } : { reason: `is neither true nor false: ${quoted(text)}` };
}

function readScore(text: string): Read {
  const read = readWhole(text);
  const isScore = 'value' in read && Number(read.value) >= 1 && Number(read.value) <= 5;
  return isScore ? read : { reason: `isn’t a score from 1 to 5: ${quoted(text)}` };
}
