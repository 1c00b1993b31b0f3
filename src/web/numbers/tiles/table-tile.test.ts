import { expect, test } from 'vitest';
import { markerOf } from './table-tile.tsx';

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
