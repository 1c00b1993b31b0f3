import { expect, test } from 'vitest';
import { matching } from './palette.tsx';
import type { Command } from './palette-commands.ts';

const command = (group: Command['group'], title: string, note?: string): Command => ({
  id: title,
  group,
  title,
  ...(note ? { note } : {}),
  run: () => {},
});
const commands = [
  command('Pages', 'Sales'),
  command('Pages', 'Connect', 'Sales'),
  command('Tasks', 'Call the sales team', 'To Do'),
  command('People', 'Elena Sørensen', 'connect'),
  command('People', 'José Álvarez'),
  command('Actions', 'Sign out'),
];
const titles = (text: string) => matching(commands, text).map(({ title }) => title);

test('without a text only pages and actions are offered', () => {
  expect(titles('  ')).toEqual(['Sales', 'Connect', 'Sign out']);
});

test('every word has to stand in the title or the note', () => {
  expect(titles('sales nothing')).toEqual([]);
  expect(titles('connect sales')).toEqual(['Connect']);
});

test('accents and case do not matter', () => {
  expect(titles('jose alv')).toEqual(['José Álvarez']);
});

test('groups stay together, and titles that begin with the text come first inside one', () => {
  expect(titles('sales')).toEqual(['Sales', 'Connect', 'Call the sales team']);
});

test('a page or action whose name begins with the text comes before what was found, and its group with it', () => {
  const found = (title: string): Command => ({ ...command('Tasks', title), isFound: true });
  const all = [
    ...[command('Pages', 'Tasks'), found('Close 20 accounts'), found('Mail about the year'), found('We close early')],
    ...[command('Actions', 'Sign out'), command('Actions', 'Close the week')],
  ];
  const found3 = ['Close 20 accounts', 'We close early', 'Mail about the year'];
  expect(matching(all, 'close').map(({ title }) => title)).toEqual(['Close the week', ...found3]);
  // A word inside the name doesn't move an action up.
  expect(matching(all, 'week').map(({ title }) => title)).toEqual([...found3.toSorted(), 'Close the week']);
});

test('what the server found stays, whatever its title', () => {
  const found: Command = { ...command('Tasks', 'Yearly plan'), isFound: true };
  expect(matching([...commands, found], 'budget').map(({ title }) => title)).toEqual(['Yearly plan']);
});

test('a page is found by what people call its parts', () => {
  const account: Command = { ...command('Pages', 'My account'), keywords: 'password passkeys sessions' };
  for (const text of ['sessions', 'password', 'passkey'])
    expect(matching([...commands, account], text).map(({ title }) => title)).toEqual(['My account']);
});
