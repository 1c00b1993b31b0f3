import { cleanup, screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mostRowsCounted } from '#core/numbers/number-request.ts';
import { showPage, viewerWith } from '../../../test/show-page.tsx';
import { NothingInRange, OtherCurrencies, PageSentence } from './page-sentence.tsx';
import { topMetrics } from './shared/numbers-queries.ts';

const days = { from: '2026-01-01', to: '2026-02-01' };
const plainView = { dataset: 'donations', days, filters: [], currency: null, compare: 'none', period: 'custom' };
const view = plainView as never;
const filteredView = { ...plainView, filters: [{ dimension: 'country', values: ['DE'] }] } as never;
const numbers = (currencies: readonly string[], currencyRows: readonly number[]) =>
  ({ currency: 'USD', currencies, currencyRows, asOf: null, isImporting: false }) as never;

test('what other currencies leave out is counted, with a way to the largest of them', async () => {
  const changes: unknown[] = [];
  const user = await showPage(
    <OtherCurrencies
      view={view}
      numbers={numbers(['USD', 'EUR', 'GBP'], [86, 1_100, 14])}
      change={(part) => changes.push(part)}
    />,
  );
  await screen.findByText(/1,114 gifts in 2 other currencies aren’t included/);
  await user.click(screen.getByRole('button', { name: 'Show EUR' }));
  expect(changes).toEqual([{ currency: 'EUR' }]);
});

test('a comparison up to now says that today isn’t over where rows have no hours', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const sentence = async (dataset: string, compare: string, to: string) => {
    const shown = { ...plainView, dataset, compare, days: { from: '2026-11-01', to } } as never;
    await showPage(
      <main>
        <PageSentence view={shown} numbers={null} change={() => {}} />
      </main>,
    );
    const words = (await screen.findByRole('main')).textContent;
    cleanup();
    return words;
  };
  const unfinished = 'compared with 1–20 Oct 2026, though today isn’t over';
  expect(await sentence('affiliate_activity', 'elapsed', '2026-12-01')).toContain(unfinished);
  expect(await sentence('affiliate_activity', 'year', '2026-12-01')).toContain('though today isn’t over');
  expect(await sentence('affiliate_activity', 'elapsed', '2026-11-20')).not.toContain('today');
  expect(await sentence('orders', 'elapsed', '2026-12-01')).toContain('compared with 1–20 Oct 2026 up to 13:00');
});

test('one currency alone needs no word', async () => {
  await showPage(
    <main>
      <OtherCurrencies view={view} numbers={numbers(['USD'], [86])} change={() => {}} />
    </main>,
  );
  expect((await screen.findByRole('main')).textContent).toBe('');
});

test('with filters, only rows that match them are counted in other currencies', async () => {
  await showPage(
    <OtherCurrencies view={filteredView} numbers={numbers(['USD', 'EUR', 'GBP'], [86, 0, 14])} change={() => {}} />,
  );
  await screen.findByText(/14 gifts in GBP that match the filters aren’t included/);
});

test('filters that leave nothing can be cleared at once', async () => {
  const changes: unknown[] = [];
  const nothing = { ...(numbers(['USD', 'GBP'], [0, 14]) as object), newest: null } as never;
  const user = await showPage(
    <NothingInRange view={filteredView} numbers={nothing} change={(part) => changes.push(part)} />,
  );
  await screen.findByText(/^No data in USD for .+ matches Country Germany/);
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await user.click(screen.getByRole('button', { name: 'Show GBP' }));
  expect(changes).toEqual([{ 'where.country': null }, { currency: 'GBP' }]);
});

test('sales of affiliates without clicks and commission count at the top', async () => {
  const affiliates = { ...plainView, dataset: 'affiliate_activity' } as const;
  const totals = topMetrics(affiliates).map((name) => (name === 'sales' ? '900' : null));
  const sold = { ...(numbers(['USD'], [3]) as object), matchingRows: 3, isEmpty: false, totals };
  await showPage(<PageSentence view={affiliates as never} numbers={sold as never} change={() => {}} />);
  await screen.findByText(/1–31 Jan|Jan 2026/);
  expect(screen.queryByText(/count none of them/)).toBeNull();
});

