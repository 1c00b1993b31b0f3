// `npm test`, on two cores: first the build, which tests start; then the checks beside the tests; then the
// browser journeys, which time out where something else takes the cores.
//   --quick      only what needs no programs (npm run check)
//   --full       every round, cell and row instead of a sample; takes hours
//   --only a,b   only these: types lint walls unused core web house scripts server operations matrix hazards
//                faults build e2e
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { closedFolder } from '../src/server/platform/db/database-user.ts';
import { findChromium } from './find-chromium.ts';
import { failure, type Outcome, passed, readReport, sum } from './test-counts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = join(root, 'node_modules', '.bin');

// The programs write to us and not to a terminal: they are told what we write to.
const COLOUR = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1', FORCE_COLOR: undefined };

// As root the tests start PostgreSQL as another user, who has to enter their temporary folders.
const isClosed = process.getuid?.() === 0 && closedFolder(tmpdir()) !== undefined;
const TEMPORARY = isClosed ? { TMPDIR: '/tmp' } : {};

type Check = { name: string; command: readonly string[]; env?: Record<string, string> };

const CHECKS: readonly Check[] = [
  // TypeScript 7 takes half the time of 6, which stays for the programs that need an API.
  { name: 'types', command: ['node', 'node_modules/typescript-7/bin/tsc', '-b'] },
  { name: 'lint', command: ['biome', 'ci', '--no-errors-on-unmatched'] },
  { name: 'walls', command: ['depcruise', 'src', 'test', 'scripts', '--no-progress'] },
  { name: 'unused', command: ['knip', '--no-progress', '--no-config-hints'] },
];
const BUILD: Check = { name: 'build', command: ['node', 'scripts/run.mjs', 'scripts/build.ts'] };
const QUICK_PROJECTS = ['core', 'web', 'house'];
const PROJECTS = [...QUICK_PROJECTS, 'scripts', 'server', 'operations', 'matrix', 'hazards', 'faults'];
const QUICK = [...CHECKS.map(({ name }) => name), ...QUICK_PROJECTS];
const ALL = [...CHECKS.map(({ name }) => name), ...PROJECTS, 'build', 'e2e'];

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, full: { type: 'boolean' }, only: { type: 'string' } },
});
const asked = options.only?.split(',') ?? (options.quick ? QUICK : ALL);
const unknown = asked.filter((name) => !ALL.includes(name));
if (unknown.length > 0) {
  console.error(`--only ${unknown.join(',')}: there are ${ALL.join(' ')}.`);
  process.exit(2);
}

const isAsked = ({ name }: Check) => asked.includes(name);

const TESTS = options.full ? { TESTS: 'full' } : {};

/** Longer than the two longest test files take on a busy machine: Vitest speaks when a file ends. */
const LONGEST_SILENCE_MS = (options.full ? 120 : 30) * 60_000;

/**
 * Ends a program and everything it started: a test that never gives its thread back can't be ended from
 * inside.
 */
function endWithChildren(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** The groups of the programs that run now. A terminal's Ctrl-C reaches this process only. */
const running = new Set<number>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    for (const pid of running) endWithChildren(pid);
    process.exit(1);
  });

/**
 * Runs a program of node_modules and hands its output over line by line; resolves with its exit code. One
 * that says nothing for too long is ended.
 */
