// Exact decimal numbers: digits and a scale. A float would round 2.675 down and distort a sum of a million
// amounts.

/** The number is `digits` / 10^`scale`; `scale` is never negative. */
export type Decimal = { readonly digits: bigint; readonly scale: number };

const written = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;
/** No amount has more; without a limit, `1e999` would have a thousand digits. */
const mostDigits = 60;

/** A number in machine notation: `-12.50`, `.5`, `1e-7`. Null for everything else. */
export function parseDecimal(text: string): Decimal | null {
  const match = written.exec(text);
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return null;
  const power = Number(exponent);
  if (whole.length + fraction.length + Math.abs(power) > mostDigits) return null;
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - power;
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

export function negate({ digits, scale }: Decimal): Decimal {
  return { digits: -digits, scale };
}

export function absolute({ digits, scale }: Decimal): Decimal {
  return { digits: digits < 0n ? -digits : digits, scale };
}

/** Negative, zero or positive, for sorting. */
export function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = shifted(a, scale) - shifted(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function shifted({ digits, scale }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}

/** Without trailing zeros: `12.50` is `12.5`. */
export function decimalText({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const all = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const whole = all.slice(0, all.length - scale);
  const fraction = all.slice(all.length - scale).replace(/0+$/, '');
  return `${sign}${whole}${fraction && `.${fraction}`}`;
}

export type Rounded = { readonly units: bigint; readonly isExact: boolean };

/** The number in units of 10^-`places`, rounded half to even (D31). */
export function roundHalfToEven({ digits, scale }: Decimal, places: number): Rounded {
  if (scale <= places) return { units: digits * 10n ** BigInt(places - scale), isExact: true };
  const divisor = 10n ** BigInt(scale - places);
  const units = digits / divisor;
  const twice = absolute({ digits: digits % divisor, scale: 0 }).digits * 2n;
  if (twice === 0n) return { units, isExact: true };
  const isUp = twice > divisor || (twice === divisor && units % 2n !== 0n);
  return { units: isUp ? units + (digits < 0n ? -1n : 1n) : units, isExact: false };
}
