import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { checkBudgets } from './budgets.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A built folder whose chunks weigh what is given, in KiB; random bytes do not shrink. */
function built({ login = 1, shell = 1, shared = 1, lazy = 1, css = 1, lazyOf = '_shared.js' }): string {
  const folder = mkdtempSync(join(tmpdir(), 'budgets-'));
  folders.push(folder);
  mkdirSync(join(folder, '.vite'));
  const write = (file: string, size: number) => writeFileSync(join(folder, file), randomBytes(size * 1024));
  write('login.js', login);
  write('index.js', shell);
  write('shared.js', shared);
  write('lazy.js', lazy);
  write('index.css', css);
  const manifest = {
    'login.html': { file: 'login.js', isEntry: true, imports: ['_shared.js'], dynamicImports: ['some-page.tsx'] },
    'index.html': { file: 'index.js', isEntry: true, imports: ['_shared.js'], css: ['index.css'] },
    '_shared.js': { file: 'shared.js' },
    'some-page.tsx': { file: 'lazy.js', imports: [lazyOf] },
  };
  writeFileSync(join(folder, '.vite/manifest.json'), JSON.stringify(manifest));
  return folder;
}

test.each([
  ['login JS', { login: 120 }],
  ['shell JS', { shell: 100, shared: 100 }],
  ['shell CSS', { css: 30 }],
  ['largest lazy chunk', { lazy: 60 }],
])('a %s above its budget fails and is named', (name, sizes) => {
  const { passed, lines } = checkBudgets(built(sizes));
  expect(passed).toBe(false);
  expect(lines.filter((line) => line.startsWith('OVER')).join()).toContain(name);
});

test('a part of one document that lies in a file with the program of the other fails: it would start that', () => {
  const { passed, lines } = checkBudgets(built({ lazyOf: 'index.html' }));
  expect(passed).toBe(false);
  expect(lines).toContain('OVER login.html would start the program of index.html');
});

test('what every entry shares counts in each of them, and a small build passes', () => {
  const { passed, lines } = checkBudgets(built({ shared: 80 }));
  expect(passed).toBe(true);
  expect(lines.find((line) => line.includes('login JS'))).toMatch(/81\.\d of 115/);
});
