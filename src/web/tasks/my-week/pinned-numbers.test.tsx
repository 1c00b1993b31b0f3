import { act, screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { PinnedNumbers } from './pinned-numbers.tsx';

test('a pinned number has the days and filters of its page, and leads back to them', async () => {
  const search = 'from=2026-01-01&to=2026-01-31&where.country=FR';
  const asked: unknown[] = [];
  await showPage(<PinnedNumbers />, {
    answers: {
      PinnedNumbers: () => ({ pinnedNumbers: [{ dataset: 'orders', metric: 'orders', scope: 'connect', search }] }),
      Numbers: (variables: object) => {
        asked.push(variables);
        return { numbers: { currency: 'EUR', totals: ['12'], previousTotals: null } };
      },
    },
  });
  await screen.findByText('12');
  screen.getByText('1–31 Jan 2026, Country France');
  expect(asked).toEqual([
    expect.objectContaining({
      from: '2026-01-01',
      to: '2026-02-01',
      filters: [{ field: 'country', values: ['FR'] }],
    }),
  ]);
  const address = new URL(screen.getByRole('link', { name: /Orders/ }).getAttribute('href') ?? '', 'http://page.test');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    product: 'connect',
    from: '2026-01-01',
    to: '2026-01-31',
    'where.country': 'FR',
  });
});

test('a pinned number of today is the new day’s after midnight, without a reload', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.parse('2026-11-20T22:59:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  await showPage(<PinnedNumbers />, {
    answers: {
      PinnedNumbers: () => ({
        pinnedNumbers: [{ dataset: 'orders', metric: 'orders', scope: 'connect', search: 'period=today' }],
      }),
      Numbers: ({ from }: { from: string }) => ({
        numbers: { currency: 'EUR', totals: [from.slice(-2)], previousTotals: null },
      }),
    },
  });
  await screen.findByText('20');
  act(() => void vi.advanceTimersByTime(60_000));
  await screen.findByText('21');
});

test('a pinned balance is of all time, without a change', async () => {
  const search = 'from=2026-01-01&to=2026-01-31';
  await showPage(<PinnedNumbers />, {
    answers: {
      PinnedNumbers: () => ({
        pinnedNumbers: [{ dataset: 'affiliate_activity', metric: 'liability', scope: null, search }],
      }),
      Numbers: () => ({ numbers: { currency: 'USD', totals: ['5366.16'], previousTotals: [null] } }),
    },
  });
  await screen.findByText('$5,366.16');
  const [row] = screen.getAllByRole('listitem');
  expect(row?.textContent).toMatch(/All time\$5,366\.16$/);
});
