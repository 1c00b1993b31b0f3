import { describe, expect, it } from 'vitest';
import type { Viewer } from '../access/access.ts';
import { readInput } from '../base/inputs.ts';
import {
  canEditToolCards,
  canSeeToolCard,
  createToolCardInput,
  isToolLink,
  movedOrder,
  updateToolCardInput,
} from './tool-cards.ts';

describe('a link', () => {
  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)//http://a.test',
    ' https://a.test',
    'https://a.test/ x',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://a.test',
    '//a.test',
    'a.test',
    'http://',
    'https:///path',
    'https:a.test',
    'https:\\\\a.test',
    'https://user:secret@a.test/',
    'https://a.test@b.test/',
    'https://a.test\n.b.test',
    'https://-a.test',
    '',
  ])('like %j is refused', (link) => {
    expect(isToolLink(link)).toBe(false);
  });
  it.each([
    'https://a.test',
    'http://a.test:8080/x?y=z#w',
    'HTTPS://A.test/@somebody',
    'http://intranet/wiki',
    'http://10.0.0.1/',
    'http://[::1]:3000/',
    'https://bücher.test/',
  ])('like %j is good', (link) => {
    expect(isToolLink(link)).toBe(true);
  });
});

it.each([
  ['payroll.acme.test', 'https://payroll.acme.test'],
  ['payroll.acme.test:8080/x?y=z', 'https://payroll.acme.test:8080/x?y=z'],
  ['http://payroll.acme.test', 'http://payroll.acme.test'],
  ['HTTPS://acme.test', 'HTTPS://acme.test'],
])('the link %s is completed as %s', (typed, link) => {
  expect(readInput(createToolCardInput, { title: 'Wiki', group: 'Everyone', link: typed })).toMatchObject({ link });
});
it.each(['wiki', 'javascript.x:alert(1)', 'me@acme.test', '//acme.test', 'acme .test', 'mailto:me@acme.test'])(
  'the link %s isn’t completed, and is refused',
  (link) => {
    const card = { title: 'Wiki', group: 'Everyone', link };
    expect(readInput(createToolCardInput, card)).toMatchObject({ code: 'BAD_INPUT', field: 'link' });
  },
);

it('what comes in for a card is refused with its field', () => {
  const good = { title: 'Wiki', group: 'Everyone', link: 'https://a.test' };
  for (const [part, field] of [
    [{ title: ' ' }, 'title'],
    [{ group: '' }, 'group'],
    [{ link: 'javascript:x' }, 'link'],
    [{ ownerId: 'me' }, 'ownerId'],
    [{ permission: 'VIEW_NOTHING' }, 'permission'],
    [{ permission: '__proto__' }, 'permission'],
    [{ colour: 'red' }, 'colour'],
  ] as const)
    expect(readInput(createToolCardInput, { ...good, ...part })).toMatchObject({ code: 'BAD_INPUT', field });
  expect(readInput(createToolCardInput, { ...good, ownerId: '', permission: '' })).toMatchObject(good);
  expect(readInput(updateToolCardInput, { id: '1', version: 0 })).toMatchObject({ field: 'version' });
});

const viewer = (role: string, permissions: Viewer['permissions'] = []): Viewer => ({
  id: '1',
  role,
  permissions,
  approverIds: [],
});

it.each([
  ['Staff', [], null, true],
  ['Staff', [], 'VIEW_SALES', false],
  ['Staff', ['VIEW_SALES'], 'VIEW_SALES', true],
  ['Staff', ['VIEW_SALES'], 'VIEW_GONE', false],
  ['Staff', ['VIEW_SALES'], 'constructor', false],
  ['admin', [], 'VIEW_SALES', true],
  ['admin', [], 'VIEW_GONE', true],
] as const)('%s with %j sees a card that wants %j: %j', (role, permissions, wanted, sees) => {
  expect(canSeeToolCard(viewer(role, permissions), wanted)).toBe(sees);
});

it('admins alone keep cards', () => {
  expect([viewer('admin'), viewer('Admin'), viewer('Staff', ['USER_MANAGEMENT'])].map(canEditToolCards)).toEqual([
    true,
    false,
    false,
  ]);
});

it.each([
  ['a', -1, null],
  ['c', 1, null],
  ['x', 1, null],
  ['a', 1, ['b', 'a', 'c']],
  ['c', -1, ['a', 'c', 'b']],
] as const)('moving %s by %i gives %j', (id, by, order) => {
  expect(movedOrder(['a', 'b', 'c'], id, by)).toEqual(order);
});
