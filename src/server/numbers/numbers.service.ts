// Computes metrics over a range and its comparison, in total and by group.

import { decimalText, tenThousandths } from '#core/base/decimals.ts';
import { comparedRange } from '#core/numbers/comparison.ts';
import { datasetOf, hasHours } from '#core/numbers/datasets.ts';
import { type LeafValues, leafFormulaOf, metricValue } from '#core/numbers/metric-value.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import { granularities, type NumberRequest, readNumberRequest } from '#core/numbers/number-request.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { matchingRows } from './matching-rows.ts';
import { openReading } from './number-access.ts';
import {
  type GroupRow,
  type LeafSource,
  leafSources,
  type NumbersQuestion,
  type Period,
  readNewest,
  readNumbers,
  type Standing,
} from './numbers.store.ts';

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
  readonly resolutionKnown: boolean;
  readonly asOf: string | null;
  readonly zone: string;
  readonly from: string;
  readonly to: string;
  readonly previousFrom: string | null;
  readonly previousTo: string | null;
  readonly previousUntil: string | null;
  readonly rows: NumbersGroup[];
  readonly groups: number;
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

/** The store's answer as values of the metrics. */
class Answer {
  readonly #question: NumbersQuestion;
  readonly #leaves: readonly LeafSource[];
  readonly #groups: readonly GroupRow[];
  readonly #total: GroupRow;

  constructor(question: NumbersQuestion, leaves: readonly LeafSource[], rows: readonly GroupRow[]) {
    this.#question = question;
    this.#leaves = leaves;
    this.#total = rows.find(({ isTotal }) => isTotal)!;
    this.#groups = rows.filter(({ isTotal }) => !isTotal);
  }

  #leafValues(found: readonly (string | null)[], isGroup: boolean): Map<string, bigint | null> {
    const { reading, by } = this.#question;
    return new Map(
      this.#leaves.map(({ leaf, source }, index) => {
        const isBlind = isGroup && by.some((word) => source.unsupportedGroupings.includes(word));
        return [leaf, isBlind ? null : leafValue(reading.dataset, leaf, found[index] ?? null)];
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

  #pair(row: Pick<GroupRow, 'current' | 'previous'>, isGroup: boolean) {
    return {
      values: this.#values(this.#leafValues(row.current, isGroup)),
      previousValues: this.#question.previous ? this.#values(this.#leafValues(row.previous, isGroup)) : null,
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
    return this.#groups[0]?.groups ?? 0;
  }

  /** The groups that aren't shown: the total minus the shown ones, if they are additive. */
  others(): NumbersOthers | null {
    const shown = this.#shown;
    const groups = this.groups() - shown.length;
    const { offset, search } = this.#question;
    if (groups <= 0 || offset > 0 || search !== null) return null;
    const rest = (which: 'current' | 'previous'): Values => {
      const total = this.#leafValues(this.#total[which], true);
      const parts = shown.map((row) => this.#leafValues(row[which], true));
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

function periodsOf(request: NumberRequest, now: Temporal.ZonedDateTime): { current: Period; previous: Period | null } {
  const { range, compare, dataset } = request;
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

export async function numbers(context: RequestContext, args: object): Promise<Numbers> {
  const request = orThrow(readNumberRequest(args));
  const { reading, standing } = await openReading(context, request);
  const { metrics, by, top, offset, order, search, onlyFilled } = request;
  const { current, previous } = periodsOf(request, reading.now);
  const question: NumbersQuestion = {
    ...{ reading, metrics, by, current, previous },
    ...{ top, offset, order, search, onlyFilled },
  };
  const leaves = leafSources(question);
  const { reader } = context;
  const answer = new Answer(question, leaves, await reader.read((queries) => readNumbers(queries, question, leaves)));
  const rows = by.length === 0 ? [] : answer.rows();
  const { values: totals, previousValues: previousTotals } = answer.totals();
  const counts = await matchingRows(context, reading, standing);
  const { matching, hasAny } = rowsOf(standing, counts, reading.currency);
  // Backlog and other open items come from rows before the range.
  const isEmpty = matching === 0 && totals.every((value) => value === null || value === '0');
  return {
    currency: reading.currency,
    currencies: standing.currencies,
    currencyRows: standing.currencies.map((_, index) => counts[index] ?? 0),
    resolutionKnown: standing.resolutionKnown,
    asOf: standing.asOf,
    zone: reading.zone,
    from: current.span.from,
    to: current.span.to,
    previousFrom: previous?.span.from ?? null,
    previousTo: previous?.span.to ?? null,
    previousUntil: previous?.span.until ?? null,
    rows,
    groups: by.length === 0 ? 0 : answer.groups(),
    others: by.length === 0 ? null : answer.others(),
    totals,
    previousTotals,
    isEmpty,
    matchingRows: matching,
    newest: isEmpty && !hasAny ? ((await reader.read((queries) => readNewest(queries, reading)))?.day ?? null) : null,
    unfinished: unfinishedBucket(request, reading.now.toPlainDate()),
  };
}
