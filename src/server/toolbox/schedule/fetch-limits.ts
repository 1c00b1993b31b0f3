// Limits how often calendars fetch, in windows of a quarter hour, on this server only.
import { LRUCache } from 'lru-cache';

const windowSeconds = 15 * 60;

/**
 * A calendar asks every quarter hour at most. An address only counts for unknown feeds, because one company's
 * feeds share an address.
 */
export const fetchLimits = { feed: 60, unknownPerAddress: 300 } as const;

/** Bounds the memory that strangers' requests can use: the key unused for longest is dropped. */
export const mostCounted = 10_000;

export class FetchCounts {
  #window = 0;
  readonly #counts = new LRUCache<string, number>({ max: mostCounted });

  get size(): number {
    return this.#counts.size;
  }

  /** Counts one for the key. Null within its limit, else the seconds until the next window. */
  waitFor(key: string, most: number, now: Temporal.Instant): number | null {
    const seconds = Math.floor(now.epochMilliseconds / 1000);
    const window = Math.floor(seconds / windowSeconds);
    if (window !== this.#window) this.#counts.clear();
    this.#window = window;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count > most ? (window + 1) * windowSeconds - seconds : null;
  }
}
