// Decides each person's approvers: the effective approvers, what a change does, and problems (spec 3, D15,
// D26). Used by the server before every change of approvers, and by approver and user management.
import * as z from 'zod/mini';
import { isAdmin, type Viewer } from '../access/access.ts';
import { permittedScopes } from '../access/brands.ts';
import { callAccess, callRefusal } from '../access/call-access.ts';
import { listWords } from '../base/formats.ts';
import { addToGroup } from '../base/groups.ts';
import { id } from '../base/inputs.ts';
import { type Refusal, refuse } from '../base/refusals.ts';
import { type Away, absenceDay, awayWords } from './absences.ts';

/** The effective approvers: the person's own, or the default approver. Nobody approves their own tasks. */
export function effectiveApprovers(
  personId: string,
  ownApproverIds: readonly string[],
  defaultApproverId: string | null,
): string[] {
  if (ownApproverIds.length > 0) return [...ownApproverIds];
  return defaultApproverId === null || defaultApproverId === personId ? [] : [defaultApproverId];
}

/** The default approver: the choice in the product, which can be nobody; undefined uses the environment's. */
export function defaultApproverOf(chosen: string | null | undefined, ofEnvironment: string | null): string | null {
  return chosen === undefined ? ofEnvironment : chosen;
}

/** A current or possible approver. */
export type ApproverCandidate = Viewer & { readonly displayName: string; readonly disabled: boolean };

/** A possible approver. `approves`: they approve someone already, or are the default approver. */
export type ApproverChoice = ApproverCandidate & { readonly approves: boolean };

/** What the choice of approvers depends on. */
export type ApproverFacts = {
  /** The existing ones of the requested approvers. */
  readonly candidates: ReadonlyMap<string, ApproverChoice>;
  /**
   * The approvers whose people the viewer decides for too: as the next in line while tasks are handed over
   * (D41), or as a delegate, now or later (D40), also of the next in line.
   */
  readonly actsFor: ReadonlyMap<string, 'nextInLine' | 'delegate'>;
  /** Whether the viewer took this approver from the person so lately that Undo can bring them back. */
  readonly restores?: (approverId: string) => boolean;
};

/** A person with their current approvers. */
export type Approvable = {
  readonly id: string;
  readonly displayName: string;
  readonly ownApproverIds: readonly string[];
};

export type ApproversPlan = {
  readonly kind: 'plan';
  readonly approverIds: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
};

/** More approvers for one person are a mistake. */
export const mostApprovers = 20;

export const sameApprovers = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));

/** Someone's change from `before` to `after`, after someone else changed them to `now`. */
export const mergeApprovers = (
  before: readonly string[],
  after: readonly string[],
  now: readonly string[],
): string[] => [
  ...now.filter((id) => after.includes(id) || !before.includes(id)),
  ...after.filter((id) => !before.includes(id) && !now.includes(id)),
];

/**
 * The effect of giving a person these approvers. `known` are those the caller saw: if they changed, nothing
 * happens. People who can't approve yet are allowed, with a warning; disabled accounts aren't.
 */
export function planApprovers(
  person: Approvable,
  wanted: readonly string[],
  candidates: ReadonlyMap<string, Pick<ApproverCandidate, 'displayName' | 'disabled'>>,
  known?: readonly string[],
): ApproversPlan | { readonly kind: 'unchanged' } | Refusal {
  const { displayName, ownApproverIds: own } = person;
  const approverIds = [...new Set(wanted)];
  if (sameApprovers(own, approverIds)) return { kind: 'unchanged' };
  if (known !== undefined && !sameApprovers(own, known))
    return refuse('CONFLICT', `Someone else changed ${displayName}’s approvers. Review them and try again`, {
      changed: ['approverId'],
    });
  if (approverIds.length > mostApprovers)
    return badApprover(`${displayName} can’t have more than ${mostApprovers} approvers`);
  const added = approverIds.filter((id) => !own.includes(id));
  for (const id of added) {
    const candidate = candidates.get(id);
    if (id === person.id) return badApprover('People can’t approve their own tasks. Choose someone else');
    if (!candidate) return badApprover('This approver no longer exists. Choose someone else');
    if (candidate.disabled) return badApprover(`${candidate.displayName}’s account is disabled. Choose someone else`);
  }
  return { kind: 'plan', approverIds, added, removed: own.filter((id) => !approverIds.includes(id)) };
}

/** The effective approvers before and after a change. */
type EffectiveChange = { readonly before: readonly string[]; readonly after: readonly string[] };

/**
 * Why the viewer can't change a person's approvers this way, or null (T14). User managers choose among
 * existing approvers, and share only what they decide themselves with others: a second account of theirs
 * could make anyone an approver. They never make themselves one, nor someone whose tasks they would get to
 * decide, and never choose their own.
 */
