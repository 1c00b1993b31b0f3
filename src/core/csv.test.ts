import { describe, expect, test } from 'vitest';
import { type CsvCell, csvText } from './csv.ts';

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
    ['\t=cmd', `"'\t=cmd"`],
    ['\nplain', `"'\nplain"`],
    ['=HYPERLINK("http://x.test","y")', `"'=HYPERLINK(""http://x.test"",""y"")"`],
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
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [' kept ', '" kept "'],
  ])('writes %j as %j', (value, cell) => {
    expect(line(value)).toBe(cell);
  });

  test('starts with the mark of UTF-8 and the head, and ends every line', () => {
    expect(csvText(['Employee', '% Completed'], [['Ada', 50]])).toBe('\uFEFFEmployee,% Completed\r\nAda,50\r\n');
  });
});
