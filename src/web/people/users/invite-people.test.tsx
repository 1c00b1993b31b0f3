import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { config } from '#web/api/config.ts';
import { leaveDialogs } from '#web/ui/dialog-stack.ts';
import { refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import type { User } from './users-queries.ts';

const userOf = (id: string, displayName: string, part: object = {}) =>
  ({
    ...{ id, displayName, email: `${id}@company.test`, version: '1', role: null, roles: [] },
    ...{ disabled: false, hasPassword: false, linkUntil: null, top5From: null },
    ...part,
  }) as unknown as User;

const people = [
  userOf('1', 'Ada North'),
  userOf('2', 'Bo Lind', { hasPassword: true }),
  userOf('3', 'Cleo Hill', { linkUntil: '2026-11-20T10:00:00Z' }),
  userOf('4', 'Dan Ray'),
];

const asksBeforeReload = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

type Link = { token: string | null; mailedTo: string | null };

async function invite(answer: (id: string) => Link | Promise<Link>, onClose = () => {}) {
  const asked: string[] = [];
  const user = await showPage(<BulkDialog opened chosen={people} onClose={onClose} onDone={() => {}} />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    answers: {
      AssignableRoles: () => ({ assignableRoles: [] }),
      PreviewUserChanges: () => ({ previewUserChanges: [] }),
      ManagedUsers: () => ({ managedUsers: { people: [], permitted: 0, logged: 0, next: null } }),
      MakeSignInLink: async ({ userId }: { userId: string }) => {
        asked.push(userId);
        const answered = await answer(userId);
        const link = { kind: 'invite', mailFailed: false, expiresAt: '2026-11-25T10:00:00Z', ...answered };
        return { makeSignInLink: link };
      },
    },
  });
  await user.click(await screen.findByRole('combobox', { name: 'Action' }));
  await user.click(await screen.findByRole('option', { name: 'Invite' }));
  const list = within(screen.getByRole('list', { name: 'People to invite' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Ada Northgets an invitation',
    'Bo Lindcan already sign in',
    'Cleo Hillgets a new invitation, and the earlier link stops working',
    'Dan Raygets an invitation',
  ]);
  await user.click(screen.getByRole('button', { name: 'Invite 3 people' }));
  return { user, asked };
}

test('several people are invited by mail at once, and who can’t be is named with the reason', async () => {
  const { asked } = await invite((id) =>
    id === '3' ? refuse('CONFLICT', 'Only admins can') : { token: null, mailedTo: `${id}@company.test` },
  );
  await screen.findByText('2 invitations emailed. 1 invitation needs your attention.');
  expect(screen.getByRole('list', { name: 'People to check' }).textContent).toBe('Cleo HillOnly admins can');
  expect(asked).toEqual(['1', '3', '4']);
});

test('people without an answer are invited again by a press, and only they', async () => {
  let isLost = true;
  const { user, asked } = await invite((id) => {
    if (id === '3' && isLost) throw new TypeError('Failed to fetch');
    return id === '4' ? refuse('CONFLICT', 'Only admins can') : { token: `token-${id}`, mailedTo: null };
  });
  const list = await screen.findByRole('list', { name: 'People to check' });
  expect(list.textContent).toBe(
    'Cleo HillThe server didn’t respond, so the link can’t be shown. Invite againDan RayOnly admins can',
  );
  isLost = false;
  await user.click(screen.getByRole('button', { name: 'Invite 1 person again' }));
  await screen.findByText(/^Send 2 invitations yourself\..* 1 invitation needs your attention\.$/);
  expect(asked).toEqual(['1', '3', '4', '3']);
  expect(screen.getByRole('list', { name: 'People to check' }).textContent).toBe('Dan RayOnly admins can');
  expect(screen.queryByRole('button', { name: /again$/ })).toBeNull();
});

test('a lost answer of a server that emails says that the invitation may have been sent', async () => {
  await invite((id) => {
    Object.assign(config(), { mailsLinks: true });
    if (id === '3') throw new TypeError('Failed to fetch');
    return { token: null, mailedTo: `${id}@company.test` };
  });
  expect((await screen.findByRole('list', { name: 'People to check' })).textContent).toBe(
    'Cleo HillThe server didn’t respond. The invitation may have been sent',
  );
});

test('inviting again goes on after Stop', async () => {
  const first = Promise.withResolvers<void>();
  let isLost = true;
  const { user, asked } = await invite(async (id) => {
    await first.promise;
    if (isLost) throw new TypeError('Failed to fetch');
    return { token: null, mailedTo: `${id}@company.test` };
  });
  await user.click(await screen.findByRole('button', { name: 'Stop' }));
  first.resolve();
  await screen.findByText('1 invitation needs your attention. 2 people weren’t invited.');
  isLost = false;
  await user.click(screen.getByRole('button', { name: 'Invite 1 person again' }));
  await screen.findByText('1 invitation emailed. 2 people weren’t invited.');
  expect(asked).toEqual(['1', '1']);
});

test('several people are not changed before an action is chosen, and inviting is the first', async () => {
  const user = await showPage(<BulkDialog opened chosen={people} onClose={() => {}} onDone={() => {}} />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    answers: { AssignableRoles: () => ({ assignableRoles: [] }) },
  });
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Apply' })).disabled).toBe(true);
  await user.click(screen.getByRole('combobox', { name: 'Action' }));
  expect((await screen.findAllByRole('option'))[0]?.textContent).toBe('Invite');
});

test('inviting can be stopped, and says who is left', async () => {
  let answerFirst = (_link: Link) => {};
  const first = new Promise<Link>((resolve) => {
    answerFirst = resolve;
  });
  const { user, asked } = await invite(() => first);
  await screen.findByText('0 of 3 invited…');
  expect(asksBeforeReload()).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  answerFirst({ token: null, mailedTo: 'ada@company.test' });
  await screen.findByText('1 invitation emailed. 2 people weren’t invited.');
  expect(asksBeforeReload()).toBe(false);
  expect(asked).toEqual(['1']);
});

test('a single invitation to send is spoken of as one', async () => {
  await invite((id) => (id === '3' ? { token: 'token', mailedTo: null } : { token: null, mailedTo: 'a@b.test' }));
  await screen.findByText(/Send this invitation yourself\. Download the link: it won’t be shown again\./);
  screen.getByRole('button', { name: 'Download the link' });
});

test('without a mail server the links are in a file, without which the dialog isn’t done', async () => {
  const saved: Blob[] = [];
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${saved.push(blob as Blob)}`);
  try {
    let closed = 0;
    const { user } = await invite(
      (id) => ({ token: `token-${id}`, mailedTo: null }),
      () => closed++,
    );
    await screen.findByText(/^Send 3 invitations yourself\./);
    expect(asksBeforeReload()).toBe(true);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Done' }).disabled).toBe(true);
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Action' }).disabled).toBe(true);
    await user.keyboard('{Escape}');
    act(() => leaveDialogs(() => {}));
    expect(closed).toBe(0);
    await user.click(screen.getByRole('button', { name: 'Download the links' }));
    const lines = (await saved[0]!.text()).trim().split(/\r?\n/);
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/Ada North.*1@company\.test.*#invite=token-1/);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Done' }).disabled).toBe(false);
    expect(asksBeforeReload()).toBe(false);
  } finally {
    create.mockRestore();
  }
});
