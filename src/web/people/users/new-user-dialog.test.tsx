import { act, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import type { SignedIn } from '#web/api/viewer.ts';
import { leaveDialogs } from '#web/ui/dialog-stack.ts';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { NewPersonWords, NewUserDialog } from './new-user-dialog.tsx';

const hr = { ...viewerWith('VIEW_DASHBOARD', 'USER_MANAGEMENT', 'VIEW_TOP_5'), role: 'People' };
const roles = [
  { name: 'Sales', permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] },
  { name: 'Staff', permissions: ['VIEW_DASHBOARD'] },
];
const made = (call: object) => ({
  ...{
    id: '7',
    firstName: '',
    lastName: '',
    displayName: 'nora',
    team: null,
    approverId: [],
    approverNames: [],
    top5Invisible: false,
  },
  ...{ top5From: 'direct', top5Bound: null, disabled: false, hasPassword: false, linkUntil: null, approves: false },
  ...{ approverWarning: 'mayNotDecide', ...call, role: (call as { role?: string }).role || null },
});

const expiresAt = '2026-12-01T10:00:00Z';

type Hired = { readonly viewer?: SignedIn; readonly update?: (call: object) => object };

/** `role`: null to leave it out. `linkUntil`: of the person's open link when they are read again. */
async function hire(
  role: string | null,
  link: object = {},
  linkUntil: string | null = expiresAt,
  { viewer = hr, update = made }: Hired = {},
) {
  const calls: [string, object][] = [];
  const user = await showPage(<NewUserDialog opened onClose={() => {}} />, {
    viewer,
    answers: {
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({ assignableRoles: roles }),
      CreateUser: (call: object) => {
        calls.push(['CreateUser', call]);
        return { createUser: made(call) };
      },
      UpdateUser: (call: object) => {
        calls.push(['UpdateUser', call]);
        return { updateUser: update(call) };
      },
      ManagedUser: () => ({ managedUser: { user: { ...made({}), linkUntil }, version: 'read' } }),
      MakeSignInLink: () => ({
        makeSignInLink: {
          kind: 'invite',
          token: 'secret',
          mailedTo: null,
          mailFailed: false,
          expiresAt,
          ...link,
        },
      }),
      AskForRole: (call: { role: string }) => {
        calls.push(['AskForRole', call]);
        return { askForRole: { rolesAsked: [{ role: call.role, by: 'Viewer', at: new Date().toISOString() }] } };
      },
    },
  });
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'nora@example.test');
  if (role !== null) await chooseRole(user, role);
  await user.click(screen.getByRole('button', { name: 'Create and invite' }));
  return { user, calls, copied };
}

async function chooseRole(user: UserEvent, role: string) {
  await user.click(await screen.findByRole('combobox', { name: 'Role' }));
  await user.click(await screen.findByRole('option', { name: new RegExp(`^${role}`) }));
}

it('asks the admins for a role that the viewer can’t give, without giving it', async () => {
  const { calls } = await hire('Sales');
  await screen.findByText('nora can’t open anything without a role.');
  expect((await screen.findByText(/requested the role Sales/)).textContent).toContain('now');
  expect(calls).toEqual([
    ['CreateUser', expect.objectContaining({ email: 'nora@example.test', role: '', top5: true })],
    ['AskForRole', { userId: '7', role: 'Sales' }],
  ]);
});

it('Enter in the email field doesn’t create an unfinished person', async () => {
  const calls: unknown[] = [];
  const user = await showPage(<NewUserDialog opened onClose={() => {}} />, {
    viewer: hr,
    answers: {
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({ assignableRoles: roles }),
      CreateUser: (call: unknown) => {
        calls.push(call);
        return refuse('BAD_INPUT', 'Created after all');
      },
    },
  });
  await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'nora@example.test{Enter}');
  expect(screen.getByRole('button', { name: 'Create and invite' }).hasAttribute('data-loading')).toBe(false);
  await user.keyboard('{Control>}{Enter}{/Control}');
  await screen.findByText('Created after all');
  expect(calls).toHaveLength(1);
});

it.each([
  ['a user manager', hr, ['SalesNeeds an admin’s OK', 'Staff']],
  ['an admin', { ...hr, role: 'admin' }, ['admin', 'Sales', 'Staff']],
] as const)('lets %s give a role that was left out, with the invitation', async (_who, viewer, options) => {
  const { user, calls } = await hire(null, {}, expiresAt, { viewer });
  await screen.findByText('nora can’t open anything without a role.');
  await user.click(await screen.findByRole('combobox', { name: 'Role' }));
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(options);
  await user.click(screen.getByRole('option', { name: 'Staff' }));
  await user.click(screen.getByRole('button', { name: 'Give role' }));
  await message('nora has the role Staff');
  expect(screen.queryByText(/without a role/)).toBeNull();
  screen.getByRole('button', { name: 'Copy the link' });
  expect(calls.slice(1)).toEqual([['UpdateUser', { userId: '7', version: 'read', role: 'Staff' }]]);
});

