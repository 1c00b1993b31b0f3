import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { UserPanel } from './user-panel.tsx';
import { aboutPeople } from './users-queries.ts';

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

const waysIn = {
  ...{ password: { set: true, changedAt: null }, identities: [], sessions: [] },
  ...{ calendarFeeds: [], serviceTokens: [], openLink: null },
};

test('an older server, during an upgrade, gives the person, without until when they are away', async () => {
  await showPage(<UserPanel userId="7" onClose={() => {}} />, {
    viewer: { ...viewerWith(), role: 'admin' },
    answers: {
      ManagedUser: () => refuse('BAD_INPUT', 'Cannot query field "awayUntil"'),
      OlderManagedUser: () => ({ managedUser }),
      SecondFactorsOf: () => ({ secondFactorsOf: { required: false, authenticator: null, passkeys: [] } }),
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({ assignableRoles: [] }),
    },
  });
  await screen.findByRole('tab', { name: 'Sign-in' });
});

test('the panel of an erased person says so, and offers nothing', async () => {
  const erased = { email: 'former-colleague-7@erased.invalid', displayName: 'Former colleague 7', disabled: true };
  await showPage(<UserPanel userId="7" onClose={() => {}} />, {
    viewer: { ...viewerWith(), role: 'admin' },
    answers: { ManagedUser: () => ({ managedUser: { ...managedUser, user: { ...user, ...erased } } }) },
  });
  await screen.findByText(/This account was erased/);
  expect(screen.queryByRole('tab')).toBeNull();
  // Only the one that closes the panel.
  expect([screen.getAllByRole('button').length, screen.queryAllByRole('textbox')]).toEqual([1, []]);
});

/** The panel, and its person's open link as the server has it. */
async function openPanel(onClose = () => {}, readAgain = Promise.resolve()) {
  const stored = { linkUntil: null as string | null, disabled: false, approves: true };
  const hands = await showPage(<UserPanel userId="7" onClose={onClose} />, {
    viewer: { ...viewerWith(), role: 'admin' },
    answers: {
      ManagedUser: async () => {
        if (stored.linkUntil) await readAgain;
        const openLink = stored.linkUntil && { kind: 'reset', until: stored.linkUntil };
        return { managedUser: { ...managedUser, user: { ...user, ...stored }, waysIn: { ...waysIn, openLink } } };
      },
      SecondFactorsOf: () => ({ secondFactorsOf: { required: false, authenticator: null, passkeys: [] } }),
      AccountTies: () => ({
        accountTies: { openTasks: 6, toDecide: 0, approves: 2, onlyApprover: [], meetings: [], tools: ['Payroll'] },
      }),
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({ assignableRoles: [] }),
      MakeSignInLink: () => {
        stored.linkUntil = makeSignInLink.expiresAt;
        return { makeSignInLink };
      },
      RemoveWayIn: () => {
        stored.linkUntil = null;
        return { removeWayIn: { version: 'b' } };
      },
      SetUserDisabled: ({ disabled }: { disabled: boolean }) => {
        Object.assign(stored, { linkUntil: null, disabled });
        return { setUserDisabled: { ...user, ...stored } };
      },
    },
  });
  await hands.click(await screen.findByRole('tab', { name: 'Sign-in' }));
  return { hands, stored };
}

async function createLink(...options: Parameters<typeof openPanel>) {
  const panel = await openPanel(...options);
  await panel.hands.click(await screen.findByRole('button', { name: 'Create password link' }));
  await screen.findByDisplayValue(/#reset=secret$/);
  return panel;
}

test('a new link is offered before the person is read again', async () => {
  await createLink(() => {}, new Promise(() => {}));
  await screen.findByText(/The current link expires/);
  expect(screen.queryByText('The link you created no longer works.')).toBeNull();
});

const findIn = (element: HTMLElement, name: string) => within(element).findByRole('link', { name });

async function isOver() {
  await screen.findByText('The link you created no longer works.');
  expect(screen.queryByDisplayValue(/#reset=secret$/)).toBeNull();
  // Closing would lose nothing.
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
}

test('a link that was revoked below is no longer offered', async () => {
  const { hands } = await createLink();
  await hands.click(await screen.findByRole('button', { name: 'Revoke: One-time link' }));
  await isOver();
});

test('a link that someone else replaced is no longer offered', async () => {
  const { stored } = await createLink();
  stored.linkUntil = '2026-12-25T10:00:00Z';
  await act(() => queryClient.invalidateQueries(aboutPeople));
  await isOver();
});

test('a link is no longer offered after its account was disabled and enabled', async () => {
  const { hands } = await createLink();
  await hands.click(screen.getByRole('button', { name: 'Disable account' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Disable Nora Lind?' }));
  await dialog.findByText('Not signed in right now');
  dialog.getByText('Tools they own: Payroll');
  expect((await findIn(dialog.getByText(/^6 tasks not signed off/), 'Open their board')).getAttribute('href')).toBe(
    '/top-5/tasks?person=7',
  );
  await hands.click(dialog.getByRole('button', { name: 'Disable account' }));
  await message('Nora Lind’s account is disabled');
  await screen.findByText(/^npm run admin -- erase-person 7 /);
  await hands.click(await screen.findByRole('button', { name: 'Enable account' }));
  await screen.findByRole('button', { name: 'Create password link' });
  await isOver();
  // The message about disabling is no longer true.
  await message('Nora Lind’s account is enabled. Their password works again');
  expect(screen.queryByText('Nora Lind’s account is disabled')).toBeNull();
});

test('a link that is shown once stays while other tabs are open, and closing asks on each of them', async () => {
  const onClose = vi.fn();
  const { hands } = await createLink(onClose);
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

test('the panel of an approver leads to their reassignment, before and after they are disabled', async () => {
  const { hands } = await openPanel();
  const leads = async (within: ReturnType<typeof screen.getByRole>) => {
    const link = await findIn(within, 'Reassign their people');
    expect(link.getAttribute('href')).toMatch(/^\/approvermanagement\?view=approvers&open=(7|%227%22)$/);
  };
  await hands.click(await screen.findByRole('button', { name: 'Disable account' }));
  const question = await screen.findByRole('dialog', { name: 'Disable Nora Lind?' });
  await leads(question);
  await hands.click(within(question).getByRole('button', { name: 'Disable account' }));
  await screen.findByRole('button', { name: 'Enable account' });
  await leads(screen.getByRole('tabpanel'));
});
