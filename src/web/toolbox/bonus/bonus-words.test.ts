import { expect, test } from 'vitest';
import { curveWords, roundingWords } from './bonus-words.ts';

test('a curve that is full at 100% promises nothing above it', () => {
  const curve = { weight: 20, from: 0, full: 100, cap: 120 };
  expect(curveWords('firstPass', curve)).toMatch(/It pays from the first task, and the full share at 100%\.$/);
  expect(curveWords('firstPass', { ...curve, full: 90 })).toMatch(
    /the full share at 90%, and up to 1\.2× above that\.$/,
  );
});

test.each([
  ['USD', 'rounded to the nearest $0.01'],
  ['JPY', 'rounded to the nearest ¥1'],
  ['KWD', 'rounded to the nearest KWD 0.001'],
])('an amount in %s is %s', (currency, words) => {
  expect(roundingWords(currency).replace(/\s/g, ' ')).toBe(words);
});