it('asks the admins for a left out role only if the viewer can’t give it', async () => {
  const { user, calls } = await hire(null);
  await chooseRole(user, 'Sales');
  await user.click(screen.getByRole('button', { name: 'Request role' }));
  await screen.findByText(/requested the role Sales/);
  expect(calls.slice(1)).toEqual([['AskForRole', { userId: '7', role: 'Sales' }]]);
});

it('asks why a role is given whose requirements aren’t met', async () => {
  const update = (call: { reason?: string }) =>
    call.reason ? made(call) : refuse('REASON_NEEDED', 'Training is missing', 'reason');
  const { user, calls } = await hire(null, {}, expiresAt, { update });
  await chooseRole(user, 'Staff');
  await user.click(screen.getByRole('button', { name: 'Give role' }));
  await user.type(await screen.findByRole('textbox', { name: /^Reason/ }), 'Starts today');
  await user.click(screen.getByRole('button', { name: 'Give role' }));
  await message('nora has the role Staff');
  expect(calls.at(-1)).toEqual(['UpdateUser', expect.objectContaining({ role: 'Staff', reason: 'Starts today' })]);
});

it('hires with one press, and Enter copies the link', async () => {
  const { user, calls, copied } = await hire('Staff');
  const copy = await screen.findByRole('button', { name: 'Copy the link' });
  await waitFor(() => expect(document.activeElement).toBe(copy));
  await user.keyboard('{Enter}');
  await screen.findByRole('button', { name: 'Copied the link' });
  expect(copied).toHaveBeenCalledWith(`${location.origin}/#invite=secret`);
  expect(calls).toEqual([['CreateUser', expect.objectContaining({ role: 'Staff', top5: true })]]);
});

it('promises no link if its email failed', async () => {
  await hire('Staff', { token: null, mailFailed: true });
  await screen.findByText(/^The email couldn’t be sent\./);
  expect(screen.queryByText(/works once|no longer works/)).toBeNull();
});

it('no longer offers a link that someone else replaced', async () => {
  await hire('Staff', {}, '2026-12-02T10:00:00Z');
  await screen.findByText('The link you created no longer works.');
  expect(screen.queryByRole('button', { name: 'Copy the link' })).toBeNull();
});

it('asks before Esc closes a link that nobody copied', async () => {
  const { user } = await hire('Staff');
  const copy = await screen.findByRole('button', { name: 'Copy the link' });
  await user.keyboard('{Escape}');
  await screen.findByText('You won’t see this again.');
  await user.click(screen.getByRole('button', { name: 'Keep it open' }));
  await user.click(copy);
  await user.keyboard('{Escape}');
  expect(screen.queryByText('You won’t see this again.')).toBeNull();
});

it('leads to the Role Editor while there are no roles', async () => {
  await showPage(<NewUserDialog opened onClose={() => {}} />, {
    viewer: { ...hr, role: 'admin' },
    answers: { PeopleToChoose: () => ({ peopleToChoose: [] }), AssignableRoles: () => ({ assignableRoles: [] }) },
  });
  expect((await screen.findByRole('link', { name: 'Create roles' })).getAttribute('href')).toBe('/role-editor');
});

it('warns that a person who uses S.T.A.R.T has no approver, before they are created', async () => {
  const user = await showPage(<NewUserDialog opened onClose={() => {}} />, {
    viewer: hr,
    answers: {
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({ assignableRoles: roles }),
    },
  });
  await screen.findByText(/^Without an approver/);
  await user.click(screen.getByRole('switch', { name: /^Uses S.T.A.R.T/ }));
  expect(screen.queryByText(/^Without an approver/)).toBeNull();
});

const draftAt = 'of-person:viewer:draft:new-person';
const tom = {
  ...{ email: 'tom@example.test', firstName: 'Tom', lastName: 'Hurry', role: 'Staff', team: 'green' },
  ...{ approverId: [], top5: false, top5Invisible: true, reason: '' },
};

