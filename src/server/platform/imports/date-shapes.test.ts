import { expect, test } from 'vitest';
import { dateShapes } from './date-shapes.ts';

test('texts that are mostly no dates have no format, nor do days that could be months', () => {
  expect(dateShapes(['one', 'two', '2026-01-05'])).toEqual([]);
  expect(dateShapes(['3/4/2026', '5/6/2026'])).toEqual([]);
  expect(dateShapes(['', ' '])).toEqual([]);
});

test('two formats in a column are told apart, with counts and an example of each', () => {
  expect(dateShapes(['31/12/2026', '3/4/2026', '2026-01-05', ''])).toEqual([
    { format: 'D/M/YYYY', count: 2, example: '31/12/2026' },
    { format: 'YYYY-MM-DD', count: 1, example: '2026-01-05' },
  ]);
  expect(dateShapes(['2024', '2025'])).toMatchObject([{ format: 'YYYY', count: 2 }]);
  expect(dateShapes(['1/31/26 9:05', '1/2/26 10:00'])).toMatchObject([{ format: 'M/D/YY H:mm', count: 2 }]);
  expect(dateShapes(['2026-01-05T10:00:00Z'])).toMatchObject([{ format: 'ISO', count: 1 }]);
});
