// How often calendars are fetched: counted in windows of a quarter of an hour, by this server alone.
import { LRUCache } from 'lru-cache';

const windowSeconds = 15 * 60;

/**
 * A calendar asks every quarter of an hour at most. An address counts only where there is no such feed: many good ones of
 * one company come from one address.
 */
export const fetchLimits = { feed: 60, unknownOfAddress: 300 } as const;

/** What strangers make up fills this much and no more: the key unused for longest goes. */
export const mostCounted = 10_000;

export class FetchCounts {
  #window = 0;
  readonly #counts = new LRUCache<string, number>({ max: mostCounted });

  get size(): number {
    return this.#counts.size;
  }

  /** Counts one for the key. Null when it is within its limit, else the seconds until the next window. */
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
