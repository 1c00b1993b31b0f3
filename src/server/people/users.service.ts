// User management: everyone with an account, one person in detail, and changes.
import type { Viewer } from '#core/access/access.ts';
import type { RemoveWay } from '#core/access/account-inputs.ts';
import { type PermissionSource, topFiveFixed, topFiveSource } from '#core/access/permission-sources.ts';
import { refuse } from '#core/base/refusals.ts';
import {
  type AccountChange,
  type CreateUser,
  signInRefusal,
  type UpdateUser,
  userLimits,
} from '#core/people/accounts.ts';
import { displayName } from '#core/people/people.ts';
import { accessHook } from '#server/access/access-hook.ts';
import { removeWay } from '#server/access/account/account.service.ts';
import { type WaysIn, waysInOf } from '#server/access/account/ways-in.service.ts';
import { readAccountControl, readAccountReach } from '#server/access/auth/account-control.ts';
import { readPersonName, recordAccountEvent, recordLink } from '#server/access/auth/account-events.service.ts';
import { type LinkKind, makeLink, showLink } from '#server/access/auth/account-links.service.ts';
import { canMailLinks, mailLink } from '#server/access/auth/link-mail.ts';
import { assertRecentProof } from '#server/access/auth/recent-proof.ts';
import { endSessionsOf } from '#server/access/auth/sessions.service.ts';
import { keepAnAdmin } from '#server/access/roles/lock-admins.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { changeAccount, createAccount } from './account-changes.ts';
import * as store from './users.store.ts';

/** A person as shown in the table of user management. */
export type ManagedUser = Omit<store.DirectoryRow, 'topFiveOfRole' | 'topFiveGranted' | 'linkUntil'> & {
  readonly displayName: string;
  readonly topFiveFrom: PermissionSource | null;
  /** Why the switch is disabled. */
  readonly topFiveBound: string | null;
  readonly linkUntil: string | null;
};

function managed(
  viewer: Viewer,
  { topFiveOfRole, topFiveGranted, linkUntil, ...row }: store.DirectoryRow,
): ManagedUser {
  const topFiveFrom = topFiveSource(row.role, { ofRole: topFiveOfRole, granted: topFiveGranted });
  return {
    ...row,
    displayName: displayName(row),
    topFiveFrom,
    topFiveBound: topFiveFixed(viewer, row, topFiveFrom),
    linkUntil: linkUntil === null ? null : instantText(Temporal.Instant.from(linkUntil)),
  };
}

/** The people after this id, at most one answer's worth; after a full one, callers ask for the next. */
export async function directory({ database, clock, viewer }: RequestContext, after = '0'): Promise<ManagedUser[]> {
  const rows = await store.readDirectory(database.drizzle, {
    after,
    limit: userLimits.page,
    now: clock.now().toString(),
  });
  return rows.map((row) => managed(viewer, row));
}

export type AssignableRole = { readonly name: string; readonly permissions: readonly string[] };

export async function assignableRoles({ database }: RequestContext): Promise<AssignableRole[]> {
  return [...(await store.readRoles(database.drizzle, 'all'))].map(([name, permissions]) => ({ name, permissions }));
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
  /** Sign-in links go out by mail; otherwise their maker hands them over. */
  readonly linksAreMailed: boolean;
};

export async function userDetail(context: RequestContext, id: string): Promise<UserDetail> {
  const { database, clock, viewer } = context;
  const now = clock.now();
  return database.transaction(
    async (queries) => {
      const [row] = await store.readDirectoryRows(queries, [id], now.toString());
      const [account] = await store.readAccounts(queries, [id]);
      if (!row || !account) throw new RefusalError(refuse('NOT_FOUND'));
      const roles = await store.readRoles(queries, account.role === null ? [] : [account.role]);
      return {
        user: managed(viewer, row),
        account,
        rolePermissions: roles.get(account.role ?? '') ?? [],
        waysIn: signInRefusal(viewer, account) === null ? await waysInOf(queries, context, id) : null,
        linksAreMailed: canMailLinks(context),
        controlRefusal: (await readAccountControl(queries, viewer, id))?.message ?? null,
        reachRefusal: (await readAccountReach(queries, viewer, id))?.message ?? null,
      };
    },
    { snapshot: true },
  );
}

