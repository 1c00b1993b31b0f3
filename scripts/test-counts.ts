// What a run of the tests came to, read from Vitest's JSON report.
import { relative } from 'node:path';

export type Outcome = {
  readonly counts: { readonly passed: number; readonly failed: number; readonly skipped: number };
  /** `FILE > TEST: its error's first line` for each failed test, or the names of failed checks. */
  readonly failedIn: readonly string[];
  /** `FILE needs WHAT`, once each. */
  readonly skippedFor: readonly string[];
};

export type Report = {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[]; meta: { needs?: string } }[];
  }[];
};

export const passed: Outcome = { counts: { passed: 1, failed: 0, skipped: 0 }, failedIn: [], skippedFor: [] };

export const failure = (place: string): Outcome => ({
  counts: { passed: 0, failed: 1, skipped: 0 },
  failedIn: [place],
  skippedFor: [],
});

export function sum(outcomes: readonly Outcome[]): Outcome {
  const total = (which: keyof Outcome['counts']) => outcomes.reduce((so, { counts }) => so + counts[which], 0);
  return {
    counts: { passed: total('passed'), failed: total('failed'), skipped: total('skipped') },
    failedIn: outcomes.flatMap(({ failedIn }) => failedIn),
    skippedFor: outcomes.flatMap(({ skippedFor }) => skippedFor),
  };
}

const firstLine = (text = '') => text.split('\n', 1)[0]!.slice(0, 300);

/** A file that fails outside its tests (it does not load, a hook throws) counts as one failure. */
function readFile({ name, status, message, assertionResults }: Report['testResults'][number], root: string): Outcome {
  const file = relative(root, name);
  const withStatus = (wanted: string) => assertionResults.filter((test) => test.status === wanted);
  const [passed, failures] = [withStatus('passed').length, withStatus('failed')];
  const failed = failures.length;
  const isBroken = status === 'failed' && failed === 0;
  const reasons = assertionResults
    .filter((test) => test.status !== 'passed' && test.status !== 'failed')
    .map(({ fullName, meta }) => (meta.needs ? `${file} needs ${meta.needs}` : `${file} gives no reason: ${fullName}`));
  return {
    counts: { passed, failed: isBroken ? 1 : failed, skipped: assertionResults.length - passed - failed },
    failedIn: isBroken
      ? [`${file}: ${firstLine(message) || 'did not end'}`]
      : failures.map(({ fullName, failureMessages: [why] }) => `${file} > ${fullName}: ${firstLine(why)}`),
    skippedFor: [...new Set(reasons)],
  };
}

/** Vitest can fail without a failed test, by an unhandled rejection for example. */
export function readReport(report: Report, { root, exitCode }: { root: string; exitCode: number }): Outcome {
  const outcome = sum(report.testResults.map((file) => readFile(file, root)));
  const isUnexplained = outcome.counts.failed === 0 && exitCode !== 0;
  return isUnexplained ? sum([outcome, failure('an error outside the tests, printed above')]) : outcome;
}
