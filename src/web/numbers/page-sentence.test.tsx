import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../test/show-page.tsx';
import { OtherCurrencies } from './page-sentence.tsx';

const view = { dataset: 'donations', days: { from: '2026-01-01', to: '2026-02-01' } } as never;
const numbers = (currencies: readonly string[], currencyRows: readonly number[]) =>
  ({ currency: 'USD', currencies, currencyRows }) as never;

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

test('one currency alone needs no word', async () => {
  await showPage(
    <main>
      <OtherCurrencies view={view} numbers={numbers(['USD'], [86])} change={() => {}} />
    </main>,
  );
  expect((await screen.findByRole('main')).textContent).toBe('');
});
