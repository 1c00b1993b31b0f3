// Builds the server into build/server/ and the web into dist/: Vite, then every text asset compressed once
// instead of per request, then the budgets.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { build as viteBuild } from 'vite';
import type { BudgetReport } from './budgets.ts';
import { buildServer, builtServer } from './build-server.ts';
import { stampBuild, stampOfBuild, stampOfInputs, stampOfServer } from './build-stamp.ts';
import { refuseUnderServer } from './running-server.mjs';
import { cycleOf, outputOf } from './web-chunks.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

const COMPRESSED_TYPES = new Set(['.js', '.css', '.html', '.svg', '.json', '.webmanifest', '.txt']);
// Below this the headers of the answer outweigh what compression saves.
const SMALLEST_COMPRESSED_BYTES = 1024;

async function compress(file: string): Promise<void> {
  const bytes = readFileSync(file);
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  writeFileSync(`${file}.br`, brotli);
  writeFileSync(`${file}.gz`, gzipped);
}

async function compressAll(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPRESSED_TYPES.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size >= SMALLEST_COMPRESSED_BYTES);
  await Promise.all(files.map(compress));
}

// A folder can't be replaced in one step: the old one is moved aside first. The loser of the race against
// another build of the same inputs throws its own away.
function moveIntoPlace(built: string): void {
  const aside = `${built}.old`;
  try {
    if (existsSync(dist)) renameSync(dist, aside);
    renameSync(built, dist);
  } catch (error) {
    if (stampOfBuild(dist) !== stampOfBuild(built)) throw error;
  }
  for (const folder of [aside, built]) rmSync(folder, { recursive: true, force: true });
}

/** The scripts of a build that is not watched. */
function chunksOf(result: Awaited<ReturnType<typeof viteBuild>>) {
  const [only] = [result].flat();
  return only && 'output' in only ? only.output.filter((file) => file.type === 'chunk') : [];
}

/** Builds dist/ from the current sources unless it is up to date, and returns whether it is within its budgets. */
async function buildWeb({ quiet = false } = {}): Promise<BudgetReport> {
  const stamp = stampOfInputs(root);
  const { checkBudgets } = await import('./budgets.ts');
  if (stampOfBuild(dist) === stamp) return checkBudgets(dist);
  if (quiet) console.error('Building the web, a few seconds ...');
  mkdirSync(join(root, '.cache'), { recursive: true });
  const built = join(root, '.cache', `build-${process.pid}`);
  const { build } = await import('vite');
  const configFile = join(root, 'vite.config.ts');
  try {
    const first = await build({ configFile, logLevel: 'warn', build: { write: false } });
    const last = await build({
      configFile,
      logLevel: quiet ? 'warn' : 'info',
      build: {
        outDir: built,
        emptyOutDir: true,
        rolldownOptions: { output: outputOf(chunksOf(first)) },
      },
    });
    const circle = cycleOf(chunksOf(last));
    // One of them runs before what it needs: the page stays blank, without an error in its code.
    if (circle) throw new Error(`Files of the web import each other in a circle: ${circle.join(', ')}`);
    await compressAll(built);
    const budgets = checkBudgets(built);
    stampBuild(built, stamp);
    moveIntoPlace(built);
    return budgets;
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

/** For the way back from an upgrade that fails. An image has no git. */
function recordCommit(): void {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root });
  const file = join(root, 'build', 'commit');
  if (status === 0) writeFileSync(file, stdout);
  else rmSync(file, { force: true });
}

/** For a start: takes a few milliseconds when dist/ is up to date. */
export async function buildIfNeeded(): Promise<void> {
  const hasWeb = stampOfBuild(dist) === stampOfInputs(root);
  if (hasWeb && stampOfBuild(builtServer(root)) === stampOfServer(root)) return;
  refuseUnderServer(root);
  await buildServer(root, async () => {
    await buildWeb({ quiet: true });
  });
  recordCommit();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  refuseUnderServer(root);
  await buildServer(root, async () => {
    const { passed, lines } = await buildWeb();
    console.log(lines.join('\n'));
    // A start goes on with a page that grew too heavy; a build and the tests tell.
    process.exitCode = passed ? 0 : 1;
  });
  recordCommit();
}
