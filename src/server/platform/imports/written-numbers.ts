// Numbers as people write them: `1.234,50 €`, `(12.00)`, `1 234,5-`.
import { parseDecimal } from './decimals.ts';

/** No number that fits into a column is longer. */
const longestNumber = 100;

/** The number in machine notation. Thousands separators must separate groups of three. */
export function numberText(text: string, decimal: ',' | '.'): { value: string | undefined; fault?: string } {
  const bare = text.replace(/[\p{Sc}\s]|[\u2019']/gu, '').replace('\u2212', '-');
  if (bare.length > longestNumber)
    return { value: undefined, fault: `isn’t a number: ${JSON.stringify(text.slice(0, 60))}` };
  const isNegative = /^\(.*\)$|^-|-$/.test(bare);
  const digits = bare.replace(/^[(+-]+|[)+-]+$/g, '');
  const [whole = '', fraction, ...more] = digits.split(decimal);
  const thousands = decimal === ',' ? '.' : ',';
  const isGrouped = !whole.includes(thousands) || /^\d{1,3}([.,]\d{3})+$/.test(whole);
  const plain = `${isNegative ? '-' : ''}${whole.replaceAll(thousands, '')}${fraction === undefined ? '' : `.${fraction}`}`;
  if (more.length === 0 && isGrouped && parseDecimal(plain) !== null) return { value: plain };
  return {
    value: undefined,
    fault: `isn’t a number with a decimal "${decimal}": ${JSON.stringify(text.slice(0, 60))}`,
  };
}
