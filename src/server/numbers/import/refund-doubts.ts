// Finds refunds whose amount is in the wrong field: they would be added to sales, subtracted twice, or change
// nothing.
import { countWords } from '#core/base/formats.ts';
import { type DatasetKey, fieldTitle } from '#core/numbers/datasets.ts';
import { negativesChoice } from '#core/numbers/imports.ts';
import { amountOf, type NumberRow } from '../number-row.ts';
import type { CountedDoubt } from './mapping-doubts.ts';

const rightField = 'choose that column for Refunded, and “Nothing” for Gross';

/** Add the rows of a file, or its first ones. Of other datasets than orders, it says nothing. */
export class RefundDoubts {
  readonly #dataset: DatasetKey;
  #others = 0;
  /** Refunds with a gross amount: negative and positive ones, without and with a refunded amount too. */
  readonly #counts = { negative: 0, twice: 0, added: 0, restated: 0 };
  /** What refunds with both amounts leave of net sales. */
  #net = 0n;

  constructor(dataset: DatasetKey) {
    this.#dataset = dataset;
  }

  add({ values: { status, gross, refunded, discount } }: Pick<NumberRow, 'values'>): void {
    if (status !== 'refunded') this.#others += 1;
    else if (typeof gross === 'bigint' && gross !== 0n) {
      if (gross > 0n && !refunded) this.#counts.added += 1;
      // A part of a sale can be refunded.
      else if (gross > 0n) {
        const rest = gross - amountOf(discount) - amountOf(refunded);
        this.#counts.restated += rest === 0n ? 1 : 0;
        this.#net += rest;
      } else this.#counts[refunded ? 'twice' : 'negative'] += 1;
    }
  }

  get warnings(): CountedDoubt[] {
    if (this.#dataset !== 'orders') return [];
    const { negative, twice, added, restated } = this.#counts;
    const isOnlyRefunds = this.#others === 0;
    const warning = (count: number, reason: string) =>
      count === 0 ? [] : [{ field: 'gross', column: fieldTitle('orders', 'gross'), reason, count }];
    if (isOnlyRefunds)
      return [
        ...warning(negative + twice, onlyNegative),
        ...warning(added, onlyPositive('adds these refunds to sales')),
        ...warning(restated, onlyPositive(this.#net === 0n ? `${saleToo}, so net sales don’t change` : saleToo)),
      ];
    // Positive refunds among sales: each row says what it counts as.
    return [
      ...warning(twice, amongSales(twice, `so they are subtracted twice. ${checkNegatives}`)),
      ...warning(negative, amongSales(negative, uncounted)),
    ];
  }
}

const saleToo = 'counts each refund as a sale too';

const checkNegatives = `Check “${negativesChoice}”`;

const onlyNegative = `has refunds as negative amounts. ${checkNegatives}`;

const onlyPositive = (effect: string): string => `${effect}. If other rows have the sales, ${rightField}`;

const uncounted = `so they reduce gross sales but don’t count in Refunds and Refund rate. ${checkNegatives}`;

const amongSales = (count: number, effect: string): string =>
  `is negative in ${countWords(count)} refunded ${count === 1 ? 'row' : 'rows'}, ${effect}`;
