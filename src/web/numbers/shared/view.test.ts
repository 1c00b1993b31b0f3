import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { numbersSearch } from '#core/numbers/numbers-search.ts';
import { loadConfig } from '#web/api/config.ts';
import { dimensionTitle, readView } from '#web/api/number-view.ts';
import { openDrillDown, readDrillDown } from './drill-down.ts';
import { changes } from './view.ts';

beforeAll(async () => {
  vi.stubGlobal('fetch', async () => Response.json({ companyTimeZone: 'Europe/Amsterdam' }));
  await loadConfig();
  vi.unstubAllGlobals();
});

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T13:00:00Z') });
  return () => vi.useRealTimers();
});

const search = (change: Readonly<Record<string, string | null | undefined>>) =>
  Object.fromEntries(
    Object.entries(change).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== undefined),
  );

test('a bare address shows the last 30 days beside the same elapsed part, by day', () => {
  expect(readView('orders', { product: 'connect' })).toMatchObject({
    scope: 'connect',
    period: '30d',
    compare: 'elapsed',
    granularity: 'day',
    filters: [],
    currency: null,
  });
});

test('the address names the last day, the question the day after it', () => {
  const view = readView('orders', search(changes.range('2026-10-01', '2026-10-31')));
  expect(view).toMatchObject({ period: 'custom', days: { from: '2026-10-01', to: '2026-11-01' } });
});

test('of more than ten years the last ten are shown, as those of the chosen days', () => {
  const view = readView('payouts', search(changes.range('2009-01-01', '2025-12-31')));
  expect(view).toMatchObject({
    days: { from: '2016-01-01', to: '2026-01-01' },
    cutFrom: { from: '2009-01-01', to: '2026-01-01' },
  });
  expect(readView('payouts', search(changes.range('2016-01-01', '2025-12-31'))).cutFrom).toBeNull();
});

test.each([
  { from: '2026-02-31', to: '2026-03-01' },
  { from: '2026-03-01', to: '2026-02-01' },
  { from: 'yesterday', to: '2026-02-01' },
  { period: 'forever' },
])('%j names no period, so the usual one is shown', (wrong) => {
  expect(readView('orders', z.parse(numbersSearch, wrong)).period).toBe('30d');
});

test('values of a filter come back as they were, whatever they hold; a blank one is a value too', () => {
  const values = ['Côte d’Ivoire', 'a,b', '100%', ''];
  const view = readView('orders', search(changes.filter('country', values)));
  expect(view.filters).toEqual([{ dimension: 'country', values }]);
});

test('the scope is no filter, nor is a customer; the source of the rows is one', () => {
  const scoped = { product: 'green', 'where.product': 'connect', 'where.customer_ref': '7' };
  const view = readView('orders', { ...scoped, 'where.source': 'shop' });
  expect(view.filters).toEqual([{ dimension: 'source', values: ['shop'] }]);
  expect(dimensionTitle('orders', 'source')).toBe('Source');
});

test('a bucket is narrowed to its days within the range, a value to a filter', () => {
  const view = readView('orders', { from: '2026-10-15', to: '2026-11-10', 'where.channel': 'Web' });
  const opened = openDrillDown('net_sales', [
    ['month', '2026-10-01'],
    ['country', 'a,b:c'],
  ]);
  expect(readDrillDown(view, search(opened))).toMatchObject({
    name: 'net_sales',
    days: { from: '2026-10-15', to: '2026-11-01' },
    filters: [
      { dimension: 'channel', values: ['Web'] },
      { dimension: 'country', values: ['a,b:c'] },
    ],
    words: ['October 2026', 'Country: a,b:c'],
  });
});

test('a value of a filtered dimension replaces the filter, which already includes it', () => {
  const view = readView('orders', { 'where.country': 'DE,FR', 'where.channel': 'Web' });
  expect(readDrillDown(view, search(openDrillDown('net_sales', [['country', 'DE']])))?.filters).toEqual([
    { dimension: 'channel', values: ['Web'] },
    { dimension: 'country', values: ['DE'] },
  ]);
  expect(view.filters).toHaveLength(2);
});

test('the rows behind a goal are those of its whole month, as filters don’t apply to it', () => {
  const view = readView('orders', { from: '2026-10-15', to: '2026-11-10', 'where.country': 'DE' });
  const opened = (grouping: string) => readDrillDown(view, search(openDrillDown('net_sales', [[grouping, '2026-11']])));
  expect(opened('goal')).toMatchObject({
    ...{ days: { from: '2026-11-01', to: '2026-12-01' }, filters: [], words: ['November 2026'] },
  });
  expect(opened('on')?.filters).toHaveLength(1);
});

test('rows that are gone are found in the days of the comparison', () => {
  const days = { from: '2026-10-01', to: '2026-10-31', compare: 'previous' } as const;
  const opened = (compare: 'previous' | 'none') =>
    readDrillDown(readView('orders', { ...days, compare }), search(openDrillDown('net_sales', [['compared', '']])));
  const september = { from: '2026-09-01', to: '2026-10-01' };
  expect(opened('previous')).toMatchObject({ days: september, words: ['Comparison period'] });
  expect(opened('none')?.words).toEqual([]);
});

test('a metric that nobody knows opens nothing', () => {
  expect(readDrillDown(readView('orders', {}), { behind: 'constructor' })).toBeNull();
});
