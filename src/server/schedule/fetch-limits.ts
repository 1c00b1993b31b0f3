// How often calendars are fetched: counted in windows of a quarter of an hour, by this server alone, before the database is asked.

const windowSeconds = 15 * 60;

/** A calendar asks every quarter of an hour at most; many of one company come from one address. */
export const fetchLimits = { feed: 60, address: 3_000 } as const;

export class FetchCounts {
  #window = 0;
  readonly #counts = new Map<string, number>();

  /** Counts one for each of the keys. Null when all are within their limit, else the seconds until the next window. */
  waitFor(keys: Readonly<Record<string, number>>, now: Temporal.Instant): number | null {
    const seconds = Math.floor(now.epochMilliseconds / 1000);
    const window = Math.floor(seconds / windowSeconds);
    if (window !== this.#window) this.#counts.clear();
    this.#window = window;
    let isOver = false;
    for (const [key, most] of Object.entries(keys)) {
      const count = (this.#counts.get(key) ?? 0) + 1;
      this.#counts.set(key, count);
      isOver ||= count > most;
    }
    return isOver ? (window + 1) * windowSeconds - seconds : null;
  }
}
