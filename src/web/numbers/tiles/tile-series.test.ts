import { beforeAll, expect, test, vi } from 'vitest';
import { metricOf } from '#core/numbers/metrics.ts';
import { loadConfig } from '#web/api/config.ts';
import { bucketsSoFar, chartTableOf, comparisonGap, seriesBefore, textsBefore, textsNow } from './tile-series.ts';

beforeAll(async () => {
  vi.stubGlobal('fetch', async () => Response.json({ companyTimeZone: 'Europe/Amsterdam' }));
  await loadConfig();
  vi.unstubAllGlobals();
});

const view = { compare: 'none', granularity: 'week', days: { from: '2026-11-02', to: '2026-11-20' } } as never;

test('the running week is incomplete and says so', () => {
  const { unfinished, labels } = bucketsSoFar(view, '2026-11-18');
  expect({ unfinished, last: labels.at(-1) }).toEqual({ unfinished: true, last: '16 Nov, so far' });
});

test('a chart’s table says that the last week isn’t over, and its CSV has the week’s first day', () => {
  const { rows } = chartTableOf('Gross', bucketsSoFar(view, '2026-11-18'), [], { metrics: [], currency: 'EUR' });
  expect(rows.at(-1)).toMatchObject({ label: expect.stringContaining('so far'), rawLabel: '2026-11-16' });
});

test('a CSV of a line names its metric, currency and the dates of its comparison', () => {
  const one = (look: 'main' | 'previous', value: number) =>
    ({ key: look, title: look, look, values: [value], shown: [''] }) as const;
  const asked = { metrics: [metricOf('orders', 'net_sales')!], currency: 'EUR' };
  const { csvHead, rows } = chartTableOf(
    'Net sales',
    bucketsSoFar({ ...(view as object), compare: 'previous', dataset: 'orders' } as never, '2026-11-18'),
    [one('main', 5), one('previous', 4)],
    asked,
  );
  expect(csvHead).toEqual(['Date', 'Net sales (EUR)', 'Previous date', 'Net sales, previous (EUR)']);
  const [now, date, before] = rows[0]!.raw;
  expect([now, before]).toEqual([5, 4]);
  expect(String(date)).toMatch(/^2026-\d\d-\d\d$/);
  expect(String(date) < rows[0]!.rawLabel!).toBe(true);
});

test('a week in which the range ends is incomplete too, long after it', () => {
  const { unfinished, labels } = bucketsSoFar(view, '2027-01-01');
  expect({ unfinished, last: labels.at(-1) }).toEqual({ unfinished: true, last: '16 Nov, partial' });
});

test('a week in which the range begins is incomplete too', () => {
  const cut = { compare: 'none', granularity: 'week', days: { from: '2026-11-04', to: '2026-11-18' } } as never;
  expect(bucketsSoFar(cut, '2027-01-01').labels).toEqual(['2 Nov, partial', '9 Nov', '16 Nov, partial']);
  const inside = { compare: 'none', granularity: 'week', days: { from: '2026-11-04', to: '2026-11-06' } } as never;
  expect(bucketsSoFar(inside, '2027-01-01').titles).toEqual(['Week from Mon, 2 Nov 2026, partial']);
  const future = { compare: 'none', granularity: 'week', days: { from: '2026-11-04', to: '2026-11-18' } } as never;
  expect(bucketsSoFar(future, '2026-10-01').labels).toEqual([]);
});

test('after the data ends and before it begins, nothing is unknown instead of zero', () => {
  const days = { from: '2026-01-01', to: '2026-06-01' };
  const months = { dataset: 'orders', compare: 'previous', granularity: 'month', days } as never;
  const buckets = bucketsSoFar(months, '2026-09-15');
  const rows = [
    { keys: ['2026-02-01'], values: ['7'], previousValues: ['0'] },
    { keys: ['2026-05-01'], values: ['0'], previousValues: ['3'] },
  ];
  const asked = { metric: metricOf('orders', 'gross')!, index: 0, buckets };
  const texts = (more: object) => textsNow({ ...asked, numbers: { rows, totals: ['7'], ...more } as never });
  const ended = { dataFrom: '2026-02-03', newest: '2026-03-20' };
  expect(texts(ended)).toEqual([null, '7', '0', null, null]);
  expect(texts({ dataFrom: null, newest: null })).toEqual(['0', '7', '0', '0', '0']);
  // A quiet spell.
  expect(texts({ dataFrom: null, newest: '2026-05-28' })).toEqual(['0', '7', '0', '0', '0']);
});

