import { expect, test } from 'vitest';
import { failure, passed, readReport, sum } from './test-counts.ts';

const file = (name: string, status: string, ...tests: string[]) => ({
  name: `/checkout/src/${name}`,
  status,
  message: '',
  assertionResults: tests.map((result) => ({
    status: result,
    fullName: `a test that is ${result}`,
    failureMessages: result === 'failed' ? ['Error: no\n  at place'] : [],
    meta: {},
  })),
});
const green = [file('a.test.ts', 'passed', 'passed', 'passed'), file('b.test.ts', 'passed', 'passed')];
const read = (testResults: Parameters<typeof readReport>[0]['testResults'], exitCode: number) =>
  readReport({ testResults }, { root: '/checkout', exitCode });

test('a run that ends with an error outside the tests has failed', () => {
  expect(read(green, 0)).toEqual({
    counts: { passed: 3, failed: 0, skipped: 0 },
    failedIn: [],
    skippedFor: [],
  });
  expect(read(green, 1)).toEqual({
    counts: { passed: 3, failed: 1, skipped: 0 },
    failedIn: ['an error outside the tests, printed above'],
    skippedFor: [],
  });
});

test('failed tests are named with their error, and a file that does not load counts as one failure', () => {
  const unloaded = { ...file('c.test.ts', 'failed'), message: 'SyntaxError: no\n  at place' };
  const ended = file('e.test.ts', 'failed', 'pending');
  const { counts, failedIn } = read([...green, unloaded, file('d.test.ts', 'failed', 'failed', 'passed'), ended], 1);
  expect(counts).toEqual({ passed: 4, failed: 3, skipped: 1 });
  expect(failedIn).toEqual([
    'src/c.test.ts: SyntaxError: no',
    'src/d.test.ts > a test that is failed: Error: no',
    'src/e.test.ts: did not end',
  ]);
});

test('what a skipped test needs is said once for each file, and a skip without a reason is named', () => {
  const skipped = file('c.test.ts', 'passed', 'skipped', 'pending', 'todo');
  for (const one of skipped.assertionResults.slice(0, 2)) one.meta = { needs: 'haproxy' };
  const { counts, skippedFor } = read([...green, skipped], 0);
  expect(counts).toEqual({ passed: 3, failed: 0, skipped: 3 });
  expect(skippedFor).toEqual(['src/c.test.ts needs haproxy', 'src/c.test.ts gives no reason: a test that is todo']);
});

test('the parts of a run add up', () => {
  expect(sum([passed, failure('types'), failure('lint')])).toEqual({
    counts: { passed: 1, failed: 2, skipped: 0 },
    failedIn: ['types', 'lint'],
    skippedFor: [],
  });
  expect(sum([]).counts).toEqual({ passed: 0, failed: 0, skipped: 0 });
});
