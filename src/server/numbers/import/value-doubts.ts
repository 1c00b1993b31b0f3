// What looks wrong about the values of a run's rows together.
import type { Row } from '#server/platform/imports/mapping-rules.ts';
import type { NumberRow } from '../number-row.ts';
import { DeductedDoubts } from './deducted-doubts.ts';
import { EndDoubts } from './end-doubts.ts';
import type { NumbersMapping } from './numbers-mapping.ts';
import { RefundDoubts } from './refund-doubts.ts';

export class ValueDoubts {
  readonly #refunds: RefundDoubts;
  readonly #deducted: DeductedDoubts;
  readonly #ends: EndDoubts;

  constructor(mapping: NumbersMapping) {
    this.#refunds = new RefundDoubts(mapping.dataset);
    this.#deducted = new DeductedDoubts(mapping);
    this.#ends = new EndDoubts(mapping.dataset);
  }

  add(row: Row, read: NumberRow): void {
    this.#refunds.add(read);
    this.#deducted.add(row, read);
    this.#ends.add(read);
  }

  /** A refund that changes a stored row is its sale. */
  warnings(hasNewRows: boolean) {
    return [...(hasNewRows ? this.#refunds.warnings : []), ...this.#deducted.warnings, ...this.#ends.warnings];
  }
}
