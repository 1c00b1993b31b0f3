import { expect, test } from 'vitest';
import { curveWords, roundingWords, shareWords } from './bonus-words.ts';

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

test.each([
  ['signedOff', 4, 5, '4 of 5, 80%'],
  ['firstPass', 2, 2, '2 sign-offs, 0 send-backs, 100%'],
  ['firstPass', 1, 2, '2 sign-offs, 1 send-back, 50%'],
  ['firstPass', 0, 1, '1 sign-off, 1 or more send-backs, 0%'],
  ['firstPass', 0, 0, 'Nothing to measure'],
] as const)('the share of %s of %i in %i says what is counted', (key, part, whole, words) => {
  expect(shareWords({ key, part, whole })).toBe(words);
});

test.each([
  [1, '1 sign-off, 1 send-back, 0%'],
  [3, '1 sign-off, 3 send-backs, 0%'],
])('a share of 0 says how many send-backs there were where the tasks are known: %i', (sendBacks, words) => {
  const tasks = [{ sendBacks }, { sendBacks: 0 }];
  expect(shareWords({ key: 'firstPass', part: 0, whole: 1 }, tasks)).toBe(words);
});
