import { describe, expect, test } from 'vitest';
import { readCalendarFile } from './holiday-file.ts';

const today = '2026-11-26';
const read = (text: string) => readCalendarFile(new File([text], 'days.ics'), today);
const calendar = (...events: string[][]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Test//EN',
    ...events.flatMap((lines, index) => ['BEGIN:VEVENT', `UID:${index}`, ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
const event = (day: string, ...more: string[]): string[] => [
  `DTSTART;VALUE=DATE:${day}`,
  ...(more.some((line) => line.startsWith('SUMMARY')) ? more : ['SUMMARY:Day off', ...more]),
];
const daysOf = async (...events: string[][]) => {
  const file = await read(calendar(...events));
  if (typeof file === 'string') throw new Error(file);
  return {
    days: file.holidays.map(({ firstDay, lastDay, name }) => `${firstDay}..${lastDay} ${name}`),
    leftOut: file.leftOut.map(({ count, why }) => `${count} ${why}`),
  };
};

describe('a file is refused', () => {
  const broken = 'This isn’t a calendar file. Choose one that ends in .ics.';
  test.each([
    ['', broken],
    ['day,name\n2026-12-25,Christmas', broken],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x', broken],
    ['BEGIN:VCARD\nEND:VCARD', broken],
    ['\u0000\u0001\u0002', broken],
  ])('that is no calendar: %j', async (text, said) => {
    expect(await read(text)).toBe(said);
  });

  test('before it is read, if it has 5 MB', async () => {
    const file = new File(['x'.repeat(5_000_000)], 'days.ics');
    file.text = () => Promise.reject(new Error('was read'));
    expect(await readCalendarFile(file, today)).toBe('The file is larger than 1 MB. Export fewer years.');
  });

  test('with 10,000 events', async () => {
    const text = `BEGIN:VCALENDAR\n${'BEGIN:VEVENT\nDTSTART;VALUE=DATE:20261225\nSUMMARY:X\nEND:VEVENT\n'.repeat(10_000)}END:VCALENDAR`;
    expect(await read(text)).toBe('The file has more than 2,000 events. Export fewer years.');
  });
});

describe('an event is left out', () => {
  test.each([
    ['with a time', ['DTSTART:20261225T090000Z', 'SUMMARY:Party'], '1 only whole days are read'],
    [
      'with a time in a zone',
      ['DTSTART;TZID=Europe/Paris:20261225T090000', 'SUMMARY:Party'],
      '1 only whole days are read',
    ],
    ['of the year 9999', event('99991231'), '1 only days from last year to 5 years from now are read'],
    ['of long ago', event('20241231'), '1 only days from last year to 5 years from now are read'],
    ['of three months', event('20261201', 'DTEND;VALUE=DATE:20270301'), '1 a holiday can have up to 62 days'],
    ['that repeats weekly', event('20261225', 'RRULE:FREQ=WEEKLY'), '1 only yearly repeats are read'],
    ['that repeats every second', event('20261225', 'RRULE:FREQ=SECONDLY'), '1 only yearly repeats are read'],
    [
      'of a rule with odd parts',
      event('20261225', 'RRULE:FREQ=YEARLY;BYSETPOS=7;BYDAY=MO'),
      '1 only yearly repeats are read',
    ],
    ['of a rule that never fits', event('20260601', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'), null],
    ['without a name', event('20261225', 'SUMMARY:'), '1 the name or the days are missing'],
    ['without a day', ['SUMMARY:Nothing'], '1 the name or the days are missing'],
    ['of a day that isn’t', event('20261399'), '1 the name or the days are missing'],
  ])('%s', async (_what, lines, why) => {
    const { days, leftOut } = await daysOf(lines, event('20261224', 'SUMMARY:Kept'));
    if (why !== null) expect(leftOut).toEqual([why]);
    expect(days.filter((one) => !one.endsWith('Day off'))).toEqual(['2026-12-24..2026-12-24 Kept']);
  });

  test('that is canceled, without a word', async () => {
    expect(await daysOf(event('20261225', 'STATUS:CANCELLED'))).toEqual({ days: [], leftOut: [] });
  });
});

describe('a calendar’s', () => {
  test('end is the day after the last, and may be missing', async () => {
    const { days } = await daysOf(
      event('20261225', 'SUMMARY:One'),
      event('20261226', 'SUMMARY:Two', 'DTEND;VALUE=DATE:20261228'),
      event('20261229', 'SUMMARY:Same', 'DTEND;VALUE=DATE:20261229'),
      event('20261230', 'SUMMARY:Long', 'DURATION:P3D'),
    );
    expect(days).toEqual([
      '2026-12-25..2026-12-25 One',
      '2026-12-26..2026-12-27 Two',
      '2026-12-29..2026-12-29 Same',
      '2026-12-30..2027-01-01 Long',
    ]);
  });

  test('yearly days are those of the years shown, also by weekday and with exceptions', async () => {
    const yearly = await daysOf(event('19700501', 'SUMMARY:Labor Day', 'RRULE:FREQ=YEARLY'));
    expect(yearly.days).toEqual(
      [2025, 2026, 2027, 2028, 2029, 2030, 2031].map((year) => `${year}-05-01..${year}-05-01 Labor Day`),
    );
    const { days } = await daysOf([
      ...event('20251127', 'SUMMARY:Thanksgiving', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=4'),
      'EXDATE;VALUE=DATE:20271125',
    ]);
    expect(days.map((one) => one.slice(0, 10))).toEqual(['2025-11-27', '2026-11-26', '2028-11-23']);
    const leap = await daysOf(event('20240229', 'RRULE:FREQ=YEARLY'));
    expect(leap.days.map((one) => one.slice(0, 10))).toEqual(['2028-02-29']);
  });

  test('changed occurrence replaces the one of its rule', async () => {
    const text = calendar(event('20260427', 'SUMMARY:King’s Day', 'RRULE:FREQ=YEARLY;COUNT=2'), [
      ...event('20270426', 'SUMMARY:King’s Day (moved)'),
      'RECURRENCE-ID;VALUE=DATE:20270427',
    ]).replace('UID:1', 'UID:0');
    const file = await read(text);
    expect(typeof file === 'string' ? file : file.holidays.map(({ firstDay, name }) => `${firstDay} ${name}`)).toEqual([
      '2026-04-27 King’s Day',
      '2027-04-26 King’s Day (moved)',
    ]);
  });

  test('lines are unfolded, escapes resolved, and line breaks of either kind and a byte order mark accepted', async () => {
    const lines = event('20261225', 'SUMMARY:Christmas\\, fir', ' st day\\; “of\\ntwo”');
    const expected = ['Christmas, first day; “of two”'];
    for (const text of [calendar(lines), calendar(lines).replaceAll('\r\n', '\n'), `\uFEFF${calendar(lines)}`]) {
      const file = await read(text);
      expect(typeof file === 'string' ? file : file.holidays.map(({ name }) => name)).toEqual(expected);
    }
  });

  test('repeats count once, and long names are cut between characters', async () => {
    const { days } = await daysOf(event('20261225'), event('20261225', 'SUMMARY:day OFF'));
    expect(days).toEqual(['2026-12-25..2026-12-25 Day off']);
    const long = await daysOf(event('20261225', `SUMMARY:${'x'.repeat(79)}🎄`));
    expect(long.days[0]).toMatch(/x{79}/);
    expect(long.days[0]!.isWellFormed()).toBe(true);
    const joined = await daysOf(event('20261225', `SUMMARY:${'م'.repeat(79)}\u200cم`));
    expect(joined.days).toEqual([`2026-12-25..2026-12-25 ${'م'.repeat(79)}`]);
  });
});
