// Gives the rows of refunds their refunded amount. Exports often give an order's on one of its lines, so the
// others have none of their own, or write refunds as negative sales.
import { KeyTable } from '#server/platform/imports/key-table.ts';
import { amountOf, type NumberValue } from '../number-row.ts';
import type { NumbersMapping } from './numbers-mapping.ts';

/** What other lines of a row's order have so far: a refunded amount, or a refund in full. */
export type OfOtherLines = 'amount' | 'full' | null;

export class OrderRefunds {
  readonly #isInFull: boolean;
  readonly #areNegatives: boolean;
  readonly #withAmount = new KeyTable();
  readonly #inFull = new KeyTable();

  constructor({ refunds, negatives }: Pick<NumbersMapping, 'refunds' | 'negatives'>) {
    this.#isInFull = refunds === 'full';
    this.#areNegatives = negatives === 'refunds';
  }

  /** Call it for every order row in the file's order. It fills in the row's refunded amount. */
  take(values: Record<string, NumberValue>): OfOtherLines {
    if (this.#areNegatives) changeToRefund(values);
    const { status, gross, refunded, discount, order_ref } = values;
    const order = order_ref ? JSON.stringify([values.product, values.currency, order_ref]) : '';
    if (refunded) {
      this.#withAmount.keepFirst(order, 1);
      return this.#inFull.has(order) ? 'full' : null;
    }
    if (status !== 'refunded' || typeof gross !== 'bigint' || gross <= 0n) return null;
    if (order !== '' && this.#withAmount.has(order)) {
      // A known amount doesn't count as missing.
      values.refunded = 0n;
      return 'amount';
    }
    if (!this.#isInFull) return null;
    values.refunded = gross - amountOf(discount);
    this.#inFull.keepFirst(order, 1);
    return null;
  }
}

/**
 * Adjustments, and sales that don't count, stay. The discount reduces what is paid back, whatever its sign.
 * In a preview, the status can be missing.
 */
function changeToRefund(values: Record<string, NumberValue>): void {
  const { status, gross, discount, refunded } = values;
  if (typeof gross !== 'bigint' || gross >= 0n || !['completed', 'refunded', undefined].includes(status as string))
    return;
  const reduced = amountOf(discount);
  if (status !== undefined) values.status = 'refunded';
  values.refunded = refunded || -gross - (reduced < 0n ? -reduced : reduced);
  delete values.gross;
  delete values.discount;
}
