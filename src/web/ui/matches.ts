import { withoutAccents } from '#core/base/search-words.ts';

/** Without accents, case and the dots of an abbreviation: S.T.A.R.T is found as "start". */
export const folded = (text: string): string => withoutAccents(text).replace(/\b(\p{L})\.(?=\p{L}\b)/gu, '$1');

/** Whether the text contains every word of the search, ignoring accents and case. */
export function matches(text: string, search: string): boolean {
  const inside = folded(text);
  return folded(search)
    .split(/\s+/)
    .every((word) => inside.includes(word));
}