test('rows that count nothing are told apart from no rows', async () => {
  const uncounted = { ...(numbers(['USD'], [3]) as object), matchingRows: 3, isEmpty: false, totals: ['0', null] };
  await showPage(<PageSentence view={view} numbers={uncounted as never} change={() => {}} />);
  await screen.findByText(/3 gifts are in this range, but the numbers at the top count none of them/);
  cleanup();
  await showPage(<PageSentence view={view} numbers={{ ...uncounted, matchingRows: 1 } as never} change={() => {}} />);
  await screen.findByText(/1 gift is in this range, but the numbers at the top don’t count it/);
});

test('a count that stopped at its limit says that there are more', async () => {
  const stopped = numbers(['USD', 'EUR', 'GBP'], [5, mostRowsCounted, 2]);
  await showPage(<OtherCurrencies view={view} numbers={stopped} change={() => {}} />);
  await screen.findByText(/10,002\+ gifts in 2 other currencies/);
});

test('negative net sales say that refunds and discounts exceed gross sales', async () => {
  const orders = { ...plainView, dataset: 'orders', granularity: 'day' } as never;
  const sold = { ...(numbers(['USD'], [3]) as object), matchingRows: 3, isEmpty: false };
  const words = /Refunds and discounts exceed gross sales in this period/;
  await showPage(
    <PageSentence view={orders} numbers={{ ...sold, totals: ['5', '1', '5', '1'] } as never} change={() => {}} />,
  );
  await screen.findByText(/2026/);
  expect(screen.queryByText(words)).toBeNull();
  cleanup();
  await showPage(
    <PageSentence view={orders} numbers={{ ...sold, totals: ['-5', '1', '-5', '110'] } as never} change={() => {}} />,
  );
  await screen.findByText(words);
});

test('while an import runs, its numbers may be incomplete, also before the first import', async () => {
  const words = /\. An import is running, so these numbers may be incomplete$/;
  const running = { ...(numbers(['USD'], [3]) as object), isEmpty: false, totals: ['5'], isImporting: true };
  for (const asOf of [null, '2026-11-20T10:00:00Z']) {
    await showPage(<PageSentence view={view} numbers={{ ...running, asOf } as never} change={() => {}} />);
    await screen.findByText(words);
    expect(screen.queryByText(/Last import/)).toBeNull();
    cleanup();
  }
});

test.each([
  ['people who can import', { ...viewerWith(), role: 'admin' }, ['/tools?tab=import']],
  ['nobody else', viewerWith('VIEW_DASHBOARD', 'VIEW_SALES'), []],
])('a page without any data leads %s to the import', async (_who, viewer, links) => {
  const none = { ...(numbers(['USD'], [0]) as object), newest: null, isEmpty: true };
  await showPage(<NothingInRange view={view} numbers={none as never} change={() => {}} />, { viewer });
  await screen.findByText('No data yet');
  expect(screen.queryAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(links);
});

test('days that were too many are named next to their shown part', async () => {
  const cut = { ...plainView, cutFrom: { from: '2009-01-01', to: '2026-02-01' } } as never;
  await showPage(<PageSentence view={cut} numbers={null} change={() => {}} />);
  await screen.findByText(/1–31 Jan 2026 \(the last 10 years of 1 Jan 2009.*31 Jan 2026\)/);
});

test('data that ends early says its last day', async () => {
  const early = { ...(numbers(['USD'], [3]) as object), newest: '2026-11-10', isEmpty: false, totals: ['5'] };
  const days = { from: '2026-11-01', to: '2026-12-01' };
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(Temporal.Now, 'zonedDateTimeISO').mockReturnValue(
    Temporal.ZonedDateTime.from('2026-11-20T14:30:00[Europe/Berlin]'),
  );
  await showPage(
    <PageSentence
      view={{ ...plainView, days, compare: 'elapsed' } as never}
      numbers={early as never}
      change={() => {}}
    />,
  );
  await screen.findByText(/compared with 1–20 Oct 2026 .*\. Data ends 10 Nov 2026, day 10 of 19/);
  cleanup();
  const latest = { ...early, newest: '2026-11-17' };
  await showPage(<PageSentence view={{ ...plainView, days } as never} numbers={latest as never} change={() => {}} />);
  await screen.findByText(/\. The latest row is from 17 Nov 2026/);
});
