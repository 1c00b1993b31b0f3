// Copies the packages that the built server still loads into a folder: what the bundle leaves outside, with
// all that it needs.
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagesOutside } from './build-server.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

type Manifest = {
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
};

/** Where Node finds a package that is asked for in `folder`: there, or in a folder above. */
function folderOf(name: string, folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (at === dirname(at)) return undefined;
  }
}

/** The folders of these packages and of everything that they need. Optional packages may be missing. */
function closure(names: readonly string[]): Set<string> {
  const folders = new Set<string>();
  const add = (name: string, from: string, optional: boolean) => {
    const folder = folderOf(name, from);
    if (folder === undefined) {
      if (optional) return;
      throw new Error(`The package ${name} is not installed`);
    }
    if (folders.has(folder)) return;
    folders.add(folder);
    const { dependencies = {}, optionalDependencies = {} }: Manifest = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies }))
      add(needed, folder, needed in optionalDependencies);
  };
  for (const name of names) add(name, root, false);
  return folders;
}

const target = process.argv[2];
if (target === undefined) throw new Error('Usage: node scripts/server-packages.ts FOLDER');
const modules = join(root, 'node_modules');
for (const folder of closure(packagesOutside))
  cpSync(folder, join(resolve(target), folder.slice(modules.length + 1)), {
    recursive: true,
    dereference: true,
    // Packages within it are added when they are needed.
    filter: (path) => !path.slice(folder.length).includes('/node_modules/'),
  });
