// Requests to the admins for a role that someone can't give, and who helps a person without access.
import { refuse } from '#core/base/refusals.ts';
import type { RoleOfPerson } from '#core/people/accounts.ts';
import { displayName, type Named } from '#core/people/people.ts';
import {
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
import { mostNamed, type NamedAdmin } from './approvers.service.ts';
import { readAdminsBut } from './approvers.store.ts';
import * as store from './users.store.ts';

const noAdminNotified = 'No admin was notified: all of them have turned off this notification. Ask one directly';

/** Asks the admins to give this person a role. Throws CONFLICT if they were asked already. */
export function askForRole(context: RequestContext, { userId, role }: RoleOfPerson): Promise<void> {
  return context.database.transaction(async (queries) => {
    // It also counts one request of the caller after the other.
    await assertRecentProof(queries, context);
    const account = await store.lockAccount(queries, userId);
    if (!account) throw new RefusalError(refuse('NOT_FOUND'));
    const exists = (await store.readRoles(queries, [role])).has(role);
    const events = await store.readRoleEvents(queries, userId);
    const now = context.clock.now();
    const askedByCaller = await store.countRoleRequests(queries, context.viewer.id, roleRequestsSince(now));
    const facts = { exists, events, now: now.epochMilliseconds, askedByCaller };
    const refusal = roleRequestRefusal(account, role, facts);
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
export function declineRole(context: RequestContext, { userId, role }: RoleOfPerson): Promise<void> {
  return context.database.transaction(async (queries) => {
    const account = await store.lockAccount(queries, userId);
    if (!account) throw new RefusalError(refuse('NOT_FOUND'));
    const answer = { role, given: null, by: displayName(context.viewer) };
    const answered = await answerRequests(context, queries, account, answer);
    if (answered === 0) throw new RefusalError(refuse('CONFLICT', 'This request was already answered'));
    await recordAudit(queries, context, {
      ...{ action: 'roleDeclined', subjectType: 'person', subjectId: userId, after: { role } },
    });
  });
}

type Answer = {
  /** Only requests for this role. */
  readonly role?: string;
  /** The role that the person got. */
  readonly given: string | null;
  /** The name of who declined. */
  readonly by?: string;
};

/** Within the change that gives or declines a role, and before its audit entry. Returns how many were open. */
export async function answerRequests(
  actor: AccessActor,
  queries: Queries,
  person: Named & { readonly id: string },
  { role, given, by = '' }: Answer,
): Promise<number> {
  const open = openRequests(await store.readRoleEvents(queries, person.id));
  const answered = role === undefined ? open : open.filter((request) => request.role === role);
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
  const events = await store.readAllRoleEvents(queries);
  return [...events].flatMap(([id, ofPerson]) => (openRequests(ofPerson).length > 0 ? [id] : []));
}

export type AccessHelp = { readonly admins: readonly NamedAdmin[]; readonly roleAsked: RoleAsked | null };

/** Who can give the caller access, and the latest request for a role of theirs. */
export async function accessHelp({ database, viewer }: RequestContext): Promise<AccessHelp> {
  const admins = await readAdminsBut(database.drizzle, viewer.id, mostNamed);
  return {
    admins: admins.map((row) => ({ ...row, displayName: displayName(row) })),
    roleAsked: rolesAsked(await store.readRoleEvents(database.drizzle, viewer.id))[0] ?? null,
  };
}
