// Names countries by their ISO codes. Used by the pages of numbers and the import.

let names: Intl.DisplayNames | undefined;

export const isCountryCode = (text: string): boolean => /^[A-Z]{2}$/.test(text);

/** The country of a code like `DE`; null if no country has it. */
export function countryName(code: string): string | null {
  // Created on demand: an `Intl` format costs a slow phone 30 ms or more.
  names ??= new Intl.DisplayNames('en-US', { type: 'region', fallback: 'none' });
  return names.of(code) ?? null;
}
