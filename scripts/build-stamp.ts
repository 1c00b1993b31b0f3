// What the built web, and the built server, were made from, as one hash: of contents instead of times,
// because a fresh checkout or a copied dist folder does not build again.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
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

export function stampOfBuild(dist: string): string | undefined {
  const file = join(dist, '.build-stamp');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
