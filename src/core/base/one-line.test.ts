import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { filledLine, readInput } from './inputs.ts';
import { oneLine } from './one-line.ts';

describe('a text of one line', () => {
  it.each([
    ['Pay\r\nBcc: all@example.test', 'Pay Bcc: all@example.test'],
    ['Two\twords\u0000', 'Two words'],
    ['Line\u2028and\u2029paragraph\u0085next', 'Line and paragraph next'],
    ['safe\u202egnp.exe', 'safegnp.exe'],
    ['\u2066a\u2067b\u2068c\u2069\u200e\u200f\u061c', 'abc'],
    ['  Zoë 👩‍👩‍👧 日本 — שלום  ', 'Zoë 👩‍👩‍👧 日本 — שלום'],
    ['\n\u202e', ''],
  ])('of %j is %j', (text, line) => {
    expect(oneLine(text)).toBe(line);
    expect(oneLine(line)).toBe(line);
  });

  it('is measured as it is stored, and blank without its marks', () => {
    const input = z.strictObject({ title: filledLine(5) });
    expect(readInput(input, { title: ' \u202eabcde\n' })).toEqual({ title: 'abcde' });
    for (const title of ['\n\u202e', 'abcdef', 'a\0b'])
      expect(readInput(input, { title })).toMatchObject({ code: 'BAD_INPUT', field: 'title' });
  });
});
