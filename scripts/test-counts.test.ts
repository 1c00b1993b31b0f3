import { expect, test } from 'vitest';
import { countTests, sum } from './test-counts.ts';

const green = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };

test('a run that ends with an error of which no test tells is a failure', () => {
  expect(countTests(green, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

test('a file that does not load is a failure beside those of the tests', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'failed' }] },
    { status: 'passed', assertionResults: [{ status: 'passed' }] },
  ];
  expect(countTests({ ...green, numFailedTests: 1, testResults }, 1)).toEqual({ passed: 3, failed: 2, skipped: 0 });
});

test('skipped and planned tests are told, not hidden', () => {
  expect(countTests({ ...green, numPendingTests: 2, numTodoTests: 1 }, 0)).toEqual({
    passed: 3,
    failed: 0,
    skipped: 3,
  });
});

test('the parts of a run add up', () => {
  const part = { passed: 1, failed: 2, skipped: 3 };
  expect(sum([part, part])).toEqual({ passed: 2, failed: 4, skipped: 6 });
  expect(sum([])).toEqual({ passed: 0, failed: 0, skipped: 0 });
});
