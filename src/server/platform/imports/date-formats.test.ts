import { describe, expect, test } from 'vitest';
import { formatFault, readDate } from './date-formats.ts';
import { isoInstant } from './iso-instants.ts';

const zone = 'Europe/Berlin';
const read = (text: string, format: string, language?: string) => readDate(text, { format, zone, language });

describe('formats', () => {
  test.each([
    ['MM', 'has no year'],
    ['DD/YYYY', 'has no month'],
    ['D/M/YYYY | MM', 'has no year'],
    ['HH:MM', 'has no year and no month and no day'],
    ['D/M/YYYY D', 'repeats a part'],
  ])('%s is refused', (format, fault) => {
    expect(formatFault(format)).toContain(fault);
  });

  test.each([
    ['31/2/2016', 'D/M/YYYY'],
    ['5/3/16', 'D/M/YYYY'],
    ['2016-13-01', 'YYYY-MM-DD'],
    ['29/2/2016 24:00', 'D/M/YYYY HH:MM'],
    ['29/2/2016 116', 'D/M/YYYY HHMM'],
    ['2922016 001:16', 'DMYYYY HH:MM'],
    ['5 Floreal 2016', 'D MMMM YYYY'],
    ['5/3/2016 13:00 PM', 'D/M/YYYY h:mm A'],
    ['0202-01-01', 'YYYY-MM-DD'],
    ['soon', 'epoch'],
    ['99999999999999999', 'epoch'],
    ['1400000000123456', 'epoch'],
    ['-8640000000000.001', 'epoch'],
    ['9999999999999999', 'epochMs'],
    ['', 'YYYY-MM-DD'],
    ['3/14/2025 9:15 AM CST', 'M/D/YYYY h:mm A Z'],
  ])('%j is no %s', (text, format) => {
    expect(read(text, format)).toBeNull();
  });

  test.each([
    ['29/2/2016 01:16', 'D/M/YYYY HH:MM', '2016-02-29T01:16:00.000+01:00'],
    ['2016-02-29 01:16:05 UTC', 'ISO', '2016-02-29T01:16:05.000Z'],
    ['Mon, 29 Feb 2016 01:16 GMT', 'ddd, D MMM YYYY H:mm Z', '2016-02-29T01:16:00.000Z'],
    ['Lundi 2nd Feb 2016', 'dddd Do MMM YYYY', '2016-02-02'],
    ['29/2/2016 1:16', 'D/M/YYYY HH:MM', '2016-02-29T01:16:00.000+01:00'],
    ['2023-06-01 7:29 PM', 'YYYY-MM-DD hh:mm A', '2023-06-01T19:29:00.000+02:00'],
    ['3/14/2025 9:15 AM PST', 'M/D/YYYY h:mm A Z', '2025-03-14T09:15:00.000-08:00'],
    ['3/14/2025 9:15 AM CST', 'M/D/YYYY h:mm A [CST]', '2025-03-14T09:15:00.000+01:00'],
    ['5/3/2016 12:00', 'D/M/YYYY HH:MM', '2016-03-05T12:00:00.000+01:00'],
    ['5/3/2016', 'D/M/YYYY', '2016-03-05'],
    ['2016', 'YYYY', '2016-01-01'],
    ['2016-03', 'YYYY-MM', '2016-03-01'],
    ['2016-03-05', 'D/M/YYYY | YYYY-MM-DD', '2016-03-05'],
    ['5/3/2016', 'D/M/YYYY | YYYY-MM-DD', '2016-03-05'],
    ['2020 April 19', 'YYYY MMMM D', '2020-04-19'],
    ['19-apr-20', 'D-MMM-YY', '2020-04-19'],
    ['Sept. 3 1999', 'MMM D YYYY', '1999-09-03'],
    ['3/4/71', 'M/D/YY', '1971-03-04'],
    ['7/4/2016 12:05 am', 'M/D/YYYY h:mm A', '2016-07-04T00:05:00.000+02:00'],
    ['7/4/2016 12:05:09 PM', 'M/D/YYYY h:mm:ss A', '2016-07-04T12:05:09.000+02:00'],
    ['20160704T120509.25+0530', 'YYYYMMDD[T]HHmmss.SSSZ', '2016-07-04T12:05:09.250+05:30'],
    ['1400000000', 'epoch', '2014-05-13T16:53:20.000Z'],
    ['1400000000123', 'epochMs', '2014-05-13T16:53:20.123Z'],
    ['1400000000.5', 'epoch', '2014-05-13T16:53:20.500Z'],
    ['2014-05-13 16:53Z', 'ISO', '2014-05-13T16:53:00.000Z'],
    ['2014-05-13 7:29', 'ISO', '2014-05-13T07:29:00.000+02:00'],
  ])('%s by %s is %s', (text, format, expected) => {
    expect(formatFault(format)).toBeNull();
    expect(read(text, format)).toBe(expected);
  });

  test('names of months in other languages', () => {
    expect(read('5. März 2016', 'D. MMMM YYYY', 'de')).toBe('2016-03-05');
    expect(read('5 août 2016', 'D MMMM YYYY', 'fr')).toBe('2016-08-05');
    expect(read('5 avr. 2016', 'D MMM YYYY', 'fr')).toBe('2016-04-05');
  });
});

test('a wall clock is told with the offset that its zone had then', () => {
  expect(isoInstant('2016-03-27T01:59:59', zone)).toBe('2016-03-27T01:59:59.000+01:00');
  expect(isoInstant('2016-03-27T03:00', zone)).toBe('2016-03-27T03:00:00.000+02:00');
  // Half past two didn't exist that night; it is read as half past three.
  expect(isoInstant('2016-03-27 02:30', zone)).toBe('2016-03-27T01:30:00.000Z');
  // This time came twice; the first one counts.
  expect(isoInstant('2016-10-30 02:30', zone)).toBe('2016-10-30T00:30:00.000Z');
  expect(isoInstant('2016-10-30', zone)).toBe('2016-10-30T00:00:00.000+02:00');
  expect(isoInstant('2016-10-30T12:00:00.123456-05', zone)).toBe('2016-10-30T12:00:00.123-05:00');
});
