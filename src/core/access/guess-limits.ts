// Decides how long someone waits after wrong passwords or codes. Waits grow and end by themselves: nobody is locked out.
// Asked by everything that looks at a guess: signing in, confirming who you are, second steps.

export type Lane = {
  /** Wrong guesses before the first wait. */
  readonly free: number;
  readonly firstSeconds: number;
  readonly longestSeconds: number;
};

/** Where guesses are counted. A guess has to be allowed in each lane it belongs to. */
export const guessLanes = {
  /** One account from one address, or from one browser that signed in to it before. */
  own: { free: 5, firstSeconds: 5, longestSeconds: 900 },
  /** One account from all browsers and addresses it was never used from. */
  account: { free: 100, firstSeconds: 5, longestSeconds: 300 },
  /** All accounts from one address, without browsers that signed in before. */
  address: { free: 100, firstSeconds: 5, longestSeconds: 60 },
} as const satisfies Record<string, Lane>;

export type LaneName = keyof typeof guessLanes;

/** A wrong guess counts for this long. */
export const wrongGuessHours = 24;

/** Seconds between the last of so many wrong guesses and the next one that is looked at. */
export function secondsToWait({ free, firstSeconds, longestSeconds }: Lane, wrong: number): number {
  if (wrong < free) return 0;
  // 2 ** 30 seconds is longer than any limit; larger powers would leave the range of exact numbers.
  return Math.min(longestSeconds, firstSeconds * 2 ** Math.min(wrong - free, 30));
}

/** The most guesses that are looked at in the hours, however many are sent. */
export function mostGuesses(lane: Lane, hours: number): number {
  let guesses = 0;
  for (let seconds = 0; seconds < hours * 3_600; guesses += 1) seconds += secondsToWait(lane, guesses + 1);
  return guesses;
}

export function waitInWords(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 60) return whole === 1 ? '1 second' : `${whole} seconds`;
  const minutes = Math.ceil(whole / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
