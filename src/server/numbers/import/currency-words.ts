// Currencies as files write them: by their ISO 4217 code, by a name that only one currency has, or by a sign.
import { currencySigns } from '#core/base/formats.ts';

const isoCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const isIsoCode = (code: string): boolean => isoCodes.has(code);

/** Languages of files whose words the wizard knows. */
export const fileLanguages = ['en', 'de', 'fr', 'es', 'pt', 'nl', 'it', 'pl', 'uk'];

/** Names that people shorten, and that no other currency has in use. */
const shortNames: Readonly<Record<string, string>> = {
  ...{ EUROS: 'EUR', HRYVNIA: 'UAH', HRYVNIAS: 'UAH', ГРИВНЯ: 'UAH', ГРН: 'UAH', ZLOTY: 'PLN', ZŁOTY: 'PLN' },
  ...{ YEN: 'JPY', YUAN: 'CNY', RENMINBI: 'CNY', RMB: 'CNY', STERLING: 'GBP', FORINT: 'HUF' },
};

/** Metals and funds have names that can be units of anything else: gold, silver. */
const isMoney = (code: string): boolean => !code.startsWith('X') || ['XAF', 'XCD', 'XCG', 'XOF', 'XPF'].includes(code);

/** What one language calls a currency, and other currencies are called too. */
const ambiguous = ['KWACHA', 'CFA-FRANK', 'FRANK CFA'];

let codes: ReadonlyMap<string, string> | undefined;

/** By name in capitals; the first language that has a name decides, and English is first. */
function codesOfNames(): ReadonlyMap<string, string> {
  const found = new Map(Object.entries(shortNames));
  for (const language of fileLanguages) {
    const names = new Intl.DisplayNames(language, { type: 'currency', fallback: 'none' });
    for (const code of [...isoCodes].filter(isMoney)) {
      const name = names.of(code)?.toUpperCase();
      if (name !== undefined && !found.has(name)) found.set(name, code);
    }
  }
  for (const name of ambiguous) found.delete(name);
  return found;
}

/** The ISO code of a code or name in capitals; undefined if it is neither. */
export function codeOfCurrency(text: string): string | undefined {
  if (isIsoCode(text)) return text;
  codes ??= codesOfNames();
  return codes.get(text);
}

/** Currencies that people write with these signs too. */
const otherUsers: Readonly<Record<string, readonly string[]>> = {
  ...{
    $: ['MOP', 'CVE', 'WST', 'ZWG', 'ZWL', 'PAB', 'PEN'],
    '₱': ['CUP'],
    '₡': ['SVC'],
    '£': ['SDG'],
    US$: ['USD'],
    C$: ['CAD'],
    S$: ['SGD'],
    AU$: ['AUD'],
  },
};

let usersOfSigns: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Codes by sign: `$` has all dollars and pesos, `CA$` and `R$` have one. */
function usersBySign(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (sign: string, code: string) => found.set(sign, (found.get(sign) ?? new Set()).add(code));
  for (const code of isoCodes)
    for (const written of currencySigns(code))
      for (const sign of new Set([written, ...written.matchAll(/\p{Sc}/gu)].map(String))) add(sign, code);
  for (const [sign, codes] of Object.entries(otherUsers)) for (const code of codes) add(sign, code);
  return found;
}

/** Whether amounts of the currency are written with the sign. A sign that is unknown can be any currency's. */
export function hasSign(code: string, sign: string): boolean {
  usersOfSigns ??= usersBySign();
  const users = usersOfSigns.get(sign) ?? usersOfSigns.get(sign.replace(/^[A-Z]+/, ''));
  return users === undefined || users.has(code);
}
