import { readFileSync } from 'node:fs';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { importExample, NewTokenDialog } from './service-tokens.tsx';

test('a token without a name or a dataset is not asked for, and the form says what is missing', async () => {
  const user = await showPage(<NewTokenDialog opened onClose={() => {}} />);
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), '{Enter}');
  await screen.findByText('Enter the name');
  await user.keyboard('Shop{Enter}');
  await screen.findByText(/must name at least one/i);
});

test('a new token asks before Done closes it uncopied', async () => {
  const onClose = vi.fn();
  const token = { id: '1', name: 'Shop', datasets: ['orders'], token: 'secret' };
  const user = await showPage(<NewTokenDialog opened onClose={onClose} />, {
    answers: {
      CreateServiceToken: () => ({ createServiceToken: token }),
      ServiceTokens: () => ({ serviceTokens: [] }),
      ImportMappings: () => ({ importMappings: [] }),
    },
  });
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Shop');
  await user.click(screen.getByRole('checkbox', { name: 'Orders' }));
  await user.click(screen.getByRole('button', { name: 'Create token' }));
  const done = await screen.findByRole('button', { name: 'Done' });
  await user.click(done);
  await user.click(await screen.findByRole('button', { name: 'Keep it open' }));
  expect(onClose).not.toHaveBeenCalled();
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(screen.getByRole('button', { name: 'Copy the token' }));
  await screen.findByRole('button', { name: 'Copied the token' });
  await user.click(done);
  expect(onClose).toHaveBeenCalledOnce();
});

test('the example is the line of the document on imports, with the address of this server', () => {
  const line = importExample({ origin: 'https://dash.example', dataset: 'orders', mapping: 'shop' });
  expect(line).not.toContain('...');
  const documented = readFileSync('docs/imports.md', 'utf8').split('\n');
  expect(documented.map((text) => text.trim())).toContain(line.replace('https://dash.example', 'https://...'));
});
