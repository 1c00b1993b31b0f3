// Limits how often calendars fetch, in windows of a quarter hour, on this server only.
import { LRUCache } from 'lru-cache';
import { refuse } from '#core/base/refusals.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';

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

  /** Takes one back that should not have counted. */
  giveBack(key: string): void {
    const count = this.#counts.get(key);
    if (count !== undefined) this.#counts.set(key, count - 1);
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

type Feed = { readonly id: string; readonly personId: string };
type Fetch = { readonly hash: Buffer; readonly bucket: string; readonly now: Temporal.Instant };

/**
 * Which feeds have been fetched here, by the token's hash. Their fetches are known before the database is
 * asked, so a stranger's at the same address can't delay them.
 */
export class FetchedFeeds {
  readonly #counts = new FetchCounts();
  readonly #feeds = new LRUCache<string, Feed>({ max: mostCounted });

  get(hash: Buffer): Feed | null {
    return this.#feeds.get(hash.toString('hex')) ?? null;
  }

  /** Counts a fetch before its look-up. Returns what to call with the feed, or null if there is none. */
  count({ hash, bucket, now }: Fetch): (found: Feed | null) => void {
    const count = (what: keyof typeof fetchLimits, which: string) => {
      const retryAfter = this.#counts.waitFor(`${what} ${which}`, fetchLimits[what], now);
      if (retryAfter !== null) throw new RefusalError(refuse('TOO_MANY_ATTEMPTS'), { retryAfter });
    };
    const known = this.get(hash);
    if (known) count('feed', known.id);
    else count('unknownPerAddress', bucket);
    return (found) => {
      if (found) this.#feeds.set(hash.toString('hex'), found);
      else this.#feeds.delete(hash.toString('hex'));
      if (known || !found) return;
      this.#counts.giveBack(`unknownPerAddress ${bucket}`);
      count('feed', found.id);
    };
  }
}
