import { expect, test } from 'vitest';
import { sizeInWords } from './file-size.ts';

test.each([
  [0, '0 B'],
  [412, '412 B'],
  [12_400, '12 kB'],
  [2_460_000, '2.5 MB'],
])('a file of %i bytes is %s', (bytes, words) => {
  expect(sizeInWords(bytes)).toBe(words);
});
