// The only way to change an account: lock it, ask the core, write its plan with the audit entry, all in the
// caller's transaction. Single changes, bulk changes, imports and commands all use it.
import { heldPermissions, isAdmin, type Viewer } from '#core/access/access.ts';
import { scopeKeys, scopePermissions, scopes } from '#core/access/brands.ts';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { givenRoleRefusal } from '#core/access/role-changes.ts';
import { isRefusal, type Refusal, refuse } from '#core/base/refusals.ts';
import {
  type AccountChange,
  type AccountChanger,
  type AccountFacts,
  type AccountField,
  type AccountFields,
  type AccountPlan,
  isAccountOfAdmin,
  mayShowStats,
  planAccountChange,
  planNewAccount,
  topFiveOf,
} from '#core/people/accounts.ts';
import type { ApproverChoice } from '#core/people/approvers.ts';
import { lastAdminRefusal } from '#core/people/last-admin.ts';
import { displayName } from '#core/people/people.ts';
import { reportNewPerson, trackAccess } from '#server/access/access-changes.ts';
import { closeAccount } from '#server/access/account/close-ways-in.ts';
import { readAccountControl, readAccountReach } from '#server/access/auth/account-control.ts';
import { assertFew, recordAccountEvent } from '#server/access/auth/account-events.service.ts';
import { withdrawLink } from '#server/access/auth/account-links.service.ts';
import { assertProofOfRequest } from '#server/access/auth/recent-proof.ts';
import { lockAdmins } from '#server/access/roles/lock-admins.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { Config } from '#server/platform/config/config.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import type { LiveChanges } from '#server/platform/live/live.service.ts';
import type { Mailer } from '#server/platform/mail/mailer.ts';
import { readCaller } from '#server/platform/viewer.ts';
import { absenceHook } from './absence-hook.ts';
import { readDefaultApproverId, setApprovers } from './approvers.service.ts';
import { readActsFor } from './approvers.store.ts';
import { assertQualified, assignmentAudit } from './qualifications/assignment.service.ts';
import { answerRequests } from './role-requests.service.ts';
import * as store from './users.store.ts';

/** Who changes accounts: a person's request, or a command that acts as an admin. */
export type AccountActor = Pick<RequestContext, 'clock' | 'requestId' | 'address'> & {
  readonly live: Pick<LiveChanges, 'publish'>;
  /** A command has none. */
  readonly mail?: Pick<Mailer, 'configured'>;
  readonly config: Pick<Config, 'companyTimeZone'>;
  readonly viewer: AccountChanger;
  /** The person named in the audit log; null for a command. */
  readonly actorId?: string | null;
  readonly agent?: string | undefined;
  /** A command has none. */
  readonly session?: Buffer | null;
};

export type ChangeOptions = {
  /** The version that was read. Without it, the change applies to the current state. */
  readonly version?: string | undefined;
  /** Why a person gets a role despite missing its requirements. */
  readonly reason?: string | undefined;
  /** The version of the role that was read. Without it, the role with this name is given. */
  readonly roleVersion?: string | undefined;
  /** Read before, for many changes. Left out: read for this one. */
  readonly watchedTeams?: ReadonlySet<string>;
};

type Written = Pick<AccountPlan, 'after' | 'changed'>;
export type Changed =
  | { readonly kind: 'unchanged' }
  | ({ readonly kind: 'changed'; readonly before: AccountFields } & Written);

const staleWords = 'Someone else edited this person. Review the changes and try again';

/** The context of a bulk change with its caller's current permissions. Throws if they can't change anyone. */
export async function withCurrentCaller(context: RequestContext): Promise<RequestContext> {
  const viewer = await readCaller(context, context);
  const code = callRefusal(viewer, callAccess.people);
  if (code !== null) throw new RefusalError(refuse(code));
  return { ...context, viewer };
}

