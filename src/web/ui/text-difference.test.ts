import { describe, expect, it } from 'vitest';
import { linesOf, textDifference } from './text-difference.ts';

const side = (before: string, after: string, left: 'new' | 'gone') =>
  textDifference(before, after)
    .filter(({ kind }) => kind !== left)
    .map(({ text }) => text)
    .join('');

const words = (text: string) => text.split(/\s+/).filter(Boolean);

describe('the difference of two texts', () => {
  it.each([
    ['', ''],
    ['one two three', 'one 2 three'],
    ['same', 'same'],
    ['  leading space', 'leading space'],
    ['a b c d e', 'e d c b a'],
    ['line one\n\nline two', 'line one\n\nline 2 and more'],
    ['', 'all of it is new'],
    ['all of it went', ''],
    ['😀 and 😀', '😀 or 😀'],
  ])('adds up to both texts: %j and %j', (before, after) => {
    expect(words(side(before, after, 'new'))).toEqual(words(before));
    expect(side(before, after, 'gone')).toBe(after);
  });

  it('marks only the words that changed', () => {
    expect(textDifference('tag the 100 answers', 'tag the 120 answers')).toEqual([
      { kind: 'same', text: 'tag the ' },
      { kind: 'gone', text: '100 ' },
      { kind: 'new', text: '120 ' },
      { kind: 'same', text: 'answers' },
    ]);
  });

  it('takes other space between the same words for no difference', () => {
    const pieces = textDifference('it sells out.', 'it sells out.\n\nDone then.');
    expect(pieces.filter(({ kind }) => kind !== 'same')).toEqual([{ kind: 'new', text: 'Done then.' }]);
  });

  it('takes two bodies of 27,000 characters that have nothing in common as rewritten, at once', () => {
    const [before, after] = ['old '.repeat(6_750), 'new '.repeat(6_750)];
    expect(textDifference(before, after).map(({ kind }) => kind)).toEqual(['gone', 'new']);
  });
});

it('goes by lines where it is asked to, and adds up to both texts', () => {
  const [before, after] = ['# One\n\n- a\n- b\nlast', '# One\n\n- a\n- c\n- d\nlast'];
  const pieces = textDifference(before, after, linesOf);
  expect(pieces).toEqual([
    { kind: 'same', text: '# One\n\n- a\n' },
    { kind: 'gone', text: '- b\n' },
    { kind: 'new', text: '- c\n- d\n' },
    { kind: 'same', text: 'last' },
  ]);
});
