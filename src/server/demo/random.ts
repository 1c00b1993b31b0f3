// A seeded random generator: the same seed gives the same numbers on every machine.

export type Random = {
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly fraction: () => number;
  readonly between: (low: number, high: number) => number;
  /** A whole number, both ends included. */
  readonly whole: (low: number, high: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** A waiting time: mostly short, sometimes long, `mean` on average. */
  readonly wait: (mean: number) => number;
};

/** Mulberry32: 32 bits of state are enough for a company of fifty. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + fraction() * (high - low);
  const whole = (low: number, high: number) => Math.floor(between(low, high + 1));
  return {
    fraction,
    between,
    whole,
    chance: (probability) => fraction() < probability,
    pick: (items) => items[whole(0, items.length - 1)]!,
    wait: (mean) => -Math.log(1 - fraction()) * mean,
  };
}