/** Returns what changed; throws if the change is refused, which rolls back the transaction. */
export async function changeAccount(
  queries: Queries,
  actor: AccountActor,
  id: string,
  change: AccountChange,
  options: ChangeOptions = {},
): Promise<Changed> {
  // Locked before any other row: concurrent changes of admins wait here.
  const admins = change.role !== undefined || change.disabled !== undefined ? await lockAdmins(queries) : [];
  const account = await store.lockAccount(queries, id);
  if (!account) throw new RefusalError(refuse('NOT_FOUND'));
  if (options.version !== undefined && options.version !== account.version)
    throw new RefusalError(refuse('CONFLICT', staleWords));
  const { version: _version, hasPassword: _has, ...before } = account;
  const facts = await factsFor(queries, actor, before, change, options.watchedTeams);
  await assertRoleSeen(queries, change, options);
  const plan = orThrow(planAccountChange(actor.viewer, before, change, facts));
  if (plan.kind === 'unchanged') return { kind: 'unchanged' };
  // Each field decides whose name the account bears, what it opens, who reaches it, or who sees its tasks.
  await assertProofOfRequest(queries, actor);
  const refusal = refusalOfPlan(id, before, plan, admins) ?? (await takenRefusal(queries, id, plan));
  if (refusal) throw new RefusalError(refusal);
  const assigned = await qualified(queries, actor, id, plan, options);
  await trackAccess(actor, queries, [id], () => write(queries, actor, id, before, plan, assigned));
  if (plan.changed.includes('disabled')) await absenceHook.handlers().delegatesChanged(actor, queries, [id]);
  return { ...plan, kind: 'changed', before };
}

export async function createAccount(
  queries: Queries,
  actor: AccountActor,
  change: AccountChange,
  options: Pick<ChangeOptions, 'reason' | 'roleVersion' | 'watchedTeams'> = {},
): Promise<{ readonly id: string } & Written> {
  const facts = await factsFor(queries, actor, null, change, options.watchedTeams);
  await assertRoleSeen(queries, change, options);
  const plan = orThrow(planNewAccount(actor.viewer, change, facts));
  if (plan.kind === 'unchanged')
    throw new RefusalError(refuse('BAD_INPUT', 'An account needs an email address', { field: 'email' }));
  await assertProofOfRequest(queries, actor);
  const id = await store.insertAccount(queries, plan.after, actor.clock.now().toString());
  if (id === undefined) throw new RefusalError((await takenRefusal(queries, '', plan)) ?? refuse('CONFLICT'));
  const assigned = await qualified(queries, actor, id, plan, options);
  const own = plan.changed.filter((field) => field !== 'approverIds');
  await record(queries, actor, id, 'personCreated', undefined, { ...picked(plan.after, own), ...assigned });
  await setApprovers(queries, auditActor(actor), id, plan.after.approverIds);
  await reportNewPerson(actor, queries, id);
  return { ...plan, id };
}

/** Reading the facts has locked the role. */
async function assertRoleSeen(
  queries: Queries,
  { role }: AccountChange,
  { roleVersion }: Pick<ChangeOptions, 'roleVersion'>,
): Promise<void> {
  if (typeof role !== 'string' || roleVersion === undefined) return;
  const refusal = givenRoleRefusal(role, await store.readRoleMark(queries, role), roleVersion);
  if (refusal) throw new RefusalError(refusal);
}

/** A role whose requirements the person doesn't meet needs a reason, which the audit log keeps. */
async function qualified(
  queries: Queries,
  actor: AccountActor,
  personId: string,
  { after, changed }: AccountPlan,
  { reason }: Pick<ChangeOptions, 'reason'>,
): Promise<Record<string, unknown>> {
  if (!changed.includes('role')) return {};
  return assignmentAudit(await assertQualified(queries, actor, { personId, role: after.role, reason }));
}

/**
 * Whether the change opens another way into the account. Then the rules must know its owner's permissions.
 */
export const reachesAccount = (viewer: Viewer, { email, disabled }: AccountChange): boolean =>
  !isAdmin(viewer) && (email !== undefined || disabled === false);

/**
 * What the rules need for this change of this person. `all`: for several people, without locking rows; the
 * caller adds `control` of each.
 */
export async function factsFor(
  queries: Queries,
  actor: Pick<AccountActor, 'viewer' | 'clock'>,
  before: (AccountFields & { readonly id: string }) | null | 'all',
  change: AccountChange,
  watchedTeams?: ReadonlySet<string>,
): Promise<AccountFacts> {
  const { viewer } = actor;
  const { role, approverIds } = change;
  const roles = before === 'all' ? before : [role, before?.role].filter((name) => typeof name === 'string');
  const ofOne = before === 'all' ? null : before;
  return {
    roles: await store.readRoles(queries, roles, before !== 'all'),
    ...(await readApproverFacts(queries, viewer, approverIds)),
    watchedTeams: watchedTeams ?? (await teamsWatchingFor(queries, viewer, ofOne, change)),
    control:
      ofOne && reachesAccount(viewer, change)
        ? await (change.email === undefined ? readAccountControl : readAccountReach)(queries, actor, ofOne.id)
        : null,
  };
}

