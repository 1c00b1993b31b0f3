import { readFileSync } from 'node:fs';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { importExample, NewTokenDialog } from './new-token-dialog.tsx';

test('a token without a name or a dataset is not asked for, and the form says what is missing', async () => {
  const user = await showPage(<NewTokenDialog opened onClose={() => {}} />);
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), '{Enter}');
  await screen.findByText(/name must not be blank/i);
  await user.keyboard('Shop{Enter}');
  await screen.findByText(/must name at least one/i);
});

test('the example is the line of the document on imports, with the address of this server', () => {
  const line = importExample({ origin: 'https://dash.example', dataset: 'orders', mapping: 'shop' });
  expect(line).not.toContain('...');
  const documented = readFileSync('docs/imports.md', 'utf8').split('\n');
  expect(documented.map((text) => text.trim())).toContain(line.replace('https://dash.example', 'https://...'));
});
