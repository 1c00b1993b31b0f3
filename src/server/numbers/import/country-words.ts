// Countries as files write them: by their ISO 3166-1 code of two or three letters, or by name.
import { getAlpha3Codes, getNames, registerLocale } from 'i18n-iso-countries/index.js';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { fileLanguages } from './currency-words.ts';

/** Names of real files that neither source has. */
const otherNames: Readonly<Record<string, string>> = { EIRE: 'IE', HOLLAND: 'NL' };

/** What two countries are called. */
const ambiguous = ['CONGO', 'KONGO'];

let codes: ReadonlyMap<string, string> | undefined;

/** By name or code in capitals; the first language that has a name decides, and English is first. */
function codesOfWords(): ReadonlyMap<string, string> {
  registerLocale(english);
  const found = new Map(Object.entries({ ...otherNames, ...getAlpha3Codes() }));
  const add = (word: string | undefined, code: string) => {
    const key = word?.toUpperCase();
    if (key !== undefined && !found.has(key)) found.set(key, code);
  };
  const countries = Object.entries(getNames('en', { select: 'all' }));
  for (const [code] of countries) add(code, code);
  for (const [code, names] of countries) for (const name of names) add(name, code);
  for (const language of fileLanguages) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const [code] of countries) add(names.of(code), code);
  }
  for (const name of ambiguous) found.delete(name);
  return found;
}

/** The two-letter code of a country's code or name; undefined if it is neither. */
export function codeOfCountry(text: string): string | undefined {
  codes ??= codesOfWords();
  return codes.get(text.toUpperCase());
}
