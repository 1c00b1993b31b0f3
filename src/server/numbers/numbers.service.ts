// Computes metrics over a range and its comparison, in total and by group.

import { LRUCache } from 'lru-cache';
import { decimalText, tenThousandths } from '#core/base/decimals.ts';
import { comparedRange, endsEarly, lacksMuch } from '#core/numbers/comparison.ts';
import { datasetOf, hasHours, timeGroupings } from '#core/numbers/datasets.ts';
import { isBalance } from '#core/numbers/metric.ts';
import { isSparse, type LeafValues, leafFormulaOf, metricValue, optionalFieldsOf } from '#core/numbers/metric-value.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import { granularities, type NumberRequest, readNumberRequest } from '#core/numbers/number-request.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { readEndsKnown } from './backlog-over-time.ts';
import { hasWholeOrders } from './import-log.store.ts';
import { openReading } from './number-access.ts';
import {
  countMatching,
  type GroupRow,
  type LeafSource,
  leafSources,
  type NumbersQuestion,
  type Period,
  readFirstDay,
  readKnownByGroup,
  readKnownFields,
  readNewest,
  readNumbers,
  type Standing,
} from './numbers.store.ts';
import type { Reading } from './row-conditions.ts';

// Counts a range's rows that match the filters once for all tiles of a page, which ask at about the same time.

/** The count of matching rows in each of the standing's currencies, or of all rows without currencies. */
type Counts = Promise<readonly number[]>;

const mostKept = 200;
const keptMs = 60_000;
const counted = new WeakMap<Services['reader'], LRUCache<string, Counts>>();

/** An import changes the key: it sets another time. */
const keyOf = ({ dataset, scope, range, zone, filters }: Reading, standing: Standing): string =>
  JSON.stringify([dataset, scope, range.from, range.to, zone, filters, standing]);

function matchingRows({ reader }: Pick<Services, 'reader'>, asked: Reading, standing: Standing): Counts {
  const { currencies, currencyRows, rangeRows } = standing;
  // Only open items have an age, and they count apart from the range's rows.
  const reading = { ...asked, filters: asked.filters.filter(({ field }) => field !== 'age') };
  const all = currencies.length > 0 ? currencyRows : [rangeRows];
  if (reading.filters.length === 0 || rangeRows === 0) return Promise.resolve(all);
  const counts = counted.get(reader) ?? new LRUCache({ max: mostKept, ttl: keptMs });
  counted.set(reader, counts);
  const key = keyOf(reading, standing);
  const known = counts.get(key);
  if (known) return known;
  const found = reader.read((queries) => countMatching(queries, reading, currencies.length > 0 ? currencies : [null]));
  counts.set(key, found);
  found.catch(() => counts.delete(key));
  return found;
}

type Values = (string | null)[];
export type NumbersGroup = { readonly keys: Values; readonly values: Values; readonly previousValues: Values | null };
export type NumbersOthers = {
  readonly groups: number;
  readonly values: Values;
  readonly previousValues: Values | null;
};

export type Numbers = {
  readonly currency: string | null;
  readonly currencies: string[];
  readonly currencyRows: number[];
  readonly isBacklogKnown: boolean;
  readonly hasWholeOrders: boolean;
  readonly asOf: string | null;
  readonly isImporting: boolean;
  readonly zone: string;
  readonly from: string;
  readonly to: string;
  readonly previousFrom: string | null;
  readonly previousTo: string | null;
  readonly previousUntil: string | null;
  /** The first day with rows, if the comparison begins before it. */
  readonly dataFrom: string | null;
  readonly rows: NumbersGroup[];
  readonly groups: number;
  readonly goneGroups: number;
  readonly others: NumbersOthers | null;
  readonly totals: Values;
  readonly previousTotals: Values | null;
  readonly isEmpty: boolean;
  readonly matchingRows: number;
  readonly newest: string | null;
  readonly unfinished: string | null;
};

