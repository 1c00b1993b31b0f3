import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage, viewerWith } from '../../../../test/show-page.tsx';
import RolesPart from './roles-part.tsx';

const admin = { ...viewerWith(), role: 'admin' };
const staff = {
  ...{ id: '1', name: 'Staff', version: 1, people: 3, disabledPeople: 1 },
  permissions: ['VIEW_DASHBOARD'],
};

test('a company without roles is told to create one', async () => {
  await showPage(<RolesPart />, { viewer: admin, answers: { Roles: () => ({ roles: [] }) } });
  await screen.findByText('No roles yet');
  expect(screen.queryByRole('table')).toBe(null);
});

test('S.T.A.R.T is found by its word, and switched on for a role like any other permission', async () => {
  const user = await showPage(<RolesPart />, { viewer: admin, answers: { Roles: () => ({ roles: [staff] }) } });
  await user.type(await screen.findByRole('searchbox', { name: 'Find a permission' }), 'start');
  const box = await screen.findByRole('checkbox', { name: 'Staff: S.T.A.R.T' });
  await user.click(box);
  expect((box as HTMLInputElement).checked).toBe(true);
  screen.getByText('3 active and 1 disabled');
});
