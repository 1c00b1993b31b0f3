// The values of a Parquet column as text: exact, and in the form that a JSON line would have.
import type { SchemaElement } from 'hyparquet';
import { parseFloat16 } from 'hyparquet/src/convert.js';
import { clock, dayText } from './cell-texts.ts';

type Convert = (value: never) => unknown;

/** Column types that say what a value means; without them, the library leaves values as they are stored. */
export const withoutMeaning = (element: SchemaElement): SchemaElement => {
  if (element.type === undefined) return { ...element, converted_type: groupType(element), logical_type: undefined };
  const { converted_type: _, logical_type: __, ...stored } = element;
  return stored;
};

/** The library reads the older of the two names for lists and maps. */
function groupType({ converted_type: type, logical_type: logical }: SchemaElement): SchemaElement['converted_type'] {
  if (logical?.type === 'LIST' || logical?.type === 'MAP') return logical.type;
  return type === 'MAP_KEY_VALUE' ? 'MAP' : type;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Bytes that aren't text cost their row. */
export const notText = Symbol('bytes that aren’t text');

function text(bytes: Uint8Array, onBroken: () => void): string | typeof notText {
  try {
    return utf8.decode(bytes);
  } catch {
    onBroken();
    return notText;
  }
}

/** How a leaf's stored values become texts. Booleans stay what they are. */
export function converterOf(element: SchemaElement, onBroken: () => void): Convert {
  const { type, converted_type: old, logical_type: logical } = element;
  if (type === 'BOOLEAN') return (value: boolean) => value;
  if (type === 'FLOAT') return floatText;
  if (type === 'DOUBLE') return (value: number) => String(value);
  if (type === 'INT96') return (value: bigint) => instantText(value, 9, true);
  if (logical?.type === 'DECIMAL') return decimalOf(logical.scale ?? 0);
  if (old === 'DECIMAL') return decimalOf(element.scale ?? 0);
  if (type === 'INT32' || type === 'INT64') return wholeNumber(element);
  if (logical?.type === 'UUID')
    return (value: Uint8Array) => hex(value).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  if (logical?.type === 'FLOAT16') return (value: Uint8Array) => String(parseFloat16(value));
  // Older programs write texts without saying so.
  if (type === 'BYTE_ARRAY' && old !== 'BSON' && logical?.type !== 'BSON')
    return (value: Uint8Array) => text(value, onBroken);
  return hex;
}

function wholeNumber({ type, converted_type: old, logical_type: logical }: SchemaElement): Convert {
  if (logical?.type === 'DATE' || old === 'DATE') return dateText;
  if (logical?.type === 'TIMESTAMP') {
    const { unit, isAdjustedToUTC } = logical;
    return (value: bigint) => instantText(value, fractions[unit], isAdjustedToUTC);
  }
  if (logical?.type === 'TIME') return (value: number | bigint) => timeText(BigInt(value), fractions[logical.unit]);
  if (old === 'TIMESTAMP_MILLIS' || old === 'TIMESTAMP_MICROS')
    return (value: bigint) => instantText(value, old === 'TIMESTAMP_MILLIS' ? 3 : 6, true);
  if (old === 'TIME_MILLIS' || old === 'TIME_MICROS')
    return (value: number | bigint) => timeText(BigInt(value), old === 'TIME_MILLIS' ? 3 : 6);
  const isUnsigned = old?.startsWith('UINT_') || (logical?.type === 'INTEGER' && !logical.isSigned);
  if (!isUnsigned) return (value: number | bigint) => String(value);
  return (value: number | bigint) => String(BigInt.asUintN(type === 'INT32' ? 32 : 64, BigInt(value)));
}

/** Digits of a second's fraction. */
const fractions = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;

/** The shortest text that is this float: 12.1, not 12.100000381469727. */
function floatText(value: number): string {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(value);
}

/** No number has more; a longer one would take its time. */
const mostDecimalBytes = 64;

function decimalOf(scale: number): Convert {
  if (scale < 0 || scale > 1_000) throw new Error(`a decimal has the scale ${scale}`);
  return (value: number | bigint | Uint8Array) => {
    const digits = value instanceof Uint8Array ? signedNumber(value) : BigInt(value);
    const all = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
    const at = all.length - scale;
    return `${digits < 0n ? '-' : ''}${all.slice(0, at)}${scale > 0 ? `.${all.slice(at)}` : ''}`;
  };
}

function signedNumber(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  if (bytes.length > mostDecimalBytes) throw new Error('a decimal is too long');
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex(bytes)}`));
}

const epochDay = 25_569;
const daySeconds = 86_400n;
const lastDay = 50_000_000;

/** A day or time that no calendar has stays a number, which its field refuses. */
const dateText = (days: number): string => (Math.abs(days) > lastDay ? String(days) : dayText(days + epochDay));

function instantText(value: bigint, digits: 3 | 6 | 9, isInstant: boolean): string {
  const day = daySeconds * 10n ** BigInt(digits);
  const time = ((value % day) + day) % day;
  const days = Number((value - time) / day);
  if (Math.abs(days) > lastDay) return String(value);
  return `${dateText(days)}T${timeText(time, digits)}${isInstant ? 'Z' : ''}`;
}

function timeText(value: bigint, digits: 3 | 6 | 9): string {
  const second = 10n ** BigInt(digits);
  if (value < 0n || value >= daySeconds * second) return String(value);
  const fraction = value % second;
  const text = clock(Number(value / second) * 1_000);
  return fraction === 0n ? text : `${text}.${String(fraction).padStart(digits, '0')}`;
}
