import { expect, test } from 'vitest';
import { numberWords, shortWords } from './number-format.ts';

test.each([
  ['9747747.934', 'money', 'GBP', '£9,747,747.93'],
  ['1234', 'money', 'JPY', '¥1,234'],
  ['12.5', 'money', 'TOKEN', '12.50 TOKEN'],
  ['123456789012345678.25', 'money', 'EUR', '€123,456,789,012,345,678.25'],
  ['-3', 'money', 'EUR', '−€3.00'],
  ['18402', 'count', null, '18,402'],
  ['7.25', 'percent', null, '7.3%'],
  ['28.91', 'hours', null, '28.9 h'],
  ['0', 'hours', null, '0 min'],
  ['0.4', 'hours', null, '24.0 min'],
  ['0.0583', 'hours', null, '3.5 min'],
  ['2', 'days', null, '2.0 d'],
  [null, 'money', 'EUR', '–'],
] as const)('%s of %s in %s is %s', (text, unit, currency, words) => {
  expect(numberWords(text, unit, currency)).toBe(words);
});

test.each([
  [6_000, 'money', 'GBP', '£6k'],
  [16_432, 'money', 'USD', '$16.4k'],
  [889.4, 'money', 'EUR', '€889'],
  [5.5, 'money', 'EUR', '€5.5'],
  [0.031, 'money', 'EUR', '€0.031'],
  [1_200_000, 'count', null, '1.2M'],
  [600, 'money', 'KWD', 'KWD\u00A0600'],
  [5_200, 'money', 'SEK', 'SEK\u00A05.2k'],
  [83.2, 'percent', null, '83.2%'],
] as const)('%d of %s in %s is shortly %s', (value, unit, currency, words) => {
  expect(shortWords(value, unit, currency)).toBe(words);
});
