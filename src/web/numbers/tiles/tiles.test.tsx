import { cleanup, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { queryClient } from '#web/api/query-client.ts';
import { showPage } from '../../../../test/show-page.tsx';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import { useView } from '../shared/view.ts';
import { HeatTile } from './heat-tile.tsx';
import { LineTile } from './series-tiles.tsx';
import { AgesTile } from './size-tiles.tsx';
import { TableTile } from './table-tile.tsx';

type TileProps = { readonly dataset: DatasetKey; readonly tile: (page: PageOfNumbers) => ReactNode };

function Tile({ dataset, tile }: TileProps) {
  const { view, change } = useView(dataset);
  return tile({ view, today: '2026-11-24', change, openDrillDown: () => {} });
}

/** Nothing of it answers for the next one. */
function leave(): void {
  cleanup();
  queryClient.clear();
}

const answer = (rows: readonly (readonly [keys: readonly (string | null)[], value: string])[], more: object = {}) => ({
  numbers: {
    currency: 'EUR',
    currencies: ['EUR'],
    currencyRows: [1],
    isEmpty: false,
    matchingRows: 7,
    resolutionKnown: true,
    rows: rows.map(([keys, value]) => ({ keys, values: [value], previousValues: null })),
    groups: rows.length,
    others: null,
    totals: ['1'],
    previousTotals: null,
    ...more,
  },
});

test('the server sorts a table and sends its next page in that order', async () => {
  type Asked = { order: string; descending: boolean; offset: number; top: number; compare: string };
  const asked: Asked[] = [];
  const table = (page: PageOfNumbers) => (
    <TableTile page={page} title="Titles" by="title" metrics={['gross']} top={2} width={8} />
  );
  const names = ['Ark', 'Bow', 'Cup'];
  const answers = {
    Numbers: (variables: Asked) => {
      asked.push(variables);
      const sorted = variables.order === 'title' ? names : names.toReversed();
      const rows = sorted.slice(variables.offset, variables.offset + variables.top);
      return answer(
        rows.map((name) => [[name], '5']),
        { groups: 3, totals: ['15'], previousTotals: variables.compare === 'none' ? null : ['9'] },
      );
    },
  };
  const user = await showPage(<Tile dataset="orders" tile={table} />, { address: '/sales?product=connect', answers });
  const shown = () => screen.getAllByRole('button', { name: /^(Ark|Bow|Cup)$/ }).map(({ textContent }) => textContent);
  await screen.findByText(/^1–2/);
  expect(shown()).toEqual(['Cup', 'Bow']);
  await user.click(screen.getByRole('button', { name: 'Show 1 more' }));
  await screen.findByText(/^1–3/);
  expect(shown()).toEqual(['Cup', 'Bow', 'Ark']);
  await user.click(screen.getByRole('button', { name: 'Title' }));
  await screen.findByRole('button', { name: 'Ark' });
  await expect.poll(shown).toEqual(['Ark', 'Bow']);
  await user.click(screen.getByRole('button', { name: 'Change' }));
  await expect.poll(() => asked.at(-1)).toMatchObject({ order: 'change', descending: true, offset: 0 });
  expect(asked.map(({ order, offset }) => `${order} ${offset}`)).toEqual(['gross 0', 'gross 2', 'title 0', 'change 0']);
});

test('conversations without resolution times have no backlog, instead of all being open', async () => {
  const unknown = 'No resolution times in this source, so it’s unknown what’s still open.';
  const tiles = [
    (page: PageOfNumbers) => <AgesTile page={page} title="Open by age" height={200} />,
    (page: PageOfNumbers) => <LineTile page={page} title="Backlog" name="backlog" metrics={['backlog']} height={200} />,
  ];
  for (const tile of tiles) {
    for (const resolutionKnown of [true, false]) {
      await showPage(<Tile dataset="conversations" tile={tile} />, {
        address: '/customer-service',
        answers: { Numbers: () => answer([[['0'], '3010']], { resolutionKnown }) },
      });
      await screen.findByText(resolutionKnown ? /3,010|Backlog/ : unknown);
      expect(screen.queryByText(unknown) === null).toBe(resolutionKnown);
      leave();
    }
  }
});

test('rows without a time of day are not shown at midnight but counted beside the map', async () => {
  const map = (page: PageOfNumbers) => <HeatTile page={page} title="By hour" name="lines" height={200} />;
  const show = (rows: Parameters<typeof answer>[0]) =>
    showPage(<Tile dataset="orders" tile={map} />, {
      address: '/sales?product=connect',
      answers: { Numbers: () => answer(rows) },
    });
  await show([
    [['1', '9'], '4'],
    [['1', null], '1200'],
  ]);
  await screen.findByText(/1,200 without a time of day/);
  leave();
  await show([[['1', null], '7']]);
  await screen.findByText(/dates without times of day, so there are no hours/);
});
