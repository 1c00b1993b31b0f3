import { expect, test } from 'vitest';
import { searchWords } from './search-words.ts';

test.each([
  ['', []],
  ['  a ! ', []],
  ['José’s Q3-Report', ['jose', 's', 'q3', 'report']],
  ["x':* & (drop) | y", ['x', 'drop', 'y']],
  ['to to TO', ['to']],
  ['a b c d e f g hh', ['a', 'b', 'c', 'd', 'e', 'f']],
])('%j is searched as %j', (text, words) => expect(searchWords(text)).toEqual(words));
