import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { rememberPerson } from '#web/api/session.ts';
import { writeStored } from '#web/api/stored.ts';
import { showPage } from '../../../../test/show-page.tsx';
import LogoutPage from './logout-page.tsx';

afterEach(() => localStorage.clear());

const keep = (...keys: string[]) => {
  for (const key of keys) writeStored('local', `of-person:viewer:${key}`, '"Half a sentence"');
};

it('asks before it deletes drafts, and Stay keeps them', async () => {
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => {});
  keep('draft:new-task', 'draft:new-note:17', 'draft:new-note:18', 'filters:orders');
  const user = await showPage(<LogoutPage />);
  await screen.findByRole('dialog', { name: 'Sign out and delete 3 drafts?' });
  screen.getByText(/^(A new task and a note \(2\)|A note \(2\) and a new task)\. Drafts are saved/);
  await expect.poll(() => document.activeElement?.textContent).toBe('Stay signed in');
  await user.keyboard('{Enter}');
  expect(localStorage.getItem('of-person:viewer:draft:new-task')).toBe('"Half a sentence"');
  expect(replace).not.toHaveBeenCalled();
});

it('deletes them once that is confirmed', async () => {
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => {});
  keep('draft:new-task');
  const user = await showPage(<LogoutPage />);
  await screen.findByRole('dialog', { name: 'Sign out and delete 1 draft?' });
  await user.click(screen.getByRole('button', { name: 'Sign out' }));
  expect(replace).toHaveBeenCalledWith('/');
  expect(localStorage.getItem('of-person:viewer:draft:new-task')).toBe(null);
});

it('leaves the texts of another person who used this browser alone', async () => {
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => {});
  rememberPerson('viewer');
  writeStored('local', 'of-person:ada:draft:new-task', '"Hers"');
  keep('filters:orders');
  await showPage(<LogoutPage />);
  await expect.poll(() => replace.mock.calls).toEqual([['/']]);
  expect(localStorage.getItem('of-person:ada:draft:new-task')).toBe('"Hers"');
  expect(localStorage.getItem('of-person:viewer:filters:orders')).toBe(null);
});

it('signs out without a question where nothing is lost', async () => {
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => {});
  keep('filters:orders');
  await showPage(<LogoutPage />);
  await expect.poll(() => replace.mock.calls).toEqual([['/']]);
  expect(screen.queryByRole('dialog')).toBe(null);
});
