// Changes approvers, for one person or many, and shows approver management. Waiting items follow the
// approvers; past decisions keep their decider in the history.
import { heldPermissions, type Viewer } from '#core/access/access.ts';
import { readInput } from '#core/base/inputs.ts';
import { isRefusal, refuse } from '#core/base/refusals.ts';
import type { Away } from '#core/people/absences.ts';
import {
  type ApproverOfMap,
  circleNames,
  circlesOf,
  isUnapproved,
  type MapCounts,
  type MappedPerson,
  mapApproversInput,
  mapPeopleInput,
  type PersonOfMap,
  type Waits,
  warningOf,
} from '#core/people/approver-map.ts';
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
import { pageOf } from '#server/platform/db/pages.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { publishToPeople } from '#server/platform/live/live.service.ts';
import { once } from '#server/platform/once.ts';
import { awaySoon, awayToday } from './absences.service.ts';
import * as mapStore from './approver-map.store.ts';
import * as store from './approvers.store.ts';

/** The page shows wait times of this many days. */
const clockDays = 28;
/** Lists this many of the moving items; the counts cover all of them. */
const mostListed = 200;

/** People of a page, unless the caller wants another number. */
const pageSize = 50;

/** Null: not away today. */
export type ManagedPerson = MappedPerson & { readonly away: Away | null };

type Page<Row> = { readonly rows: readonly Row[]; readonly total: number; readonly next: string | null };
export type PersonWithApprovers = Omit<PersonOfMap<MappedPerson>, 'person'> & { readonly person: ManagedPerson };
export type PeopleWithApprovers = Page<PersonWithApprovers>;
export type ApproverWithPeople = Omit<ApproverOfMap<MappedPerson>, 'approver' | 'people'> &
  Waits & { readonly approver: ManagedPerson; readonly people: number };
export type ApproversWithPeople = Page<ApproverWithPeople>;

