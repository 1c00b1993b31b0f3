// Counts a range's rows that match the filters once for all tiles of a page, which ask at about the same time.
import { LRUCache } from 'lru-cache';
import type { Services } from '#server/platform/context.ts';
import { countMatching, type Standing } from './numbers.store.ts';
import type { Reading } from './row-conditions.ts';

/** The count of matching rows in each of the standing's currencies, or of all rows without currencies. */
type Counts = Promise<readonly number[]>;

const mostKept = 200;
const keptMs = 60_000;
const counted = new WeakMap<Services['reader'], LRUCache<string, Counts>>();

/** An import changes the key: it sets another time. */
const keyOf = ({ dataset, scope, range, zone, filters }: Reading, standing: Standing): string =>
  JSON.stringify([dataset, scope, range.from, range.to, zone, filters, standing]);

export function matchingRows({ reader }: Pick<Services, 'reader'>, asked: Reading, standing: Standing): Counts {
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
