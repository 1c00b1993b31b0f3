// The difference between two texts by word or line, for someone who reviews the newer one.
import { diffArrays } from 'diff';

export type Piece = { readonly kind: 'same' | 'gone' | 'new'; readonly text: string };

/** Texts with more changes count as rewritten: nobody reads such a long difference word by word. */
const mostChanges = 1_000;

/** Words with the following space, so the pieces add up to the text. */
const wordsOf = (text: string): string[] => text.match(/\S+\s*|^\s+/g) ?? [];

/** Lines with their end, for long texts. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Ignores differences in white space. */
const isSame = (one: string, other: string): boolean => one.trimEnd() === other.trimEnd();

/**
 * The pieces of `before` and `after` in reading order: those that aren't `gone` make up `after`, and those
 * that aren't `new` make up `before`, except for white space.
 */
export function textDifference(before: string, after: string, partsOf = wordsOf): Piece[] {
  const [old, now] = [partsOf(before), partsOf(after)];
  const changes = diffArrays(old, now, { comparator: isSame, maxEditLength: mostChanges }) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ];
  return changes.map(({ value, removed, added }) => ({
    kind: removed ? 'gone' : added ? 'new' : 'same',
    text: value.join(''),
  }));
}
