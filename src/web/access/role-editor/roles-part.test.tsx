import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { starterRoles } from '#core/access/permissions.ts';
import { queryClient } from '#web/api/query-client.ts';
import { message, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { rolesKey } from './role-queries.ts';
import RolesPart from './roles-part.tsx';

const admin = { ...viewerWith(), role: 'admin' };
const staff = {
  ...{ id: '1', name: 'Staff', version: 1, people: 3, disabledPeople: 1 },
  permissions: ['VIEW_DASHBOARD'],
};

function onPhone(): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    ...{ matches: query.includes('max-width'), media: query },
    ...{ addEventListener() {}, removeEventListener() {}, addListener() {}, removeListener() {} },
  }));
}

const editors = { ...staff, id: '2', name: 'Editors' };

test.each([
  { what: 'what its maker lacks', role: staff, others: [], undo: false },
  { what: 'what its maker has', role: staff, others: ['VIEW_SALES'] as const, undo: true },
  { what: 'it from their own role', role: editors, others: ['VIEW_SALES'] as const, undo: false },
])('a change that takes $what offers Undo: $undo', async ({ role, others, undo }) => {
  localStorage.setItem(
    'of-person:viewer:draft:roles',
    JSON.stringify({ [role.id]: { permissions: { VIEW_SALES: false } } }),
  );
  const before = { ...role, permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] };
  const user = await showPage(<RolesPart />, {
    viewer: { ...viewerWith('VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR', ...others), role: 'Editors' },
    answers: {
      Roles: () => ({ roles: [before] }),
      RoleDifference: () => ({
        roleDifference: {
          ...{ seen: 'a', pages: [], groups: [] },
          roles: [{ id: role.id, name: role.name, renamedFrom: null, given: [], taken: ['VIEW_SALES'], people: 3 }],
        },
      }),
      SaveRoles: () => ({ saveRoles: [{ id: role.id }] }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Review and save' }));
  await screen.findByRole('region', { name: 'Effect of the changes' });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await message('1 change saved');
  expect(screen.queryAllByRole('button', { name: 'Undo' })).toHaveLength(undo ? 1 : 0);
});

test('a company without roles starts with three, which its admin changes and gives', async () => {
  const roles: object[] = [];
  const user = await showPage(<RolesPart />, {
    viewer: admin,
    answers: {
      Roles: () => ({ roles }),
      CreateRole: (role: { name: string; permissions: string[] }) => {
        roles.push({ ...staff, ...role, id: role.name, people: 0, disabledPeople: 0 });
        return { createRole: { id: role.name, name: role.name } };
      },
    },
  });
  await screen.findByText(/^Start with Staff, Team lead, and People, or create your own/);
  await user.click(screen.getByRole('button', { name: 'Create starter roles' }));
  await message('Staff, Team lead, and People created. Nobody has these roles yet');
  await screen.findByRole('checkbox', { name: 'Staff: S.T.A.R.T' });
  expect(screen.queryByText('No roles yet')).toBeNull();
  expect(roles).toContainEqual(expect.objectContaining({ name: 'People', permissions: [...starterRoles.People] }));
});

test('discarded changes come back with Undo', async () => {
  const user = await showPage(<RolesPart />, { viewer: admin, answers: { Roles: () => ({ roles: [staff] }) } });
  await user.type(await screen.findByRole('searchbox', { name: 'Find a permission' }), 'start');
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Staff: S.T.A.R.T' });
  await user.click(box);
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(box.checked).toBe(false);
  await message('1 change discarded');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(box.checked).toBe(true);
});

test('S.T.A.R.T is found by its word, and switched on for a role like any other permission', async () => {
  const user = await showPage(<RolesPart />, { viewer: admin, answers: { Roles: () => ({ roles: [staff] }) } });
  await user.type(await screen.findByRole('searchbox', { name: 'Find a permission' }), 'start');
  const box = await screen.findByRole('checkbox', { name: 'Staff: S.T.A.R.T' });
  await user.click(box);
  expect((box as HTMLInputElement).checked).toBe(true);
  screen.getByText('3 active and 1 disabled');
});

test('a phone shows a new role at once, so the next ticks go to it', async () => {
  onPhone();
  const listed: object[] = [staff];
  const user = await showPage(<RolesPart />, {
    viewer: admin,
    answers: {
      Roles: () => ({ roles: listed }),
      CreateRole: ({ name }: { name: string }) => {
        listed.push({ ...staff, id: '2', name, people: 0, disabledPeople: 0 });
        return { createRole: { id: '2', name } };
      },
    },
  });
  await screen.findAllByRole('checkbox', { name: /^Staff: / });
  await user.click(screen.getByRole('button', { name: 'New role' }));
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Temp{Enter}');
  await screen.findAllByRole('checkbox', { name: /^Temp: / });
  expect(screen.queryByRole('checkbox', { name: /^Staff: / })).toBeNull();
});

test('a save whose answer is lost is told once the roles have it, and stays on screen on a phone', async () => {
  onPhone();
  localStorage.setItem('of-person:viewer:draft:roles', JSON.stringify({ 1: { permissions: { VIEW_SALES: true } } }));
  const approver = { ...staff, id: '2', name: 'Approver' };
  let now = staff;
  const user = await showPage(<RolesPart />, {
    viewer: admin,
    answers: {
      Roles: () => ({ roles: [approver, now] }),
      RoleDifference: () => ({ roleDifference: { seen: 'a', roles: [], pages: [], groups: [] } }),
    },
  });
  // As after a reload: the role with the change, not the first one.
  await screen.findAllByRole('checkbox', { name: /^Staff: / });
  const others = fetch;
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    String(init?.body).includes('SaveRoles') ? Promise.reject(new TypeError('Failed to fetch')) : others(url, init),
  );
  await user.click(screen.getByRole('button', { name: 'Review and save' }));
  await screen.findByRole('region', { name: 'Effect of the changes' });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Can’t reach the server');
  now = { ...staff, version: 2, permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] };
  await act(() => queryClient.invalidateQueries({ queryKey: rolesKey }));
  await message('1 change saved');
  screen.getByRole('button', { name: 'Undo' });
  expect(screen.getAllByRole('checkbox', { name: /^Staff: / }).length).toBeGreaterThan(0);
  expect(localStorage.getItem('of-person:viewer:draft:roles')).toBeNull();
});
