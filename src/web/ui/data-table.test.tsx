import { screen, within } from '@testing-library/react';
import { type ComponentProps, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { showPage } from '../../../test/show-page.tsx';
import { type DataColumn, DataTable, type Order } from './data-table.tsx';
import { Panel } from './panel.tsx';

type Room = { readonly name: string; readonly seats: number | null };

const columns: readonly DataColumn<Room>[] = [
  { id: 'name', title: 'Room', sortBy: ({ name }) => name, cell: ({ name }) => name },
  { id: 'seats', title: 'Seats', numeric: true, sortBy: ({ seats }) => seats, cell: ({ seats }) => seats },
  { id: 'note', title: 'Note', cell: () => 'none' },
];
const rooms: readonly Room[] = [
  { name: 'Émile', seats: 9 },
  { name: 'ada', seats: null },
  { name: 'Zoë', seats: 100 },
  { name: 'Ben', seats: 50.5 },
];
const many = Array.from({ length: 77 }, (_, index) => ({ name: `Room ${index + 1}`, seats: index }));

type Props = Partial<ComponentProps<typeof DataTable<Room>>>;

const table = (props: Props) => (
  <DataTable caption="Rooms" unit="rooms" items={rooms} columns={columns} keyOf={({ name }) => name} {...props} />
);
const names = () =>
  within(screen.getAllByRole('rowgroup')[1]!)
    .getAllByRole('row')
    .map((row) => row.querySelector('[data-name]')?.textContent);
const head = (name: string) => screen.getByRole('columnheader', { name: new RegExp(name) });
const sortBy = (name: string) => within(head(name)).getByRole('button');

test('a failed read says so and can be repeated; without rows the table says why it is empty', async () => {
  const refetch = vi.fn();
  const failed = { data: undefined, isPending: false, error: { requestId: 'r-1' }, refetch };
  const user = await showPage(
    <>
      {table({ query: failed, failed: 'Couldn’t load the rooms.' })}
      {table({ items: [], empty: <p>No rooms yet</p> })}
    </>,
  );
  expect((await screen.findByRole('alert')).textContent).toContain('Couldn’t load the rooms.');
  expect(screen.getByText('Request ID r-1')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(refetch).toHaveBeenCalledOnce();
  expect(screen.getByText('No rooms yet')).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});

test('a table with the title of its panel is a region with a name apart', async () => {
  await showPage(<Panel title="Rooms">{table({})}</Panel>);
  await screen.findByRole('table', { name: 'Rooms' });
  // Throws where two have the name.
  screen.getByRole('region', { name: 'Rooms' });
  screen.getByRole('region', { name: 'Rooms, table' });
});

test('on a phone a second column that asks for the same place becomes a line with its title', async () => {
  const both: readonly DataColumn<Room>[] = [
    { id: 'name', title: 'Room', cell: ({ name }) => name },
    { id: 'seats', title: 'Seats', phone: 'below', cell: ({ seats }) => seats },
    { id: 'note', title: 'Note', phone: 'below', cell: () => 'none' },
  ];
  await showPage(table({ columns: both, totals: { name: 'All', seats: 3, note: 'none' } }));
  const rows = within(await screen.findByRole('table')).getAllByRole('row');
  for (const row of [rows[1]!, rows.at(-1)!])
    expect([...row.querySelectorAll<HTMLElement>('td')].map(({ dataset: { phone, title } }) => [phone, title])).toEqual(
      [
        ['name', 'Room'],
        ['below', 'Seats'],
        ['line', 'Note'],
      ],
    );
});

test('a column sorts as a dictionary does or by size, and says which way; rows without a value stay last', async () => {
  const user = await showPage(table({ sortedBy: { id: 'name', desc: false } }));
  await screen.findByRole('table');
  expect(names()).toEqual(['ada', 'Ben', 'Émile', 'Zoë']);
  expect(head('Room').getAttribute('aria-sort')).toBe('ascending');
  await user.click(sortBy('Seats'));
  expect(names()).toEqual(['Zoë', 'Ben', 'Émile', 'ada']);
  expect([head('Room').getAttribute('aria-sort'), head('Seats').getAttribute('aria-sort')]).toEqual([
    null,
    'descending',
  ]);
  await user.click(sortBy('Seats'));
  expect(names()).toEqual(['Émile', 'Ben', 'Zoë', 'ada']);
  expect(within(head('Note')).queryByRole('button')).toBeNull();
});

test('an order from outside leaves the rows as they are, and a press only asks for another', async () => {
  const asked: Order[] = [];
  function Outside() {
    const [order, setOrder] = useState<Order>({ id: 'name', desc: false });
    const onOrder = (next: Order) => {
      asked.push(next);
      setOrder(next);
    };
    return table({ order, onOrder });
  }
  const user = await showPage(<Outside />);
  await screen.findByRole('table');
  await user.click(sortBy('Seats'));
  await user.click(sortBy('Seats'));
  expect(asked).toEqual([
    { id: 'seats', desc: true },
    { id: 'seats', desc: false },
  ]);
  expect(names()).toEqual(['Émile', 'ada', 'Zoë', 'Ben']);
});

test('a long list says what it counts and shows more on demand', async () => {
  const user = await showPage(table({ items: many }));
  await screen.findByText('1–50 of 77 rooms');
  expect(names()).toHaveLength(50);
  await user.click(screen.getByRole('button', { name: 'Show 27 more' }));
  expect(names()).toHaveLength(77);
  expect(screen.getByText('1–77 of 77 rooms')).toBeTruthy();
});

test('a list that the server divides asks it for more', async () => {
  const onMore = vi.fn();
  const user = await showPage(table({ more: { total: 2_000, hasMore: true, isLoading: false, onMore } }));
  await screen.findByText('1–4 of 2,000 rooms');
  await user.click(screen.getByRole('button', { name: 'Show 50 more' }));
  expect(onMore).toHaveBeenCalledOnce();
});

test('a row opens what is below it, one by one', async () => {
  const detail = { label: ({ name }: Room) => `Details of ${name}`, content: ({ seats }: Room) => `${seats} chairs` };
  const user = await showPage(table({ detail }));
  const turn = await screen.findByRole('button', { name: 'Details of Zoë' });
  expect(turn.getAttribute('aria-expanded')).toBe('false');
  await user.click(turn);
  expect(turn.getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByText('100 chairs')).toBeTruthy();
  await user.click(turn);
  expect(screen.queryByText('100 chairs')).toBeNull();
});

test('all rows shown are selected at once, and the box says when only some are', async () => {
  function Selecting() {
    const [chosen, onChange] = useState<ReadonlySet<string>>(new Set(['hidden']));
    return (
      <>
        {table({ items: many, selection: { chosen, onChange, nameOf: ({ name }) => name } })}
        <p>{chosen.size} chosen</p>
      </>
    );
  }
  const user = await showPage(<Selecting />);
  await user.click(await screen.findByRole('checkbox', { name: 'Select Room 7' }));
  const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all shown' });
  expect(all.indeterminate).toBe(true);
  await user.click(all);
  expect(screen.getByText('51 chosen')).toBeTruthy();
  await user.click(all);
  expect(screen.getByText('1 chosen')).toBeTruthy();
});

test('a hidden column stays hidden in this browser', async () => {
  const user = await showPage(table({ choosable: 'rooms' }));
  await user.click(await screen.findByRole('button', { name: 'Columns' }));
  const item = await screen.findByRole('menuitemcheckbox', { name: 'Seats' });
  expect(item.getAttribute('aria-checked')).toBe('true');
  await user.click(item);
  expect(screen.queryByRole('columnheader', { name: 'Seats' })).toBeNull();
  expect(localStorage.getItem('hidden-columns:rooms')).toBe('seats');
  await user.click(screen.getByRole('menuitemcheckbox', { name: 'Seats' }));
  expect(head('Seats')).toBeTruthy();
  localStorage.removeItem('hidden-columns:rooms');
});

test('the arrow keys move from row to row', async () => {
  const onOpen = vi.fn();
  const user = await showPage(table({ onOpen }));
  (await screen.findByRole('button', { name: 'Émile' })).focus();
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(onOpen).toHaveBeenLastCalledWith(rooms[2]);
  await user.keyboard('{Home}{Enter}');
  expect(onOpen).toHaveBeenLastCalledWith(rooms[0]);
  await user.keyboard('{End}{ArrowDown}{Enter}');
  expect(onOpen).toHaveBeenLastCalledWith(rooms[3]);
});
