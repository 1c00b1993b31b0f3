// Requests to the admins for a role that someone can't give, and who helps a person without access.
import { type Refusal, refuse } from '#core/base/refusals.ts';
import type { AccountFields, RoleOfPerson } from '#core/people/accounts.ts';
import { displayName, type Named } from '#core/people/people.ts';
import {
  closedRequestRefusal,
  openRequests,
  type RoleAsked,
  roleRequestRefusal,
  roleRequestsSince,
  rolesAsked,
} from '#core/people/role-requests.ts';
import { type AccessActor, accessHook } from '#server/access/access-hook.ts';
import { assertRecentProof } from '#server/access/auth/recent-proof.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { type NamedAdmin, readContacts, readNamedAdmins } from './approvers.service.ts';
import * as requests from './role-requests.store.ts';
import * as store from './users.store.ts';

const noAdminNotified = 'No admin was notified: all of them have turned off this notification. Ask one directly';

type Asked = Pick<AccountFields, 'role' | 'disabled'> & { readonly id?: string };

/** Why the admins aren't asked to give the person this role after so many `earlier` requests, or null. */
export async function requestRefusal(
  queries: Queries,
  { clock, viewer }: Pick<RequestContext, 'clock' | 'viewer'>,
  person: Asked,
  role: string,
  { exists, earlier = 0 }: { readonly exists: boolean; readonly earlier?: number },
): Promise<Refusal | null> {
  const now = clock.now();
  return roleRequestRefusal(person, role, {
    exists,
    events: person.id === undefined ? [] : await requests.readRoleEvents(queries, person.id),
    now: now.epochMilliseconds,
    askedByCaller: earlier + (await requests.countRoleRequests(queries, viewer.id, roleRequestsSince(now))),
  });
}

/** Asks the admins to give this person a role. Throws CONFLICT if they were asked already. */
export function askForRole(context: RequestContext, { userId, role }: RoleOfPerson): Promise<void> {
  return context.database.transaction(async (queries) => {
    // It also counts one request of the caller after the other.
    await assertRecentProof(queries, context);
    const account = await store.lockAccount(queries, userId);
    if (!account) throw new RefusalError(refuse('NOT_FOUND'));
    const exists = (await store.readRoles(queries, [role])).has(role);
    const refusal = await requestRefusal(queries, context, account, role, { exists });
    if (refusal) throw new RefusalError(refusal);
    const audit = { action: 'roleAsked', subjectType: 'person', subjectId: userId, after: { role } };
    await recordAudit(queries, context, audit);
    const told = await accessHook.handlers().roleAsked(context, queries, {
      ...{ personId: userId, person: displayName(account), role, roleBefore: account.role },
      ...{ byId: context.viewer.id, by: displayName(context.viewer) },
    });
    if (told === 0) throw new RefusalError(refuse('CONFLICT', noAdminNotified));
  });
}

/** Tells everyone who asked for this role of the person. Throws CONFLICT if no such request is open. */
export const declineRole = (context: RequestContext, request: RoleOfPerson): Promise<void> =>
  closeRequest(context, request, 'roleDeclined', { by: displayName(context.viewer) });

/** Takes the caller's own request back. Throws CONFLICT if it isn't open. */
export const withdrawRoleRequest = (context: RequestContext, request: RoleOfPerson): Promise<void> =>
  closeRequest(context, request, 'roleWithdrawn', { askedById: context.viewer.id });

function closeRequest(
  context: RequestContext,
  { userId, role }: RoleOfPerson,
  action: string,
  which: Pick<Answer, 'by' | 'askedById'>,
): Promise<void> {
  return context.database.transaction(async (queries) => {
    // A declined role can't be asked for again for a day.
    if (action === 'roleDeclined') await assertRecentProof(queries, context);
    const account = await store.lockAccount(queries, userId);
    if (!account) throw new RefusalError(refuse('NOT_FOUND'));
    const answered = await answerRequests(context, queries, account, { role, given: null, ...which });
    if (answered === 0) {
      const events = await requests.readRoleEvents(queries, userId);
      throw new RefusalError(closedRequestRefusal(events, role));
    }
    await recordAudit(queries, context, { action, subjectType: 'person', subjectId: userId, after: { role } });
  });
}

type Answer = {
  /** Only requests for this role. */
  readonly role?: string;
  /** Only the request of this person. */
  readonly askedById?: string;
  /** The role that the person got. */
  readonly given: string | null;
  /** The name of who declined. */
  readonly by?: string;
};

/**
 * Within the change that gives, declines or withdraws a role, and before its audit entry. Returns how many
 * were open.
 */
export async function answerRequests(
  actor: AccessActor,
  queries: Queries,
  person: Named & { readonly id: string },
  { role, askedById, given, by = '' }: Answer,
): Promise<number> {
  const open = openRequests(await requests.readRoleEvents(queries, person.id));
  const answered = open.filter(
    (request) => request.role === (role ?? request.role) && request.byId === (askedById ?? request.byId),
  );
  for (const asked of answered)
    await accessHook.handlers().roleAnswered(actor, queries, {
      ...{ personId: person.id, person: displayName(person), role: asked.role, given },
      ...{ askedById: asked.byId, byId: actor.viewer?.id ?? '', by },
    });
  return answered.length;
}

/** Answers the open requests of a person who got a role from the identity provider. */
export async function answerGivenRole(
  actor: AccessActor,
  queries: Queries,
  personId: string,
  given: string,
): Promise<void> {
  const [account] = await store.readAccounts(queries, [personId]);
  if (account) await answerRequests(actor, queries, account, { given });
}

/** The ids of everyone with an open request. */
export async function peopleAskedFor(queries: Queries): Promise<string[]> {
  const events = await requests.readAllRoleEvents(queries);
  return [...events].flatMap(([id, ofPerson]) => (openRequests(ofPerson).length > 0 ? [id] : []));
}

export type AccessHelp = {
  readonly admins: readonly NamedAdmin[];
  readonly contacts: readonly NamedAdmin[];
  readonly roleAsked: RoleAsked | null;
};

/** Who can give the caller access, and the latest request for a role of theirs. */
export async function accessHelp(context: RequestContext): Promise<AccessHelp> {
  const { database, viewer } = context;
  // Nobody else needs their addresses.
  const isNew = viewer.role === null || viewer.approverIds.length === 0;
  return {
    admins: await readNamedAdmins(context),
    contacts: isNew ? await readContacts(context) : [],
    roleAsked: rolesAsked(await requests.readRoleEvents(database.drizzle, viewer.id), viewer.id)[0] ?? null,
  };
}
