import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { importExample } from './new-token-dialog.tsx';

test('the example is the line of the document on imports, with the address of this server', () => {
  const line = importExample({ origin: 'https://dash.example', dataset: 'orders', mapping: 'shop' });
  expect(line).not.toContain('...');
  const documented = readFileSync('docs/imports.md', 'utf8').split('\n');
  expect(documented.map((text) => text.trim())).toContain(line.replace('https://dash.example', 'https://...'));
});
