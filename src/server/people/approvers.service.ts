// Changes approvers, for one person or many, and shows approver management. Waiting items follow the
// approvers; past decisions keep their decider in the history.
import { heldPermissions, type Viewer } from '#core/access/access.ts';
import { readInput } from '#core/base/inputs.ts';
import { isRefusal, refuse } from '#core/base/refusals.ts';
import { approverMap } from '#core/people/approver-map.ts';
import {
  type ApproverCandidate,
  approverChoiceRefusal,
  approverWarning,
  defaultApproverOf,
  effectiveApprovers,
  type NamedApprover,
  pendingItemsInput,
  planApprovers,
  setApproversInput,
} from '#core/people/approvers.ts';
import { approverIdList, displayName } from '#core/people/people.ts';
import { canSeeTasksOf } from '#core/tasks/task.ts';
import { trackAccess } from '#server/access/access-changes.ts';
import { assertRecentProof } from '#server/access/auth/recent-proof.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import * as store from './approvers.store.ts';

/** The page shows wait times for this many days. */
const clockDays = 28;
/** For so long, a manager can put back approvers that they took away. */
const undoMinutes = 60;
/** Lists this many of the moving items; the counts cover all of them. */
const mostListed = 200;

export type ManagedPerson = Omit<ApproverCandidate, 'approverIds'> &
  Omit<store.ManagedRow, keyof store.ApproverRow> & {
    readonly email: string;
    readonly ownApproverIds: readonly string[];
  };

export type ApproverManagement = {
  readonly people: readonly ManagedPerson[];
  readonly defaultApproverId: string | null;
  /** Whether it was chosen on the page; otherwise it comes from the environment. */
  readonly defaultIsChosen: boolean;
  /** The setting's version, against stale changes. */
  readonly defaultVersion: number;
};

/** Read from the database, not the cached settings: it must match the view, even right after a change. */
async function readDefault(queries: Queries): Promise<{ id: string | null; isChosen: boolean; version: number }> {
  const { chosen, ofEnvironment, version } = await store.readDefaultApprover(queries);
  return { id: defaultApproverOf(chosen, ofEnvironment), isChosen: chosen !== undefined, version };
}

export async function readDefaultApproverId(queries: Queries): Promise<string | null> {
  return (await readDefault(queries)).id;
}

function candidateOf(row: store.ApproverRow): ApproverCandidate {
  return {
    id: row.id,
    displayName: displayName(row),
    role: row.role,
    permissions: heldPermissions(row.role, row.storedPermissions),
    approverIds: row.ownApproverIds,
    disabled: row.disabled,
  };
}

/** Everyone with their approvers, load and wait times. */
export async function approverManagement(context: RequestContext): Promise<ApproverManagement> {
  const { id: defaultApproverId, isChosen, version } = await readDefault(context.database.drizzle);
  const since = context.clock.now().subtract({ hours: clockDays * 24 });
  const rows = await store.readManaged(context.database.drizzle, since.toString(), defaultApproverId);
  return {
    people: rows.map((row) => ({ ...row, ...candidateOf(row) })),
    defaultApproverId: rows.some(({ id }) => id === defaultApproverId) ? defaultApproverId : null,
    defaultIsChosen: isChosen,
    defaultVersion: version,
  };
}

export type PeopleToHelp = { readonly withoutRole: number; readonly unapproved: number };

/** How many enabled people have no role, and how many have tasks that nobody can approve. */
export async function peopleToHelp({ database, clock }: RequestContext): Promise<PeopleToHelp> {
  const { id: defaultApproverId } = await readDefault(database.drizzle);
  // From now on: nobody asks for wait times.
  const rows = await store.readManaged(database.drizzle, clock.now().toString(), defaultApproverId);
  const { people } = approverMap(
    rows.map((row) => ({ ...row, ...candidateOf(row) })),
    defaultApproverId,
  );
  return {
    withoutRole: people.filter(({ person }) => !person.disabled && person.role === null).length,
    unapproved: people.filter(({ unapproved }) => unapproved).length,
  };
}

/** Admins to name when nobody can approve one's tasks. */
const mostNamed = 3;

export type MyApprovers = {
  readonly approvers: readonly (NamedApprover & { readonly id: string })[];
  readonly admins: readonly { readonly id: string; readonly displayName: string }[];
};

/** Who approves the caller's tasks, and the admins to ask if nobody can. */
export async function myApprovers({ database, viewer }: RequestContext): Promise<MyApprovers> {
  const rows = await store.readApproversOf(database.drizzle, viewer.id);
  const approvers = rows.map((row) => {
    const approver = { ...candidateOf(row), canSignIn: row.canSignIn };
    return { id: row.id, displayName: approver.displayName, decides: approverWarning(approver) === null };
  });
  const isDecided = approvers.some(({ decides }) => decides);
  const admins = isDecided ? [] : await store.readAdminsBut(database.drizzle, viewer.id, mostNamed);
  return { approvers, admins: admins.map((row) => ({ id: row.id, displayName: displayName(row) })) };
}

