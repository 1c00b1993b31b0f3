// How shares are written: one decimal as the core rounds them, a dash where there is nothing to divide by (D20).

export const none = '–';

/** "57.1%" as it stands in a table, where the decimals line up. */
export function percentCell(value: number | null): string {
  return value === null ? none : `${value.toFixed(1)}%`;
}

/** "50%" or "57.1%" as it stands in a sentence or on an axis. */
export function percentWords(value: number | null): string {
  return value === null ? none : `${Number(value.toFixed(1))}%`;
}
