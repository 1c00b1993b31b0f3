import { expect, test } from 'vitest';
import { runWords } from './run-step.tsx';

const run = {
  ...{ id: '1', isDryRun: false, state: 'stopped', isStopping: false, share: 0.4, reason: 'The disk is full' },
  ...{ rows: 5_001, inserted: 4_000, updated: 900, unchanged: 100, refused: 1, leftOut: 0 },
};
const done = '5,001 rows read, 4,000 added, 900 changed, 100 unchanged, 1 refused.';
const would = '5,001 rows read, 4,000 new, 900 changed, 100 unchanged, 1 refused.';

test.each([
  [{ state: 'running' }, 'Import: 5,001 rows read'],
  [{ state: 'running', isDryRun: true }, 'Dry run: 5,001 rows read'],
  [{ state: 'done' }, `Imported: ${done}`],
  [
    { state: 'done', leftOut: 2 },
    'Imported: 5,001 rows read, 4,000 added, 900 changed, 100 unchanged, 1 refused, 2 left out.',
  ],
  [{ state: 'done', isDryRun: true }, `Dry run, nothing saved: ${would}`],
  [{ state: 'stopped' }, `Import stopped: ${done} Imported rows stay. Run it again to import the rest.`],
  [{ state: 'stopped', isDryRun: true }, `Dry run stopped, nothing saved: ${would}`],
  [{ state: 'failed' }, `Import failed: ${done} The disk is full`],
  [{ state: 'failed', isDryRun: true }, `Dry run failed, nothing saved: ${would} The disk is full`],
])('an import that is %j says so, and what it did', (change, words) => {
  expect(runWords({ ...run, ...change })).toBe(words);
});
