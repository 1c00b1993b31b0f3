// Countries as files write them: by their ISO 3166-1 code of two or three letters, or by name.
import { getAlpha3Codes, getNames, registerLocale } from 'i18n-iso-countries/index.js';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { fileLanguages } from './currency-words.ts';

/** Names of real files that neither source has. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  AT: ['Oesterreich'],
  CZ: ['Tschechische Republik'],
  GB: ['Großbritannien', 'Grande-Bretagne', 'Gran Bretaña', 'Gran Bretagna', 'Groot-Brittannië', 'Grã-Bretanha'],
  HK: ['Hong Kong SAR'],
  IE: ['Eire', 'Republic of Ireland'],
  MM: ['Burma'],
  MO: ['Macau'],
  NL: ['Holland'],
  US: ['EE.UU.', 'Vereinigte Staaten von Amerika', 'États-Unis d’Amérique'],
  VN: ['Viet Nam'],
};

/** How codes are spelled that are also short for “not available” and “number”. */
const spelled: Readonly<Record<string, RegExp>> = { NA: /^NA$/, NO: /^(NO|no)$/ };

/** What two countries are called. */
const ambiguous = ['CONGO', 'KONGO'];

let codes: ReadonlyMap<string, string> | undefined;

/** Without what files leave out: accents, dots and apostrophes. */
const plain = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/[\p{M}.'’]/gu, '')
    .toUpperCase();

/** By name or code; the first language that has a name decides, and English is first. */
function codesOfWords(): ReadonlyMap<string, string> {
  registerLocale(english);
  const found = new Map(Object.entries(getAlpha3Codes()));
  const add = (word: string | undefined, code: string) => {
    if (word !== undefined && !found.has(plain(word))) found.set(plain(word), code);
  };
  for (const [code, names] of Object.entries(otherNames)) for (const name of names) add(name, code);
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
  const word = plain(text);
  return spelled[word]?.test(text) === false ? undefined : codes.get(word);
}
