import { describe, expect, it } from 'vitest';
import { guessLanes, mostGuesses, secondsToWait, waitInWords } from './guess-limits.ts';

describe('the wait after a wrong guess', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 5],
    [6, 10],
    [7, 20],
    [12, 640],
    [13, 900],
    [1_000_000, 900],
  ])('of one account from one place is, after %i wrong ones, %i seconds', (wrong, seconds) => {
    expect(secondsToWait(guessLanes.own, wrong)).toBe(seconds);
  });
  it('bounds the guesses of a day that are looked at, in each lane', () => {
    expect(Object.entries(guessLanes).map(([name, lane]) => [name, mostGuesses(lane, 24)])).toEqual([
      ['own', 107],
      ['account', 392],
      ['address', 1_542],
    ]);
  });
  it.each(Object.entries(guessLanes))(
    'lets through, of 10,000 guesses in an hour, what its lane allows: %s',
    (_, lane) => {
      let wrong = 0;
      let last = Number.NEGATIVE_INFINITY;
      for (let guess = 0; guess < 10_000; guess += 1) {
        const second = guess * 0.36;
        if (second < last + secondsToWait(lane, wrong)) continue;
        wrong += 1;
        last = second;
      }
      expect(wrong).toBeLessThanOrEqual(mostGuesses(lane, 1));
      expect(wrong).toBeGreaterThan(lane.free);
    },
  );
  it.each([
    [0.2, '1 second'],
    [5, '5 seconds'],
    [59.5, '1 minute'],
    [61, '2 minutes'],
    [900, '15 minutes'],
  ])('of %f seconds is said as %s', (seconds, words) => {
    expect(waitInWords(seconds)).toBe(words);
  });
});
