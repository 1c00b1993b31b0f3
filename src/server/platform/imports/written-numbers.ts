// Numbers as people write them: `1.234,50 €`, `(12.00)`, `1 234,5-`, `12,–`.
import { parseDecimal } from './decimals.ts';

/** No number that fits into a column is longer. */
const longestNumber = 100;

/** Every separator of thousands is the same, between groups of three. */
const grouped = /^\d{1,3}(?:([.,' ])\d{3})(?:\1\d{3})*$/;
const indian = /^\d{1,2}(?:,\d{2})+,\d{3}$/;
/** `12,–` has no cents. */
const noCents = { ',': /,[-\u2013\u2014]{1,2}$/, '.': /\.[-\u2013\u2014]{1,2}$/ } as const;

/** Also with letters before it: `R$`, `US$`. */
const currencySign = /\b[A-Z]{0,3}\p{Sc}|\p{Sc}/gu;
/** A sign that an encoding lost: `? 648`. Inside a number, or behind it, `?` may be a lost digit. */
const lostSign = /^([-+(]?\s*)(?:\?(?=\s*\d)|\ufffd{1,3})|\ufffd{1,3}(?=[-+)]?$)/gu;

export const withoutCurrency = (text: string): string => text.trim().replace(currencySign, '').replace(lostSign, '$1');

/** The sign with the letters before it: `$`, `US$`. */
export const currencySignIn = (text: string): string | null =>
  /\p{Sc}/u.test(text) ? (text.normalize('NFKC').match(currencySign)?.[0] ?? null) : null;

/** The number in machine notation. */
export function numberText(text: string, decimal: ',' | '.'): { value: string | undefined; fault?: string } {
  const bare = withoutCurrency(text).replace(/\s+/g, ' ').replaceAll('\u2019', "'").replaceAll('\u2212', '-').trim();
  if (bare.length > longestNumber)
    return { value: undefined, fault: `isn’t a number: ${JSON.stringify(text.slice(0, 60))}` };
  const { isNegative, digits } = signOf(bare.replace(noCents[decimal], ''));
  const [written = '', fraction, ...more] = digits.split(decimal);
  const whole = isGrouped(written) ? written.replace(/[.,' ]/g, '') : written;
  const plain = `${isNegative ? '-' : ''}${whole}${fraction === undefined ? '' : `.${fraction}`}`;
  const isNumber = more.length === 0 && /^[\d.,]/.test(digits) && !/[.,' ]/.test(whole);
  if (isNumber && parseDecimal(plain) !== null) return { value: plain };
  return {
    value: undefined,
    fault: `isn’t a number with a decimal "${decimal}": ${JSON.stringify(text.slice(0, 60))}`,
  };
}

/** Whatever its decimal separator. */
export const isBelowZero = (text: string): boolean =>
  (['.', ','] as const).some((decimal) => /^-.*[1-9]/.test(numberText(text, decimal).value ?? ''));

const isGrouped = (whole: string): boolean => grouped.test(whole) || indian.test(whole);

/** One sign, before or behind, or parentheses. What remains may have no other. */
function signOf(bare: string): { isNegative: boolean; digits: string } {
  if (/^\(.*\)$/.test(bare)) return { isNegative: true, digits: bare.slice(1, -1).trim() };
  const [before] = /^[+-]/.exec(bare) ?? [];
  if (before) return { isNegative: before === '-', digits: bare.slice(1).trim() };
  const [behind] = /[+-]$/.exec(bare) ?? [];
  return { isNegative: behind === '-', digits: behind ? bare.slice(0, -1).trim() : bare };
}
