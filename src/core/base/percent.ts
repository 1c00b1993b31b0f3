// How shares are written: one decimal, rounded like in the core, or a dash when dividing by zero (D20).

export const none = '–';

/** "57.1%" for tables, where the decimals line up. */
export function percentCell(value: number | null): string {
  return value === null ? none : `${value.toFixed(1)}%`;
}

/** "50%" or "57.1%" for sentences and axes. */
export function percentWords(value: number | null): string {
  return value === null ? none : `${Number(value.toFixed(1))}%`;
}
