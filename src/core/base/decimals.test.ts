import { expect, test } from 'vitest';
import { decimalText, divideHalfEven, readDecimal } from './decimals.ts';

test.each(['', '.5', '1.', '1e3', '1,5', '+1', ' 1', '1.00001', '1234567890123456', 'NaN', '١'])(
  '%j is no decimal',
  (text) => {
    expect(readDecimal(text)).toBeNull();
  },
);

test.each([
  ['0', 0n],
  ['12.5', 125_000n],
  ['-0.0001', -1n],
  ['97747.9340', 977_479_340n],
  ['999999999999999.9999', 9_999_999_999_999_999_999n],
])('%s is %d ten-thousandths', (text, value) => {
  expect(readDecimal(text)).toBe(value);
});

test.each([
  [0n, '0'],
  [5n, '0.0005'],
  [-44_426_760_0n, '-44426.76'],
  [10_000n, '1'],
  [9_747_747_934_0n, '9747747.934'],
])('%d ten-thousandths are written %s', (value, text) => {
  expect(decimalText(value)).toBe(text);
});

test.each([
  [5n, 2n, 2n],
  [7n, 2n, 4n],
  [-5n, 2n, -2n],
  [-7n, 2n, -4n],
  [7n, -2n, -4n],
  [1n, 3n, 0n],
  [2n, 3n, 1n],
  [-2n, 3n, -1n],
  [0n, 5n, 0n],
])('%d divided by %d is nearest to %d, halves to the even one', (dividend, divisor, quotient) => {
  expect(divideHalfEven(dividend, divisor)).toBe(quotient);
});
