// Mentions in notes: who can be chosen. And who, of the people around an owner, is told of something.
import { heldPermissions, type Viewer } from '#core/access/access.ts';
import { refuse } from '#core/base/refusals.ts';
import { receivesMention } from '#core/notifications/notices.ts';
import { displayName } from '#core/people/people.ts';
import { approversAndNextInLine, canSeeTasksOf, type TaskOwner } from '#core/tasks/task.ts';
import { type Delegation, delegationsOf, runningDelegations } from '#server/people/absences.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { admins } from './bonus-notices.store.ts';
import * as store from './mentions.store.ts';

export type Mentionable = {
  readonly id: string;
  readonly displayName: string;
  readonly team: string | null;
  /** Whether a mention reaches this person: people who can't see the task aren't notified. */
  readonly seesTask: boolean;
};

const mostShown = 8;

/** The delegates of those who decide for the owner. */
export const delegationsFor = (context: Pick<RequestContext, 'clock' | 'config'>, queries: Queries, owner: TaskOwner) =>
  runningDelegations(context, queries, { personIds: approversAndNextInLine(owner) });

/** People as the rules of a task need them. Their own approvers don't matter here. */
export function viewersFrom(delegations: readonly Delegation[]) {
  return ({ id, role, stored }: store.PersonRow): Viewer => {
    const viewer = { id, role, permissions: heldPermissions(role, stored), approverIds: [] };
    return { ...viewer, ...delegationsOf(delegations, viewer) };
  };
}

/** The people among these, except the author, who can see the owner's tasks. */
export async function readersAmong(
  context: RequestContext,
  queries: Queries,
  ids: readonly string[],
  owner: TaskOwner,
): Promise<string[]> {
  const others = ids.filter((id) => id !== context.viewer.id);
  if (others.length === 0) return [];
  const viewerOf = viewersFrom(await delegationsFor(context, queries, owner));
  const rows = await store.peopleById(queries, others);
  return rows.filter((row) => receivesMention(viewerOf(row), owner)).map(({ id }) => id);
}

/** The owner and those who decide for them, except the author and `without`. */
export async function nearReaders(
  context: RequestContext,
  queries: Queries,
  owner: TaskOwner,
  without: readonly string[] = [],
): Promise<string[]> {
  const delegateIds = (await delegationsFor(context, queries, owner)).map(({ delegateId }) => delegateId);
  const adminIds = owner.handOver?.toAdmins ? (await admins(queries)).map(({ id }) => id) : [];
  const near = new Set([owner.id, ...approversAndNextInLine(owner), ...delegateIds, ...adminIds]);
  return readersAmong(
    context,
    queries,
    [...near].filter((id) => !without.includes(id)),
    owner,
  );
}

export type MentionSearch = { readonly name?: string | undefined; readonly ids?: readonly string[] | undefined };

/**
 * People by the start of their name, or by id, each with whether a mention in this task reaches them. `owner`
 * is of a task the caller can see.
 */
export async function mentionable(
  context: RequestContext,
  owner: TaskOwner | null,
  { name, ids }: MentionSearch,
): Promise<Mentionable[]> {
  const { database, viewer } = context;
  if (owner === null || !canSeeTasksOf(viewer, owner)) throw new RefusalError(refuse('NOT_FOUND'));
  const those = { not: viewer.id, first: [owner.id, ...approversAndNextInLine(owner)] };
  const rows = ids
    ? await store.listedPeopleById(database.drizzle, ids, those)
    : await store.peopleByName(database.drizzle, { ...those, name: name?.trim() ?? '', limit: mostShown });
  const viewerOf = viewersFrom(await delegationsFor(context, database.drizzle, owner));
  return rows.map((row) => ({
    id: row.id,
    displayName: displayName(row),
    team: row.team,
    seesTask: receivesMention(viewerOf(row), owner),
  }));
}