/** A value of a person's form that the caller can't choose, with the reason. */
export type RefusedChoice = {
  readonly field: 'role' | 'team' | 'top5' | 'top5Invisible';
  /** Empty for none. */
  readonly value: string;
  readonly message: string;
};

/**
 * What a form shows as not changeable, before anyone tries. Each choice is asked about alone. The
 * person's own team is among them if the caller can take them out of it and not put them back.
 */
export async function refusedChoices(
  queries: Queries,
  { viewer, clock }: Pick<AccountActor, 'viewer' | 'clock'>,
  account: AccountFields & { readonly id: string },
): Promise<RefusedChoice[]> {
  if (isAdmin(viewer)) return [];
  const { topFiveInvisible: isInvisible } = account;
  const change: AccountChange = { team: scopeKeys[0], topFiveInvisible: false };
  const watchedTeams = await teamsWatchingFor(queries, viewer, account, change);
  const facts = await factsFor(queries, { viewer, clock }, 'all', change, watchedTeams);
  const hasTopFive = topFiveOf(account, facts.roles) !== null;
  const roles = [null, ...facts.roles.keys()];
  const choices: (Pick<RefusedChoice, 'field' | 'value'> & { readonly change: AccountChange })[] = [
    ...roles.map((role) => ({ field: 'role' as const, value: role ?? '', change: { role } })),
    ...[null, ...scopeKeys].map((team) => ({ field: 'team' as const, value: team ?? '', change: { team } })),
    { field: 'top5', value: String(!hasTopFive), change: { topFive: !hasTopFive } },
    { field: 'top5Invisible', value: String(!isInvisible), change: { topFiveInvisible: !isInvisible } },
  ];
  return choices.flatMap(({ field, value, change }) => {
    const before = change.team === account.team ? { ...account, team: null } : account;
    const answer = planAccountChange(viewer, before, change, facts);
    return isRefusal(answer) ? [{ field, value, message: answer.message }] : [];
  });
}

/** What the choice of these people as approvers depends on, and the default approver. */
export async function readApproverFacts(
  queries: Queries,
  viewer: Viewer,
  ids: readonly string[] | undefined,
): Promise<Pick<AccountFacts, 'actsFor' | 'defaultApproverId'> & { readonly candidates: Map<string, ApproverChoice> }> {
  const rows = await store.readCandidates(queries, ids ?? []);
  const defaultApproverId = await readDefaultApproverId(queries);
  const candidates = rows.map(({ id, role, disabled, approves, storedPermissions, ...names }): ApproverChoice => {
    const permissions = heldPermissions(role, storedPermissions);
    const choice = { id, role, disabled, permissions, displayName: displayName(names), approverIds: [] };
    return { ...choice, approves: approves || id === defaultApproverId };
  });
  const actsFor = ids && !isAdmin(viewer) ? await readActsFor(queries, viewer.id) : new Map<string, never>();
  return { candidates: new Map(candidates.map((choice) => [choice.id, choice])), defaultApproverId, actsFor };
}

/** Whether the rules need the watched teams for this change. */
export const asksForWatchedTeams = (viewer: Viewer, change: AccountChange): boolean =>
  !isAdmin(viewer) && mayShowStats(change);

/** Nobody without tasks has stats, so a wrong team of a new person can be mended until their first task. */
async function teamsWatchingFor(
  queries: Queries,
  viewer: Viewer,
  person: { readonly id: string } | null,
  change: AccountChange,
): Promise<ReadonlySet<string>> {
  const isAsked =
    asksForWatchedTeams(viewer, change) && (person === null || (await store.hasTasks(queries, person.id)));
  return isAsked ? readWatchedTeams(queries) : new Set();
}

/** The teams whose stats someone who is no admin may see. */
export const readWatchedTeams = async (queries: Queries): Promise<ReadonlySet<string>> =>
  teamsWatchedWith(await store.readGranted(queries, scopePermissions));

