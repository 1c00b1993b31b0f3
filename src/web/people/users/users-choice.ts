// The list's state, all in the address: search, lists, filters, sorting and page.

import { useCallback } from 'react';
import { scopes } from '#core/access/brands.ts';
import { compareNames } from '#core/base/formats.ts';
import { nobody, type UsersSearch } from '#core/people/people-search.ts';
import { type SearchChange, useAddress } from '#web/shell/address.ts';
import { folded } from '#web/ui/matches.ts';
import type { User } from './users-queries.ts';

/** The specification's two lists: people with and without the top-5 permission (spec 3). */
export const lists = {
  everybody: 'Everyone',
  permitted: 'Permitted users',
  logged: 'Logged users',
} as const satisfies Record<List, string>;
export type List = 'everybody' | NonNullable<UsersSearch['list']>;

export type UserOrder = 'name' | NonNullable<UsersSearch['sort']>;

export const states = {
  active: 'Active',
  invited: 'Invited',
  noPassword: 'No password',
  disabled: 'Disabled',
} as const satisfies Record<State, string>;
export type State = NonNullable<UsersSearch['state']>;

export function stateOf({ disabled, hasPassword, linkUntil }: User): State {
  if (disabled) return 'disabled';
  if (hasPassword) return 'active';
  return linkUntil === null ? 'noPassword' : 'invited';
}

export const isPermitted = (user: User): boolean => user.top5From !== null;

export type ChangeUsers = (part: SearchChange<'/usermanagement'>) => void;

export function useChoice(): [UsersSearch, ChangeUsers] {
  const [choice, change] = useAddress('/usermanagement');
  const keep: ChangeUsers = useCallback((part) => change(part, { replace: true }), [change]);
  return [choice, keep];
}

/** The searchable text, computed once per list instead of on every key. */
const searched = new WeakMap<User, string>();

function textOf(user: User): string {
  const kept = searched.get(user);
  if (kept !== undefined) return kept;
  const text = folded(`${user.displayName} ${user.email} ${user.role ?? ''} ${user.team ?? ''}`);
  searched.set(user, text);
  return text;
}

const is = (wanted: string | undefined, value: string | null): boolean =>
  !wanted || (wanted === nobody ? null : wanted) === value;

/** The people matching everything but the list, which the list tabs count. */
export function filtered(users: readonly User[], { q = '', role, team, state, approver }: UsersSearch): User[] {
  const words = folded(q).split(/\s+/).filter(Boolean);
  return users.filter(
    (user) =>
      is(role, user.role) &&
      is(team, user.team) &&
      (!state || stateOf(user) === state) &&
      (!approver || (user.approverId.length === 0 && isPermitted(user))) &&
      words.every((word) => textOf(user).includes(word)),
  );
}

export function inList(users: readonly User[], list: List = 'everybody'): readonly User[] {
  return list === 'everybody' ? users : users.filter((user) => isPermitted(user) === (list === 'permitted'));
}

const stateRank = Object.keys(states);

const keyOf: Record<UserOrder, (user: User) => string> = {
  name: ({ lastName, firstName, displayName }) => (lastName || firstName ? `${lastName} ${firstName}` : displayName),
  email: ({ email }) => email,
  role: ({ role }) => role ?? '',
  team: ({ team }) => (team === null ? '' : teamTitle(team)),
  state: (user) => String(stateRank.indexOf(stateOf(user))),
};

export function ordered(users: readonly User[], { sort, desc }: UsersSearch): readonly User[] {
  const rows = users.map((user) => ({ user, key: keyOf[sort ?? 'name'](user), name: keyOf.name(user) }));
  rows.sort((a, b) => {
    // Missing values sort last in both directions.
    if ((a.key === '') !== (b.key === '')) return a.key === '' ? 1 : -1;
    return (compareNames(a.key, b.key) || compareNames(a.name, b.name)) * (desc ? -1 : 1);
  });
  return rows.map(({ user }) => user);
}

export function teamTitle(team: string): string {
  return Object.hasOwn(scopes, team) ? scopes[team as keyof typeof scopes].title : team;
}
