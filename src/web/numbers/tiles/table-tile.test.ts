import { beforeAll, expect, test, vi } from 'vitest';
import { loadConfig } from '#web/api/config.ts';
import { groupsCsv, knownOf } from './table-csv.tsx';
import { markerOf } from './table-tile.tsx';

beforeAll(async () => {
  vi.stubGlobal('fetch', async () => Response.json({ companyTimeZone: 'Europe/Amsterdam' }));
  await loadConfig();
  vi.unstubAllGlobals();
});

const metrics = ['clicks', 'conversion_rate', 'sales', 'reversal_rate'];
const row = (name: string, values: (string | null)[]) => ({ keys: [name], values, previousValues: null });

test('a rate of three times the median, many reversals and a large share are marked, and nothing else', () => {
  const rows = [
    row('calm', ['100', '4', '100', '10']),
    row('steady', ['100', '5', '100', '20']),
    row('fast', ['100', '15.1', '100', '0']),
    row('returned', ['100', '4', '100', '20.1']),
    row('large', ['100', '4', '200', null]),
  ];
  const marksOf = markerOf({ rows, totals: ['500', '5', '600', '8'] }, metrics);
  const named = rows.map((each) => [each.keys[0], marksOf(each).map(({ mark }) => mark)]);
  expect(named).toEqual([
    ['calm', []],
    ['steady', []],
    ['fast', ['High rate']],
    ['returned', ['Reversals']],
    ['large', ['Large share']],
  ]);
});

test('a number that none of a group’s rows knows is unknown instead of zero', () => {
  const known = knownOf('donations', ['gross', 'recurring_gross']);
  const numbersOf = (values: string[]) => known({ values }).values.slice(0, 2);
  expect(numbersOf(['50', '0', '0', '9'])).toEqual(['50', null]);
  expect(numbersOf(['50', '0', '3', '9'])).toEqual(['50', '0']);
  expect(numbersOf(['0', '0', '0', '0'])).toEqual(['0', '0']);
  // Without the count, nothing is said.
  expect(numbersOf(['50', '0'])).toEqual(['50', '0']);
});

test('a table’s CSV has exact numbers with their units, and the comparison with its days', () => {
  const view = {
    ...{ dataset: 'orders', compare: 'previous', filters: [] },
    days: { from: '2026-10-01', to: '2026-11-01' },
  } as never;
  const numbers = {
    ...{ currency: 'USD', previousTotals: ['1', '1'], dataFrom: null },
    rows: [{ keys: ['Toy'], values: ['1517.34', '173'], previousValues: ['9', null] }],
  };
  const asked = { by: 'title', metrics: ['net_sales', 'units'] };
  const [head, rows] = groupsCsv(view, asked, numbers as never);
  expect(head.slice(0, 3)).toEqual(['Title', 'Net sales (USD)', 'Units']);
  expect(head[3]).toMatch(/^Net sales, .*2026 \(USD\)$/);
  expect(rows).toEqual([['Toy', { decimal: '1517.34' }, { decimal: '173' }, { decimal: '9' }, null]]);
  expect(groupsCsv(view, asked, { ...numbers, previousTotals: null } as never)[0]).toHaveLength(3);
});
