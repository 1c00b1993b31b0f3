// The files that take minutes begin first: one that begins last keeps one core busy while the other has
// nothing to do.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = join(import.meta.dirname, '..');

const longest = [
  'faults/faults.test.ts',
  'scripts/odd-places.test.ts',
  'scripts/stop-signals.test.ts',
  'test/operations/manual.test.ts',
  'src/server/commands/command-schema.test.ts',
  'src/server/commands/import-real-files.test.ts',
  'src/server/production.test.ts',
  'test/e2e/view-as.test.ts',
].map((file) => join(root, file));

const missing = longest.filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`test/longest-first.ts names files that are not there: ${missing.join(' ')}`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longest.includes(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
