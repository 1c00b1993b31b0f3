// User management: everybody with an account, one person with all that hangs on the account, and changes of it.
import {
  type AccountChange,
  type PermissionSource,
  signInRefusal,
  topFiveBound,
  topFiveSource,
} from '#core/accounts.ts';
import { displayName } from '#core/people.ts';
import { refuse } from '#core/refusals.ts';
import { type CreateUser, type UpdateUser, userLimits } from '#core/user-inputs.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { type LinkKind, linkAddress, linkHours, makeLink, type NewLink } from '../auth/account-links.service.ts';
import { endSessionsOf, type Session, sessionsOf } from '../auth/sessions.service.ts';
import type { RequestContext } from '../context.ts';
import type { Queries } from '../db/database.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { callKey, madeBefore, rememberMade } from '../idempotency/idempotency.service.ts';
import { instantText } from '../sprints/sprint-week.ts';
import { changeAccount, createAccount } from './account-changes.ts';
import * as store from './users.store.ts';

/** A person as the table of user management shows them. */
export type ManagedUser = Omit<store.DirectoryRow, 'topFiveOfRole' | 'topFiveGranted' | 'linkUntil'> & {
  readonly displayName: string;
  readonly topFiveFrom: PermissionSource | null;
  /** Why the switch is fixed. */
  readonly topFiveBound: string | null;
  readonly linkUntil: string | null;
};

function managed({ topFiveOfRole, topFiveGranted, linkUntil, ...row }: store.DirectoryRow): ManagedUser {
  const topFiveFrom = topFiveSource(row.role, { ofRole: topFiveOfRole, granted: topFiveGranted });
  return {
    ...row,
    displayName: displayName(row),
    topFiveFrom,
    topFiveBound: topFiveBound(topFiveFrom, row.role),
    linkUntil: linkUntil === null ? null : instantText(Temporal.Instant.from(linkUntil)),
  };
}

/** The people whose ids follow, at most as many as one answer holds; whoever gets a full one asks on. */
export async function directory({ database, clock }: RequestContext, after = '0'): Promise<ManagedUser[]> {
  const rows = await store.readDirectory(database.drizzle, {
    after,
    limit: userLimits.page,
    now: clock.now().toString(),
  });
  return rows.map(managed);
}

export type AssignableRole = { readonly name: string; readonly permissions: readonly string[] };

export async function assignableRoles({ database }: RequestContext): Promise<AssignableRole[]> {
  return [...(await store.readRoles(database.drizzle, 'all'))].map(([name, permissions]) => ({ name, permissions }));
}

export type UserDetail = {
  readonly user: ManagedUser;
  readonly account: store.AccountRow;
  readonly rolePermissions: readonly string[];
  readonly sessions: readonly Session[];
};

export async function userDetail({ database, clock }: RequestContext, id: string): Promise<UserDetail> {
  const now = clock.now();
  return database.transaction(
    async (queries) => {
      const [row] = await store.readDirectoryRows(queries, [id], now.toString());
      const [account] = await store.readAccounts(queries, [id]);
      if (!row || !account) throw new RefusalError(refuse('NOT_FOUND'));
      const roles = await store.readRoles(queries, account.role === null ? [] : [account.role]);
      return {
        user: managed(row),
        account,
        rolePermissions: roles.get(account.role ?? '') ?? [],
        sessions: await sessionsOf(queries, id, now),
      };
    },
    { snapshot: true },
  );
}

async function readUser({ clock }: RequestContext, queries: Queries, id: string): Promise<ManagedUser> {
  const [row] = await store.readDirectoryRows(queries, [id], clock.now().toString());
  if (!row) throw new RefusalError(refuse('NOT_FOUND'));
  return managed(row);
}

