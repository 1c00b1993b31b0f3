// Refunds a file's refunded rows in full. Exports often give an order's refunded amount on one of its lines, so
// the others have none of their own.
import { KeyTable } from '#server/platform/imports/key-table.ts';
import { amountOf, type NumberValue } from '../number-row.ts';

/** What other lines of a row's order have so far: a refunded amount, or a refund in full. */
export type OfOtherLines = 'amount' | 'full' | null;

export class OrderRefunds {
  readonly #isInFull: boolean;
  readonly #withAmount = new KeyTable();
  readonly #inFull = new KeyTable();

  constructor(refunds: 'full' | undefined) {
    this.#isInFull = refunds === 'full';
  }

  /** Call it for every order row in the file's order. It fills in the row's refunded amount. */
  take(values: Record<string, NumberValue>): OfOtherLines {
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
