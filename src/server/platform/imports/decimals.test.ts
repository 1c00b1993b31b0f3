import fc from 'fast-check';
import { expect, test } from 'vitest';
import { absolute, compare, decimalText, multiply, negate, parseDecimal, roundHalfToEven } from './decimals.ts';

test.each(['', '.', '-', '1,5', '0x10', '1e', '1e9999', ' 1', '1 000', 'NaN', 'Infinity', '1'.repeat(61), '--1', '٣'])(
  '%j is no decimal',
  (text) => {
    expect(parseDecimal(text)).toBeNull();
  },
);

test.each([
  ['12.50', '12.5'],
  ['-0', '0'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['+7', '7'],
  ['1.5e3', '1500'],
  ['1e-7', '0.0000001'],
  ['-0.000', '0'],
  ['00012', '12'],
])('%s is %s', (text, plain) => {
  expect(decimalText(parseDecimal(text)!)).toBe(plain);
});

test('calculating is exact where floats are not', () => {
  const of = (text: string) => parseDecimal(text)!;
  expect(decimalText(multiply(of('0.1'), of('0.2')))).toBe('0.02');
  expect(decimalText(multiply(of('-1'), of('11062.06')))).toBe('-11062.06');
  expect(decimalText(negate(of('-4.10')))).toBe('4.1');
  expect(decimalText(absolute(of('-4.10')))).toBe('4.1');
  expect(compare(of('1.0'), of('1'))).toBe(0);
  expect(compare(of('-2'), of('-1.99999999999999999999'))).toBe(-1);
});

test.each([
  ['1.00005', 10_000n, false],
  ['1.00015', 10_002n, false],
  ['-1.00005', -10_000n, false],
  ['-1.00015', -10_002n, false],
  ['1.000050000001', 10_001n, false],
  ['-0.00004', 0n, false],
  ['2.675', 26_750n, true],
  ['3', 30_000n, true],
  ['3.50000000', 35_000n, true],
] as const)('%s in ten-thousandths is %s', (text, units, isExact) => {
  expect(roundHalfToEven(parseDecimal(text)!, 4)).toEqual({ units, isExact });
});

test('rounding is never further away than half a unit', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
      fc.integer({ min: 0, max: 20 }),
      (digits, scale) => {
        const { units, isExact } = roundHalfToEven({ digits, scale }, 4);
        const distance = units * 10n ** BigInt(scale) - digits * 10n ** 4n;
        expect((distance < 0n ? -distance : distance) * 2n <= 10n ** BigInt(scale)).toBe(true);
        expect(isExact).toBe(distance === 0n);
      },
    ),
  );
});
