import { expect, test } from 'vitest';
import { FaultReport } from './fault-report.ts';

/** The examples that refused rows are shown with. */
async function examples(row: Record<string, string>, reason: string): Promise<(string | null)[]> {
  const report = await FaultReport.open(undefined);
  await report.add(2, JSON.stringify(row), [{ column: 'Year', reason }], row);
  return report.groups.map(({ value }) => value);
}

test('a text that was joined from several columns is shown whole, and others as their cell', async () => {
  const row = { Year: '2026', Month: '13' };
  expect(await examples(row, 'isn’t a date in the format YYYY M: "2026 13"')).toEqual(['2026 13']);
  expect(await examples(row, 'isn’t a date: "2026"')).toEqual(['2026']);
  expect(await examples(row, 'isn’t a date: "13 2026"')).toEqual(['2026']);
  expect(await examples(row, 'is broken: "2026 \\x"')).toEqual(['2026']);
  expect(await examples({ Month: '13' }, 'isn’t a date: "2026 13"')).toEqual([null]);
});
