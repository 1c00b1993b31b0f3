import { useQuery } from '@tanstack/react-query';
import { cleanup, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { message, refuse, sendNotice, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { AskForRole } from './ask-for-role.tsx';
import { type User, userQuery } from './users-queries.ts';

const nora = { id: '7', firstName: 'Nora', displayName: 'Nora Lind', role: null } as User;
const hr = { ...viewerWith('VIEW_DASHBOARD', 'USER_MANAGEMENT'), role: 'People' };
const roles = [
  { name: 'People', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] },
  { name: 'Sales', permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] },
  { name: 'Support', permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS'] },
];
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const sales = (minutes: number) => ({ role: 'Sales', by: 'Grace Whitfield', at: minutesAgo(minutes) });
const AssignableRoles = () => ({ assignableRoles: roles });

it.each([
  ['what the viewer gives themselves', nora, { ...hr, role: 'admin' }],
  ['oneself', { ...nora, id: hr.id }, hr],
])('offers no request for %s', async (_what, user, viewer) => {
  await showPage(<AskForRole user={user} asked={[sales(2)]} />, { viewer, answers: { AssignableRoles } });
  await screen.findByText(/Grace Whitfield requested/);
  expect(screen.queryByRole('button')).toBe(null);
});

it('asks the admins for a role by name, and says when it was asked', async () => {
  const calls: unknown[] = [];
  const user = await showPage(<AskForRole user={nora} />, {
    viewer: hr,
    answers: {
      AssignableRoles,
      AskForRole: (call: { userId: string; role: string }) => {
        calls.push(call);
        return { askForRole: { rolesAsked: [{ role: call.role, by: 'Viewer', at: minutesAgo(0) }] } };
      },
    },
  });
  await user.click(await screen.findByRole('combobox', { name: 'Request a role from an admin' }));
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
    'SalesNeeds an admin’s OK',
    'SupportNeeds an admin’s OK',
  ]);
  await user.click(screen.getByRole('option', { name: /^Sales/ }));
  await user.click(screen.getByRole('button', { name: 'Request role' }));
  expect((await screen.findByRole('status')).textContent).toBe('Viewer requested the role Sales · now');
  expect(screen.getByRole('button', { name: 'Requested' }).hasAttribute('disabled')).toBe(true);
  expect(calls).toEqual([{ userId: '7', role: 'Sales' }]);
});

/** As the panel shows it: with what was read last. */
function Requesting() {
  const { data } = useQuery(userQuery('7'));
  return data ? <AskForRole user={data.user} asked={data.rolesAsked} /> : null;
}

it.each([
  { how: 'declined', role: null, asksAgain: true },
  { how: 'given', role: 'Sales', asksAgain: false },
])('no longer says that a role was requested once it is $how', async ({ role, asksAgain }) => {
  let managedUser: object = { user: nora, rolesAsked: [] };
  const reading = Promise.withResolvers<void>();
  let before = Promise.resolve();
  const user = await showPage(<Requesting />, {
    viewer: hr,
    answers: {
      AssignableRoles,
      ManagedUser: () => before.then(() => ({ managedUser })),
      AskForRole: () => {
        managedUser = { user: nora, rolesAsked: [sales(0)] };
        before = reading.promise;
        return { askForRole: { rolesAsked: [sales(0)] } };
      },
    },
  });
  await user.click(await screen.findByRole('combobox', { name: 'Request a role from an admin' }));
  await user.click(await screen.findByRole('option', { name: /^Sales/ }));
  await user.click(screen.getByRole('button', { name: 'Request role' }));
  // Before the person is read again.
  await screen.findByRole('button', { name: 'Requested' });
  reading.resolve();
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  screen.getByText(/^Grace Whitfield requested the role Sales/);
  managedUser = { user: { ...nora, role }, rolesAsked: [] };
  await sendNotice();
  await expect.poll(() => screen.queryByRole('status')).toBeNull();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Request role' }).disabled).toBe(!asksAgain);
});

it.each([
  [2, 'Sales', '2m ago', 'Requested'],
  [2, 'Support', '2m ago', 'Request role'],
  [25 * 60, 'Sales', '1d ago', 'Request role'],
])(
  'still says so %s minutes later, and %s is then asked for again after a day only',
  async (minutes, role, age, button) => {
    const user = await showPage(<AskForRole user={nora} asked={[sales(minutes)]} />, {
      viewer: hr,
      answers: { AssignableRoles },
    });
    await user.click(await screen.findByRole('combobox', { name: 'Request a role from an admin' }));
    await user.click(await screen.findByRole('option', { name: new RegExp(`^${role}`) }));
    expect(screen.getByRole('status').textContent).toBe(`Grace Whitfield requested the role Sales · ${age}`);
    expect(screen.getByRole('button').textContent).toBe(button);
  },
);

it('lets only admins answer, and declines by its button', async () => {
  const answers = {
    AssignableRoles,
    DeclineRole: (call: object) => {
      calls.push(call);
      return { declineRole: { version: '1' } };
    },
  };
  const calls: object[] = [];
  const given: string[] = [];
  const give = (role: string) => given.push(role);
  const request = <AskForRole user={nora} asked={[sales(2)]} onGive={give} />;
  await showPage(request, { viewer: hr, answers });
  await screen.findByText(/Grace Whitfield requested/);
  expect(screen.queryByRole('button', { name: 'Decline Sales' })).toBe(null);
  cleanup();
  const user = await showPage(request, { viewer: { ...hr, role: 'admin' }, answers });
  await user.click(await screen.findByRole('button', { name: 'Give Sales' }));
  await user.click(screen.getByRole('button', { name: 'Decline Sales' }));
  await screen.findByText('You declined the role Sales');
  expect({ given, calls }).toEqual({ given: ['Sales'], calls: [{ userId: '7', role: 'Sales' }] });
});

it('lets the person who requested a role withdraw it, and Undo requests it again', async () => {
  const own = { ...sales(2), own: true };
  let rolesAsked: object[] = [{ ...sales(5), role: 'Support', own: false }, own];
  const calls: object[] = [];
  const change = (name: string, after: object[]) => (call: object) => {
    calls.push({ [name]: call });
    rolesAsked = after;
    return { [name]: { version: '1', rolesAsked } };
  };
  const user = await showPage(<Requesting />, {
    viewer: hr,
    answers: {
      AssignableRoles,
      ManagedUser: () => ({ managedUser: { user: nora, rolesAsked } }),
      WithdrawRoleRequest: change('withdrawRoleRequest', []),
      AskForRole: change('askForRole', [own]),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Withdraw request for Sales' }));
  await message('You withdrew the request for the role Sales');
  expect(screen.queryByText(/requested the role Sales/)).toBeNull();
  expect(screen.queryByRole('button', { name: /^Withdraw/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: /^Undo/ }));
  await screen.findByRole('button', { name: 'Withdraw request for Sales' });
  const call = { userId: '7', role: 'Sales' };
  expect(calls).toEqual([{ withdrawRoleRequest: call }, { askForRole: call }]);
});

it('says why a request can’t be withdrawn anymore, and shows what became of it', async () => {
  let rolesAsked = [{ ...sales(2), own: true }];
  const user = await showPage(<Requesting />, {
    viewer: hr,
    answers: {
      AssignableRoles,
      ManagedUser: () => ({ managedUser: { user: nora, rolesAsked } }),
      WithdrawRoleRequest: () => {
        rolesAsked = [];
        return refuse('CONFLICT', 'This request was already answered');
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Withdraw request for Sales' }));
  await message(/This request was already answered/);
  await expect.poll(() => screen.queryByRole('status')).toBeNull();
});
