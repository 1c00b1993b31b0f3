import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { filledLine, readInput } from './inputs.ts';
import { comparableName, oneLine } from './one-line.ts';

describe('a text of one line', () => {
  it.each([
    ['Pay\r\nBcc: all@example.test', 'Pay Bcc: all@example.test'],
    ['Two\twords\u0000', 'Two words'],
    ['Line\u2028and\u2029paragraph\u0085next', 'Line and paragraph next'],
    ['safe\u202egnp.exe', 'safegnp.exe'],
    ['\u2066a\u2067b\u2068c\u2069\u200e\u200f\u061c', 'abc'],
    ['  Zoë 👩‍👩‍👧 日本 — שלום  ', 'Zoë 👩‍👩‍👧 日本 — שלום'],
    ['\n\u202e', ''],
    ['Ann\u200b Le\u00ade\u2060\ufeff\u034f\u180e\u{e0041}\ufe0f', 'Ann Lee'],
    // Only what is between letters that connect, or emoji, shapes anything.
    ['Ann\u200cLee a\u200d\u200db', 'AnnLee ab'],
    ['\u200cمی\u200c\u200cخواهم\u200c \u200c', 'می\u200cخواهم'],
    ['👩\u200b\u200d👩 1\ufe0f 👩\u200d', '👩👩 1 👩'],
    ['🏴\u{e0067}\u{e0062}', '🏴'],
    // A hidden character of such a script excuses no other.
    ['\u061c\u200d', ''],
    ['\u17b4\u200d', ''],
    ['\u180b\u180b', ''],
    ['Ann\u180b\u180b', 'Ann'],
  ])('of %j is %j', (text, line) => {
    expect(oneLine(text)).toBe(line);
    expect(oneLine(line)).toBe(line);
  });

  it.each(['\u200b', '\u200d\u200c', '\u3164', '\uffa0 \u115f\u1160', '\u2800', '\u00a0\u00ad', '\ufe0f\u{e0100}'])(
    'of %j, which looks empty, is empty',
    (text) => {
      expect(oneLine(text)).toBe('');
    },
  );

  it.each([
    ...['👩🏽\u200d💻 🏳\ufe0f\u200d🌈 👁\ufe0f\u200d🗨\ufe0f ❤\ufe0f\u200d🔥 ☎\ufe0e', '1\ufe0f\u20e3 and #\ufe0f\u20e3'],
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} England',
    ...['می\u200cخواهم خانه\u200cها', 'مُحَمَّد العربية', '۱۴۰۰ ه\u200d.ش', 'שָׁלוֹם עולם', 'اردو'],
    ...['क्\u200dष क्\u200cष', 'ന്\u200d', 'ශ්\u200dරී', 'ᠮᠣᠩᠭᠣᠯ\u180b', 'ᠭ\u180b\u200d'],
    ...['葛\u{e0100}城', 'Zoë Müller', 'Nguyễn', 'Søren\u00a0O’Neil', '\u0600١٢'],
  ])('keeps what shapes %j', (text) => {
    expect(oneLine(text)).toBe(text);
  });

  it.each([
    ['Ann\u00a0 LEE', 'Ann Lee'],
    ['Ann Le\u200be', 'Ann Lee'],
    ['دا\u200cر', 'دار'],
    ['Jose\u0301', 'José'],
    ['Ａnn', 'Ann'],
    ['Admİn', 'admin'],
  ])('of %j looks like %j', (text, other) => {
    expect(comparableName(text)).toBe(comparableName(other));
    expect(comparableName(text)).not.toBe(comparableName('Ben'));
  });

  it('has nothing left to clean', () => {
    const parts =
      '\u061c \u17b4 \u180b \u180f \u200c \u200d \ufe0f \ufe01 م ᠭ က 葛 👩 🏴 \u{1f3fd} \u{e0067} \u{e007f} \u20e3 1 A'.split(
        ' ',
      );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts, ' '), { maxLength: 8 }), (picked) => {
        const line = oneLine(picked.join(''));
        expect(oneLine(line)).toBe(line);
      }),
      { numRuns: 5_000, examples: [[[...'م\u200d\u061c\u200dᠭ']], [[...'م\u200d\ufe0f\u200d\u061c\u200dᠭ']]] },
    );
  });

  it('is measured as it is stored, and blank without its marks', () => {
    const input = z.strictObject({ title: filledLine(5) });
    expect(readInput(input, { title: ' \u202eabcde\n' })).toEqual({ title: 'abcde' });
    for (const title of ['\n\u202e', 'abcdef', 'a\0b'])
      expect(readInput(input, { title })).toMatchObject({ code: 'BAD_INPUT', field: 'title' });
  });
});