export function approverChoiceRefusal(
  viewer: Viewer,
  person: Pick<Viewer, 'id' | 'role'>,
  { before, after }: EffectiveChange,
  { candidates, actsFor, restores }: ApproverFacts,
): Refusal | null {
  if (isAdmin(viewer) || sameApprovers(before, after)) return null;
  const fixed = approversFixed(viewer, person);
  if (fixed) return fixed;
  const gained = after.filter((id) => !before.includes(id));
  if (gained.includes(viewer.id)) return forbidden('You can’t make yourself an approver. Ask an admin');
  // The next in line of one approver gains nothing as that of another. A delegation ends, but not what it gains.
  const isNext = before.some((id) => actsFor.get(id) === 'nextInLine');
  const gains = (id: string) => !restores?.(id) && (actsFor.get(id) === 'delegate' || (actsFor.has(id) && !isNext));
  if (!before.includes(viewer.id) && gained.some(gains))
    return forbidden('Choosing this approver would let you decide on this person’s tasks. Ask an admin');
  const people = gained.flatMap((id) => candidates.get(id) ?? []);
  const watcher = people.find(onlySeesStats);
  if (watcher)
    return forbidden(`${watcher.displayName} can’t approve tasks, but would see this person’s stats. Ask an admin`);
  const first = choosesAnyone(viewer, before) ? undefined : people.find(({ approves }) => !approves);
  return first
    ? forbidden(`${first.displayName} doesn’t approve anyone yet. Ask an admin to make them an approver`)
    : null;
}

/** Why the viewer can't change this person's approvers at all, or null. */
export function approversFixed(viewer: Viewer, person: Pick<Viewer, 'id' | 'role'>): Refusal | null {
  if (isAdmin(viewer)) return null;
  if (isAdmin(person)) return forbidden('Only an admin can change an admin’s approvers');
  if (person.id === viewer.id) return forbidden('You can’t choose who approves you. Ask an admin');
  // They are next in line for the viewer's own tasks.
  return viewer.approverIds.includes(person.id)
    ? forbidden('You can’t choose who approves your approver. Ask an admin')
    : null;
}

/** Whether the viewer may make anyone this person's approver, not just people who approve someone already. */
export const choosesAnyone = (viewer: Viewer, before: readonly string[]): boolean =>
  isAdmin(viewer) || (before.includes(viewer.id) && callRefusal(viewer, callAccess.decisions) === null);

const onlySeesStats = (candidate: ApproverCandidate): boolean =>
  callRefusal(candidate, callAccess.decisions) !== null && callRefusal(candidate, callAccess.stats) === null;

const forbidden = (message: string): Refusal => refuse('FORBIDDEN', message, { field: 'approverIds' });

const badApprover = (message: string): Refusal => refuse('BAD_INPUT', message, { field: 'approverIds' });

export type ApproverWarning = 'disabled' | 'mayNotDecide' | 'cannotSignIn';

/** Why tasks stay undecided with this approver, or null. */
export function approverWarning(approver: ApproverCandidate & { readonly canSignIn: boolean }): ApproverWarning | null {
  if (approver.disabled) return 'disabled';
  if (callRefusal(approver, callAccess.decisions) !== null) return 'mayNotDecide';
  return approver.canSignIn ? null : 'cannotSignIn';
}

/** A person's approver, by name; `decides`: nothing keeps them from deciding. */
export type NamedApprover = {
  readonly displayName: string;
  readonly decides: boolean;
  /** Away today. */
  readonly away?: Away | null;
  /** The first day of time away that is coming soon. */
  readonly awayFrom?: string | null;
};

function decidingName({ displayName, away }: NamedApprover): string {
  if (!away) return displayName;
  return away.delegate
    ? `${away.delegate} for ${displayName}`
    : `${displayName} (away until ${absenceDay(away.until)})`;
}

const listed = (people: readonly { readonly displayName: string }[], last: 'or' | 'and' = 'or'): string =>
  listWords(
    people.map(({ displayName }) => displayName),
    last,
  );

const mostLeft = 10;