/** The dialog with this draft, and the values of its fields. */
async function reopen(draft: object) {
  localStorage.setItem(draftAt, JSON.stringify(draft));
  const page = (
    <>
      <NewPersonWords />
      <NewUserDialog opened onClose={() => {}} />
    </>
  );
  const user = await showPage(page, {
    viewer: hr,
    answers: {
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({ assignableRoles: roles }),
    },
  });
  await screen.findByRole('textbox', { name: 'Email' });
  const text = (role: string, name: string) => screen.getByRole<HTMLInputElement>(role, { name }).value;
  const values = () => ({
    texts: ['Email', 'First name', 'Last name'].map((name) => text('textbox', name)),
    choices: ['Role', 'Team'].map((name) => text('combobox', name)),
    switches: screen.getAllByRole<HTMLInputElement>('switch').map(({ checked }) => checked),
  });
  return { user, values };
}

it('says whose draft it restored, and starting over leaves nothing of them', async () => {
  const { user, values } = await reopen(tom);
  await screen.findByText('Unsent draft restored: Tom Hurry.');
  screen.getByText('New person (draft)');
  expect(values()).toEqual({
    ...{ texts: ['tom@example.test', 'Tom', 'Hurry'], choices: ['Staff', 'Green'], switches: [false, true] },
  });
  await user.click(screen.getByRole('button', { name: 'Start over' }));
  expect(values()).toEqual({ texts: ['', '', ''], choices: ['No role', 'No team'], switches: [true, false] });
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Email' }));
  expect(screen.queryByText(/Unsent draft restored/)).toBeNull();
  await expect.poll(() => localStorage.getItem(draftAt)).toBeNull();
  expect(screen.queryByText('New person (draft)')).toBeNull();
});

it('says so as long as a field is left of them, and starting over then leaves no corrected field either', async () => {
  const { user, values } = await reopen({ ...tom, top5: true, top5Invisible: false });
  for (const [name, typed] of [
    ['Email', 'tim@example.test'],
    ['First name', 'Tim'],
  ] as const) {
    await user.clear(screen.getByRole('textbox', { name }));
    await user.type(screen.getByRole('textbox', { name }), typed);
  }
  screen.getByText('Unsent draft restored: Tom Hurry.');
  await user.click(screen.getByRole('button', { name: 'Start over' }));
  expect(values()).toEqual({ texts: ['', '', ''], choices: ['No role', 'No team'], switches: [true, false] });
  expect(screen.queryByText(/Unsent draft restored/)).toBeNull();
  localStorage.clear();
});

/** The dialog behind a button that opens it, and a server that answers when the test says. */
async function hireSlowly() {
  const created = Promise.withResolvers<void>();
  const invited = Promise.withResolvers<void>();
  const links: unknown[] = [];
  let setPageLeft = (_isLeft: boolean) => {};
  function Page() {
    const [opened, setOpened] = useState(false);
    const [isLeft, setLeft] = useState(false);
    setPageLeft = setLeft;
    if (isLeft) return <p>Another page</p>;
    return (
      <>
        <button type="button" onClick={() => setOpened(true)}>
          New
        </button>
        <NewUserDialog opened={opened} onClose={() => setOpened(false)} />
      </>
    );
  }
  const user = await showPage(<Page />, {
    viewer: hr,
    answers: {
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({ assignableRoles: roles }),
      CreateUser: async (call: object) => {
        await created.promise;
        return { createUser: made(call) };
      },
      ManagedUser: () => ({ managedUser: { user: { ...made({}), linkUntil: expiresAt } } }),
      MakeSignInLink: async (call: object) => {
        links.push(call);
        await invited.promise;
        const link = { kind: 'invite', token: 'secret', mailedTo: null, mailFailed: false };
        return { makeSignInLink: { ...link, expiresAt } };
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'New' }));
  await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'nora@example.test');
  await user.click(screen.getByRole('button', { name: 'Create and invite' }));
  return {
    user,
    created,
    invited,
    links,
    leave: () => act(() => setPageLeft(true)),
    returnToPage: () => act(() => setPageLeft(false)),
  };
}

it('stays until the person and the invitation are there, whatever closes other dialogs', async () => {
  const { user, created, invited } = await hireSlowly();
  await user.keyboard('{Escape}');
  act(() => leaveDialogs(() => {}));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Discard' }).disabled).toBe(true);
  created.resolve();
  await screen.findByText(/Creating the invitation/);
  await user.keyboard('{Escape}');
  act(() => leaveDialogs(() => {}));
  invited.resolve();
  await screen.findByRole('button', { name: 'Copy the link' });
});

it('says that a person who was created after the page was left isn’t invited, and starts empty', async () => {
  const { user, created, links, leave, returnToPage } = await hireSlowly();
  leave();
  created.resolve();
  await message('nora has an account but no invitation yet. Create it in User Management, under Sign-in');
  expect(links).toEqual([]);
  returnToPage();
  await user.click(screen.getByRole('button', { name: 'New' }));
  await screen.findByRole('dialog', { name: 'New person' });
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' }).value).toBe('');
});
