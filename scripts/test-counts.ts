// Reads the numbers out of Vitest's JSON report.

export type Counts = { passed: number; failed: number; skipped: number };

export type Report = {
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
};

const nothing: Counts = { passed: 0, failed: 0, skipped: 0 };

export function sum(counts: readonly Counts[]): Counts {
  return counts.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    nothing,
  );
}

/** A file that fails outside of its tests (it does not load, a hook throws) is one failure besides them. */
function countFile({ status, assertionResults }: Report['testResults'][number]): Counts {
  const count = (met: (status: string) => boolean) => assertionResults.filter((test) => met(test.status)).length;
  const [passed, failed] = [count((is) => is === 'passed'), count((is) => is === 'failed')];
  const isBroken = status === 'failed' && failed === 0;
  return { passed, failed: isBroken ? 1 : failed, skipped: assertionResults.length - passed - failed };
}

/** A run that ends with an error of which no test tells (an unhandled rejection) has failed, whatever its tests say. */
export function countTests(report: Report, exitCode: number): Counts {
  const counts = sum(report.testResults.map(countFile));
  return { ...counts, failed: counts.failed === 0 && exitCode !== 0 ? 1 : counts.failed };
}

/** The paths of the files that failed, and the counts of all the others. */
export function splitOffFailed({ testResults }: Report): { files: string[]; others: Counts } {
  const hasFailed = ({ status }: { status: string }) => status === 'failed';
  return {
    files: testResults.filter(hasFailed).map(({ name }) => name),
    others: sum(testResults.filter((file) => !hasFailed(file)).map(countFile)),
  };
}