function run(
  [program = '', ...parameters]: readonly string[],
  env: Record<string, string>,
  onLine: (line: string) => void,
): Promise<number> {
  const file = program === 'node' ? process.execPath : join(programs, program);
  const child = spawn(file, parameters, {
    cwd: root,
    env: {
      ...process.env,
      ...COLOUR,
      ...TEMPORARY,
      ...TESTS,
      PATH: `${programs}${delimiter}${process.env.PATH}`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // npm's commands are batch files there.
    shell: process.platform === 'win32' && program !== 'node',
    // A separate process group, to end it with its children.
    detached: process.platform !== 'win32',
  });
  const { pid } = child;
  if (pid !== undefined) running.add(pid);
  const silence = setTimeout(() => {
    onLine(` ✗ ${program} said nothing for ${LONGEST_SILENCE_MS / 60_000} minutes and was ended`);
    if (pid !== undefined) endWithChildren(pid);
  }, LONGEST_SILENCE_MS);
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      silence.refresh();
      onLine(line);
    });
  return new Promise<number>((resolve) => {
    child.once('error', (error) => {
      onLine(`${program}: ${error.message}`);
      resolve(1);
    });
    child.once('close', (code) => resolve(code ?? 1));
  }).finally(() => {
    clearTimeout(silence);
    if (pid !== undefined) running.delete(pid);
  });
}

function report(name: string, hasPassed: boolean, started: number, lines: readonly string[] = []): Outcome {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(` ${hasPassed ? '✓' : '✗'} ${name} ${seconds}s`);
  if (!hasPassed) console.log(lines.map((line) => `   ${line}`).join('\n'));
  return hasPassed ? passed : failure(name);
}

async function runCheck({ name, command, env = {} }: Check): Promise<Outcome> {
  const started = performance.now();
  const lines: string[] = [];
  const code = await run(command, env, (line) => lines.push(line));
  return report(name, code === 0, started, lines);
}

async function runChecks(): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const check of CHECKS.filter(isAsked)) outcomes.push(await runCheck(check));
  return sum(outcomes);
}

/** Vitest prints its own line for every file and the failures in full; the numbers come from its JSON. */
async function runTests(projects: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  if (projects.length === 0) return sum([]);
  const results = join(root, '.cache', `tests-${randomUUID()}.json`);
  const selection = projects.flatMap((project) => ['--project', project]);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const ended = new Set<string>();
  const crashes: string[] = [];
  const code = await run(['vitest', 'run', ...selection, ...reporters, '--passWithNoTests'], env, (line) => {
    const [, file] = / \|\w+\| (\S+\.test\.tsx?) \(/.exec(line) ?? [];
    if (file) ended.add(file);
    if (line.includes('Worker exited unexpectedly')) crashes.push(line.trim());
    if (line.trim() !== '' && !line.startsWith('JSON report')) console.log(line);
  });
  try {
    const outcome = readReport(JSON.parse(readFileSync(results, 'utf8')), { root, exitCode: code });
    return { ...outcome, failedIn: [...outcome.failedIn, ...crashes] };
  } catch {
    console.log(` ✗ vitest ${selection.join(' ')} ended with ${code} and without results`);
    const all = globSync('{src,test,scripts,faults}/**/*.test.{ts,tsx}', { cwd: root });
    console.log(`   files without a result: ${all.filter((file) => !ended.has(file)).join(' ')}`);
    return failure('Vitest ended without results');
  } finally {
    rmSync(results, { force: true });
  }
}

async function runJourneys(): Promise<Outcome> {
  if (!asked.includes('e2e')) return sum([]);
  const started = performance.now();
  try {
    const chromium = await findChromium();
    console.log(` ✓ browser ${chromium}`);
    return await runTests(['e2e'], { CHROMIUM_PATH: chromium });
  } catch (error) {
    return report('browser', false, started, [(error as Error).message]);
  }
}

mkdirSync(join(root, '.cache'), { recursive: true });
const build = isAsked(BUILD) ? await runCheck(BUILD) : sum([]);
const lanes = await Promise.all([runChecks(), runTests(PROJECTS.filter((project) => asked.includes(project)))]);
const journeys = await runJourneys();

const { counts, failedIn, skippedFor } = sum([build, ...lanes, journeys]);
process.exitCode = counts.failed > 0 ? 1 : 0;
for (const reason of skippedFor) console.log(`skipped: ${reason}`);
for (const place of failedIn) console.log(`failed: ${place}`);
console.log(
  `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`,
);
