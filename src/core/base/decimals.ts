// Decides how exact amounts are written and divided: bigints of ten-thousandths (D31). Used by everything
// that shows, adds or divides the datasets' numbers.

export const tenThousandths = 10_000n;

/** 125000n is `12.5`: no trailing zeros and no exponent. */
export function decimalText(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(5, '0');
  const fraction = digits.slice(-4).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -4)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** A plain decimal with at most four decimals as ten-thousandths, or null. */
export function readDecimal(text: string): bigint | null {
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,4}))?$/.exec(text);
  if (!match) return null;
  const [, sign, whole, fraction = ''] = match;
  const value = BigInt(`${whole}${fraction.padEnd(4, '0')}`);
  return sign === '-' ? -value : value;
}

/** The quotient rounded half to even. `divisor` isn't zero. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [top, bottom] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const quotient = top / bottom;
  const twice = (top % bottom) * 2n;
  const rounded = twice > bottom || (twice === bottom && quotient % 2n === 1n) ? quotient + 1n : quotient;
  return isNegative ? -rounded : rounded;
}