/** A leaf's stored value in ten-thousandths; null without data. */
function leafValue(dataset: NumberRequest['dataset'], leaf: string, found: string | null): bigint | null {
  const { kind } = leafFormulaOf(dataset, leaf);
  if (found === null) return kind === 'percentile' ? null : 0n;
  const isCount = metricOf(dataset, leaf)?.unit === 'count';
  // A median may be between two amounts.
  const [whole = '0', fraction = ''] = found.split('.');
  const value = BigInt(whole);
  const isUp = fraction > '5' || (fraction === '5' && value % 2n !== 0n);
  return (isUp ? value + (found.startsWith('-') ? -1n : 1n) : value) * (isCount ? tenThousandths : 1n);
}

/** A leaf that is zero, and fields that its sources may lack. */
type Doubt = { readonly leaf: string; readonly fields: readonly string[] };
type KnownFields = (fields: string[]) => Promise<ReadonlySet<string>>;
type KnownByGroup = (by: readonly string[], fields: string[]) => Promise<ReadonlyMap<string, ReadonlySet<string>>>;

const fieldsOf = (doubtful: readonly Doubt[]): string[] => [...new Set(doubtful.flatMap(({ fields }) => fields))];

/** The store's answer as values of the metrics. */
class Answer {
  readonly #question: NumbersQuestion;
  readonly #leaves: readonly LeafSource[];
  readonly #groups: readonly GroupRow[];
  readonly #total: GroupRow;
  /** Leaves of fields that a row's sources lack. The total's are unknown in every group. */
  readonly #unknown = new Map<GroupRow, ReadonlySet<string>>();

  constructor(question: NumbersQuestion, leaves: readonly LeafSource[], rows: readonly GroupRow[]) {
    this.#question = question;
    this.#leaves = leaves;
    this.#total = rows.find(({ isTotal }) => isTotal)!;
    this.#groups = rows.filter(({ isTotal }) => !isTotal);
  }

  /** Makes zeros null where no row around the range has the field that they come from, or none of a group. */
  async leaveOutUnknown(inRange: KnownFields, inGroups: KnownByGroup): Promise<void> {
    const { by, reading } = this.#question;
    const doubtful = this.#doubtful(this.#total);
    const fields = fieldsOf(doubtful);
    if (fields.length > 0) this.#setUnknown(this.#total, doubtful, await inRange(fields));
    if (reading.filters.length > 0) await this.#leaveOutOf([this.#total], [], inGroups);
    // A day without any isn't a day of which nobody knows.
    if (by.length > 0 && !by.some((word) => (timeGroupings as readonly string[]).includes(word)))
      await this.#leaveOutOf(this.#shown, by, inGroups);
  }

