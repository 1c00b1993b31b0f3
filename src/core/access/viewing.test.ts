import { describe, expect, it } from 'vitest';
import type { Viewer } from './access.ts';
import { isAdmin } from './access.ts';
import { navigationFor } from './navigation.ts';
import type { Permission } from './permissions.ts';
import { isWithheld, readableBy, somebodyWith, viewingRefusal } from './viewing.ts';

const person = (role: string | null, ...permissions: Permission[]): Viewer => ({
  id: '7',
  role,
  permissions,
  approverIds: [],
});
const admin = person('admin');
const editor = person('Editor', 'VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR', 'VIEW_SALES', 'VIEW_CONNECT_SALES');
const sales = [
  'VIEW_DASHBOARD',
  'VIEW_SALES',
  'VIEW_CONNECT_SALES',
  'VIEW_GREEN_SALES',
  'READ_BGP',
  'READ_GREEN',
  'VIEW_TOP_5',
];

describe('who may look as somebody else', () => {
  it.each([
    [
      'somebody who edits no roles, as a role',
      person('Staff', 'VIEW_DASHBOARD', 'USER_MANAGEMENT'),
      'role',
      'FORBIDDEN',
    ],
    [
      'an editor of roles without the application, as a role',
      person('Editor', 'VIEW_ROLE_EDITOR'),
      'role',
      'NO_APPLICATION_PERMISSION',
    ],
    ['an editor of roles, as a person', editor, 'person', 'FORBIDDEN'],
    [
      'an editor of roles without a role, as a role',
      person(null, 'VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR'),
      'role',
      'NO_APPLICATION_PERMISSION',
    ],
    ['an editor of roles, as a role', editor, 'role', undefined],
    ['an admin, as a role', admin, 'role', undefined],
    ['an admin, as a person', admin, 'person', undefined],
  ] as const)('%s', (_case, viewer, subject, code) => {
    expect(viewingRefusal(viewer, subject)?.code).toBe(code);
  });
});

describe('somebody with a role', () => {
  it('is never an admin', () => {
    expect(() => somebodyWith('admin', [])).toThrow();
    expect(isAdmin(somebodyWith('Admin', sales))).toBe(false);
  });
  it('has the permissions of the role, read as they come from outside (D9), and nothing that belongs to a person', () => {
    const somebody = somebodyWith('Mixed', [
      'VIEW_DASHBOARD',
      'IEW_WHO_LIVES_DONATIONS',
      'VIEW_NOTHING',
      '__proto__',
      'VIEW_DASHBOARD',
    ]);
    expect(somebody).toEqual({
      id: '0',
      role: 'Mixed',
      permissions: ['VIEW_DASHBOARD', 'VIEW_WHO_LIVES_DONATIONS'],
      approverIds: ['0'],
    });
  });
});

describe('what a look may read', () => {
  it('for an admin what the subject may', () => {
    const seen = somebodyWith('Sales', sales);
    expect(readableBy(admin, seen)).toEqual(seen);
  });
  it('for anybody else only what is open to themselves too', () => {
    expect(readableBy(editor, somebodyWith('Sales', sales)).permissions).toEqual([
      'VIEW_DASHBOARD',
      'VIEW_SALES',
      'VIEW_CONNECT_SALES',
    ]);
    expect(readableBy(editor, somebodyWith('Nothing', [])).permissions).toEqual([]);
  });
  it('for anybody else never as an admin', () => {
    expect(isAdmin(readableBy(editor, { ...admin, permissions: [] }))).toBe(false);
  });
  it('while the navigation is that of the subject', () => {
    const keys = navigationFor(somebodyWith('Sales', sales)).map(({ key }) => key);
    expect(keys).toEqual(['sales', 'top-5', 'logout']);
  });
});

describe('a page stays empty', () => {
  const seen = somebodyWith('Sales', sales);
  const readable = readableBy(editor, seen).permissions;
  it.each([
    ['the page is closed to who looks', '/top-5/tasks', null, true],
    ['the product is closed to who looks', '/sales', 'green', true],
    ['only the numbers are closed to who looks', '/sales', 'connect', true],
    ['it is open to both', '/dashboard', null, false],
    ['it is closed to the subject: the refusal says so', '/role-editor', null, false],
  ] as const)('%s', (_case, path, product, withheld) => {
    expect(isWithheld(seen, readable, path, product)).toBe(withheld);
  });
  it('never for an admin, who may read all of it', () => {
    expect(isWithheld(seen, seen.permissions, '/sales', 'connect')).toBe(false);
    expect(isWithheld(admin, [], '/sales', 'connect')).toBe(false);
  });
});
