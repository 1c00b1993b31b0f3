export const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether the text contains every word of the search, ignoring accents and case. */
export function matches(text: string, search: string): boolean {
  const inside = folded(text);
  return folded(search)
    .split(/\s+/)
    .every((word) => inside.includes(word));
}
