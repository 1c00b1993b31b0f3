// The text of a workbook's cell: what a CSV file of the sheet would have, with dates as ISO texts.
import { decimalText, parseDecimal } from './decimals.ts';

/** What a cell's number is by its format. A `duration` can exceed a day. */
export type NumberKind = 'number' | 'date' | 'dateTime' | 'time' | 'duration';
export type CellFormat = { readonly kind: NumberKind; readonly hasFraction: boolean };

const plain: CellFormat = { kind: 'number', hasFraction: false };

/** Formats without a code in the file. 27 to 36 and 50 to 58 are dates in East Asian versions. */
function builtInKind(id: number): NumberKind {
  if (id === 22) return 'dateTime';
  if (id === 46) return 'duration';
  if ((id >= 18 && id <= 21) || id === 32 || id === 33 || id === 45 || id === 47) return 'time';
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'date';
  return 'number';
}

/** `code`: of the file's own formats, like `d/m/yyyy h:mm`. */
export function cellFormat(id: number, code: string | undefined): CellFormat {
  if (code === undefined) return { kind: builtInKind(id), hasFraction: id === 47 };
  const [section = ''] = code.replace(/"[^"]*"|\\.|[_*]./g, '').split(';', 1);
  const signs = section.replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '').replace(/am\/pm|a\/p/gi, 'h');
  const hasFraction = /s[.,]?0/i.test(signs);
  if (/^general/i.test(signs)) return plain;
  if (/\[/.test(signs)) return { kind: 'duration', hasFraction };
  const hasTime = /[hs]/i.test(signs);
  // Without hours or seconds, an m is a month.
  const hasDate = /[yd]/i.test(signs) || (!hasTime && /m/i.test(signs));
  if (!hasDate && !hasTime) return plain;
  return { kind: hasDate ? (hasTime ? 'dateTime' : 'date') : 'time', hasFraction };
}

/** Spreadsheets calculate with 15 digits; the others are noise: 1.1 is stored as 1.1000000000000001. */
const digitsKept = 15;

/** A number as text without an exponent. Whole numbers keep all digits: other programs write long ids. */
export function numberCellText(text: string): string {
  const written = text.trim();
  if (/^-?\d+$/.test(written)) return written;
  const number = parseDecimal(written);
  if (number === null) return written;
  const { digits } = number;
  if (String(digits < 0n ? -digits : digits).replace(/0+$/, '').length <= digitsKept) return decimalText(number);
  const rounded = parseDecimal(Number(written).toPrecision(digitsKept));
  return rounded === null ? written : decimalText(rounded);
}

const dayMs = 86_400_000;
/** The calendar that begins in 1900 has a February 29, 1900; the one of 1904 begins with its day 1,462. */
const dayZero = Temporal.PlainDate.from('1899-12-30');
const daysTo1904 = 1_462;
const inventedDay = 60;
const lastDay = 2_958_465;

/** Texts of days by number: columns have few of them, and each takes microseconds. */
const dayTexts = new Map<number, string>();
const mostDays = 50_000;

/** The day so many days after December 30, 1899. */
export function dayText(number: number): string {
  const known = dayTexts.get(number);
  if (known !== undefined) return known;
  const text = dayZero.add({ days: number }).toString();
  if (dayTexts.size >= mostDays) dayTexts.clear();
  dayTexts.set(number, text);
  return text;
}

/** A number as the date or time that its format shows; as a number if it is none. */
export function dateCellText(text: string, { kind, hasFraction }: CellFormat, is1904: boolean): string {
  const serial = Number(text);
  const plainText = numberCellText(text);
  if (text.trim() === '' || !Number.isFinite(serial) || serial < 0) return plainText;
  // A time is shown to the second, which its binary fraction misses.
  const step = hasFraction ? 1 : 1_000;
  const ms = Math.round((serial * dayMs) / step) * step;
  if (kind === 'duration') return clock(ms);
  if (kind === 'time' && ms < dayMs) return clock(ms);
  const days = Math.floor(ms / dayMs);
  if (!is1904 && (days === inventedDay || days === 0)) return plainText;
  const shift = is1904 ? daysTo1904 : days < inventedDay ? 1 : 0;
  if (days + shift > lastDay) return plainText;
  const day = dayText(days + shift);
  const rest = ms - days * dayMs;
  return kind === 'date' && rest === 0 ? day : `${day}T${clock(rest)}`;
}

export function clock(ms: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = Math.floor(ms / 1_000);
  const fraction = ms % 1_000 === 0 ? '' : `.${String(ms % 1_000).padStart(3, '0')}`;
  return `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${fraction}`;
}

/** Workbooks write control characters as `_x000D_`. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
