import { expect, test } from 'vitest';
import { readInput } from '../base/inputs.ts';
import {
  createRoleInput,
  knownPermissions,
  roleDifferenceInput,
  roleNameInput,
  saveRolesInput,
} from './role-changes.ts';

test.each([
  ['blank', ' '],
  ['too long', 'x'.repeat(61)],
  ['of nothing that can be seen', '\u200b\u2800\u3164'],
  ['with NUL', 'a\0b'],
  ['with half of a pair', 'a\ud800'],
])('a name %s is refused', (_, name) => {
  expect(readInput(roleNameInput, { name })).toMatchObject({ code: 'BAD_INPUT', field: 'name' });
});

test('a name is one line without what can’t be seen, and may hold what looks like a script: it is text', () => {
  expect(readInput(roleNameInput, { name: ' <b>x</b> ' })).toEqual({ name: '<b>x</b>' });
  expect(readInput(roleNameInput, { name: 'ad\u200bmin\nof\u00ad tools' })).toEqual({ name: 'admin of tools' });
});

test.each(['VIEW_EVERYTHING', 'view_sales', 'toString', ''])('the misspelt key %j is refused by its place', (key) => {
  expect(readInput(createRoleInput, { name: 'A', permissions: ['VIEW_SALES', key] })).toMatchObject({
    code: 'BAD_INPUT',
    field: 'permissions.1',
  });
});

test('the misspelling of the specification means the intended permission, each stands once and in order (D9)', () => {
  const permissions = ['VIEW_TOOLS', 'IEW_WHO_LIVES_DONATIONS', 'VIEW_WHO_LIVES_DONATIONS', 'VIEW_DASHBOARD'];
  expect(readInput(createRoleInput, { name: 'A', permissions })).toMatchObject({
    permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS', 'VIEW_WHO_LIVES_DONATIONS'],
  });
  expect(knownPermissions(['nothing', 'READ_BGP'])).toEqual(['READ_BGP']);
});

test.each([
  ['none', []],
  ['too many', Array.from({ length: 201 }, () => ({ id: '1', version: 1 }))],
  ['one without a version', [{ id: '1' }]],
  ['one with an unknown field', [{ id: '1', version: 1, admin: true }]],
])('of edits, %s is refused', (_, edits) => {
  expect(readInput(roleDifferenceInput, { edits })).toMatchObject({ code: 'BAD_INPUT' });
});

test('saving wants the difference that was looked at', () => {
  const edits = [{ id: '1', version: 1, name: null, permissions: [] }];
  expect(readInput(saveRolesInput, { edits, seen: 'x' })).toMatchObject({ field: 'seen' });
  expect(readInput(saveRolesInput, { edits, seen: 'a'.repeat(64) })).toMatchObject({
    edits: [{ id: '1', version: 1, permissions: [] }],
  });
});