test('days before the data begins have nothing to compare with, instead of zero', () => {
  const days = { from: '2026-03-01', to: '2026-04-01' };
  const march = { dataset: 'orders', compare: 'previous', granularity: 'day', days } as never;
  const buckets = bucketsSoFar(march, '2026-04-15');
  const metric = metricOf('orders', 'gross')!;
  const numbers = { rows: [], totals: ['0'], dataFrom: '2026-02-03' } as never;
  const before = textsBefore({ numbers, metric, index: 0, buckets });
  expect(before.slice(0, 4)).toEqual([null, null, '0', '0']);
});

const previousOf2004 = (granularity: string, numbers: object) => {
  const days = { from: '2004-01-01', to: '2005-01-01' };
  const buckets = bucketsSoFar({ dataset: 'orders', compare: 'year', granularity, days } as never, '2026-11-18');
  const metric = metricOf('orders', 'gross')!;
  const asked = { numbers: { previousTotals: ['9'], totals: ['0'], currency: 'USD', ...numbers }, metric, index: 0 };
  return { ...seriesBefore({ ...asked, buckets } as never)!, buckets };
};

test('a month of which the data begins inside is compared with what it has, and says since when', () => {
  const rows = [{ keys: ['2004-01-01'], values: ['1'], previousValues: ['129753.60'] }];
  const january = previousOf2004('month', { rows, dataFrom: '2003-01-06' });
  expect(january.shown[0]).toMatch(/129,753.*, from 6 Jan 2003$/);
  expect([january.values[0], january.shown[1]]).toEqual([129_753.6, expect.not.stringContaining('from')]);
  // A week that ends on the day before the data isn’t zero.
  const weeks = previousOf2004('week', { rows: [], dataFrom: '2003-01-05' });
  expect(weeks.values.slice(0, 3)).toEqual([null, 0, 0]);
});

test.each([
  ['2003-01-01', 'none'],
  ['2003-01-02', 'little'],
  ['2003-01-06', 'much'],
  ['2003-01-31', 'much'],
  ['2003-02-01', 'all'],
])('of data from %s, the first month lacks %s', (dataFrom, lack) => {
  const { buckets } = previousOf2004('month', { rows: [], dataFrom });
  expect(comparisonGap({ dataFrom }, buckets, '2004-01-01')).toBe(lack);
});

test('28 February, which 29 March has none of, is no reason to leave out 28 March', () => {
  const days = { from: '2026-03-01', to: '2026-04-01' };
  const march = { dataset: 'orders', compare: 'previous', granularity: 'day', days } as never;
  const buckets = bucketsSoFar(march, '2026-04-15');
  expect(comparisonGap({ dataFrom: '2026-02-28' }, buckets, '2026-03-28')).toBe('none');
  expect(comparisonGap({ dataFrom: '2026-02-28' }, buckets, '2026-03-27')).toBe('all');
});

test('28 February is compared with 28 January only, and its month with all of January', () => {
  const days = { from: '2026-02-01', to: '2026-03-01' };
  const lackOf = (granularity: string, key: string) => {
    const february = { dataset: 'orders', compare: 'previous', granularity, days } as never;
    return comparisonGap({ dataFrom: '2026-01-30' }, bucketsSoFar(february, '2026-04-15'), key);
  };
  expect([lackOf('day', '2026-02-28'), lackOf('month', '2026-02-01')]).toEqual(['all', 'much']);
});

test('a range of whole weeks that is over is complete', () => {
  const whole = { compare: 'none', granularity: 'week', days: { from: '2026-11-02', to: '2026-11-16' } } as never;
  const { unfinished, labels } = bucketsSoFar(whole, '2027-01-01');
  expect({ unfinished, last: labels.at(-1) }).toEqual({ unfinished: false, last: '9 Nov' });
});

test('a day that the compared month does not have leaves a gap instead of zero', () => {
  const days = { from: '2026-03-01', to: '2026-04-01' };
  const march = { dataset: 'orders', compare: 'previous', granularity: 'day', days } as never;
  const buckets = bucketsSoFar(march, '2026-04-15');
  const metric = metricOf('orders', 'gross')!;
  const before = textsBefore({ numbers: { rows: [], totals: ['0'] } as never, metric, index: 0, buckets });
  expect(before.slice(-4)).toEqual(['0', null, null, null]);
  // Unknown in total, it is unknown on each day.
  const unknown = textsBefore({ numbers: { rows: [], totals: [null] } as never, metric, index: 0, buckets });
  expect(unknown[0]).toBeNull();
});
