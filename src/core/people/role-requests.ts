// Decides whether the admins are asked to give a person a role. Used by the server before it asks, and by user
// management to offer it.
import { adminRole } from '../access/access.ts';
import { type Refusal, refuse } from '../base/refusals.ts';
import { type AccountChange, type AccountFields, isAccountOfAdmin } from './accounts.ts';

/** Entries of the audit log that name a person's role without giving it. */
export const roleMentions = ['roleAsked', 'roleDeclined', 'roleWithdrawn', 'evidenceRecorded'] as const;

type AskedRole = { readonly role: string; readonly by: string; readonly at: string };

/** An open request to the admins to give a person a role: the latest of those for this role. */
export type RoleAsked = AskedRole & {
  /** The caller requested it too. */
  readonly own: boolean;
};

/**
 * What was asked, withdrawn and declined for a person since they last got a role. `by` is a name, `at` an
 * instant.
 */
export type RoleEvent = AskedRole & { readonly byId: string; readonly what: 'asked' | 'withdrawn' | 'declined' };

/** The admins hear of the same role of the same person once in so many hours. */
const roleAskedHours = 24;

/** A person's requests within these hours. Without a limit they could bury every other notification. */
const mostRoleRequests = 50;

/**
 * The latest request of everyone who asked, unless it was declined or withdrawn. Another role replaces their
 * request: a person has one. Events and result come newest first.
 */
export function openRequests(events: readonly RoleEvent[]): readonly RoleEvent[] {
  const open = new Map<string, RoleEvent | null>();
  const declined = new Set<string>();
  for (const event of events) {
    if (event.what === 'declined') declined.add(event.role);
    else if (!open.has(event.byId))
      open.set(event.byId, event.what === 'withdrawn' || declined.has(event.role) ? null : event);
  }
  return [...open.values()].filter((event) => event !== null);
}

/** The latest request for each role. */
export const rolesAsked = (events: readonly RoleEvent[], callerId: string): readonly RoleAsked[] => {
  const open = openRequests(events);
  const own = open.find(({ byId }) => byId === callerId)?.role;
  const roles = new Map<string, RoleAsked>();
  for (const { role, by, at } of open) if (!roles.has(role)) roles.set(role, { role, by, at, own: role === own });
  return [...roles.values()];
};

/** Why nobody answers or withdraws a request for this role that isn't open anymore. */
export function closedRequestRefusal(events: readonly RoleEvent[], role: string): Refusal {
  const latest = events.find((event) => event.role === role);
  return refuse(
    'CONFLICT',
    latest?.what === 'withdrawn' ? `${latest.by} withdrew this request` : 'This request was already answered',
  );
}

/** A withdrawn request is as if nobody had made it. */
function withoutWithdrawn(events: readonly RoleEvent[]): readonly RoleEvent[] {
  const withdrawn = new Set<string>();
  return events.filter(({ what, byId, role }) => {
    const request = `${byId} ${role}`;
    if (what === 'withdrawn') withdrawn.add(request);
    return what === 'declined' || (what === 'asked' && !withdrawn.delete(request));
  });
}

const isRecent = ({ at }: { readonly at: string }, now: number): boolean =>
  now - Temporal.Instant.from(at).epochMilliseconds < roleAskedHours * 3_600_000;

/** Whether an open request for this role is still new. `now` in milliseconds. */
export const isRoleAsked = (asked: readonly AskedRole[], role: string, now: number): boolean =>
  asked.some((request) => request.role === role && isRecent(request, now));

type RoleRequestFacts = {
  readonly exists: boolean;
  /** Newest first. */
  readonly events: readonly RoleEvent[];
  /** In milliseconds. */
  readonly now: number;
  /** Their requests since `roleRequestsSince`. */
  readonly askedByCaller: number;
};

export const roleRequestsSince = (now: Temporal.Instant): Temporal.Instant => now.subtract({ hours: roleAskedHours });

/** Why the admins aren't asked to give this person the role, or null. */
export function roleRequestRefusal(
  person: Pick<AccountFields, 'role' | 'disabled'>,
  role: string,
  { exists, events, now, askedByCaller }: RoleRequestFacts,
): Refusal | null {
  if (person.disabled) return refuse('CONFLICT', 'This account is disabled. Enable it first');
  if (isAccountOfAdmin(person)) return refuse('CONFLICT', 'Admins have every permission');
  if (person.role === role) return refuse('CONFLICT', `This person already has the role ${role}`);
  if (!exists) return refuse('BAD_INPUT', `There is no role “${role}”`, { field: 'role' });
  const latest = withoutWithdrawn(events).find((event) => event.role === role);
  if (latest && isRecent(latest, now))
    return refuse(
      'CONFLICT',
      latest.what === 'declined'
        ? `${latest.by} declined this role within the last ${roleAskedHours} hours. Talk to them first`
        : `${latest.by} already requested this role`,
    );
  if (askedByCaller >= mostRoleRequests)
    return refuse(
      'CONFLICT',
      `You requested ${mostRoleRequests} roles in the last ${roleAskedHours} hours. Talk to an admin about the others`,
    );
  return null;
}

/** The role of a refused change that its author can ask the admins to give, or null. */
export function roleToAsk({ role }: AccountChange, { code, field }: Refusal): string | null {
  return code === 'FORBIDDEN' && field === 'role' && role !== adminRole ? (role ?? null) : null;
}
