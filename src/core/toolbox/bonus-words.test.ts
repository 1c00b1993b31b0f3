import { expect, test } from 'vitest';
import { shareWords, statementHead, statementRows } from './bonus-words.ts';

test.each([
  ['signedOff', 4, 5, '4 of 5, 80%'],
  ['firstPass', 2, 2, '2 sign-offs, 0 send-backs, 100%'],
  ['firstPass', 1, 2, '2 sign-offs, 1 send-back, 50%'],
  ['firstPass', 0, 1, '1 sign-off, 1 or more send-backs, 0%'],
  ['firstPass', 0, 0, 'Nothing to measure'],
] as const)('the share of %s of %i in %i says what is counted', (key, part, whole, words) => {
  expect(shareWords({ key, part, whole })).toBe(words);
});

test.each([
  [1, '1 sign-off, 1 send-back, 0%'],
  [3, '1 sign-off, 3 send-backs, 0%'],
])('a share of 0 says how many send-backs there were where the tasks are known: %i', (sendBacks, words) => {
  const tasks = [{ sendBacks }, { sendBacks: 0 }];
  expect(shareWords({ key: 'firstPass', part: 0, whole: 1 }, tasks)).toBe(words);
});

test('a statement in a file has a row for each part, and its total once', () => {
  const line = { part: 4, whole: 5, waived: false, amount: '30.1' };
  const lines = [
    { key: 'signedOff', ...line },
    { key: 'team', ...line, waived: true, amount: '12' },
  ] as const;
  const statement = { lines, amount: '42.1', currency: 'EUR', planVersion: 3, corrections: 1 };
  const rows = statementRows({ displayName: 'Zoë North', email: 'zoe@acme.test' }, '2026 W47', statement);
  const columns = (title: string) => rows.map((row) => row[statementHead.indexOf(title)]);
  expect(rows.map(({ length }) => length)).toEqual([statementHead.length, statementHead.length]);
  expect(columns('Email')).toEqual(['zoe@acme.test', 'zoe@acme.test']);
  expect(columns('Part')).toEqual(['Signed-off share', 'Team result']);
  expect(columns('Held up')).toEqual(['no', 'yes']);
  expect(columns('Amount')).toEqual([{ decimal: '30.1' }, { decimal: '12' }]);
  expect(columns('Total')).toEqual([null, { decimal: '42.1' }]);
});
