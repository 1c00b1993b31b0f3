// Decides what the approver map shows: approvers both ways, each approver's load, and problems. Used by
// approver management.

import { isAdmin } from '../access/access.ts';
import { topFivePermission } from '../access/permissions.ts';
import { addToGroup } from '../base/groups.ts';
import {
  type ApproverCandidate,
  type ApproverWarning,
  approverCircles,
  approverWarning,
  effectiveApprovers,
} from './approvers.ts';

/** A person on the map, with their tasks that wait for a decision. */
export type MappedPerson = Omit<ApproverCandidate, 'approverIds'> & {
  readonly ownApproverIds: readonly string[];
  readonly canSignIn: boolean;
  readonly toApprove: number;
  readonly toSignOff: number;
};

export type PersonOfMap<Person extends MappedPerson> = {
  readonly person: Person;
  /** The effective ones: their own, or the default approver. */
  readonly approvers: readonly Person[];
  readonly byDefault: boolean;
  /** Has tasks, or is the only admin, but nobody who decides them. */
  readonly unapproved: boolean;
  /** The names of the people in the same circle of approvers. */
  readonly circle: readonly string[];
};

export type ApproverOfMap<Person extends MappedPerson> = {
  readonly approver: Person;
  readonly people: readonly Person[];
  readonly toApprove: number;
  readonly toSignOff: number;
  readonly warning: ApproverWarning | null;
};

export type ApproverMap<Person extends MappedPerson> = {
  readonly people: readonly PersonOfMap<Person>[];
  readonly approvers: readonly ApproverOfMap<Person>[];
};

export const waitingOf = ({ toApprove, toSignOff }: { toApprove: number; toSignOff: number }): number =>
  toApprove + toSignOff;

/** Why others' tasks stay undecided with this person, or null. */
export function warningOf(person: MappedPerson): ApproverWarning | null {
  return approverWarning({ ...person, approverIds: person.ownApproverIds });
}

/** Both directions of the map, in the people's order. */
export function approverMap<Person extends MappedPerson>(
  people: readonly Person[],
  defaultApproverId: string | null,
): ApproverMap<Person> {
  const byId = new Map(people.map((person) => [person.id, person]));
  const effective = new Map(
    people.map(({ id, ownApproverIds }) => [id, effectiveApprovers(id, ownApproverIds, defaultApproverId)] as const),
  );
  const circleOf = new Map<string, readonly string[]>();
  for (const circle of approverCircles(effective))
    for (const id of circle)
      circleOf.set(
        id,
        circle.filter((other) => other !== id),
      );
  const approvedBy = new Map<string, Person[]>();
  const found = (ids: readonly string[] = []) => ids.flatMap((id) => byId.get(id) ?? []);
  const rows = people.map((person): PersonOfMap<Person> => {
    const approvers = found(effective.get(person.id));
    for (const { id } of approvers) addToGroup(approvedBy, id, person);
    return {
      person,
      approvers,
      byDefault: person.ownApproverIds.length === 0 && approvers.length > 0,
      unapproved:
        !person.disabled &&
        (keepsTasks(person) || isOnlyAdmin(person, people)) &&
        !approvers.some((one) => warningOf(one) === null),
      circle: found(circleOf.get(person.id)).map(({ displayName }) => displayName),
    };
  });
  return { people: rows, approvers: people.flatMap((person) => approverRow(person, approvedBy, defaultApproverId)) };
}

/** Nobody decides their own tasks, and any other admin could decide an admin's. */
const isOnlyAdmin = (person: MappedPerson, people: readonly MappedPerson[]): boolean =>
  isAdmin(person) && !people.some((other) => other.id !== person.id && isAdmin(other) && !other.disabled);

const keepsTasks = ({ role, permissions }: MappedPerson): boolean =>
  !isAdmin({ role }) && permissions.includes(topFivePermission);

function approverRow<Person extends MappedPerson>(
  approver: Person,
  approvedBy: ReadonlyMap<string, Person[]>,
  defaultApproverId: string | null,
): ApproverOfMap<Person>[] {
  const people = approvedBy.get(approver.id) ?? [];
  if (people.length === 0 && approver.id !== defaultApproverId) return [];
  const sum = (key: 'toApprove' | 'toSignOff') => people.reduce((all, person) => all + person[key], 0);
  return [{ approver, people, toApprove: sum('toApprove'), toSignOff: sum('toSignOff'), warning: warningOf(approver) }];
}

/**
 * A person's approvers when others take over from one. Nobody takes over from themselves; a person who would
 * have nobody left keeps their approvers. `from` is null for people without an approver.
 */
export function reassigned(
  person: Pick<MappedPerson, 'id' | 'ownApproverIds'>,
  from: string | null,
  to: readonly string[],
): string[] {
  const others = person.ownApproverIds.filter((id) => id !== from);
  const next = [...new Set([...others, ...to.filter((id) => id !== person.id)])];
  return next.length === 0 && to.length > 0 ? [...person.ownApproverIds] : next;
}
