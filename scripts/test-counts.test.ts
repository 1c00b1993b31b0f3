import { expect, test } from 'vitest';
import { countTests, splitOffFailed, sum } from './test-counts.ts';

const file = (name: string, status: string, ...tests: string[]) => ({
  name,
  status,
  assertionResults: tests.map((result) => ({ status: result })),
});
const green = [file('a.test.ts', 'passed', 'passed', 'passed'), file('b.test.ts', 'passed', 'passed')];

test('a run that ends with an error of which no test tells is a failure', () => {
  expect(countTests({ testResults: green }, 0)).toEqual({ passed: 3, failed: 0, skipped: 0 });
  expect(countTests({ testResults: green }, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

test('a file that does not load is a failure beside those of the tests', () => {
  const testResults = [...green, file('c.test.ts', 'failed'), file('d.test.ts', 'failed', 'failed', 'passed')];
  expect(countTests({ testResults }, 1)).toEqual({ passed: 4, failed: 2, skipped: 0 });
});

test('skipped and planned tests are told, not hidden', () => {
  const testResults = [...green, file('c.test.ts', 'passed', 'skipped', 'pending', 'todo')];
  expect(countTests({ testResults }, 0)).toEqual({ passed: 3, failed: 0, skipped: 3 });
});

test('of a run some files of which failed, those are named and the others counted', () => {
  const testResults = [...green, file('c.test.ts', 'failed'), file('d.test.ts', 'failed', 'failed', 'passed')];
  expect(splitOffFailed({ testResults })).toEqual({
    files: ['c.test.ts', 'd.test.ts'],
    others: { passed: 3, failed: 0, skipped: 0 },
  });
});

test('the parts of a run add up', () => {
  const part = { passed: 1, failed: 2, skipped: 3 };
  expect(sum([part, part])).toEqual({ passed: 2, failed: 4, skipped: 6 });
  expect(sum([])).toEqual({ passed: 0, failed: 0, skipped: 0 });
});
