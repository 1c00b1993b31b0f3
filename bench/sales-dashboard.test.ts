import { expect, it } from 'vitest';
import { plainSql, salesTiles } from './sales-dashboard.ts';

it.each(salesTiles)('the benchmark has plain SQL for $title ($kind)', (tile) => {
  expect(plainSql(tile)).toMatch(/^select .* from /);
});
