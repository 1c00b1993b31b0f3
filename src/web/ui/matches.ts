export const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether every word of the search stands somewhere in the text, whatever its accents and capitals. */
export function matches(text: string, search: string): boolean {
  const inside = folded(text);
  return folded(search)
    .split(/\s+/)
    .every((word) => inside.includes(word));
}
