// What the built web, and the built server, were made from, as one hash: of contents instead of times,
// because a fresh checkout or a copied dist folder does not build again. Beside it what they consist of: one
// that lost a file is built again.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const SERVER_INPUTS = ['src/server', 'src/core', 'package.json', 'package-lock.json', 'scripts/build-server.ts'];
const INPUTS = [
  'src/web',
  'src/core',
  'vite.config.ts',
  'package-lock.json',
  'schema.graphql',
  'scripts/build.ts',
  'scripts/web-chunks.ts',
];
const IS_TEST = /\.test\.tsx?$/;

function filesOf(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !IS_TEST.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

export const stampOfInputs = (root: string): string => stampOf(root, INPUTS);
export const stampOfServer = (root: string): string => stampOf(root, SERVER_INPUTS);

function stampOf(root: string, inputs: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap((input) => filesOf(join(root, input)))) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

const stampFile = (folder: string): string => join(folder, '.build-stamp');

/** Says of a finished build what it was made from. */
export function stampBuild(folder: string, stamp: string): void {
  writeFileSync(stampFile(folder), `${stamp}\n${filesIn(folder)}`);
}

/** What a build was made from; undefined where there is none, or not all of it. */
export function stampOfBuild(folder: string): string | undefined {
  if (!existsSync(stampFile(folder))) return undefined;
  const [stamp, files] = readFileSync(stampFile(folder), 'utf8').split('\n');
  return files === filesIn(folder) ? stamp : undefined;
}

/** The names and sizes of a build's files, as one hash. */
function filesIn(folder: string): string {
  const files = filesOf(folder).filter((file) => file !== stampFile(folder));
  const lines = files.map((file) => `${relative(folder, file)} ${statSync(file).size}`);
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
