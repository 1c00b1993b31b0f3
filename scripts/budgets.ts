// What a page may weigh, in KiB after gzip, read from Vite's manifest. A build that exceeds a budget fails.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const budgets = { login: 115, shell: 195, css: 22, chunk: 50, font: 50 } as const;

/** Fonts for other alphabets load only where a text needs them; every page loads this one. */
const everyPagesFont = /inter-latin-wght-normal-[\w-]+\.woff2$/;

type Chunk = {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
};
type Manifest = Readonly<Record<string, Chunk>>;

export type BudgetReport = { readonly passed: boolean; readonly lines: string[] };

/**
 * The chunk and all that it imports statically: what loads before it runs. With `later`, also what it may
 * load some time.
 */
function loadedWith(manifest: Manifest, key: string, later = false, seen = new Set<string>()): Set<string> {
  if (seen.has(key)) return seen;
  seen.add(key);
  const { imports = [], dynamicImports = [] } = manifest[key] ?? {};
  for (const imported of [...imports, ...(later ? dynamicImports : [])]) loadedWith(manifest, imported, later, seen);
  return seen;
}

export function checkBudgets(distDir: string): BudgetReport {
  const manifest = JSON.parse(readFileSync(join(distDir, '.vite/manifest.json'), 'utf8')) as Manifest;
  const gzipped = (file: string): number => gzipSync(readFileSync(join(distDir, file)), { level: 9 }).length / 1024;
  const total = (files: Iterable<string>): number => [...new Set(files)].reduce((sum, file) => sum + gzipped(file), 0);
  const chunksOf = (keys: Iterable<string>): Chunk[] => [...keys].flatMap((key) => manifest[key] ?? []);
  const lines: string[] = [];
  let passed = true;
  const check = (name: string, size: number, budget: number) => {
    const kept = size <= budget;
    passed &&= kept;
    lines.push(`${kept ? 'ok  ' : 'OVER'} ${name}: ${size.toFixed(1)} of ${budget} KiB`);
  };

  const initial = new Set<string>();
  for (const [entry, name, budget] of [
    ['login.html', 'login JS', budgets.login],
    ['index.html', 'shell JS', budgets.shell],
  ] as const) {
    const keys = loadedWith(manifest, entry);
    for (const key of keys) initial.add(key);
    const chunks = chunksOf(keys);
    check(name, total(chunks.map((chunk) => chunk.file)), budget);
    const others = [...loadedWith(manifest, entry, true)].filter((key) => key !== entry && manifest[key]?.isEntry);
    passed &&= others.length === 0;
    if (others.length > 0) lines.push(`OVER ${entry} would start the program of ${others.join(' and ')}`);
    check(`${name.replace('JS', 'CSS')}`, total(chunks.flatMap((chunk) => chunk.css ?? [])), budgets.css);
  }
  const lazy = Object.entries(manifest).filter(([key, { file }]) => !initial.has(key) && file.endsWith('.js'));
  const largest = lazy.map(([key, { file }]) => ({ key, size: gzipped(file) })).sort((a, b) => b.size - a.size)[0];
  if (largest) check(`largest lazy chunk (${largest.key})`, largest.size, budgets.chunk);

  const fonts = [...new Set(Object.values(manifest).flatMap(({ file, assets = [] }) => [file, ...assets]))];
  for (const font of fonts.filter((file) => everyPagesFont.test(file) && existsSync(join(distDir, file)))) {
    check('font', statSync(join(distDir, font)).size / 1024, budgets.font);
  }
  return { passed, lines };
}
