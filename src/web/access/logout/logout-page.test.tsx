import { screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { useDraft } from '#web/api/drafts.ts';
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
  keep('draft:new-task', 'draft:new-note:17', 'draft:reason:18,19', 'draft:person:4', 'filters:orders');
  const user = await showPage(<LogoutPage />, {
    answers: {
      DraftTask: ({ taskId }: { taskId: string }) => ({ tasks: taskId === '17' ? [{ title: 'Call shops' }] : [] }),
      DraftPerson: () => ({ managedUser: { user: { displayName: 'Zoe Quinn' } } }),
    },
  });
  await screen.findByRole('dialog', { name: 'Sign out and delete 4 drafts?' });
  const lines = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  await expect
    .poll(() => lines().sort())
    .toEqual([
      'A new task',
      'A note: Call shops',
      'A reason for a decision: this task and 1 more task',
      'Changes to a person: Zoe Quinn',
    ]);
  const addresses = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(addresses.sort()).toEqual(['/top-5/approvals?task=18', '/top-5/tasks?task=17', '/usermanagement?person=4']);
  await expect.poll(() => document.activeElement?.textContent).toBe('Stay signed in');
  await user.keyboard('{Enter}');
  expect(localStorage.getItem('of-person:viewer:draft:new-task')).toBe('"Half a sentence"');
  expect(replace).not.toHaveBeenCalled();
});

it('counts each of the new tasks that wait together, and what was typed last', async () => {
  vi.spyOn(location, 'replace').mockImplementation(() => {});
  writeStored('local', 'of-person:viewer:draft:new-task:kept', JSON.stringify([{ title: 'One' }, { title: 'Two' }]));
  function Typing() {
    const draft = useDraft('new-note:17', '');
    const [isOut, setOut] = useState(false);
    const type = () => {
      draft.change('Half');
      setOut(true);
    };
    return isOut ? <LogoutPage /> : <button type="button" aria-label="Type and sign out" onClick={type} />;
  }
  const user = await showPage(<Typing />, { answers: { DraftTask: () => ({ tasks: [] }) } });
  await user.click(await screen.findByRole('button', { name: 'Type and sign out' }));
  await screen.findByRole('dialog', { name: 'Sign out and delete 3 drafts?' });
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
