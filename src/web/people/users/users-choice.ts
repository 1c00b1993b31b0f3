// What of the people is shown: search, lists, filters, order and page, all of them in the address.

import { useCallback, useMemo } from 'react';
import { scopes } from '#core/access/brands.ts';
import { useAddress } from '#web/shell/address.ts';
import { folded } from '#web/ui/matches.ts';
import type { User } from './users-queries.ts';

/** The two lists of the specification: whoever has the top-5 permission, and whoever has not (spec 3). */
export const lists = {
  everybody: 'Everybody',
  permitted: 'Permitted users',
  logged: 'Logged users',
} as const;
export type List = keyof typeof lists;

export const states = {
  active: 'Active',
  invited: 'Invited',
  noPassword: 'No password',
  disabled: 'Disabled',
} as const;
export type State = keyof typeof states;

export function stateOf({ disabled, hasPassword, linkUntil }: User): State {
  if (disabled) return 'disabled';
  if (hasPassword) return 'active';
  return linkUntil === null ? 'noPassword' : 'invited';
}

export const isPermitted = (user: User): boolean => user.top5From !== null;

export type Choice = {
  readonly list: List;
  readonly search: string;
  /** Empty: any. `-`: none. */
  readonly role: string;
  readonly team: string;
  readonly state: State | '';
  readonly noApprover: boolean;
  readonly order: 'name' | 'email' | 'role' | 'team' | 'state';
  readonly desc: boolean;
  readonly page: number;
};

export const none = '-';
export const pageSize = 50;
const orders = ['name', 'email', 'role', 'team', 'state'] as const;

const known = <Key extends string>(text: string | undefined, keys: readonly Key[], otherwise: Key): Key =>
  keys.find((key) => key === text) ?? otherwise;

export function readChoice(search: Readonly<Record<string, string>>): Choice {
  const page = Number(search.page);
  return {
    list: known(search.list, Object.keys(lists) as List[], 'everybody'),
    search: search.q ?? '',
    role: search.role ?? '',
    team: search.team ?? '',
    state: known(search.state, [...(Object.keys(states) as State[]), ''], ''),
    noApprover: search.approver === none,
    order: known(search.sort, orders, 'name'),
    desc: search.desc === '1',
    page: Number.isInteger(page) && page > 1 ? page - 1 : 0,
  };
}

/** Everything but the page begins at the first page again. */
export function useChoice(): [Choice, (part: Partial<Choice>) => void] {
  const [search, change] = useAddress();
  const keep = useCallback(
    (part: Partial<Choice>) => {
      const text: Record<string, string | null> = { page: part.page ? String(part.page + 1) : null };
      if (part.list !== undefined) text.list = part.list === 'everybody' ? null : part.list;
      if (part.search !== undefined) text.q = part.search || null;
      for (const key of ['role', 'team', 'state'] as const) if (part[key] !== undefined) text[key] = part[key] || null;
      if (part.noApprover !== undefined) text.approver = part.noApprover ? none : null;
      if (part.order !== undefined) text.sort = part.order === 'name' ? null : part.order;
      if (part.desc !== undefined) text.desc = part.desc ? '1' : null;
      change(text, { replace: true });
    },
    [change],
  );
  const choice = useMemo(() => readChoice(search), [search]);
  return [choice, keep];
}

/** What the search looks at, made ready once for a list and not at every key. */
const searched = new WeakMap<User, string>();

function textOf(user: User): string {
  const kept = searched.get(user);
  if (kept !== undefined) return kept;
  const text = folded(`${user.displayName} ${user.email} ${user.role ?? ''} ${user.team ?? ''}`);
  searched.set(user, text);
  return text;
}

const is = (wanted: string, value: string | null): boolean =>
  wanted === '' || (wanted === none ? null : wanted) === value;

/** Those that everything but the list leaves: what the chips of the lists count. */
export function filtered(users: readonly User[], { search, role, team, state, noApprover }: Choice): User[] {
  const words = folded(search).split(/\s+/).filter(Boolean);
  return users.filter(
    (user) =>
      is(role, user.role) &&
      is(team, user.team) &&
      (state === '' || stateOf(user) === state) &&
      (!noApprover || (user.approverId.length === 0 && isPermitted(user))) &&
      words.every((word) => textOf(user).includes(word)),
  );
}

export function inList(users: readonly User[], list: List): readonly User[] {
  return list === 'everybody' ? users : users.filter((user) => isPermitted(user) === (list === 'permitted'));
}

const collator = new Intl.Collator('en-GB', { numeric: true, sensitivity: 'base' });
const stateRank = Object.keys(states);

const keyOf: Record<Choice['order'], (user: User) => string> = {
  name: ({ lastName, firstName, displayName }) => (lastName || firstName ? `${lastName} ${firstName}` : displayName),
  email: ({ email }) => email,
  role: ({ role }) => role ?? '',
  team: ({ team }) => (team === null ? '' : teamTitle(team)),
  state: (user) => String(stateRank.indexOf(stateOf(user))),
};

export function ordered(users: readonly User[], { order, desc }: Pick<Choice, 'order' | 'desc'>): readonly User[] {
  const rows = users.map((user) => ({ user, key: keyOf[order](user), name: keyOf.name(user) }));
  rows.sort((a, b) => {
    // What has no value stays last in both directions.
    if ((a.key === '') !== (b.key === '')) return a.key === '' ? 1 : -1;
    return (collator.compare(a.key, b.key) || collator.compare(a.name, b.name)) * (desc ? -1 : 1);
  });
  return rows.map(({ user }) => user);
}

export function teamTitle(team: string): string {
  return Object.hasOwn(scopes, team) ? scopes[team as keyof typeof scopes].title : team;
}
