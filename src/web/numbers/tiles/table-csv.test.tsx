import { cleanup, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { ExportTable } from './table-csv.tsx';

/** The names of the files that were saved. */
let saved: string[] = [];
beforeEach(() => {
  saved = [];
  vi.stubGlobal(
    'URL',
    Object.assign(class extends URL {}, { createObjectURL: () => 'blob:', revokeObjectURL: () => {} }),
  );
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  onTestFinished(() => click.mockRestore());
});

const viewOf = (month: string) =>
  ({
    ...{ dataset: 'orders', compare: 'none', filters: [] },
    days: { from: `2026-${month}-01`, to: `2026-${month}-02` },
  }) as never;
const numbers = {
  ...{ currency: 'USD', previousTotals: null, dataFrom: null, groups: 1, totals: ['5'], goneGroups: 0 },
  rows: [{ keys: ['Toy'], values: ['5'], previousValues: null }],
};
const table = { title: 'Top products', by: 'title', metrics: ['net_sales'], question: {} as never };

const listOf = (items: readonly object[]) => ({ query: { isPlaceholderData: false }, items, first: numbers }) as never;

function Chosen() {
  const [month, setMonth] = useState('10');
  return (
    <>
      <button type="button" onClick={() => setMonth('11')}>
        November
      </button>
      <ExportTable {...table} view={viewOf(month)} list={listOf([])} />
    </>
  );
}

test('a view that is chosen while its table is exported doesn’t name the file', async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  const user = await showPage(<Chosen />, { answers: { Numbers: () => promise } });
  await user.click(await screen.findByRole('button', { name: 'Export Top products as CSV' }));
  await user.click(screen.getByRole('button', { name: 'November' }));
  resolve({ numbers });
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved).toEqual(['Top-products-1-Oct-2026.csv']);
});

test('a part of a table says so in a message and in the file’s name', async () => {
  const user = await showPage(<Chosen />, {
    answers: { Numbers: () => ({ numbers: { ...numbers, groups: 25_000 } }) },
  });
  await user.click(await screen.findByRole('button', { name: 'Export Top products as CSV' }));
  await screen.findByText('Exported the first 1 of 25,000 rows');
  expect(saved).toEqual(['Top-products-first-1-of-25000-1-Oct-2026.csv']);
});

test('rows that are all loaded aren’t read again, and leaving the page stops reading others', async () => {
  const loaded = await showPage(<ExportTable {...table} view={viewOf('10')} list={listOf(numbers.rows)} />);
  await loaded.click(await screen.findByRole('button', { name: 'Export Top products as CSV' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  cleanup();
  const signals: (AbortSignal | null | undefined)[] = [];
  const user = await showPage(<Chosen />, { answers: { Numbers: () => new Promise(() => {}) } });
  const answering = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    signals.push(init.signal);
    return answering(url, init);
  });
  await user.click(await screen.findByRole('button', { name: 'Export Top products as CSV' }));
  await waitFor(() => expect(signals).toHaveLength(1));
  cleanup();
  expect(signals[0]!.aborted).toBe(true);
});
