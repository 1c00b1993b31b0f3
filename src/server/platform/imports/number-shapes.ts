// Finds the decimal sign of a column's numbers, to offer it, and numbers that could be thousands: 10.000.
import { parseDecimal } from './decimals.ts';
import { withoutCurrency } from './written-numbers.ts';

export type DecimalSign = ',' | '.';
/** `isPlain`: all are in machine notation, so no sign is needed. `isRate`: all are below 1, not all are 0. */
export type NumberShape = { readonly decimal: DecimalSign; readonly isPlain: boolean; readonly isRate?: true };

const shares = { numbers: 0.8 } as const;
const fewestRates = 3;
export const otherSign = (sign: DecimalSign): DecimalSign => (sign === ',' ? '.' : ',');

/** Longer texts are no numbers, and would take time. */
const longestNumber = 40;
const bare = (text: string): string => withoutCurrency(text.slice(0, longestNumber)).replace(/[\s'’()+\-−]/g, '');
/** A leading zero is never before thousands: 0.125. */
const thousand = /^[1-9]\d{0,2}([.,])\d{3}$/;

/** The sign before the last three digits of a number that could be thousands; null for all others. */
export const signOfThousands = (text: string): DecimalSign | null =>
  (thousand.exec(bare(text))?.[1] as DecimalSign | undefined) ?? null;

/** The number's decimal sign; `none` if it has no sign, null if it is no number. */
function signOf(number: string): DecimalSign | 'none' | null {
  if (!/^(?=[.,]?\d)[\d.,]+$/.test(number)) return null;
  const signs = [...number.matchAll(/[.,]/g)].map(([sign]) => sign as DecimalSign);
  const last = signs.at(-1);
  if (last === undefined) return 'none';
  // 1.234.567 has two of them, so they separate thousands.
  return signs.length > 1 && new Set(signs).size === 1 ? otherSign(last) : last;
}

/**
 * How a column's numbers are written; null if most texts are no numbers, or none has a sign. Numbers that
 * could all be thousands are taken for thousands.
 */
export function numberShape(texts: readonly string[]): NumberShape | null {
  const filled = texts.map((text) => text.trim()).filter((text) => text !== '');
  const counts = { ',': 0, '.': 0, none: 0, thousands: { ',': 0, '.': 0 } };
  for (const text of filled) {
    const thousands = signOfThousands(text);
    const sign = thousands ?? signOf(bare(text));
    if (thousands !== null) counts.thousands[thousands] += 1;
    else if (sign !== null) counts[sign] += 1;
  }
  const { thousands } = counts;
  const unclear = thousands[','] + thousands['.'];
  const known = counts[','] + counts['.'];
  if (known + unclear === 0 || known + unclear + counts.none < filled.length * shares.numbers) return null;
  const isPlain = filled.every((text) => parseDecimal(text) !== null);
  if (known > 0) {
    const decimal = counts[','] > counts['.'] ? ',' : '.';
    return { decimal, isPlain, ...(areRates(filled, decimal) && { isRate: true }) };
  }
  return { decimal: thousands[','] > thousands['.'] ? '.' : ',', isPlain };
}

/** Amounts of money are rarely all below 1. */
function areRates(texts: readonly string[], decimal: DecimalSign): boolean {
  const sizes = texts.map((text) => Math.abs(Number(bare(text).replace(decimal, '.'))));
  return sizes.every((size) => size < 1) && sizes.filter((size) => size > 0).length >= fewestRates;
}
