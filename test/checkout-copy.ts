// A copy of the checkout as a clone would be, with the packages linked instead of installed.
import { cpSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const leftOut = new Set(['.git', '.cache', '.env', 'node_modules', 'build', 'dist', 'data', 'reports']);
const caches = new Set(['.cache', '.vite', '.vite-temp', '.vitest']);

export function copyCheckout(to: string): string {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(root).filter((name) => !leftOut.has(name)))
    cpSync(join(root, name), join(to, name), { recursive: true });
  // A separate folder with links: caches are written beside the packages.
  const packages = realpathSync(join(root, 'node_modules'));
  mkdirSync(join(to, 'node_modules'));
  for (const name of readdirSync(packages).filter((name) => !caches.has(name)))
    symlinkSync(join(packages, name), join(to, 'node_modules', name));
  return to;
}
