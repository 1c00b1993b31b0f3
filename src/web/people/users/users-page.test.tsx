import { screen, within } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import UsersPage from './users-page.tsx';

const counts = {
  ...{ active: 1, disabled: 0, permitted: 0 },
  ...{ invited: 3, withoutRole: 1, roleRequested: 2, unapproved: 2, awayNow: 4, backThisWeek: 0 },
};
const person = (id: string, displayName: string) => ({
  ...{ id, displayName, email: `${id}@company.test`, firstName: displayName, lastName: '', role: null, team: null },
  ...{ approverId: [], approverNames: [], byDefault: false, top5Invisible: false, top5From: null, top5Bound: null },
  ...{ disabled: false, hasPassword: true, linkUntil: null, approves: false, approverWarning: null },
});
const nobody = { people: [], permitted: 0, logged: 0, next: null };

test('Enter in a search that the server refuses shows why in the list, and fails nothing else', async () => {
  const refused: string[] = [];
  const user = await showPage(<UsersPage />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    address: '/usermanagement',
    answers: {
      PeopleCounts: () => ({ peopleCounts: counts }),
      AssignableRoles: () => ({ assignableRoles: [] }),
      ManagedUsers: ({ find }: { find?: string }) => {
        if (find === 'zoe') {
          refused.push(find);
          refuse('CONFLICT', 'Ask again');
        }
        return { managedUsers: nobody };
      },
    },
  });
  await user.type(await screen.findByRole('searchbox'), 'zoe{Enter}');
  await screen.findByText('Couldn’t load people.');
  expect(refused).toContain('zoe');
});

test('who needs attention is counted among everyone until something filters, and a press filters by it, on top of the search, until the next press', async () => {
  const asked: object[] = [];
  const user = await showPage(<UsersPage />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    address: '/usermanagement',
    answers: {
      PeopleCounts: () => ({ peopleCounts: counts }),
      AssignableRoles: () => ({ assignableRoles: [] }),
      ManagedUsers: (choice: object) => {
        asked.push(choice);
        return { managedUsers: nobody };
      },
    },
  });
  const chips = within(await screen.findByRole('group', { name: 'Needs attention' }));
  const names = () => chips.getAllByRole('button').map(({ textContent }) => textContent);
  await expect
    .poll(names)
    .toEqual([
      ...[
        'Invited 3',
        'No approver who can decide 2',
        'No role 1',
        'Role requested 2',
        'Away now 4',
        'Back this week 0',
      ],
    ]);
  await user.type(screen.getByRole('searchbox'), 'zoe');
  await expect.poll(() => asked.at(-1)).toMatchObject({ find: 'zoe' });
  // The counts are not of what the search found.
  expect(names()).toContain('Invited ');
  for (const [name, part] of [
    ['Invited', { state: 'invited' }],
    ['No approver who can decide', { withoutApprover: true }],
    ['No role', { role: '' }],
    ['Role requested', { roleRequested: true }],
    ['Away now', { awayNow: true }],
    ['Back this week', { backThisWeek: true }],
  ] as const) {
    const chip = chips.getByRole('button', { name: new RegExp(name) });
    await user.click(chip);
    await expect.poll(() => asked.at(-1)).toMatchObject({ find: 'zoe', ...part });
    expect(chip.getAttribute('aria-pressed')).toBe('true');
    await user.click(chip);
    await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('false');
  }
  await user.click(chips.getByRole('button', { name: /Back/ }));
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  await expect.poll(() => chips.queryByRole('button', { pressed: true })).toBeNull();
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
  await expect.poll(names).toContain('Invited 3');
  await user.click(screen.getByRole('button', { name: /Permitted/ }));
  expect(names()).toContain('Invited 3');
});

test('typing in the search reads no counts of who needs attention', async () => {
  let read = 0;
  const finds: unknown[] = [];
  const user = await showPage(<UsersPage />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    address: '/usermanagement',
    answers: {
      PeopleCounts: () => {
        read += 1;
        return { peopleCounts: counts };
      },
      AssignableRoles: () => ({ assignableRoles: [] }),
      ManagedUsers: ({ find }: { find?: string }) => {
        finds.push(find);
        return { managedUsers: nobody };
      },
    },
  });
  const chips = within(await screen.findByRole('group', { name: 'Needs attention' }));
  await chips.findByRole('button', { name: 'Invited 3' });
  await user.type(screen.getByRole('searchbox'), 'zoe');
  await expect.poll(() => finds.at(-1)).toBe('zoe');
  await user.type(screen.getByRole('searchbox'), ' quinn');
  await expect.poll(() => finds.at(-1)).toBe('zoe quinn');
  expect(read).toBe(1);
});

test('people ticked under another search are counted, and stay out of the change', async () => {
  const everyone = [person('1', 'Amy'), person('2', 'Kid'), person('3', 'Zoe')];
  const user = await showPage(<UsersPage />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    address: '/usermanagement',
    answers: {
      PeopleCounts: () => ({ peopleCounts: counts }),
      AssignableRoles: () => ({ assignableRoles: [] }),
      ManagedUsers: ({ find }: { find?: string | null }) => {
        const people = everyone.filter(({ displayName }) => !find || displayName === find);
        return { managedUsers: { ...nobody, people, permitted: people.length } };
      },
    },
  });
  await user.click(await screen.findByRole('checkbox', { name: /Amy/ }));
  await user.click(screen.getByRole('checkbox', { name: /Kid/ }));
  const bar = await screen.findByText('2 selected');
  // Above the table, it would push the rows down under the pointer.
  expect(screen.getByRole('table').compareDocumentPosition(bar)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await user.type(screen.getByRole('searchbox'), 'Zoe');
  await screen.findByText('0 selected. 2 more aren’t in this list and won’t change');
  expect(screen.getByRole('button', { name: 'Edit…' })).toHaveProperty('disabled', true);
  await user.click(await screen.findByRole('checkbox', { name: /Zoe/ }));
  await screen.findByText('1 selected. 2 more aren’t in this list and won’t change');
});

