import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { usersSearch } from '#core/people/people-search.ts';
import { filtered, inList, ordered, stateOf, type UserOrder } from './users-choice.ts';
import type { User } from './users-queries.ts';

const user = (id: string, part: Partial<User> = {}): User => ({
  id,
  email: `${id}@example.test`,
  firstName: '',
  lastName: '',
  displayName: id,
  role: 'Staff',
  team: null,
  approverId: [],
  top5Invisible: false,
  top5From: null,
  top5Bound: null,
  disabled: false,
  hasPassword: true,
  linkUntil: null,
  ...part,
});
const people = [
  user('zoe', { top5From: 'direct', displayName: 'Zoë Quinn', firstName: 'Zoë', lastName: 'Quinn', team: 'green' }),
  user('ben', { role: null, displayName: 'Ben Ash', firstName: 'Ben', lastName: 'Ash' }),
  user('cat', { disabled: true, top5From: 'role', approverId: ['1'] }),
  user('dan', { hasPassword: false }),
  user('eve', { hasPassword: false, linkUntil: '2026-11-25T12:00:00Z', role: 'Lead' }),
];
const ids = (users: readonly User[]) => users.map(({ id }) => id);
const find = (part: Record<string, string>) => ids(filtered(people, z.parse(usersSearch, part)));

describe('people are found', () => {
  it.each<[Record<string, string>, string[]]>([
    [{}, ['zoe', 'ben', 'cat', 'dan', 'eve']],
    [{ q: 'zoe qui' }, ['zoe']],
    [{ q: 'GREEN' }, ['zoe']],
    [{ q: 'ben@example' }, ['ben']],
    [{ q: 'nobody' }, []],
    [{ role: 'Lead' }, ['eve']],
    [{ role: '-' }, ['ben']],
    [{ team: 'green' }, ['zoe']],
    [{ state: 'disabled' }, ['cat']],
    [{ state: 'invited' }, ['eve']],
    [{ state: 'noPassword' }, ['dan']],
    [{ approver: '-' }, ['zoe']],
    [{ state: 'nonsense' }, ['zoe', 'ben', 'cat', 'dan', 'eve']],
  ])('%j', (part, expected) => {
    expect(find(part)).toEqual(expected);
  });
});

it('everybody is in exactly one of the two lists', () => {
  expect(ids(inList(people, 'permitted'))).toEqual(['zoe', 'cat']);
  expect(ids(inList(people, 'logged'))).toEqual(['ben', 'dan', 'eve']);
  expect(inList(people, 'everybody')).toBe(people);
});

describe('the order', () => {
  it.each<[UserOrder, boolean, string[]]>([
    ['name', false, ['ben', 'cat', 'dan', 'eve', 'zoe']],
    ['name', true, ['zoe', 'eve', 'dan', 'cat', 'ben']],
    ['role', false, ['eve', 'cat', 'dan', 'zoe', 'ben']],
    ['role', true, ['zoe', 'dan', 'cat', 'eve', 'ben']],
    ['state', false, ['ben', 'zoe', 'eve', 'dan', 'cat']],
  ])('by %s, descending: %s; whoever has no value is last', (sort, desc, expected) => {
    const search = z.parse(usersSearch, { sort, ...(desc && { desc: '1' }) });
    expect(ids(ordered(people, search))).toEqual(expected);
  });
});

it('disabled counts before everything else', () => {
  expect(stateOf(user('x', { disabled: true, hasPassword: false, linkUntil: '2026-11-25T12:00:00Z' }))).toBe(
    'disabled',
  );
});
