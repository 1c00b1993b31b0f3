// One row of a dataset as it is handed to the store: what the import has read, checked and rounded.

/**
 * A value by the type of its field in `core/numbers/datasets.ts`:
 * - `money`: bigint of ten-thousandths (12.5 is 125000n), rounded half to even by whoever read it (D31);
 * - `whole`: a whole number up to 2^53, or a bigint; `score`: 1 to 5;
 * - `instant`: ISO 8601 with an offset or Z; `day`: YYYY-MM-DD;
 * - `flag`: true or false; texts and enumerations: the text itself.
 * Null, or a field left out: the source does not say.
 */
export type NumberValue = string | number | bigint | boolean | null;

export type NumberRow = {
  /** What the source calls the row; unique together with the source. Of two rows of one batch with the same id the later one counts. */
  readonly externalId: string;
  readonly values: Readonly<Record<string, NumberValue>>;
  /** What the source says besides the dataset's fields. */
  readonly labels: Readonly<Record<string, string>>;
  /** The source's own text of every amount that was rounded, by field. */
  readonly texts: Readonly<Record<string, string>>;
};

/** Money beyond this (a million million) is a fault of the source; sums of it would leave the store's range. */
export const largestMoney = 10n ** 16n;
/** The same for counts. */
export const largestWhole = 10 ** 15;
