import { plural } from '../base/formats.ts';
// Decides how long someone waits after wrong passwords or codes. Waits grow and expire: nobody is locked out.
// Used for every guess: signing in, confirming identity, second steps.

export type Lane = {
  /** Wrong guesses before the first wait. */
  readonly free: number;
  readonly firstSeconds: number;
  readonly longestSeconds: number;
};

/** Where guesses are counted. A guess must be allowed in each of its lanes. */
export const guessLanes = {
  /** One account from one address, or from one known browser. */
  own: { free: 5, firstSeconds: 5, longestSeconds: 900 },
  /** One account from all browsers and addresses it was never used from. */
  account: { free: 100, firstSeconds: 5, longestSeconds: 300 },
  /** All accounts from one address they were never used from, without known browsers. */
  address: { free: 100, firstSeconds: 5, longestSeconds: 60 },
} as const satisfies Record<string, Lane>;

export type LaneName = keyof typeof guessLanes;

/** A wrong guess counts for this long. */
export const wrongGuessHours = 24;

/** Seconds from the last of so many wrong guesses until the next is checked. */
export function secondsToWait({ free, firstSeconds, longestSeconds }: Lane, wrong: number): number {
  if (wrong < free) return 0;
  // 2 ** 30 seconds exceeds any limit; larger powers wouldn't be exact.
  return Math.min(longestSeconds, firstSeconds * 2 ** Math.min(wrong - free, 30));
}

/** The most guesses that are checked in this time, however many are sent. */
export function mostGuesses(lane: Lane, hours: number): number {
  let guesses = 0;
  for (let seconds = 0; seconds < hours * 3_600; guesses += 1) seconds += secondsToWait(lane, guesses + 1);
  return guesses;
}

export function waitInWords(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 60) return plural(whole, 'second');
  const minutes = Math.ceil(whole / 60);
  return plural(minutes, 'minute');
}
