import type { ComboboxItem, ComboboxParsedItem } from '@mantine/core';
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

/**
 * The matching options of a select, best first: the whole label, labels that begin with the text, labels with
 * a word that does ("mar" finds Marcus before Amara), then the others in their order.
 * A group has the place of its best option.
 */
export function bestMatches(
  options: readonly ComboboxParsedItem[],
  search: string,
  isShown = ({ label }: ComboboxItem): boolean => matches(label, search),
): ComboboxParsedItem[] {
  const text = folded(search.trim());
  const rankOf = (label: string) =>
    label === text ? 0 : label.startsWith(text) ? 1 : label.includes(` ${text}`) ? 2 : 3;
  const ranks: ComboboxParsedItem[][] = [[], [], [], []];
  for (const option of options) {
    const isGroup = 'group' in option;
    const items = isGroup ? (bestMatches(option.items, search, isShown) as ComboboxItem[]) : [option].filter(isShown);
    const [best] = items;
    if (best) ranks[rankOf(folded(best.label))]!.push(isGroup ? { ...option, items } : best);
  }
  return ranks.flat();
}
