// The list's state, all in the address: search, lists, filters, sorting and page.

import { useCallback } from 'react';
import { scopes } from '#core/access/brands.ts';
import type { UsersSearch } from '#core/people/people-search.ts';
import { type SearchChange, useAddress } from '#web/shell/address.ts';
import type { User } from './users-queries.ts';

/** The specification's two lists: people with and without the top-5 permission (spec 3). */
export const lists = {
  everybody: 'Everyone',
  permitted: 'Permitted users',
  logged: 'Logged users',
} as const satisfies Record<List, string>;
/** What the specification's names of the lists mean. */
export const listMeanings = {
  everybody: null,
  permitted: 'People who use S.T.A.R.T',
  logged: 'People who don’t use S.T.A.R.T',
} as const satisfies Record<List, string | null>;
export type List = 'everybody' | NonNullable<UsersSearch['list']>;

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

/** Besides the list. */
export const noFilters = {
  q: null,
  role: null,
  team: null,
  state: null,
  approver: null,
  asked: null,
  away: null,
  back: null,
} as const;

export function useChoice(): [UsersSearch, ChangeUsers] {
  const [choice, change] = useAddress('/usermanagement');
  const keep: ChangeUsers = useCallback((part) => change(part, { replace: true }), [change]);
  return [choice, keep];
}

export function teamTitle(team: string): string {
  return Object.hasOwn(scopes, team) ? scopes[team as keyof typeof scopes].title : team;
}
