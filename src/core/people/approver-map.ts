// Decides what the approver map shows: approvers both ways, each approver's load, and problems; and what a page
// of approver management can ask for. The server finds the page's rows in SQL, which a test compares with this.
import * as z from 'zod/mini';
import { isAdmin } from '../access/access.ts';
import { topFivePermission } from '../access/permissions.ts';
import { compareNames } from '../base/formats.ts';
import { addToGroup } from '../base/groups.ts';
import { id, pageAfterInput, text } from '../base/inputs.ts';
import { limits } from '../base/limits.ts';
import {
  type ApproverCandidate,
  type ApproverWarning,
  approverCircles,
  approverWarning,
  effectiveApprovers,
} from './approvers.ts';
import { approverFilters } from './people-search.ts';

/** A person on the map, with their tasks that wait for a decision. */
export type MappedPerson = Omit<ApproverCandidate, 'approverIds'> & {
  readonly email: string;
  readonly team: string | null;
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
  /** Has tasks, or is the only admin, but no approver who can decide. */
  readonly unapproved: boolean;
  /** The names of the other people in the same circle of approvers. */
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

/**
 * Whether the person has tasks, or is the only admin, but no approver who can decide. Any other admin could
 * decide an admin's tasks.
 */
export const isUnapproved = (
  person: MappedPerson & { readonly isOnlyAdmin: boolean },
  approvers: readonly MappedPerson[],
): boolean =>
  !person.disabled &&
  (isAdmin(person) ? person.isOnlyAdmin : person.permissions.includes(topFivePermission)) &&
  !approvers.some((one) => warningOf(one) === null);

/** The others in each person's circle of approvers. `approversOf` can leave out people who approve nobody. */
export function circlesOf(approversOf: ReadonlyMap<string, readonly string[]>): Map<string, readonly string[]> {
  return new Map(
    approverCircles(approversOf).flatMap((circle) =>
      circle.map((id) => [id, circle.filter((other) => other !== id)] as const),
    ),
  );
}

/** Names by which a circle is shown. */
export const circleNames = (people: readonly Pick<MappedPerson, 'displayName'>[]): string[] =>
  people.map(({ displayName }) => displayName).toSorted(compareNames);

/** Both directions of the whole map, in the people's order. The server reads parts of it. */
export function approverMap<Person extends MappedPerson>(
  people: readonly Person[],
  defaultApproverId: string | null,
): ApproverMap<Person> {
  const byId = new Map(people.map((person) => [person.id, person]));
  const effective = new Map(
    people.map(({ id, ownApproverIds }) => [id, effectiveApprovers(id, ownApproverIds, defaultApproverId)] as const),
  );
  const circles = circlesOf(effective);
  const approvedBy = new Map<string, Person[]>();
  const found = (ids: readonly string[] = []) => ids.flatMap((id) => byId.get(id) ?? []);
  const rows = people.map((person): PersonOfMap<Person> => {
    const approvers = found(effective.get(person.id));
    for (const { id } of approvers) addToGroup(approvedBy, id, person);
    return {
      person,
      approvers,
      byDefault: person.ownApproverIds.length === 0 && approvers.length > 0,
      unapproved: isUnapproved({ ...person, isOnlyAdmin: isOnlyAdmin(person, people) }, approvers),
      circle: circleNames(found(circles.get(person.id))),
    };
  });
  return { people: rows, approvers: people.flatMap((person) => approverRow(person, approvedBy, defaultApproverId)) };
}

const isOnlyAdmin = (person: MappedPerson, people: readonly MappedPerson[]): boolean =>
  isAdmin(person) && !people.some((other) => other.id !== person.id && isAdmin(other) && !other.disabled);

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

/** The rows that each filter of the page shows. */
export const shownBy: Readonly<Record<(typeof approverFilters)[number], (row: PersonOfMap<MappedPerson>) => boolean>> =
  {
    undecided: ({ unapproved }) => unapproved,
    none: ({ person }) => person.ownApproverIds.length === 0,
    circle: ({ circle }) => circle.length > 0,
    waiting: ({ person }) => waitingOf(person) > 0,
  };

export type MapCounts = Readonly<Record<keyof typeof shownBy, number>> & {
  readonly active: number;
  /** Disabled accounts that the map still has. */
  readonly disabled: number;
  readonly approvers: number;
  /** The approvers who can't decide. */
  readonly unable: number;
  /** Tasks that wait for a decision. */
  readonly tasks: number;
};

export function countsOf({ people, approvers }: ApproverMap<MappedPerson>): MapCounts {
  const active = people.filter(({ person }) => !person.disabled).length;
  const count = (filter: keyof typeof shownBy) => people.filter(shownBy[filter]).length;
  return {
    ...{ undecided: count('undecided'), none: count('none'), circle: count('circle'), waiting: count('waiting') },
    ...{ active, disabled: people.length - active, approvers: approvers.length },
    unable: approvers.filter(({ warning }) => warning !== null).length,
    tasks: people.reduce((sum, { person }) => sum + waitingOf(person), 0),
  };
}

const search = z.optional(text(limits.search));
const desc = z.optional(z.boolean());
/** Rows without a value come last in both directions. */
export const mapPeopleInput = z.strictObject({
  id: z.optional(id),
  /** Only people of this approver. */
  approverId: z.optional(id),
  show: z.optional(z.enum(approverFilters)),
  search,
  /** By name without it. */
  sort: z.optional(z.enum(['person', 'team', 'approvers', 'waiting'])),
  desc,
  ...pageAfterInput.shape,
});
export type MapPeopleChoice = z.output<typeof mapPeopleInput>;
export const mapApproversInput = z.strictObject({
  id: z.optional(id),
  search,
  /** In the order of the people without it. */
  sort: z.optional(z.enum(['approver', 'people', 'waiting', 'median', 'p90', 'warning'])),
  desc,
  ...pageAfterInput.shape,
});
export type MapApproversChoice = z.output<typeof mapApproversInput>;

/** Seconds that tasks waited for an approver. */
export type Waits = { readonly medianWaited: number | null; readonly p90Waited: number | null };
