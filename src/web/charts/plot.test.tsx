import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../test/show-page.tsx';
import { Plot } from './plot.tsx';
import { SharedCursor } from './shared-cursor.tsx';

const days = ['Monday', 'Tuesday', 'Wednesday'];

async function showCharts() {
  const opened: string[] = [];
  const chart = (name: string) => (
    <Plot
      name={name}
      keys={days}
      height={100}
      nearest={(x) => Math.floor(x / 10)}
      words={(index) => `${name} of ${days[index]}`}
      onOpen={(index) => opened.push(`${name} of ${days[index]}`)}
    >
      {() => null}
    </Plot>
  );
  const hands = await showPage(
    <SharedCursor>
      {chart('Orders')}
      {chart('Returns')}
    </SharedCursor>,
  );
  await screen.findByRole('group', { name: /^Returns/ });
  const at = (name: string, clientX: number) => ({
    target: screen.getByRole('group', { name: new RegExp(`^${name}`) }),
    coords: { clientX, clientY: 5 },
  });
  const tap = (name: string, x: number) => hands.pointer({ keys: '[TouchA]', ...at(name, x) });
  const click = (name: string, x: number) => hands.pointer([at(name, x), { keys: '[MouseLeft]', ...at(name, x) }]);
  return { tap, click, opened };
}

test('a tap shows a point and opens nothing, and a second tap there opens its rows', async () => {
  const { tap, opened } = await showCharts();
  await tap('Orders', 15);
  await screen.findByText('Orders of Tuesday');
  await tap('Orders', 25);
  await screen.findByText('Orders of Wednesday');
  expect(opened).toEqual([]);
  await tap('Orders', 25);
  expect(opened).toEqual(['Orders of Wednesday']);
});

test('a click opens the rows of the point below the mouse, also where another chart had the focus', async () => {
  const { click, opened } = await showCharts();
  await click('Orders', 15);
  await click('Returns', 25);
  expect(opened).toEqual(['Orders of Tuesday', 'Returns of Wednesday']);
});
