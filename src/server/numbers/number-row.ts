// A dataset's row as the store takes it: parsed, checked and rounded by the import.

/**
 * A value by its field's type in `core/numbers/datasets.ts`. Null or missing: the source has no value.
 * - `money`: bigint of ten-thousandths (12.5 is 125000n), already rounded half to even (D31).
 * - `whole`: a whole number up to 2^53, or a bigint; `score`: 1 to 5.
 * - `instant`: ISO 8601 with an offset or Z; `day`: YYYY-MM-DD.
 * - `flag`: true or false; texts and enumerations: the text itself.
 */
export type NumberValue = string | number | bigint | boolean | null;

/** An amount in ten-thousandths; zero if the row has none. */
export const amountOf = (value: NumberValue | undefined): bigint => (typeof value === 'bigint' ? value : 0n);

export type NumberRow = {
  /**
   * The row's id in its source, unique there. Of two rows of one batch with the same id the later one counts.
   */
  readonly externalId: string;
  readonly values: Readonly<Record<string, NumberValue>>;
  /** The source's values beyond the dataset's fields. */
  readonly labels: Readonly<Record<string, string>>;
  /** The source's text of every rounded amount, and of every instant without a time, by field. */
  readonly texts: Readonly<Record<string, string>>;
  /** The instant that dates the row has no time. It is the start of its day in company time. */
  readonly isDayOnly?: boolean;
};

/** Larger amounts (a million million) are errors of the source; their sums would overflow. */
export const largestMoney = 10n ** 16n;
/** The same for counts. */
export const largestWhole = 10 ** 15;