async function readUser({ clock, viewer }: RequestContext, queries: Queries, id: string): Promise<ManagedUser> {
  const [row] = await store.readDirectoryRows(queries, [id], clock.now().toString());
  if (!row) throw new RefusalError(refuse('NOT_FOUND'));
  return managed(viewer, row);
}

export function createUser(context: RequestContext, { reason, ...input }: CreateUser): Promise<ManagedUser> {
  const call = callKey(context, 'createUser', input);
  return context.database.transaction(async (queries) => {
    const before = await findReplay(queries, context, call);
    const id = before ?? (await createAccount(queries, context, changeOf(input), { reason }));
    if (before === null) await recordResult(queries, context, call, id);
    return readUser(context, queries, id);
  });
}

export function updateUser(
  context: RequestContext,
  { userId, version, reason, permissions, ...input }: UpdateUser,
): Promise<ManagedUser> {
  const change = { ...changeOf(input), ...(permissions ? { grants: permissions } : {}) };
  return changeUser(context, userId, change, { version, reason });
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
  options: { version?: string | undefined; reason?: string | undefined } = {},
): Promise<ManagedUser> {
  return context.database.transaction(async (queries) => {
    await changeAccount(queries, context, id, change, options);
    return readUser(context, queries, id);
  });
}

const alreadyAsked = 'No admin was notified: they have this request already, or turned such notifications off';

/** Asks the admins to give this person a role. Throws CONFLICT if no admin is left to tell. */
export function askForRole(context: RequestContext, userId: string): Promise<ManagedUser> {
  return context.database.transaction(async (queries) => {
    const account = await store.lockAccount(queries, userId);
    if (!account) throw new RefusalError(refuse('NOT_FOUND'));
    if (account.disabled) throw new RefusalError(refuse('CONFLICT', 'This account is disabled. Enable it first'));
    if (account.role !== null) throw new RefusalError(refuse('CONFLICT', 'This person has a role now'));
    await recordAudit(queries, context, { action: 'roleAsked', subjectType: 'person', subjectId: userId });
    const told = await accessHook.handlers().roleAsked(context, queries, {
      ...{ personId: userId, person: displayName(account) },
      ...{ byId: context.viewer.id, by: displayName(context.viewer) },
    });
    if (told === 0) throw new RefusalError(refuse('CONFLICT', alreadyAsked));
    return readUser(context, queries, userId);
  });
}

type InputFields = Omit<CreateUser, 'email' | 'reason'> & { readonly email?: string | undefined };

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
    const refusal = signInRefusal(context.viewer, account);
    if (refusal) throw new RefusalError(refusal);
    if (account.disabled) throw new RefusalError(refuse('CONFLICT', 'This account is disabled. Enable it first'));
    const control = await readAccountReach(queries, context.viewer, userId);
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
      const account = await store.lockAccount(queries, userId);
      if (!account) throw new RefusalError(refuse('NOT_FOUND'));
      const refusal = signInRefusal(context.viewer, account);
      if (refusal) throw new RefusalError(refusal);
      await assertRecentProof(queries, context);
      await removeWay(queries, context, userId, way);
    }),
  );
  return userDetail(context, userId);
}

/** Ends one session, or all; returns how many ended. */
export function endSessions(context: RequestContext, userId: string, sessionId?: string): Promise<number> {
  return context.database.transaction(async (queries) => {
    const account = await store.lockAccount(queries, userId);
    if (!account) throw new RefusalError(refuse('NOT_FOUND'));
    const refusal = signInRefusal(context.viewer, account);
    if (refusal) throw new RefusalError(refusal);
    await assertRecentProof(queries, context);
    const ended = await endSessionsOf(queries, context, userId, { id: sessionId });
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
        kind: sessionId === undefined ? 'signedOutEverywhere' : 'sessionEnded',
      });
    return ended;
  });
}
