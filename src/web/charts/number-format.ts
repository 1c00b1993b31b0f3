// How numbers are written: exact decimals from the server with their unit's digits, and short ones for axes
// and bars.

import { none } from '#core/base/percent.ts';
import type { Unit } from '#core/numbers/metrics.ts';

const locale = 'en-US';

/** Creating a format is slow, using it isn't; a page writes thousands of numbers with a few formats. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(locale, options);
  formats.set(key, made);
  return made;
}

/** ISO codes have a symbol and digits; other unit codes follow the number. */
const isIso = (currency: string): boolean => /^[A-Z]{3}$/.test(currency);

function moneyOptions(currency: string | null): Intl.NumberFormatOptions {
  return currency !== null && isIso(currency)
    ? { style: 'currency', currency }
    : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
}

function optionsOf(unit: Unit, currency: string | null): Intl.NumberFormatOptions {
  if (unit === 'money') return moneyOptions(currency);
  return unit === 'count' ? { maximumFractionDigits: 0 } : { minimumFractionDigits: 1, maximumFractionDigits: 1 };
}

/** A CSV's column: "Net sales (USD)". Its numbers have no unit. */
export function titleWithUnit(
  { title, unit }: { readonly title: string; readonly unit: Unit },
  currency: string | null,
) {
  const words = unit === 'money' ? currency : { count: null, percent: '%', hours: 'hours', days: 'days' }[unit];
  return words === null || title.endsWith(`(${words})`) ? title : `${title} (${words})`;
}

const suffix: Partial<Record<Unit, string>> = { percent: '%', hours: ' h', days: ' d' };

/** With a minus sign where `Intl` writes a hyphen, as changes and charts do. */
function withSuffix(formatted: string, unit: Unit, currency: string | null): string {
  const text = formatted.replace('-', '−');
  if (unit === 'money') return currency !== null && !isIso(currency) ? `${text} ${currency}` : text;
  return text + (suffix[unit] ?? '');
}

const isUnderAnHour = (text: string): boolean => Number(text) !== 0 && Math.abs(Number(text)) < 1;

/** Never goes through a float: `Intl` formats a decimal text digit by digit (D31). */
export function numberWords(text: string | null, unit: Unit, currency: string | null): string {
  if (text === null) return none;
  const format = formatOf(optionsOf(unit, currency));
  if (unit === 'hours' && Number(text) === 0) return '0 min';
  if (unit === 'hours' && isUnderAnHour(text)) return `${format.format(Number(text) * 60).replace('-', '−')} min`;
  return withSuffix(format.format(text as Intl.StringNumericLiteral), unit, currency);
}

/** "£6k", "12.4k", "1.9%": for axes and bars with little room, next to the exact number. */
export function shortWords(value: number | null, unit: Unit, currency: string | null): string {
  if (value === null) return none;
  const money = unit === 'money' ? moneyOptions(currency) : {};
  const parts = formatOf({
    ...money,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: digitsOf(value, unit),
  }).formatToParts(value);
  // A currency can have a K too.
  const texts = parts.map(({ type, value: text }) => (type === 'compact' ? text.replace('K', 'k') : text));
  return withSuffix(texts.join(''), unit, currency);
}

/** Just enough digits to tell two bars apart. */
function digitsOf(value: number, unit: Unit): number {
  const size = Math.abs(value);
  if (size > 0 && size < 1) return 3;
  return size >= 10 && size < 1_000 && (unit === 'money' || unit === 'count') ? 0 : 1;
}

/** For charts only: a value's position, not its text. */
export function toNumber(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Number(text);
}
