// Writes numbers and lists of names, and sorts names, in American English. Days and times: day-words.ts.

/** Makes a format at its first use: a slow phone takes 30 ms or more for each. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const counts = once(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }));
const names = once(() => new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' }));
const lists = {
  and: once(() => new Intl.ListFormat('en-US', { type: 'conjunction' })),
  or: once(() => new Intl.ListFormat('en-US', { type: 'disjunction' })),
};

/** Looking up a currency's decimals is slow, and a week of bonuses needs them for thousands of amounts. */
const digits = new Map<string, number>();

/** How many decimals amounts of a currency have: 2 for dollars, none for yen. */
export function currencyDigits(code: string): number {
  const known = digits.get(code);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: code });
  const found = format.resolvedOptions().maximumFractionDigits ?? 2;
  digits.set(code, found);
  return found;
}

/** How amounts of a currency are written: `CA$` and `$`. */
export const currencySigns = (code: string): string[] =>
  (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) => {
    const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: code, currencyDisplay });
    return format.formatToParts(0).find(({ type }) => type === 'currency')!.value;
  });

/** "1,300" */
export const countWords = (count: number): string => counts().format(count);

/** "1 task", "1,300 tasks"; `many` for nouns that don't just add an s. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${countWords(count)} ${count === 1 ? one : many}`;

/** "Approved" from "approved" */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const andDisabled = (disabled: number): string => (disabled > 0 ? ` and ${countWords(disabled)} disabled` : '');

/** "23 active people", "1 active person and 2 disabled": counts of people always say who is counted. */
export const activePeople = (active: number, disabled = 0): string =>
  `${plural(active, 'active person', 'active people')}${andDisabled(disabled)}`;

/** The same beside a word that says people: "23 active and 2 disabled". */
export const activeCount = (active: number, disabled = 0): string =>
  `${countWords(active)} active${andDisabled(disabled)}`;

/** "Ann", "Ann and Bo", "Ann, Bo, and Cem", or with "or". */
export const listWords = (items: readonly string[], word: 'and' | 'or' = 'and'): string => lists[word]().format(items);

/** Orders names as people look for them: without case and accents, "Team 2" before "Team 10". */
export const compareNames = (a: string, b: string): number => names().compare(a, b);