  /** Other sources have the field, but these rows lack it. */
  async #leaveOutOf(rows: readonly GroupRow[], by: readonly string[], inGroups: KnownByGroup): Promise<void> {
    const { dataset } = this.#question.reading;
    const doubtful = rows.map((row) => ({
      row,
      zeros: this.#doubtful(row).map(({ leaf, fields }) => ({
        leaf,
        fields: fields.filter((field) => !isSparse(dataset, field)),
      })),
    }));
    const fields = fieldsOf(doubtful.flatMap(({ zeros }) => zeros));
    if (fields.length === 0) return;
    const known = await inGroups(by, fields);
    for (const { row, zeros } of doubtful) {
      const has = known.get(JSON.stringify(row.keys.slice(0, by.length)));
      if (has) this.#setUnknown(row, zeros, has);
    }
  }

  /** Parts of the formula that are zero, with the fields that a source can lack. */
  #doubtful({ current, previous }: GroupRow): Doubt[] {
    const { dataset } = this.#question.reading;
    const isZero = (text: string | null | undefined): boolean => Number(text ?? 0) === 0;
    return this.#leaves
      .filter((_, index) => isZero(current[index]) && isZero(previous[index]))
      .map(({ leaf }) => ({ leaf, fields: optionalFieldsOf(dataset, leaf) }));
  }

  #setUnknown(row: GroupRow, doubtful: readonly Doubt[], known: ReadonlySet<string>): void {
    const unknown = doubtful.filter(({ fields }) => fields.some((field) => !known.has(field)));
    this.#unknown.set(row, new Set([...(this.#unknown.get(row) ?? []), ...unknown.map(({ leaf }) => leaf)]));
  }

  #leafValues(row: GroupRow, which: 'current' | 'previous', isGroup: boolean): Map<string, bigint | null> {
    const { reading, by } = this.#question;
    return new Map(
      this.#leaves.map(({ leaf, source }, index) => {
        const isBlind =
          (isGroup && by.some((word) => source.unsupportedGroupings.includes(word))) ||
          (which === 'previous' && source.allTime === true);
        const isUnknown = [this.#total, row].some((one) => this.#unknown.get(one)?.has(leaf));
        return [leaf, isBlind || isUnknown ? null : leafValue(reading.dataset, leaf, row[which][index] ?? null)];
      }),
    );
  }

  #values(leaves: LeafValues): Values {
    const { reading, metrics } = this.#question;
    return metrics.map((metric) => {
      const value = metricValue(reading.dataset, metric, leaves);
      return value === null ? null : decimalText(value);
    });
  }

  #pair(row: GroupRow, isGroup: boolean) {
    return {
      values: this.#values(this.#leafValues(row, 'current', isGroup)),
      previousValues: this.#question.previous ? this.#values(this.#leafValues(row, 'previous', isGroup)) : null,
    };
  }

  get #shown(): readonly GroupRow[] {
    return this.#groups.slice(0, this.#question.top);
  }

  rows(): NumbersGroup[] {
    const { by } = this.#question;
    return this.#shown.map((row) => ({ keys: row.keys.slice(0, by.length), ...this.#pair(row, true) }));
  }

  totals() {
    return this.#pair(this.#total, false);
  }

  /** The count of groups on all pages. */
  groups(): number {
    return this.#total.groups;
  }

  goneGroups(): number {
    return this.#total.gone;
  }

  /** The groups that aren't shown: the total minus the shown ones, if they are additive. */
  others(): NumbersOthers | null {
    const shown = this.#shown;
    const groups = this.groups() - shown.length;
    const { offset, search } = this.#question;
    if (groups <= 0 || offset > 0 || search !== null) return null;
    const rest = (which: 'current' | 'previous'): Values => {
      const total = this.#leafValues(this.#total, which, true);
      const parts = shown.map((row) => this.#leafValues(row, which, true));
      const left = this.#leaves.map(({ leaf, source: { isAdditive } }) => {
        const value = total.get(leaf) ?? null;
        const sum = parts.reduce((so, part) => so + (part.get(leaf) ?? 0n), 0n);
        return [leaf, isAdditive && value !== null ? value - sum : null] as const;
      });
      return this.#values(new Map(left));
    };
    return { groups, values: rest('current'), previousValues: this.#question.previous ? rest('previous') : null };
  }
}

/** The current day, week or month, if the answer is grouped by it and includes it. */
function unfinishedBucket({ range, by }: NumberRequest, today: Temporal.PlainDate): string | null {
  const word = by.find((candidate) => (granularities as readonly string[]).includes(candidate));
  const isInside =
    Temporal.PlainDate.compare(range.from, today) <= 0 && Temporal.PlainDate.compare(today, range.to) < 0;
  if (word === undefined || !isInside) return null;
  if (word === 'week') return today.subtract({ days: today.dayOfWeek - 1 }).toString();
  return (word === 'month' ? today.with({ day: 1 }) : today).toString();
}

function periodsOf(
  { range, compare, dataset }: NumberRequest,
  now: Temporal.ZonedDateTime,
): { current: Period; previous: Period | null } {
  const compared = comparedRange(range, compare, now, hasHours(datasetOf(dataset)));
  const current = { span: { from: range.from.toString(), to: range.to.toString(), until: null }, shift: {} };
  if (!compared) return { current, previous: null };
  const { from, to, until, shift } = compared;
  return {
    current,
    previous: {
      span: { from: from.toString(), to: to.toString(), until: until?.toInstant().toString() ?? null },
      shift,
    },
  };
}

const rangeOf = ({ span: { from, to } }: Period) => ({
  from: Temporal.PlainDate.from(from),
  to: Temporal.PlainDate.from(to),
});

