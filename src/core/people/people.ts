// Decides how a person is named and how approvers are parsed (spec 3). Used by the API, the imports and
// everywhere a person is shown.

import { isScope, scopes } from '../access/brands.ts';
import { comparableName } from '../base/one-line.ts';
import { type Refusal, refuse } from '../base/refusals.ts';

export type Named = { readonly firstName: string; readonly lastName: string; readonly email: string };

/** First and last name, or the email's local part if both are blank. */
export function displayName({ firstName, lastName, email }: Named): string {
  return `${firstName} ${lastName}`.trim() || (email.split('@')[0] ?? email);
}

/** The host of erased accounts' addresses. */
export const erasedHost = '@erased.invalid';

/** The address that an erasure leaves. */
export const erasedAddress = (id: string): string => `former-colleague-${id}${erasedHost}`;
export const isErased = ({ email }: Pick<Named, 'email'>): boolean => email.toLowerCase().endsWith(erasedHost);

/** Why nobody can change, enable or invite the account anymore, or null. */
export const erasedRefusal = (account: Pick<Named, 'email'>): Refusal | null =>
  isErased(account) ? refuse('CONFLICT', 'This account was erased, which can’t be undone') : null;

/** The name of an approver or chair. A disabled one is marked: another should be chosen. */
export const nameWithState = ({ disabled, ...named }: Named & { readonly disabled: boolean }): string =>
  disabled ? `${displayName(named)} (disabled)` : displayName(named);

type WithName = { readonly displayName: string };

/** Whether others of these people have a name that looks the same. */
function namesakesOf(people: Iterable<WithName>): (person: WithName) => boolean {
  const counts = new Map<string, number>();
  for (const { displayName } of people) {
    const name = comparableName(displayName);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return ({ displayName }) => (counts.get(comparableName(displayName)) ?? 0) > 1;
}

/** The people of a list to choose from: addresses only to tell those with the same name apart. */
export function withNamesakeEmails<Person extends WithName & { readonly email: string }>(people: readonly Person[]) {
  const isNamesake = namesakesOf(people);
  return people.map((person) => ({ ...person, email: isNamesake(person) ? person.email : null }));
}

/** How a list names its people: those with the same name show their address too, or their team. */
export function personLabels<
  Person extends WithName & { readonly email?: string | null; readonly team?: string | null },
>(people: Iterable<Person>): (person: Person) => string {
  const isNamesake = namesakesOf(people);
  return (person) => {
    const { displayName: name, email, team } = person;
    if (!isNamesake(person)) return name;
    const more = email ?? (team && isScope(team) ? scopes[team].title : team);
    return more ? `${name} (${more})` : name;
  };
}

/**
 * `approverId` is a value, a list or null outside, and always a list of distinct ids inside (spec 3, D26).
 */
export function approverIdList(value: string | readonly string[] | null | undefined): string[] {
  if (value == null || value === '') return [];
  return [...new Set(typeof value === 'string' ? [value] : value)].filter((id) => id !== '');
}