export const teamsWatchedWith = (permissions: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(scopeKeys.filter((scope) => permissions.has(scopes[scope].permission)));

/** `admins`: those who can sign in. */
export function refusalOfPlan(
  id: string,
  before: AccountFields,
  { after }: Pick<AccountPlan, 'after'>,
  admins: readonly string[],
): Refusal | null {
  const leaves = isAccountOfAdmin(before) && (!isAccountOfAdmin(after) || after.disabled);
  return leaves ? lastAdminRefusal(admins, [id]) : null;
}

async function takenRefusal(queries: Queries, id: string, { after, changed }: AccountPlan): Promise<Refusal | null> {
  if (!changed.includes('email')) return null;
  const holder = await store.readEmailHolder(queries, after.email);
  if (!holder || holder.id === id) return null;
  const disabled = holder.disabled ? ', whose account is disabled' : '';
  return refuse('BAD_INPUT', `${after.email} already belongs to ${displayName(holder)}${disabled}`, { field: 'email' });
}

async function write(
  queries: Queries,
  actor: AccountActor,
  id: string,
  before: AccountFields,
  { after, changed }: AccountPlan,
  assigned: Record<string, unknown>,
): Promise<void> {
  await store.saveAccount(queries, id, after, actor.clock.now().toString());
  if (changed.includes('approverIds')) await setApprovers(queries, auditActor(actor), id, after.approverIds);
  const closes = changed.includes('disabled') && after.disabled;
  if (closes) await closeAccount(queries, auditActor(actor), id);
  if (closes || changed.includes('role') || changed.includes('grants'))
    await actor.live.publish(queries, 'rightsChanged', { roles: [], personIds: [id] });
  // A link was mailed to the old address, or admits someone who must stay out.
  if (changed.includes('email')) await withdrawLink(queries, id);
  await notifyAccountChanges(queries, actor, id, before, after);
  if (changed.includes('role') && after.role !== null)
    await answerRequests(actor, queries, { id, ...after }, { given: after.role });
  const own = changed.filter((field) => field !== 'approverIds');
  if (own.length === 0) return;
  const action = actionOf(before, after, own);
  await record(queries, actor, id, action, picked(before, own), { ...picked(after, own), ...assigned });
}

async function notifyAccountChanges(
  queries: Queries,
  actor: AccountActor,
  personId: string,
  before: AccountFields,
  after: AccountFields,
): Promise<void> {
  const by = auditActor(actor);
  if (before.email !== after.email) {
    await assertFew(queries, by, personId, ['emailChanged'], 'This account’s email changed');
    const detail = { from: before.email, to: after.email };
    await recordAccountEvent(queries, by, { personId, kind: 'emailChanged', detail, mailTo: before.email });
  }
  if (before.disabled !== after.disabled)
    await recordAccountEvent(queries, by, { personId, kind: after.disabled ? 'disabled' : 'enabled' });
}

/** Changes of approvers have their own entry. Acts people search for have a name; the rest is a change. */
function actionOf(before: AccountFields, after: AccountFields, changed: readonly AccountField[]): string {
  if (changed.length > 1) return 'personChanged';
  if (changed[0] === 'disabled') return after.disabled ? 'personDisabled' : 'personEnabled';
  if (changed[0] !== 'grants') return 'personChanged';
  const [had, has] = [before, after].map(({ grants }) => grants.includes(topFivePermission));
  if (had === has || Math.abs(before.grants.length - after.grants.length) !== 1) return 'personChanged';
  return has ? 'topFiveGiven' : 'topFiveTaken';
}

function picked(fields: AccountFields, names: readonly AccountField[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** The person named in the audit log. */
function auditActor({ viewer, actorId = viewer.id, ...actor }: AccountActor) {
  return { ...actor, viewer: actorId === null ? null : { id: actorId } };
}

function record(
  queries: Queries,
  actor: AccountActor,
  id: string,
  action: string,
  before: Record<string, unknown> | undefined,
  after: Record<string, unknown>,
): Promise<string> {
  const entry = { action, subjectType: 'person', subjectId: id, ...(before ? { before } : {}), after };
  return recordAudit(queries, auditActor(actor), entry);
}