export type ApproverManagement = {
  readonly defaultApproverId: string | null;
  /** Whether it was chosen on the page; otherwise it comes from the environment. */
  readonly defaultIsChosen: boolean;
  /** The setting's version, against stale changes. */
  readonly defaultVersion: number;
  /** The others in each person's circle, read once when a field needs it. */
  readonly circles: () => Promise<ReadonlyMap<string, readonly string[]>>;
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

export async function approverManagement({ database }: RequestContext): Promise<ApproverManagement> {
  const { id: defaultApproverId, isChosen, version } = await readDefault(database.drizzle);
  return {
    ...{ defaultApproverId, defaultIsChosen: isChosen, defaultVersion: version },
    circles: once(() => mapStore.readApproversOfApprovers(database.drizzle).then(circlesOf)),
  };
}

export async function mapCounts(
  { database }: RequestContext,
  { defaultApproverId, circles }: ApproverManagement,
): Promise<MapCounts> {
  const counts = await mapStore.readMapCounts(database.drizzle, defaultApproverId);
  return { ...counts, circle: (await circles()).size };
}

type Mapped = MappedPerson & { readonly isOnlyAdmin: boolean };

async function readMapped({ database }: RequestContext, ids: Iterable<string>): Promise<Map<string, Mapped>> {
  const rows = await mapStore.readManaged(database.drizzle, [...new Set(ids)]);
  return new Map(rows.map((row) => [row.id, { ...row, ...candidateOf(row) }]));
}

/** The people with these ids, in their order. */
async function readManagedPeople(context: RequestContext, ids: readonly string[]) {
  const people = await readMapped(context, ids);
  const away = await awayToday(context, context.database.drizzle, { personIds: [...ids] });
  return ids.flatMap((id) => {
    const person = people.get(id);
    return person ? [{ ...person, away: away.get(id) ?? null }] : [];
  });
}

/** A page of the people with their approvers. */
export async function peopleWithApprovers(
  context: RequestContext,
  { defaultApproverId, circles }: ApproverManagement,
  args: object,
): Promise<PeopleWithApprovers> {
  const { limit = pageSize, ...choice } = orThrow(readInput(mapPeopleInput, args));
  const circlesById = await circles();
  const circleIds = choice.show === 'circle' ? [...circlesById.keys()] : [];
  const asked = { ...choice, limit, circleIds, defaultApproverId };
  const { found, total } = await mapStore.readPeoplePage(context.database.drizzle, asked);
  const { rows, next } = pageOf(
    found.map((id) => ({ id })),
    limit,
  );
  const people = await readManagedPeople(
    context,
    rows.map(({ id }) => id),
  );
  const idsOf = (person: MappedPerson) => effectiveApprovers(person.id, person.ownApproverIds, defaultApproverId);
  const others = await readMapped(
    context,
    people.flatMap((person) => [...idsOf(person), ...(circlesById.get(person.id) ?? [])]),
  );
  const known = (ids: readonly string[]) => ids.flatMap((id) => others.get(id) ?? []);
  return {
    ...{ total, next },
    rows: people.map((person) => {
      const approvers = known(idsOf(person));
      return {
        ...{ person, approvers, unapproved: isUnapproved(person, approvers) },
        byDefault: person.ownApproverIds.length === 0 && approvers.length > 0,
        circle: circleNames(known(circlesById.get(person.id) ?? [])),
      };
    }),
  };
}

/** A page of the approvers with their load, and how long others waited for them. */
export async function approversWithPeople(
  context: RequestContext,
  { defaultApproverId }: ApproverManagement,
  args: object,
): Promise<ApproversWithPeople> {
  const { limit = pageSize, ...choice } = orThrow(readInput(mapApproversInput, args));
  const since = context.clock
    .now()
    .subtract({ hours: clockDays * 24 })
    .toString();
  const { drizzle } = context.database;
  const asked = { ...choice, limit, since, defaultApproverId };
  const { found, total } = await mapStore.readApproversPage(drizzle, asked);
  const { rows, next } = pageOf(found, limit);
  const ids = rows.map(({ id }) => id);
  const people = new Map((await readManagedPeople(context, ids)).map((person) => [person.id, person]));
  const waits = new Map((await mapStore.readWaits(drizzle, since, ids)).map(({ id, ...row }) => [id, row]));
  return {
    ...{ total, next },
    rows: rows.flatMap(({ id, ...load }) => {
      const approver = people.get(id);
      const { medianWaited, p90Waited } = waits.get(id) ?? { medianWaited: null, p90Waited: null };
      return approver ? [{ ...load, approver, medianWaited, p90Waited, warning: warningOf(approver) }] : [];
    }),
  };
}

/** Admins to name to someone who needs one. */
export const mostNamed = 3;

export type NamedAdmin = { readonly id: string; readonly displayName: string; readonly email: string };

export type MyApprovers = {
  readonly approvers: readonly (NamedApprover & {
    readonly id: string;
    readonly away: Away | null;
    readonly awayFrom: string | null;
  })[];
  readonly admins: readonly NamedAdmin[];
  readonly contacts: readonly NamedAdmin[];
};

const named = (rows: readonly store.ApproverRow[]): NamedAdmin[] =>
  rows.map((row) => ({ ...row, displayName: displayName(row) }));

export const readNamedAdmins = async ({ database, viewer }: RequestContext): Promise<NamedAdmin[]> =>
  named(await store.readAdminsBut(database.drizzle, viewer.id, mostNamed));

/** Who can give the caller a role or an approver, admins last. */
export const readContacts = async ({ database, viewer }: RequestContext): Promise<NamedAdmin[]> =>
  named(await store.readContacts(database.drizzle, viewer.id, mostNamed));

/** Who approves the caller's tasks, and the admins to ask if nobody can. */
export async function myApprovers(context: RequestContext): Promise<MyApprovers> {
  const { database, viewer } = context;
  const rows = await store.readApproversOf(database.drizzle, viewer.id);
  const personIds = rows.map(({ id }) => id);
  const away = await awayToday(context, database.drizzle, { personIds, reader: viewer.id });
  const soon = await awaySoon(context, database.drizzle, personIds);
  const approvers = rows.map((row) => {
    const approver = { ...candidateOf(row), canSignIn: row.canSignIn };
    return {
      id: row.id,
      displayName: approver.displayName,
      decides: approverWarning(approver) === null,
      away: away.get(row.id) ?? null,
      awayFrom: soon.get(row.id) ?? null,
    };
  });
  const isDecided = approvers.some(({ decides }) => decides);
  const admins = isDecided ? [] : await readNamedAdmins(context);
  return { approvers, admins, contacts: isDecided ? [] : await readContacts(context) };
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
  const takenOff = chooser ? await store.readTakenOff(queries, context.clock, chooser.id) : new Map<string, never>();
  const candidates = new Map(
    people.map((row) => {
      const approves = row.approves || row.id === defaultId || takenOff.has(row.id);
      return [row.id, { ...candidateOf(row), approves }] as const;
    }),
  );
  const actsFor = chooser ? await store.readActsFor(queries, chooser.id) : new Map<string, never>();
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
    const restores = (id: string) => takenOff.get(id)?.has(userId) === true;
    const refusal =
      chooser && approverChoiceRefusal(chooser, person, { before, after }, { candidates, actsFor, restores });
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
  await publishToPeople(context.live, queries, 'approversChanged', concerned);
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
  if (!kept)
    log.warn({ defaultApproverId }, 'DEFAULT_APPROVER_ID isn’t a person’s id, so there is no default approver');
}
