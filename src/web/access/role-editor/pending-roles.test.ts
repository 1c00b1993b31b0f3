import { expect, test } from 'vitest';
import type { Viewer } from '#core/access/access.ts';
import type { Role } from '#core/access/role-changes.ts';
import {
  changedRoles,
  countChanges,
  editsOf,
  inverseOf,
  lostChanges,
  markOf,
  type Pending,
  wantedName,
  withName,
  withPermission,
  withState,
} from './pending-roles.ts';

const staff: Role = { id: '1', name: 'Staff', permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS'], version: 3 };
const sales: Role = { id: '2', name: 'Sales', permissions: ['VIEW_DASHBOARD'], version: 1 };
const roles = [staff, sales];
const editor: Viewer = { id: '9', role: 'Editors', permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS'], approverIds: [] };
const none: Pending = {};

test('a cell that is turned and turned back is no change', () => {
  const turned = withPermission(none, staff, 'VIEW_TOOLS', false);
  expect([countChanges(roles, turned), changedRoles(roles, turned)]).toEqual([1, [staff]]);
  const back = withPermission(turned, staff, 'VIEW_TOOLS', true);
  expect([countChanges(roles, back), editsOf(roles, back)]).toEqual([0, []]);
});

test('what is sent carries the version on the screen and everything that the role is to permit', () => {
  const pending = withName(withPermission(none, sales, 'VIEW_TOOLS', true), sales, 'Sellers');
  expect(countChanges(roles, pending)).toBe(2);
  expect(editsOf(roles, pending)).toEqual([
    { id: '2', version: 1, name: 'Sellers', permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS'] },
  ]);
});

test('a role that was changed meanwhile keeps what others did besides what is wanted here', () => {
  const pending = withPermission(none, staff, 'VIEW_TOOLS', false);
  const meanwhile: Role = { ...staff, version: 4, permissions: [...staff.permissions, 'VIEW_SALES'] };
  expect(editsOf([meanwhile], pending)).toEqual([
    { id: '1', version: 4, permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] },
  ]);
  expect(countChanges([{ ...staff, permissions: ['VIEW_DASHBOARD'] }], pending)).toBe(0);
});

test('changes of a role that was deleted meanwhile are known as lost and are not sent', () => {
  const pending = withPermission(none, sales, 'VIEW_TOOLS', true);
  expect([lostChanges([staff], pending), editsOf([staff], pending)]).toEqual([['2'], []]);
});

test('an earlier state brings back the name and takes what came since', () => {
  const pending = withState(none, staff, { name: 'Employees', permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] });
  expect(wantedName(staff, pending)).toBe('Employees');
  expect(editsOf(roles, pending)).toEqual([
    { id: '1', version: 3, name: 'Employees', permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] },
  ]);
});

test('undo reverts what that save changed, and no later change', () => {
  const saved = withName(withPermission(none, sales, 'VIEW_TOOLS', true), sales, 'Sellers');
  const since: Role = { ...sales, name: 'Sellers', permissions: ['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_TOOLS'] };
  expect(editsOf([since], inverseOf(roles, saved))).toEqual([
    { id: '2', version: 1, name: 'Sales', permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] },
  ]);
});

test('a cell is locked where the viewer could not give the permission, and can be turned back where it was taken', () => {
  expect(markOf(editor, sales, 'VIEW_SALES', none)).toBe('locked');
  expect(markOf(editor, sales, 'VIEW_TOOLS', none)).toBe('no');
  expect(markOf(editor, sales, 'VIEW_TOOLS', withPermission(none, sales, 'VIEW_TOOLS', true))).toBe('given');
  const rich: Role = { ...sales, permissions: ['READ_BGP'] };
  expect(markOf(editor, rich, 'READ_BGP', none)).toBe('yes');
  expect(markOf(editor, rich, 'READ_BGP', withPermission(none, rich, 'READ_BGP', false))).toBe('taken');
});
