// What changed between two texts, word by word or line by line, for a reader who decides about the newer one.

export type Piece = { readonly kind: 'same' | 'gone' | 'new'; readonly text: string };

/** Above this many comparisons the middle counts as rewritten: nobody reads a word-by-word difference of that size. */
const mostComparisons = 1_000_000;

/** Words with the space behind them, so that the pieces add up to the text. */
const wordsOf = (text: string): string[] => text.match(/\S+\s*|^\s+/g) ?? [];

/** Lines with their end, for long texts. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Other space between the same words is no difference to a reader. */
const isSame = (word: string | undefined, other: string | undefined): boolean => word?.trimEnd() === other?.trimEnd();

/**
 * The pieces of `before` and `after` in reading order: those that are not `gone` make up `after`, those that are not `new`
 * make up `before`, apart from the space between its words.
 */
export function textDifference(before: string, after: string, partsOf = wordsOf): Piece[] {
  const old = partsOf(before);
  const now = partsOf(after);
  let start = 0;
  while (start < old.length && start < now.length && isSame(old[start], now[start])) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && isSame(old.at(-1 - end), now.at(-1 - end))) end += 1;
  const pieces: Piece[] = [
    { kind: 'same', text: now.slice(0, start).join('') },
    ...middleDifference(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    { kind: 'same', text: now.slice(now.length - end).join('') },
  ];
  return joined(pieces);
}

function middleDifference(old: readonly string[], now: readonly string[]): Piece[] {
  if (old.length * now.length > mostComparisons) {
    return [
      { kind: 'gone', text: old.join('') },
      { kind: 'new', text: now.join('') },
    ];
  }
  const lengths = commonLengths(old, now);
  const width = now.length + 1;
  const pieces: Piece[] = [];
  let row = 0;
  let column = 0;
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && isSame(old[row], now[column])) {
      pieces.push({ kind: 'same', text: now[column] ?? '' });
      row += 1;
      column += 1;
    } else if (
      column === now.length ||
      (row < old.length && lengths[(row + 1) * width + column]! >= lengths[row * width + column + 1]!)
    ) {
      pieces.push({ kind: 'gone', text: old[row] ?? '' });
      row += 1;
    } else {
      pieces.push({ kind: 'new', text: now[column] ?? '' });
      column += 1;
    }
  }
  return pieces;
}

/** The length of the longest common run of words from each pair of positions on, row by row. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint16Array {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      const below = lengths[(row + 1) * width + column]!;
      const right = lengths[row * width + column + 1]!;
      const both = lengths[(row + 1) * width + column + 1]! + 1;
      lengths[row * width + column] = isSame(old[row], now[column]) ? both : Math.max(below, right);
    }
  }
  return lengths;
}

/** Neighbours of one kind as one piece. */
function joined(pieces: readonly Piece[]): Piece[] {
  const found: Piece[] = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    if (piece.text === '') continue;
    if (last?.kind === piece.kind) found[found.length - 1] = { kind: piece.kind, text: last.text + piece.text };
    else found.push(piece);
  }
  return found;
}