test('the export has the filters and the order of the list', async () => {
  const asked: object[] = [];
  const user = await showPage(<UsersPage />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    address: '/usermanagement?q=zoe&away=1&sort=email',
    answers: {
      PeopleCounts: () => ({ peopleCounts: counts }),
      AssignableRoles: () => ({ assignableRoles: [] }),
      ManagedUsers: () => ({ managedUsers: nobody }),
      PeopleTicket: (choice: object) => {
        asked.push(choice);
        return refuse('TOO_MANY_ATTEMPTS', 'Other exports are running');
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
  await expect.poll(() => asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ find: 'zoe', awayNow: true, sort: 'email', desc: false });
});

test('changes to a person that aren’t saved yet mark their row', async () => {
  localStorage.setItem('of-person:viewer:draft:person:2', '{}');
  onTestFinished(() => localStorage.clear());
  await showPage(<UsersPage />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    address: '/usermanagement',
    answers: {
      PeopleCounts: () => ({ peopleCounts: counts }),
      AssignableRoles: () => ({ assignableRoles: [] }),
      ManagedUsers: () => ({
        managedUsers: { ...nobody, people: [person('1', 'Amy'), person('2', 'Kid')], logged: 2 },
      }),
    },
  });
  const rows = await screen.findAllByRole('row', { name: /Amy|Kid/ });
  expect(rows.map(({ textContent }) => textContent?.includes('Unsaved changes'))).toEqual([false, true]);
});

test('someone away is shown so in place of active, and beside an account without a password', async () => {
  const away = (id: string, hasPassword: boolean) => ({
    ...{ id, displayName: `Amy ${id}`, email: 'amy@company.test', firstName: 'Amy', lastName: '', role: null },
    ...{ team: null, approverId: [], approverNames: [], byDefault: false, top5Invisible: false, top5From: null },
    ...{ top5Bound: null, disabled: false, hasPassword, linkUntil: null, approves: false, approverWarning: null },
    awayUntil: '2026-12-04',
  });
  await showPage(<UsersPage />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    address: '/usermanagement',
    answers: {
      PeopleCounts: () => ({ peopleCounts: counts }),
      AssignableRoles: () => ({ assignableRoles: [] }),
      ManagedUsers: () => ({ managedUsers: { ...nobody, people: [away('1', true), away('2', false)], logged: 2 } }),
    },
  });
  const [first, second] = await screen.findAllByRole('cell', { name: /Away until Fri 4 Dec/ });
  expect([first?.textContent, second?.textContent]).toEqual([
    'Away until Fri 4 Dec',
    'No password Away until Fri 4 Dec',
  ]);
});

test('an older server, during an upgrade, gives people and counts, and no list of everyone for who is away', async () => {
  const { awayNow: _new, ...known } = counts;
  const user = await showPage(<UsersPage />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    address: '/usermanagement',
    answers: {
      PeopleCounts: () => refuse('BAD_INPUT', 'Cannot query field "awayNow"'),
      OlderPeopleCounts: () => ({ peopleCounts: known }),
      AssignableRoles: () => ({ assignableRoles: [] }),
      ManagedUsers: () => refuse('BAD_INPUT', 'Cannot query field "awayUntil"'),
      OlderManagedUsers: (choice: object) => {
        expect(choice).not.toHaveProperty('awayNow');
        return { managedUsers: { ...nobody, people: [person('1', 'Amy')], permitted: 1 } };
      },
    },
  });
  await screen.findByRole('checkbox', { name: /Amy/ });
  await screen.findByRole('button', { name: 'Invited 3' });
  await user.click(await screen.findByRole('button', { name: 'Away now' }));
  await screen.findByText('Couldn’t load people.');
});

test('the list shows a person as the panel has just read them', async () => {
  const detail = {
    ...{ version: 'a'.repeat(32), grants: [], rolePermissions: [], controlRefusal: null, reachRefusal: null },
    ...{ linksAreMailed: false, waysIn: null, rolesAsked: [] },
  };
  const panel = Promise.withResolvers<void>();
  await showPage(<UsersPage />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    address: '/usermanagement?person=1',
    answers: {
      PeopleCounts: () => ({ peopleCounts: counts }),
      AssignableRoles: () => ({ assignableRoles: [] }),
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      ManagedUsers: () => ({ managedUsers: { ...nobody, people: [person('1', 'Amy')], permitted: 1 } }),
      ManagedUser: async () => {
        await panel.promise;
        return { managedUser: { ...detail, user: { ...person('1', 'Amelia'), awayUntil: null } } };
      },
    },
  });
  const row = (name: RegExp) => screen.queryByRole('checkbox', { name, hidden: true });
  await expect.poll(() => row(/Amy/)).not.toBeNull();
  panel.resolve();
  await expect.poll(() => row(/Amelia/)).not.toBeNull();
});
