import { cleanup, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { useView } from '../shared/view.ts';
import { FilterBar } from './filter-bar.tsx';

function Bar() {
  const { view, change } = useView('orders');
  return (
    <>
      <FilterBar view={view} change={change} />
      <output>{JSON.stringify(view.filters)}</output>
    </>
  );
}

const groups = (values: readonly string[], all: number) => ({
  numbers: {
    groups: all,
    rows: values.map((value) => ({ keys: [value], values: ['1'], previousValues: null })),
    others: all > values.length ? { groups: all - values.length, values: ['1'], previousValues: null } : null,
    totals: ['1'],
  },
});

test('a plain address stays without filters, and offers those used last on the same product only', async () => {
  localStorage.clear();
  await showPage(<Bar />, {
    address: '/sales?product=connect&where.title=Lamp',
    answers: { Numbers: () => groups([], 0) },
  });
  await screen.findByText('[{"dimension":"title","values":["Lamp"]}]');
  cleanup();
  await showPage(<Bar />, { address: '/sales?product=green' });
  await screen.findByText('[]');
  expect(screen.queryByRole('button', { name: 'Restore my last filters' })).toBeNull();
  cleanup();
  const user = await showPage(<Bar />, {
    address: '/sales?product=connect',
    answers: { Numbers: () => groups([], 0) },
  });
  await screen.findByText('[]');
  await user.click(await screen.findByRole('button', { name: 'Restore my last filters' }));
  await screen.findByText('[{"dimension":"title","values":["Lamp"]}]');
});

test('a value beyond the most frequent ones is found by the server', async () => {
  const asked: (string | undefined)[] = [];
  const user = await showPage(<Bar />, {
    address: '/sales?product=connect&where.title=Lamp',
    answers: {
      Numbers: ({ search }: { search?: string }) => {
        asked.push(search);
        return search === 'rare' ? groups(['A rare vase'], 1) : groups(['Lamp', 'Chair'], 900);
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: /^Title: Lamp/ }));
  await screen.findByText('898 more values. Type to search all of them');
  await user.type(await screen.findByRole('combobox', { name: /Title/ }), 'rare');
  await screen.findByRole('option', { name: 'A rare vase' });
  expect(asked).toContain('rare');
});