/** The people that nobody else can decide for, before their approver stops deciding. */
export function leftWithoutApproverWords(names: readonly string[]): string {
  const rest = names.length - mostLeft;
  return `Left without an approver: ${names.slice(0, mostLeft).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/**
 * Who approves one's tasks (`names`, null if no approver can), or the people to ask. `admins`: others who can
 * sign in. They also decide an admin's tasks. `contacts`: others who choose approvers, admins last.
 */
export function ownApproversSentence(
  approvers: readonly NamedApprover[],
  admins: readonly { readonly displayName: string }[],
  viewer: Pick<Viewer, 'role'>,
  contacts: readonly { readonly displayName: string }[] = admins,
): { readonly sentence: string; readonly names: string | null; readonly isMissing: boolean } {
  const named = approvers.filter(({ decides }) => decides);
  const deciding = named.length === 0 && isAdmin(viewer) ? admins.map((admin) => ({ ...admin, decides: true })) : named;
  if (deciding.length > 0) {
    const names = listWords(deciding.map(decidingName), 'or');
    return { sentence: approvingSentence(deciding), names, isMissing: false };
  }
  const why =
    approvers.length > 0 ? `${listed(approvers, 'and')} can’t approve your tasks right now.` : 'You have no approver.';
  // Only admins choose their own.
  if (isAdmin(viewer)) return { sentence: why, names: null, isMissing: true };
  const ask = contacts.length > 0 ? listed(contacts) : 'an admin';
  return {
    sentence: `${why} Ask ${ask} to choose ${approvers.length > 0 ? 'another approver' : 'one'}.`,
    names: null,
    isMissing: true,
  };
}

/** "Alex approves your tasks, but is away until Fri 27 Nov (delegate: Dana)." */
function approvingSentence(deciding: readonly NamedApprover[]): string {
  const [only, ...others] = deciding;
  if (only?.away && others.length === 0)
    return `${only.displayName} approves your tasks, but is ${awayWords(only.away)}.`;
  const away = deciding.flatMap(({ displayName, away: absence, awayFrom }) => {
    if (absence) return [`${displayName} is ${awayWords(absence)}.`];
    return awayFrom ? [`${displayName} will be away from ${absenceDay(awayFrom)}.`] : [];
  });
  return [`${listed(deciding)} approves your tasks.`, ...away].join(' ');
}

/**
 * Circles of people who approve each other, directly or indirectly. They are allowed, because tasks still go
 * to someone else, but shown as a problem. `approversOf` has each person's effective approvers.
 */
export function approverCircles(approversOf: ReadonlyMap<string, readonly string[]>): string[][] {
  const finished = new Set<string>();
  const order: string[] = [];
  for (const start of approversOf.keys())
    walk(
      start,
      (id) => approversOf.get(id) ?? [],
      finished,
      (id) => order.push(id),
    );
  const peopleOf = new Map<string, string[]>();
  for (const [person, approvers] of approversOf)
    for (const approver of approvers) addToGroup(peopleOf, approver, person);
  const taken = new Set<string>();
  const circles = order.reverse().map((start) => {
    const members: string[] = [];
    walk(
      start,
      (id) => peopleOf.get(id) ?? [],
      taken,
      (id) => members.push(id),
    );
    return members;
  });
  return circles.filter((members) => members.length > 1);
}

/** Visits unvisited people reachable from `start` in post-order; iterative, because chains are long. */
function walk(
  start: string,
  next: (id: string) => readonly string[],
  visited: Set<string>,
  leave: (id: string) => void,
): void {
  if (visited.has(start)) return;
  visited.add(start);
  const path = [{ id: start, rest: [...next(start)] }];
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const following = top.rest.pop();
    if (following === undefined) {
      leave(top.id);
      path.pop();
    } else if (!visited.has(following)) {
      visited.add(following);
      path.push({ id: following, rest: [...next(following)] });
    }
  }
}

/** How many people one call can change: a whole company. */
export const mostChanges = 2_000;
/** Longer lists are cut off before they are checked. */
const mostIds = 100;

const ids = z.array(id).check(z.maxLength(mostIds, `has more than ${mostIds} ids`));

export const setApproversInput = z.strictObject({
  changes: z.array(z.strictObject({ userId: id, approverIds: ids, known: z.optional(ids) })).check(
    z.minLength(1, 'must not be empty'),
    z.maxLength(mostChanges, `has more than ${mostChanges} changes`),
    z.refine(
      (changes: readonly { userId: string }[]) => new Set(changes.map(({ userId }) => userId)).size === changes.length,
      'names someone twice',
    ),
  ),
});
export const setDefaultApproverInput = z.strictObject({ approverId: z.optional(id), version: z.optional(z.int()) });
export const pendingItemsInput = z.strictObject({
  userIds: z.array(id).check(z.maxLength(mostChanges, `has more than ${mostChanges} ids`)),
});

/** A person in terms of the stats. */
export type StatsSubject = {
  readonly id: string;
  readonly team: string | null;
  readonly topFiveInvisible: boolean;
  readonly approverIds: readonly string[];
};

/**
 * Decides whose stats a person sees: those of permitted scopes, of the people they approve, and their own
 * (D22, D23). Used before changing a team or visibility. The server's statistics repeat it in SQL.
 */
export function seesStatsOf(viewer: Viewer, { id, team, topFiveInvisible, approverIds }: StatsSubject): boolean {
  if (isAdmin(viewer) || id === viewer.id) return true;
  if (callRefusal(viewer, callAccess.stats) !== null) return false;
  if (approverIds.includes(viewer.id)) return true;
  return !topFiveInvisible && permittedScopes(viewer).some((scope) => scope === team);
}
