import { expect, test } from 'vitest';
import { changeOf, judge } from './change.ts';

test.each([
  ['110', '100', 'money', '10.0%', true],
  ['90', '100', 'count', '10.0%', false],
  ['1.9', '1.5', 'percent', '0.4 pt', true],
  ['2500', '100', 'count', '2,400%', true],
  ['50', '-100', 'money', '150%', true],
  ['100.01', '100', 'money', '< 0.1%', true],
  ['3.33', '3.35', 'percent', '< 0.1 pt', false],
] as const)('%s after %s in %s is %s', (now, before, unit, size, up) => {
  expect(changeOf(now, before, unit)).toMatchObject({ kind: 'moved', size, up });
});

test.each([
  ['5', '0', 'noneBefore'],
  ['0', '0', 'same'],
  [null, '5', 'none'],
  ['5', null, 'none'],
])('%s after %s is %s', (now, before, kind) => {
  expect(changeOf(now, before, 'money').kind).toBe(kind);
});

test('a rate from nothing is a difference in points', () => {
  expect(changeOf('2', '0', 'percent')).toMatchObject({ kind: 'moved', size: '2.0 pt' });
});

test('what rises is good or bad by the metric, and neither where the metric says so', () => {
  const risen = changeOf('2', '1', 'money');
  expect([judge(risen, 'up'), judge(risen, 'down'), judge(risen, 'none')]).toEqual(['good', 'bad', 'neither']);
  expect(judge(changeOf('2', '0', 'money'), 'up')).toBe('neither');
  expect(judge(changeOf('1', '1', 'money'), 'up')).toBe('neither');
});
