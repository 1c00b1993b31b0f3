import { expect, test } from 'vitest';
import { activeCount, activePeople, compareNames, countWords, listWords, plural } from './formats.ts';

test.each([
  [0, 'task', undefined, '0 tasks'],
  [1, 'task', undefined, '1 task'],
  [2, 'task', undefined, '2 tasks'],
  [1, 'person', 'people', '1 person'],
  [7, 'person', 'people', '7 people'],
  [1_300, 'task', undefined, '1,300 tasks'],
] as const)('a count of %s %s is written with the right form', (count, one, many, text) => {
  expect(plural(count, one, many)).toBe(text);
});

test('a count of people says who is counted', () => {
  expect([activePeople(1), activePeople(1_300, 2)]).toEqual(['1 active person', '1,300 active people and 2 disabled']);
  expect([activeCount(1), activeCount(1_300, 2)]).toEqual(['1 active', '1,300 active and 2 disabled']);
});

test('numbers, lists and names follow American English', () => {
  expect(countWords(1_234_567)).toBe('1,234,567');
  expect([listWords([]), listWords(['Ann']), listWords(['Ann', 'Bo'], 'or'), listWords(['Ann', 'Bo', 'Cem'])]).toEqual([
    '',
    'Ann',
    'Ann or Bo',
    'Ann, Bo, and Cem',
  ]);
  expect(['Team 10', 'éva', 'Team 2', 'Eve', 'adam'].sort(compareNames)).toEqual([
    'adam',
    'éva',
    'Eve',
    'Team 2',
    'Team 10',
  ]);
});
