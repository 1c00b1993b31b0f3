import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { showPage, viewerWith } from '../../../../test/show-page.tsx';
import { UserPanel } from './user-panel.tsx';

const user = {
  ...{ id: '7', email: 'nora@example.test', firstName: 'Nora', lastName: 'Lind', displayName: 'Nora Lind' },
  ...{ role: null, team: null, approverId: [], approverNames: [], byDefault: false, top5Invisible: false },
  ...{ top5From: null, top5Bound: null, disabled: false, hasPassword: true, linkUntil: null, approves: false },
  approverWarning: null,
};
const managedUser = {
  ...{ user, version: 'a'.repeat(32), grants: [], rolePermissions: [], controlRefusal: null, reachRefusal: null },
  ...{ linksAreMailed: false, waysIn: null, rolesAsked: [] },
};
const makeSignInLink = {
  ...{ kind: 'reset', token: 'secret', mailedTo: null, mailFailed: false, expiresAt: '2026-12-24T10:00:00Z' },
};

test('a link that is shown once stays while other tabs are open, and closing asks on each of them', async () => {
  const onClose = vi.fn();
  const hands = await showPage(<UserPanel userId="7" onClose={onClose} />, {
    viewer: { ...viewerWith(), role: 'admin' },
    answers: {
      ManagedUser: () => ({ managedUser }),
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({ assignableRoles: [] }),
      MakeSignInLink: () => ({ makeSignInLink }),
    },
  });
  await hands.click(await screen.findByRole('tab', { name: 'Sign-in' }));
  await hands.click(await screen.findByRole('button', { name: 'Create password link' }));
  await screen.findByDisplayValue(/#reset=secret$/);
  await hands.click(screen.getByRole('tab', { name: 'Person' }));
  await screen.findByRole('textbox', { name: 'Email' });
  await hands.keyboard('{Escape}');
  await hands.click(await screen.findByRole('button', { name: 'Keep it open' }));
  expect(onClose).not.toHaveBeenCalled();
  await hands.click(screen.getByRole('tab', { name: 'Sign-in' }));
  screen.getByDisplayValue(/#reset=secret$/);
  const leave = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(leave()).toBe(true);
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await hands.click(screen.getByRole('button', { name: 'Copy the link' }));
  await waitFor(() => expect(leave()).toBe(false));
});
