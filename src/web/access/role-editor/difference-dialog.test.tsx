import { cleanup, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Permission } from '#core/access/permissions.ts';
import { refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { DifferenceDialog, type SavedChanges } from './difference-dialog.tsx';
import { withPermission } from './pending-roles.ts';
import type { DifferenceGroup, ListedRole } from './role-queries.ts';

const staff: ListedRole = {
  ...{ id: '1', name: 'Staff', version: 1, people: 3, disabledPeople: 0 },
  permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'],
};
const sales = { address: '/sales', title: 'Sales' };

async function review(editor: Permission[], groups: readonly Partial<DifferenceGroup>[] = [], people = 3) {
  const pending = withPermission({}, staff, 'VIEW_SALES', false);
  await showPage(
    <DifferenceDialog
      roles={[staff]}
      pending={pending}
      onSaved={() => {}}
      onUnanswered={() => {}}
      onClose={() => {}}
    />,
    {
      viewer: { ...viewerWith('VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR', ...editor), role: 'Editors' },
      answers: {
        RoleDifference: () => ({
          roleDifference: {
            seen: 'a',
            roles: [{ id: '1', name: 'Staff', renamedFrom: null, given: [], taken: ['VIEW_SALES'], people }],
            pages: [],
            groups: groups.map((group) => ({ gained: [], lost: [sales], landing: null, shutOut: false, ...group })),
          },
        }),
      },
    },
  );
  return within(await screen.findByRole('region', { name: 'Effect of the changes' }));
}

test('a review warns of a permission that the editor could not give back', async () => {
  const effect = await review([]);
  expect((await effect.findByRole('alert')).textContent).toMatch(/^You can’t undo this: you don’t have .*an admin/);
});

test('a review warns of nothing that the editor could give back', async () => {
  const effect = await review(['VIEW_SALES']);
  expect(effect.queryByRole('alert')).toBeNull();
});

test('a review of the editor’s own role says what they lose, and that only an admin can give it back', async () => {
  const hr: ListedRole = {
    ...{ id: '2', name: 'People', version: 1, people: 1, disabledPeople: 0 },
    permissions: ['VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR', 'USER_MANAGEMENT'],
  };
  const saved: SavedChanges[] = [];
  const hands = await showPage(
    <DifferenceDialog
      roles={[hr]}
      pending={withPermission({}, hr, 'USER_MANAGEMENT', false)}
      onSaved={(changes) => saved.push(changes)}
      onUnanswered={() => {}}
      onClose={() => {}}
    />,
    {
      viewer: { ...viewerWith(...hr.permissions), role: 'People' },
      answers: {
        RoleDifference: () => ({
          roleDifference: {
            ...{ seen: 'a', pages: [], groups: [] },
            roles: [{ id: '2', name: 'People', renamedFrom: null, given: [], taken: ['USER_MANAGEMENT'], people: 1 }],
          },
        }),
        SaveRoles: () => ({ saveRoles: [{ id: '2' }] }),
      },
    },
  );
  expect((await screen.findByRole('alert')).textContent).toBe(
    'You’ll lose User management too. Only an admin can give it back.',
  );
  await hands.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => saved).toEqual([{ words: '1 change', back: null }]);
});

test('a review says which role the people who hire can no longer give, and which they can now', async () => {
  const hr: ListedRole = {
    ...{ id: '2', name: 'People', version: 1, people: 1, disabledPeople: 0 },
    permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT', 'VIEW_SALES'],
  };
  const alerts = async (wanted: boolean, before: readonly Permission[]) => {
    const changed = { ...staff, permissions: before };
    await showPage(
      <DifferenceDialog
        roles={[changed, hr]}
        pending={withPermission({}, changed, 'VIEW_TOOLS', wanted)}
        onSaved={() => {}}
        onUnanswered={() => {}}
        onClose={() => {}}
      />,
      {
        viewer: { ...viewerWith(), role: 'admin' },
        answers: { RoleDifference: () => ({ roleDifference: { seen: 'a', roles: [], pages: [], groups: [] } }) },
      },
    );
    const effect = within(await screen.findByRole('region', { name: 'Effect of the changes' }));
    const said = effect.getAllByRole('alert').map(({ textContent }) => textContent);
    cleanup();
    return said;
  };
  expect(await alerts(true, ['VIEW_DASHBOARD'])).toEqual([
    'The role People will no longer let people assign the role Staff.',
  ]);
  expect(await alerts(false, ['VIEW_DASHBOARD', 'VIEW_TOOLS'])).toEqual([
    'The role People will let people assign the role Staff.',
  ]);
});

test('people who lose the same pages share a line, whatever their first page is', async () => {
  const person = (id: string) => [{ id, displayName: `Person ${id}` }];
  const effect = await review(
    [],
    [{ people: person('1') }, { people: person('2'), landing: { from: '/sales', to: '/dashboard' } }],
  );
  expect(effect.getAllByText(/lose Sales/)).toHaveLength(1);
  effect.getByText('2 people');
  effect.getByText('Person 1');
  effect.getByText('Landing page: Sales → My week');
});

test('a review without effect on pages says whether anyone active has the role', async () => {
  const effect = await review(['VIEW_SALES']);
  await effect.findByText('3 active people');
  effect.getByText('No one gains or loses access to a page.');
});

test('a review of a role that nobody active has says so', async () => {
  const effect = await review(['VIEW_SALES'], [], 0);
  await effect.findByText('No active people have these roles, so no access changes.');
});

test('a review of a role without approvals says who is left without an approver', async () => {
  const lead: ListedRole = { ...staff, permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] };
  await showPage(
    <DifferenceDialog
      roles={[lead]}
      pending={withPermission({}, lead, 'VIEW_TOP_5_APPROVALS', false)}
      onSaved={() => {}}
      onUnanswered={() => {}}
      onClose={() => {}}
    />,
    {
      viewer: { ...viewerWith(), role: 'admin' },
      answers: {
        RoleDifference: () => ({
          roleDifference: {
            ...{ seen: 'a', pages: [], groups: [] },
            roles: [
              { id: '1', name: 'Staff', renamedFrom: null, given: [], taken: ['VIEW_TOP_5_APPROVALS'], people: 3 },
            ],
          },
        }),
        RoleDifferenceLeft: () => ({ roleDifference: { leftWithoutApprover: ['Ann Left', 'Ben Left'] } }),
      },
    },
  );
  await screen.findByText('Left without an approver: Ann Left, Ben Left.');
});

test('a review offers to try again only where the answer can change', async () => {
  const show = async (code: 'FORBIDDEN' | 'INTERNAL') => {
    await showPage(
      <DifferenceDialog
        roles={[staff]}
        pending={withPermission({}, staff, 'VIEW_SALES', false)}
        onSaved={() => {}}
        onUnanswered={() => {}}
        onClose={() => {}}
      />,
      { viewer: viewerWith('VIEW_ROLE_EDITOR'), answers: { RoleDifference: () => refuse(code, 'Not so') } },
    );
    await screen.findByText('Not so.');
    return screen.queryByRole('button', { name: 'Try again' });
  };
  expect(await show('FORBIDDEN')).toBeNull();
  cleanup();
  expect(await show('INTERNAL')).not.toBeNull();
});