export function createUser(context: RequestContext, { reason, ...input }: CreateUser): Promise<ManagedUser> {
  const call = callKey(context, 'createUser', input);
  return context.database.transaction(async (queries) => {
    const before = await madeBefore(queries, context, call);
    const id = before ?? (await createAccount(queries, context, changeOf(input), { reason }));
    if (before === null) await rememberMade(queries, context, call, id);
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

/** Moves a person between the lists of spec 3. Told twice, it is the same as told once. */
export function setTopFive(context: RequestContext, userId: string, on: boolean): Promise<ManagedUser> {
  return changeUser(context, userId, { topFive: on });
}

/** A disabled account is out with the next request: its sessions end, and whatever link was made for it. */
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

type InputFields = Omit<CreateUser, 'email' | 'reason'> & { readonly email?: string | undefined };

/** The API's names for what the rules call otherwise. */
export function changeOf({ approverId, top5Invisible, top5, ...fields }: InputFields): AccountChange {
  return { ...fields, approverIds: approverId, topFiveInvisible: top5Invisible, topFive: top5 };
}

export type SignInLink = {
  readonly kind: LinkKind;
  readonly expiresAt: string;
  /** To be handed over by whoever made it; null where it went out by mail. */
  readonly token: string | null;
  readonly mailedTo: string | null;
  /** It should have gone out by mail, and did not. */
  readonly mailFailed: boolean;
};

/** A link by which the person sets a password: an invitation for who has none yet. It ends the link before. */
export async function makeSignInLink(context: RequestContext, userId: string): Promise<SignInLink> {
  const { database, clock } = context;
  const { link, email } = await database.transaction(async (queries) => {
    const account = await store.lockAccount(queries, userId);
    if (!account) throw new RefusalError(refuse('NOT_FOUND'));
    const refusal = signInRefusal(context.viewer, account);
    if (refusal) throw new RefusalError(refusal);
    if (account.disabled) throw new RefusalError(refuse('CONFLICT', 'This account is disabled. Enable it first'));
    const link = await makeLink(queries, clock, userId, account.hasPassword ? 'reset' : 'invite');
    const action = link.kind === 'invite' ? 'personInvited' : 'passwordLinkMade';
    await recordAudit(queries, context, {
      action,
      subjectType: 'person',
      subjectId: userId,
      after: { email: account.email, until: link.expiresAt },
    });
    return { link, email: account.email };
  });
  const { token, ...shown } = link;
  const mailed = await mailLink(context, link, email);
  return {
    ...shown,
    token: mailed === 'mailed' ? null : token,
    mailedTo: mailed === 'mailed' ? email : null,
    mailFailed: mailed === 'failed',
  };
}

/** A mail server that does not take the mail costs the person nothing: the link is shown instead. */
async function mailLink(
  { mail, config, log }: RequestContext,
  link: NewLink,
  to: string,
): Promise<'off' | 'mailed' | 'failed'> {
  if (!mail.configured || config.publicUrl === undefined) return 'off';
  const { subject, opening } = linkWords[link.kind];
  const hours = linkHours[link.kind];
  const text = [
    `${opening} ${config.appName}. Open this link to set your password:`,
    linkAddress(config.publicUrl, link),
    `It is good once, and for ${hours > 48 ? `${hours / 24} days` : `${hours} hours`}. If you did not expect this mail, leave it unanswered: without the link nothing happens.`,
  ].join('\n\n');
  try {
    await mail.send({ to, subject: `${subject} ${config.appName}`, text });
    return 'mailed';
  } catch (error) {
    log.warn({ err: error }, 'a link could not be mailed and is shown instead');
    return 'failed';
  }
}

const linkWords = {
  invite: { subject: 'Your account for', opening: 'You have an account for' },
  reset: { subject: 'A new password for', opening: 'You can set a new password for' },
} as const satisfies Record<LinkKind, object>;

/** Ends one session, or all of them; gives how many ended. */
export function endSessions(context: RequestContext, userId: string, sessionId?: string): Promise<number> {
  return context.database.transaction(async (queries) => {
    const account = await store.lockAccount(queries, userId);
    if (!account) throw new RefusalError(refuse('NOT_FOUND'));
    const refusal = signInRefusal(context.viewer, account);
    if (refusal) throw new RefusalError(refusal);
    const ended = await endSessionsOf(queries, context, userId, sessionId);
    if (ended > 0)
      await recordAudit(queries, context, {
        action: 'sessionsEnded',
        subjectType: 'person',
        subjectId: userId,
        after: { ended },
      });
    return ended;
  });
}
