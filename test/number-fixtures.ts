// Random rows of the datasets: few different values, which meet in roll-ups, orders, customers and donors.
import fc from 'fast-check';
import { type DatasetKey, datasetOf, type FieldType } from '#core/numbers/datasets.ts';
import type { NumberRow, NumberValue } from '#server/numbers/number-row.ts';

export type RowOptions = {
  /**
   * Days over which rows are spread; by default two, around the end of summer time, where an hour comes
   * twice.
   */
  readonly days?: { readonly first: string; readonly count: number };
  /** How many different ids there are: with few, rows correct each other. */
  readonly ids?: number;
};

function arbitraryOf(
  type: FieldType,
  { days = { first: '2025-10-25', count: 2 } }: RowOptions,
): fc.Arbitrary<NumberValue> {
  const first = Temporal.Instant.from(`${days.first}T00:30:00Z`);
  const made: Record<string, fc.Arbitrary<NumberValue>> = {
    text: fc.constantFrom('a', 'b', 'ß'),
    longText: fc.constant('said "so"\n{not} \\ much'),
    instant: fc.integer({ min: 0, max: days.count * 24 - 1 }).map((hours) => first.add({ hours }).toString()),
    day: fc
      .integer({ min: 0, max: days.count - 1 })
      .map((day) => Temporal.PlainDate.from(days.first).add({ days: day }).toString()),
    money: fc.bigInt({ min: -99_999n, max: 999_999n }),
    whole: fc.integer({ min: 0, max: 9 }),
    flag: fc.boolean(),
    score: fc.integer({ min: 1, max: 5 }),
  };
  return typeof type === 'string' ? made[type]! : fc.constantFrom(...type);
}

export function randomRow(dataset: DatasetKey, options: RowOptions = {}): fc.Arbitrary<NumberRow> {
  const values = Object.entries(datasetOf(dataset).fields).map(([field, { type, required }]) => {
    const value = field === 'currency' ? fc.constantFrom('USD', 'EUR') : arbitraryOf(type, options);
    return [field, required ? value : fc.option(value)];
  });
  return fc.record({
    externalId: fc.integer({ min: 1, max: options.ids ?? 12 }).map(String),
    values: fc.record(Object.fromEntries(values)),
    labels: fc.constantFrom<Record<string, string>>({}, { note: 'x' }),
    texts: fc.constantFrom<Record<string, string>>({}, { amount: '1.00005' }),
  });
}

/** The same rows at every run, each with a unique id. */
export const sampleRows = (dataset: DatasetKey, count: number, options: RowOptions): NumberRow[] =>
  fc
    .sample(randomRow(dataset, options), { numRuns: count, seed: 11 })
    .map((row, index) => ({ ...row, externalId: String(index) }));

/** A mapping of files with the columns id, when and gross to Green's orders in EUR. */
export const ordersMapping = (source: string) => ({
  dataset: 'orders',
  source,
  currency: 'EUR',
  fields: {
    external_id: 'id',
    product: { constant: 'green' },
    order_ref: 'id',
    occurred_at: 'when',
    gross: 'gross',
    status: { constant: 'completed' },
  },
});
