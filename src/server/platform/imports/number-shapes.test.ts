import { expect, test } from 'vitest';
import { numberShape, signOfThousands } from './number-shapes.ts';

test.each([[[]], [['1', '2']], [['a.b', '1.5', 'c', 'd']], [['2026.01.05x', '1.5']]])(
  '%j has no decimal sign',
  (texts) => {
    expect(numberShape(texts)).toBeNull();
  },
);

test.each([
  [['1.5', '10.000'], '.', true],
  [['0.125', '1.250'], '.', true],
  [['12345.678', '1.250'], '.', true],
  [['1,234.50'], '.', false],
  [['1.234,50 €', '300'], ',', false],
  [['100,00', '-6,19'], ',', false],
  [['1.234.567'], ',', false],
  [['10.000', '300', '2.500'], ',', true],
  [['$10,000', '300', ''], '.', false],
  [['-10,000', '12,5'], ',', false],
] as const)('%j has the decimal sign %s', (texts, decimal, isPlain) => {
  expect(numberShape(texts)).toEqual({ decimal, isPlain });
});

test('three digits after one sign could be thousands, but not after a zero or four digits', () => {
  for (const text of ['10.000', '-1.250', '(1.250)', '€ 1.250']) expect(signOfThousands(text)).toBe('.');
  expect(signOfThousands('10,000')).toBe(',');
  for (const text of ['0.125', '1234.500', '1.2500', '1.25', '1.234.567', '1.234,50', '10000'])
    expect(signOfThousands(text)).toBeNull();
});

test('numbers that are all below 1 are rates, but not zeros, few of them or amounts', () => {
  const isRate = (...texts: string[]) => numberShape(texts)?.isRate === true;
  expect([isRate('0', '0.2', '0.85', '0.1'), isRate('0,2', '0,85', '-0,1', '')]).toEqual([true, true]);
  expect([isRate('0.0', '0.00', '0.0'), isRate('0.2', '0.3', '0'), isRate('0.2', '0.85', '0.1', '1')]).toEqual([
    false,
    false,
    false,
  ]);
});
