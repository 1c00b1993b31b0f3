import { expect, test } from 'vitest';
import { curveWords, roundingWords } from './bonus-words.ts';

test('a curve promises nothing that no share reaches', () => {
  const curve = { weight: 20, from: 0, full: 100, cap: 120 };
  expect(curveWords('firstPass', curve)).toMatch(
    /weight 20%\. Pays for any result above 0%, and the full share at 100%\.$/,
  );
  expect(curveWords('firstPass', { ...curve, full: 90 })).toMatch(
    /the full share at 90%, and up to 1\.111× above that\.$/,
  );
  expect(curveWords('firstPass', { ...curve, from: 50, full: 90 })).toMatch(/and up to 1\.2× above that\.$/);
  expect(curveWords('firstPass', { ...curve, full: 90, cap: 100 })).toMatch(/, and the full share at 90%\.$/);
});

test.each([
  ['USD', 'rounded to the nearest $0.01'],
  ['JPY', 'rounded to the nearest ¥1'],
  ['KWD', 'rounded to the nearest KWD 0.001'],
])('an amount in %s is %s', (currency, words) => {
  expect(roundingWords(currency).replace(/\s/g, ' ')).toBe(words);
});