export type ApproversChange = {
  readonly userId: string;
  readonly approverIds: readonly string[];
  readonly known?: readonly string[] | undefined;
};

/**
 * Sets a person's approvers in the caller's transaction, with the audit entry. `known` are the approvers the
 * caller saw. Throws the refusal. The caller checks the permission; open pages are notified on commit.
 */
export function setApprovers(
  queries: Queries,
  context: ApproversActor,
  userId: string,
  approverIds: string | readonly string[] | null,
  known?: readonly string[],
): Promise<void> {
  return changeApprovers(queries, context, [{ userId, approverIds: approverIdList(approverIds), known }]);
}

/** Who changes approvers: a person's request, or a command that acts for nobody. */
type ApproversActor = Pick<RequestContext, 'clock' | 'requestId' | 'address'> & {
  readonly viewer: { readonly id: string } | null;
  readonly live: Pick<Services['live'], 'publish'>;
};

/**
 * The same for many people: all or none. `chooser`: the person whose choice it is, if the rule wasn't asked
 * before.
 */
export async function changeApprovers(
  queries: Queries,
  context: ApproversActor,
  changes: readonly ApproversChange[],
  chooser?: Viewer,
): Promise<void> {
  const ids = new Set(changes.flatMap(({ userId, approverIds }) => [userId, ...approverIds]));
  const people = await store.lockPeople(queries, [...ids]);
  const { id: defaultId } = await readDefault(queries);
  const since = context.clock.now().subtract({ minutes: undoMinutes });
  const takenOff = chooser && (await store.readTakenOff(queries, chooser.id, since.toString()));
  const candidates = new Map(
    people.map((row) => {
      const approves = row.approves || row.id === defaultId || (takenOff?.has(row.id) ?? false);
      return [row.id, { ...candidateOf(row), approves }] as const;
    }),
  );
  const saved = new Map<string, readonly string[]>();
  const concerned = new Set<string>();
  for (const { userId, approverIds, known } of changes) {
    const person = candidates.get(userId);
    if (!person) throw new RefusalError(refuse('NOT_FOUND'));
    const plan = planApprovers({ ...person, ownApproverIds: person.approverIds }, approverIds, candidates, known);
    if (isRefusal(plan)) throw new RefusalError(plan);
    if (plan.kind === 'unchanged') continue;
    const before = effectiveApprovers(userId, person.approverIds, defaultId);
    const after = effectiveApprovers(userId, plan.approverIds, defaultId);
    const refusal = chooser && approverChoiceRefusal(chooser, person, { before, after }, candidates);
    if (refusal) throw new RefusalError(refusal);
    saved.set(userId, plan.approverIds);
    await recordAudit(queries, context, {
      action: 'approversChanged',
      subjectType: 'person',
      subjectId: userId,
      before: { approverIds: person.approverIds },
      after: { approverIds: plan.approverIds },
    });
    for (const id of [userId, ...before, ...after]) concerned.add(id);
  }
  if (saved.size === 0) return;
  await store.saveApprovers(queries, saved);
  await context.live.publish(queries, 'approversChanged', { personIds: [...concerned] });
}

export async function changeApproversOf(context: RequestContext, args: object): Promise<ApproverManagement> {
  const { changes } = orThrow(readInput(setApproversInput, args));
  const people = changes.map(({ userId }) => userId);
  await context.database.transaction(async (queries) => {
    await assertRecentProof(queries, context);
    await trackAccess(context, queries, people, () => changeApprovers(queries, context, changes, context.viewer));
  });
  return approverManagement(context);
}

/** A waiting task. Its title is for those who can see the task. */
export type PendingItem = Omit<store.PendingRow, 'title' | 'ownerApproverIds'> & { readonly title: string | null };

/** What waits for these people's approvers, oldest first: it moves when their approvers change. */
export async function pendingOf({ database, viewer }: RequestContext, args: object): Promise<PendingItem[]> {
  const { userIds } = orThrow(readInput(pendingItemsInput, args));
  const rows = await store.readPending(database.drizzle, userIds, mostListed);
  return rows.map(({ ownerApproverIds, title, ...row }) => ({
    ...row,
    title: canSeeTasksOf(viewer, { id: row.ownerId, approverIds: ownerApproverIds }) ? title : null,
  }));
}

/** Stores the environment's default approver in the database, where the view reads it. */
export async function keepEnvironmentDefault({
  database,
  config,
  log,
}: Pick<Services, 'database' | 'config' | 'log'>): Promise<void> {
  const { defaultApproverId = null } = config;
  const kept = await store.keepEnvironmentDefault(database.drizzle, defaultApproverId);
  if (!kept) log.warn({ defaultApproverId }, 'DEFAULT_APPROVER_ID is no person’s id, so there is no default approver');
}
