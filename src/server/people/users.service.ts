// User management: everyone with an account, one person in detail, and changes.
import { heldPermissions, isAdmin, type Viewer } from '#core/access/access.ts';
import type { AccountEventKind } from '#core/access/account-events.ts';
import type { RemoveWay } from '#core/access/account-inputs.ts';
import { type PermissionSource, topFiveFixed, topFiveSource } from '#core/access/permission-sources.ts';
import { roleMark } from '#core/access/role-changes.ts';
import { refuse } from '#core/base/refusals.ts';
import type { Away } from '#core/people/absences.ts';
import {
  type AccountChange,
  type CreateUser,
  closingRefusal,
  signInRefusal,
  type UpdateUser,
  userLimits,
} from '#core/people/accounts.ts';
import { type ApproverWarning, approverWarning, effectiveApprovers } from '#core/people/approvers.ts';
import { displayName, erasedRefusal, nameWithState } from '#core/people/people.ts';
import type { Directory, PeopleToChoose } from '#core/people/people-lists.ts';
import { type RoleAsked, rolesAsked } from '#core/people/role-requests.ts';
import { removeWay } from '#server/access/account/account.service.ts';
import { type WaysIn, waysInOf } from '#server/access/account/ways-in.service.ts';
import { readAccountControl, readAccountReach } from '#server/access/auth/account-control.ts';
import {
  assertFew,
  readPersonName,
  recordAccountEvent,
  recordLink,
} from '#server/access/auth/account-events.service.ts';
import { type LinkKind, makeLink, revokeLinksShownTo, showLink } from '#server/access/auth/account-links.service.ts';
import { canMailLinks, mailLink } from '#server/access/auth/link-mail.ts';
import { assertRecentProof } from '#server/access/auth/recent-proof.ts';
import { endSessionsOf } from '#server/access/auth/sessions.service.ts';
import { keepAnAdmin } from '#server/access/roles/lock-admins.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { pageOf } from '#server/platform/db/pages.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { companyDay } from '#server/platform/viewer.ts';
import { awayPerson } from './absences.service.ts';
import {
  type ChangeOptions,
  changeAccount,
  createAccount,
  type RefusedChoice,
  refusedChoices,
} from './account-changes.ts';
import { readDefaultApproverId } from './approvers.service.ts';
import { peopleAskedFor } from './role-requests.service.ts';
import { readRoleEvents } from './role-requests.store.ts';
import * as store from './users.store.ts';

/** A person as shown in the table of user management. */
export type ManagedUser = Omit<
  store.DirectoryRow,
  'approvers' | 'topFiveOfRole' | 'topFiveGranted' | 'linkUntil' | 'canSignIn' | 'storedPermissions'
> & {
  readonly displayName: string;
  /** In the order of `approverIds`. */
  readonly approverNames: readonly string[];
  /** Has only the default approver. */
  readonly byDefault: boolean;
  readonly topFiveFrom: PermissionSource | null;
  /** Why the switch is disabled. */
  readonly topFiveBound: string | null;
  readonly linkUntil: string | null;
  /** Why tasks stay undecided with this approver, or null. */
  readonly approverWarning: ApproverWarning | null;
};

function managed(viewer: Viewer, person: store.DirectoryRow, defaultApproverId: string | null): ManagedUser {
  const { approvers, topFiveOfRole, topFiveGranted, linkUntil, canSignIn, storedPermissions, ...row } = person;
  const topFiveFrom = topFiveSource(row.role, { ofRole: topFiveOfRole, granted: topFiveGranted });
  const named = { ...row, displayName: displayName(row) };
  return {
    ...named,
    approverNames: approvers.map(nameWithState),
    byDefault: row.approverIds.length === 0 && effectiveApprovers(row.id, [], defaultApproverId).length > 0,
    topFiveFrom,
    topFiveBound: topFiveFixed(viewer, row, topFiveFrom),
    linkUntil: linkUntil === null ? null : instantText(Temporal.Instant.from(linkUntil)),
    approverWarning: approverWarning({
      ...named,
      canSignIn,
      permissions: heldPermissions(row.role, storedPermissions),
    }),
    approves: row.approves || row.id === defaultApproverId,
  };
}