/** How many of the range's rows in the currency match the filters, and whether it has any. */
function rowsOf(
  { currencies, rangeRows }: Standing,
  counts: readonly number[],
  currency: string | null,
): { matching: number; hasAny: boolean } {
  if (currency === null) return { matching: counts[0] ?? 0, hasAny: rangeRows > 0 };
  const index = currencies.indexOf(currency);
  return { matching: counts[index] ?? 0, hasAny: index !== -1 };
}

/** Whether what is asked is known of a backlog, and whether an order's lines can be in the wrong groups. */
async function reliability({ reader }: Services, reading: Reading, { dataset, metrics, by }: NumberRequest) {
  const asksBacklog = metrics.some((name) => metricOf(dataset, name)?.formula.kind === 'backlog');
  const isByLine = dataset === 'orders' && by.some((one) => one === 'title' || one === 'sku');
  const [isBacklogKnown, isOfWholeOrders] = await Promise.all([
    !asksBacklog || reader.read((queries) => readEndsKnown(queries, reading)),
    isByLine && reader.read((queries) => hasWholeOrders(queries, dataset, { scope: reading.scope, ...reading.range })),
  ]);
  return { isBacklogKnown, hasWholeOrders: isOfWholeOrders };
}

export async function numbers(context: RequestContext, args: object): Promise<Numbers> {
  const request = orThrow(readNumberRequest(args));
  const { reading, standing } = await openReading(context, request);
  const { metrics, by, top, offset, order, search, onlyFilled } = request;
  const { reader } = context;
  const [first, newest] = await Promise.all([
    request.compare === 'none' ? null : reader.read((queries) => readFirstDay(queries, reading)),
    reader.read((queries) => readNewest(queries, reading)),
  ]);
  const newestDay = newest && Temporal.PlainDate.from(newest.day);
  const today = reading.now.toPlainDate();
  const { current, previous } = periodsOf(request, reading.now);
  const question: NumbersQuestion = {
    ...{ reading, metrics, by, current, previous },
    keepsGone: previous !== null && !(first !== null && lacksMuch(rangeOf(previous), Temporal.PlainDate.from(first))),
    ...{ top, offset, order, search, onlyFilled },
  };
  const leaves = leafSources(question);
  const answer = new Answer(question, leaves, await reader.read((queries) => readNumbers(queries, question, leaves)));
  const counts = await matchingRows(context, reading, standing);
  const { matching, hasAny } = rowsOf(standing, counts, reading.currency);
  if (matching > 0)
    await answer.leaveOutUnknown(
      (fields) => reader.read((queries) => readKnownFields(queries, reading, fields)),
      (words, fields) => reader.read((queries) => readKnownByGroup(queries, reading, words, fields)),
    );
  const rows = by.length === 0 ? [] : answer.rows();
  const { values: totals, previousValues: previousTotals } = answer.totals();
  // Backlog and other open items come from rows before the range.
  const isNone = (value: string | null, index: number): boolean => {
    const metric = metricOf(reading.dataset, metrics[index]!)!;
    return value === null || value === '0' || metric.formula.kind === 'yearGifts' || isBalance(metric);
  };
  const isEmpty = matching === 0 && totals.every(isNone);
  return {
    currency: reading.currency,
    currencies: standing.currencies,
    currencyRows: standing.currencies.map((_, index) => counts[index] ?? 0),
    ...(await reliability(context, reading, request)),
    asOf: standing.asOf,
    isImporting: standing.isImporting,
    zone: reading.zone,
    from: current.span.from,
    to: current.span.to,
    previousFrom: previous?.span.from ?? null,
    previousTo: previous?.span.to ?? null,
    previousUntil: previous?.span.until ?? null,
    dataFrom: first !== null && previous !== null && previous.span.from < first ? first : null,
    rows,
    groups: by.length === 0 ? 0 : answer.groups(),
    goneGroups: by.length === 0 ? 0 : answer.goneGroups(),
    others: by.length === 0 ? null : answer.others(),
    totals,
    previousTotals,
    isEmpty,
    matchingRows: matching,
    newest: newestDay && (isEmpty ? !hasAny : endsEarly(request.range, newestDay, today)) ? newestDay.toString() : null,
    unfinished: unfinishedBucket(request, today),
  };
}
