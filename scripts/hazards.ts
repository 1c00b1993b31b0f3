// `npm run hazards -- [--only c01,c04] [--short] [--seed N]`: what several people do at once on several
// servers (C1 to C18), as often as is promised; `npm test` does the same a few times. Writes
// docs/results/hazards.json, exits with 1 where something went wrong.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Counted } from '../test/hazards/rounds.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const results = join(root, 'docs/results/hazards.json');
const report = join(root, '.cache', `hazards-${process.pid}.json`);

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, short: { type: 'boolean', default: false }, seed: { type: 'string' } },
});
const seed = options.seed ?? String(Math.floor(Math.random() * 1_000_000));
const files = options.only?.split(',').map((name) => `test/hazards/${name}`) ?? [];

type Tested = {
  readonly title: string;
  readonly status: string;
  readonly duration?: number;
  readonly meta: { readonly hazard?: Counted };
};
type Report = {
  readonly testResults: readonly { readonly name: string; readonly assertionResults: readonly Tested[] }[];
};
type Row = Counted & {
  readonly title: string;
  readonly test: string;
  readonly seconds: number;
  readonly commit: string;
};

/** A test that ran again replaces its old row; the others stay as they are. */
function merged(rows: readonly Row[]): Row[] {
  const kept = existsSync(results) ? (JSON.parse(readFileSync(results, 'utf8')) as { hazards: Row[] }).hazards : [];
  const again = new Set(rows.map(({ test, title }) => `${test} ${title}`));
  const all = [...kept.filter(({ test, title }) => !again.has(`${test} ${title}`)), ...rows];
  return all.sort((a, b) => `${a.test} ${a.title}`.localeCompare(`${b.test} ${b.title}`));
}

mkdirSync(join(root, '.cache'), { recursive: true });
console.log(`seed ${seed}`);
const { status } = spawnSync(
  // By the Node that runs this: the machine's own may be too old.
  process.execPath,
  [
    join(root, 'node_modules/.bin/vitest'),
    'run',
    '--project',
    'hazards',
    ...files,
    '--reporter=verbose',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TESTS: options.short ? 'sample' : 'full', HAZARDS_SEED: seed },
  },
);
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
rmSync(report, { force: true });
const rows = testResults.flatMap(({ name, assertionResults }) =>
  assertionResults.flatMap(({ title, duration = 0, meta: { hazard } }): Row[] =>
    hazard ? [{ ...hazard, title, test: basename(name), seconds: Math.round(duration / 1_000), commit }] : [],
  ),
);
if (!options.short) {
  const machine = {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? '',
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    node: process.versions.node,
  };
  const written = { at: new Date().toISOString(), machine, seed: Number(seed), hazards: merged(rows) };
  writeFileSync(results, `${JSON.stringify(written, null, 2)}\n`);
}
for (const { hazard, interleavings, violations, title } of rows)
  console.log(`${hazard.padEnd(4)} ${String(interleavings).padStart(7)} run, ${violations} wrong: ${title}`);
process.exitCode = status ?? 1;
