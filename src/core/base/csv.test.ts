import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leastCpuTime } from '../../../test/cpu-time.ts';
import { type CsvCell, csvText, readCsvText } from './csv.ts';

const line = (...row: CsvCell[]) => csvText([], [row]).split('\r\n')[1];

describe('csvText', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+49 30 1234', "'+49 30 1234"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['  =cmd', "'  =cmd"],
    ['\u200B=cmd', "'\u200B=cmd"],
    ['\uFF1Dcmd', "'\uFF1Dcmd"],
    ['\t=cmd', `"'\t'=cmd"`],
    ['\nplain', `"'\nplain"`],
    ['=HYPERLINK("http://x.test","y")', `"'=HYPERLINK(""http://x.test"",""y"")"`],
    ['Weekly;=1+1;x', `"Weekly;'=1+1;x"`],
    ['a|=1', `"a|'=1"`],
    ['a\t@SUM(A1)', `"a\t'@SUM(A1)"`],
    ['a, +cmd', `"a,' +cmd"`],
    ['a\n=1\r-x', `"a\n'=1\r'-x"`],
    ['a;"=1"', `"a;'""=1"""`],
    [";';\uFF1D1", `";';'\uFF1D1"`],
    ['a\u2028=1', `"a\u2028'=1"`],
    [`a${'\u2028'.repeat(3)}=1`, `"a${"\u2028'".repeat(3)}=1"`],
  ])('never hands a spreadsheet the formula %j', (text, cell) => {
    expect(line(text)).toBe(cell);
  });

  test.each<[CsvCell, string]>([
    [-2.5, '-2.5'],
    [{ decimal: '-123456789012.3456' }, '-123456789012.3456'],
    [0, '0'],
    [null, ''],
    ['', ''],
    ['Zoë = best', 'Zoë = best'],
    ['a,b', '"a,b"'],
    ['a;b', '"a;b"'],
    [-5, '-5'],
    ['from a, to b = 3', '"from a, to b = 3"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [' kept ', '" kept "'],
  ])('writes %j as %j', (value, cell) => {
    expect(line(value)).toBe(cell);
  });

  /** A spreadsheet's cells with this separator, where only a leading quote counts. */
  const cellsBy = (text: string, separator: string): string[] =>
    text.split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/).flatMap((row) => row.split(separator));

  test('holds no cell that begins as a formula, whichever sign a spreadsheet takes to separate', () => {
    const parts = ['=', '+', '-', '@', '\uFF1D', ';', ',', '\t', '|', '\n', '\r\n', ' ', '"', "'", 'x', '1'];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...parts), { maxLength: 8 }),
        fc.constantFrom(...';,\t|'),
        (picked, separator) => {
          const text = csvText([], [['first', picked.join(''), 'last']]).slice(1);
          const formulas = cellsBy(text, separator).filter((cell) => /^[\s"\u200B\uFEFF]*[=+\-@\uFF1D]/.test(cell));
          expect(formulas).toEqual([]);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test('takes no longer for one long run of blanks than for eight short ones', () => {
    const timeOf = (texts: number, blanks: number) => {
      const cells = Array.from({ length: texts }, () => '\u2028'.repeat(blanks));
      return leastCpuTime(() => line(...cells));
    };
    timeOf(1, 40_000);
    // Eight times as long with a pattern that tries every blank again.
    expect(timeOf(1, 40_000) / timeOf(8, 5_000)).toBeLessThan(3);
  });

  test('is read back as it was, on one line', () => {
    const parts = ['=', '+', '-', '@', '\uFF1D', ';', ',', '|', ' ', "'", 'x', '1'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 8 }), (picked) => {
        const text = picked.join('');
        expect(readCsvText(line(text)!.replace(/^"(.*)"$/, '$1'))).toBe(text);
      }),
      { numRuns: 3_000 },
    );
  });

  test('starts with the mark of UTF-8 and the head, and ends every line', () => {
    expect(csvText(['Employee', '% Completed'], [['Ada', 50]])).toBe('\uFEFFEmployee,% Completed\r\nAda,50\r\n');
  });
});
