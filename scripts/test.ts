// The whole of `npm test`, on two cores in two lanes: the checks beside the tests, then the browser journeys.
//   --no-browser   leaves out the build and the journeys (npm run check)
//   --only a,b     only these: types lint walls unused core web scripts server faults house matrix hazards build e2e
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { closedFolder } from '../src/server/platform/db/database-user.ts';
import { findChromium } from './find-chromium.ts';
import { type Counts, countTests, type Report, splitOffFailed, sum } from './test-counts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = join(root, 'node_modules', '.bin');

// The programs write to us and not to a terminal: they are told what we write to.
const COLOUR = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1', FORCE_COLOR: undefined };

// As root the tests start PostgreSQL as another user, who has to enter their temporary folders.
const isClosed = process.getuid?.() === 0 && closedFolder(tmpdir()) !== undefined;
const TEMPORARY = isClosed ? { TMPDIR: '/tmp' } : {};

type Check = { name: string; command: readonly string[]; env?: Record<string, string> };

const CHECKS: readonly Check[] = [
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'lint', command: ['biome', 'ci', '--no-errors-on-unmatched'] },
  { name: 'walls', command: ['depcruise', 'src', 'test', 'scripts', '--no-progress'] },
  { name: 'unused', command: ['knip', '--no-progress', '--no-config-hints'] },
];
const BUILD: Check = { name: 'build', command: ['node', 'scripts/run.mjs', 'scripts/build.ts'] };
const PROJECTS = ['core', 'web', 'scripts', 'server', 'faults', 'house', 'matrix', 'hazards'];
/** More files than this fail for a reason that they share. */
const MOST_SECOND_TRIES = 20;
const secondTries: string[] = [];
const ALL = [...CHECKS.map(({ name }) => name), ...PROJECTS, 'build', 'e2e'];

const { values: options } = parseArgs({
  options: { 'no-browser': { type: 'boolean', default: false }, only: { type: 'string' } },
});
const asked =
  options.only?.split(',') ?? ALL.filter((name) => !options['no-browser'] || !['build', 'e2e'].includes(name));
const unknown = asked.filter((name) => !ALL.includes(name));
if (unknown.length > 0) {
  console.error(`--only ${unknown.join(',')}: there are ${ALL.join(' ')}.`);
  process.exit(2);
}

/** Longer than any test file takes on a busy machine. */
const LONGEST_SILENCE_MS = 12 * 60_000;

/** Ends a program and everything it started: a test that never gives its thread back can't be ended from inside. */
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
 * Runs a program of node_modules and hands its output over line by line; resolves with its exit code. One that says nothing for
 * too long is ended.
 */
function run(
  [program = '', ...parameters]: readonly string[],
  env: Record<string, string>,
  onLine: (line: string) => void,
): Promise<number> {
  const file = program === 'node' ? process.execPath : join(programs, program);
  const child = spawn(file, parameters, {
    cwd: root,
    env: { ...process.env, ...COLOUR, ...TEMPORARY, PATH: `${programs}${delimiter}${process.env.PATH}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // npm's commands are batch files there.
    shell: process.platform === 'win32' && program !== 'node',
    // A group of its own, so that it can be ended with its children.
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

function report(name: string, passed: boolean, started: number, lines: readonly string[] = []): Counts {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(` ${passed ? '✓' : '✗'} ${name} ${seconds}s`);
  if (!passed) console.log(lines.map((line) => `   ${line}`).join('\n'));
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
}

async function runCheck({ name, command, env = {} }: Check): Promise<Counts> {
  const started = performance.now();
  const lines: string[] = [];
  const code = await run(command, env, (line) => lines.push(line));
  return report(name, code === 0, started, lines);
}

async function runChecks(checks: readonly Check[]): Promise<Counts> {
  const counts: Counts[] = [];
  for (const check of checks) counts.push(await runCheck(check));
  return sum(counts);
}

/** `report`: null where an error of no test stands beside it, `none` where the run ended without one. */
type Run = { counts: Counts; report: Report | 'none' | null };

/** Vitest prints its own line for every file and the failures in full; the numbers come from its JSON. */
async function runVitest(parameters: readonly string[], env: Record<string, string>): Promise<Run> {
  const results = join(root, '.cache', `tests-${randomUUID()}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  let unhandled = false;
  const ended = new Set<string>();
  const code = await run(['vitest', 'run', ...parameters, ...reporters, '--passWithNoTests'], env, (line) => {
    if (line.includes('Unhandled Errors')) unhandled = true;
    const [, file] = / \|\w+\| (\S+\.test\.tsx?) \(/.exec(line) ?? [];
    if (file) ended.add(file);
    if (line.trim() !== '' && !line.startsWith('JSON report')) console.log(line);
  });
  try {
    const report: Report = JSON.parse(readFileSync(results, 'utf8'));
    // An error of no test cannot be tried again with one: then everything is.
    return { counts: countTests(report, code), report: unhandled ? null : report };
  } catch {
    console.log(` ✗ vitest ${parameters.join(' ')} ended with ${code} and without results`);
    const all = globSync('{src,test,scripts,faults}/**/*.test.{ts,tsx}', { cwd: root });
    console.log(`   files without a result: ${all.filter((file) => !ended.has(file)).join(' ')}`);
    return { counts: { passed: 0, failed: 1, skipped: 0 }, report: 'none' };
  } finally {
    rmSync(results, { force: true });
  }
}

/**
 * Files that failed run a second time, alone: what is broken fails twice, while what lost a race against everything
 * else on the machine passes. The end of the run names them, since a test that needs it wants mending.
 */
async function runTests(projects: readonly string[], env: Record<string, string> = {}): Promise<Counts> {
  if (projects.length === 0) return sum([]);
  const selection = projects.flatMap((project) => ['--project', project]);
  const first = await runVitest(selection, env);
  if (first.counts.failed === 0 || first.report === 'none') return first.counts;
  if (!first.report) {
    console.log(` ↻ a second time, all of ${projects.join(' ')}: an error of no test ended the first`);
    const again = await runVitest(selection, env);
    if (again.counts.failed === 0) secondTries.push(...projects);
    return again.counts;
  }
  const { files, others } = splitOffFailed(first.report);
  if (files.length === 0 || files.length > MOST_SECOND_TRIES) return first.counts;
  const names = files.map((file) => relative(root, file));
  console.log(` ↻ a second time, alone: ${names.join(' ')}`);
  const second = await runVitest([...selection, '--maxWorkers=1', ...names], env);
  if (second.counts.failed === 0) secondTries.push(...names);
  return sum([others, second.counts]);
}

async function runJourneys(): Promise<Counts> {
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
const isAsked = ({ name }: Check) => asked.includes(name);
const sideBySide = await Promise.all([
  runChecks([...CHECKS, BUILD].filter(isAsked)),
  runTests(PROJECTS.filter((project) => asked.includes(project))),
]);
const journeys = asked.includes('e2e') ? await runJourneys() : sum([]);

const { passed, failed, skipped } = sum([...sideBySide, journeys]);
process.exitCode = failed > 0 ? 1 : 0;
if (secondTries.length > 0) console.log(`passed at the second try only: ${secondTries.join(' ')}`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