export type ManagedUsers = Omit<store.DirectoryPage, 'ids'> & {
  readonly people: readonly ManagedUser[];
  readonly next: string | null;
};

async function readManagedUsers(context: RequestContext, ids: readonly string[]) {
  const { database, viewer } = context;
  const rows = await store.readDirectoryRows(database.drizzle, ids, momentOf(context));
  const defaultApproverId = await readDefaultApproverId(database.drizzle);
  const byId = new Map(rows.map((row) => [row.id, managed(viewer, row, defaultApproverId)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export type PeopleCounts = store.PeopleCounts;

const momentOf = (services: Services) => ({
  ...{ now: services.clock.now().toString(), today: companyDay(services) },
  holidays: services.settings().holidays,
});

/** The people of the directory in its order: of a page and one more, or all. */
export async function findPeople(services: Services, choice: Directory): Promise<store.DirectoryPage> {
  const { drizzle } = services.database;
  const askedFor = choice.roleRequested ? await peopleAskedFor(drizzle) : [];
  return store.readDirectoryPage(drizzle, choice, { ...momentOf(services), askedFor });
}

/** How many people there are, and how many need attention: as many as each filter of the directory finds. */
export async function peopleCounts(context: RequestContext): Promise<PeopleCounts> {
  const { drizzle } = context.database;
  return store.readPeopleCounts(drizzle, { ...momentOf(context), askedFor: await peopleAskedFor(drizzle) });
}

/** A page of the accounts, and how many match on each of the lists of spec 3. */
export async function directory(
  context: RequestContext,
  { limit = userLimits.page, ...choice }: Directory,
): Promise<ManagedUsers> {
  const found = await findPeople(context, { ...choice, limit });
  const { rows, next } = pageOf(
    found.ids.map((id) => ({ id })),
    limit,
  );
  const people = await readManagedUsers(
    context,
    rows.map(({ id }) => id),
  );
  return { ...found, people, next };
}

/** People for a field that chooses one: those with these ids, and a few more. */
export async function peopleToChoose(context: RequestContext, choice: PeopleToChoose): Promise<ManagedUser[]> {
  const { drizzle } = context.database;
  const most = { limit: userLimits.choice, firstId: await readDefaultApproverId(drizzle) };
  return readManagedUsers(context, await store.readIdsToChoose(drizzle, choice, most));
}

export const awayOf = async (context: RequestContext, { id, awayUntil }: ManagedUser): Promise<Away | null> =>
  awayUntil === null ? null : ((await awayPerson(context, id)) ?? null);

export type AssignableRole = {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly version: string;
};

export async function assignableRoles({ database }: RequestContext): Promise<AssignableRole[]> {
  const roles = await store.readAssignableRoles(database.drizzle);
  return roles.map((role) => ({ name: role.name, permissions: role.permissions, version: roleMark(role) }));
}

export type UserDetail = {
  readonly user: ManagedUser;
  readonly account: store.AccountRow;
  readonly rolePermissions: readonly string[];
  /** Null if the viewer can't change how this person signs in. */
  readonly waysIn: WaysIn | null;
  /** Why the viewer can't enable this account, or null. */
  readonly controlRefusal: string | null;
  /** Why the viewer can't see the person's sign-in link or change their email, or null. */
  readonly reachRefusal: string | null;
  readonly refusedChoices: readonly RefusedChoice[];
  /** Sign-in links go out by mail; otherwise their maker hands them over. */
  readonly linksAreMailed: boolean;
  /** Newest first. */
  readonly rolesAsked: readonly RoleAsked[];
};

export async function userDetail(context: RequestContext, id: string): Promise<UserDetail> {
  const { database, viewer } = context;
  return database.transaction(
    async (queries) => {
      const [row] = await store.readDirectoryRows(queries, [id], momentOf(context));
      const [account] = await store.readAccounts(queries, [id]);
      if (!row || !account) throw new RefusalError(refuse('NOT_FOUND'));
      const roles = await store.readRoles(queries, account.role === null ? [] : [account.role]);
      return {
        user: managed(viewer, row, await readDefaultApproverId(queries)),
        account,
        rolePermissions: roles.get(account.role ?? '') ?? [],
        waysIn: signInRefusal(viewer, account) === null ? await waysInOf(queries, context, id) : null,
        linksAreMailed: canMailLinks(context),
        rolesAsked: rolesAsked(await readRoleEvents(queries, id), viewer.id),
        refusedChoices: await refusedChoices(queries, context, account),
        controlRefusal: (await readAccountControl(queries, context, id))?.message ?? null,
        reachRefusal: (await readAccountReach(queries, context, id))?.message ?? null,
      };
    },
    { snapshot: true },
  );
}

async function readUser(context: RequestContext, queries: Queries, id: string): Promise<ManagedUser> {
  const [row] = await store.readDirectoryRows(queries, [id], momentOf(context));
  if (!row) throw new RefusalError(refuse('NOT_FOUND'));
  return managed(context.viewer, row, await readDefaultApproverId(queries));
}

export function createUser(
  context: RequestContext,
  { reason, roleVersion, ...input }: CreateUser,
): Promise<ManagedUser> {
  const call = callKey(context, 'createUser', input);
  return context.database.transaction(async (queries) => {
    const before = await findReplay(queries, context, call);
    const id = before ?? (await createAccount(queries, context, changeOf(input), { reason, roleVersion })).id;
    if (before === null) await recordResult(queries, context, call, id);
    return readUser(context, queries, id);
  });
}

export function updateUser(
  context: RequestContext,
  { userId, version, reason, roleVersion, permissions, ...input }: UpdateUser,
): Promise<ManagedUser> {
  const change = { ...changeOf(input), ...(permissions ? { grants: permissions } : {}) };
  return changeUser(context, userId, change, { version, reason, roleVersion });
}

/** Moves a person between the lists of spec 3. Idempotent. */
export function setTopFive(context: RequestContext, userId: string, on: boolean): Promise<ManagedUser> {
  return changeUser(context, userId, { topFive: on });
}

/** Disabling ends access with the next request: its sessions end, and its open links are revoked. */
export function setDisabled(context: RequestContext, userId: string, disabled: boolean): Promise<ManagedUser> {
  return changeUser(context, userId, { disabled });
}

function changeUser(
  context: RequestContext,
  id: string,
  change: AccountChange,
  options: ChangeOptions = {},
): Promise<ManagedUser> {
  return context.database.transaction(async (queries) => {
    await changeAccount(queries, context, id, change, options);
    return readUser(context, queries, id);
  });
}

type InputFields = Omit<CreateUser, 'email' | 'reason' | 'roleVersion'> & { readonly email?: string | undefined };

/** Maps the API's names to the rules' names. */
export function changeOf({ approverId, top5Invisible, top5, ...fields }: InputFields): AccountChange {
  return { ...fields, approverIds: approverId, topFiveInvisible: top5Invisible, topFive: top5 };
}

export type SignInLink = {
  readonly kind: LinkKind;
  readonly expiresAt: string;
  /** For its maker to hand over; null if it was mailed, or can only be mailed. */
  readonly token: string | null;
  readonly mailedTo: string | null;
  /** Whether the mail failed. */
  readonly mailFailed: boolean;
};

/**
 * A link for setting a password: an invitation for someone without one. It replaces the previous link. A
 * manager with fewer permissions than the account never sees the link: it goes to the person's mailbox, or
 * needs an admin (T14).
 */
export async function makeSignInLink(context: RequestContext, userId: string): Promise<SignInLink> {
  const { database, clock } = context;
  const { link, email, mayShow, names } = await database.transaction(async (queries) => {
    await assertRecentProof(queries, context);
    const account = await store.lockAccount(queries, userId);
    if (!account) throw new RefusalError(refuse('NOT_FOUND'));
    const refusal = erasedRefusal(account) ?? signInRefusal(context.viewer, account);
    if (refusal) throw new RefusalError(refusal);
    if (account.disabled) throw new RefusalError(refuse('CONFLICT', 'This account is disabled. Enable it first'));
    const control = await readAccountReach(queries, context, userId);
    if (control && !canMailLinks(context)) throw new RefusalError(control);
    const shownTo = canMailLinks(context) ? null : context.viewer.id;
    const link = await makeLink(queries, clock, userId, account.hasPassword ? 'reset' : 'invite', { shownTo });
    const action = link.kind === 'invite' ? 'personInvited' : 'passwordLinkMade';
    await recordAudit(queries, context, {
      action,
      subjectType: 'person',
      subjectId: userId,
      after: { email: account.email, until: link.expiresAt },
    });
    await recordLink(queries, context, { personId: userId, kind: link.kind });
    const [person, inviter] = [await readPersonName(queries, userId), await readPersonName(queries, context.viewer.id)];
    const names = person && inviter && { person: displayName(person), inviter: displayName(inviter) };
    return { link, email: account.email, mayShow: control === null, names };
  });
  const { token, ...shown } = link;
  const mailed = await mailLink(context, link, email, { names });
  // Mailing takes a while: another link may have replaced this one.
  const isShown =
    mayShow &&
    (mailed === 'off' || (mailed === 'failed' && (await showLink(database.drizzle, userId, token, context.viewer.id))));
  return {
    ...shown,
    token: isShown ? token : null,
    mailedTo: mailed === 'mailed' ? email : null,
    mailFailed: mailed === 'failed',
  };
}

/** Removes one way into an account the viewer can manage, and notifies the person. */
export async function removeWayIn(context: RequestContext, { userId, ...way }: RemoveWay): Promise<UserDetail> {
  await context.database.transaction((queries) =>
    keepAnAdmin(queries, async () => {
      await assertMayClose(queries, context, userId, way.kind === 'session' && ['sessionEnded', 'signedOutEverywhere']);
      await removeWay(queries, context, userId, way);
    }),
  );
  return userDetail(context, userId);
}

/** Signing someone out again and again locks them out, so only admins have no limit on `counted`. */
async function assertMayClose(
  queries: Queries,
  context: RequestContext,
  userId: string,
  counted: readonly AccountEventKind[] | false,
) {
  const account = await store.lockAccount(queries, userId);
  if (!account) throw new RefusalError(refuse('NOT_FOUND'));
  const refusal = closingRefusal(context.viewer, { id: userId, role: account.role });
  if (refusal) throw new RefusalError(refusal);
  await assertRecentProof(queries, context);
  if (counted && !isAdmin(context.viewer))
    await assertFew(queries, context, userId, counted, 'User managers signed this account out', true);
}

/** Ends one session, or all; returns how many ended. */
export function endSessions(context: RequestContext, userId: string, sessionId?: string): Promise<number> {
  return context.database.transaction(async (queries) => {
    const kind = sessionId === undefined ? 'signedOutEverywhere' : 'sessionEnded';
    await assertMayClose(queries, context, userId, [kind]);
    const ended = await endSessionsOf(queries, context, userId, { id: sessionId });
    if (sessionId === undefined) await revokeLinksShownTo(queries, context, userId);
    if (ended > 0)
      await recordAudit(queries, context, {
        action: 'sessionsEnded',
        subjectType: 'person',
        subjectId: userId,
        after: { ended },
      });
    if (ended > 0)
      await recordAccountEvent(queries, context, {
        personId: userId,
        kind,
      });
    return ended;
  });
}
