// Account changes by commands, by email address.

import { refuse } from '#core/base/refusals.ts';
import type { AccountChange } from '#core/people/accounts.ts';
import { erasedRefusal } from '#core/people/people.ts';
import { recordAccountEvent } from '#server/access/auth/account-events.service.ts';
import { makeLink, type NewLink } from '#server/access/auth/account-links.service.ts';
import { removeFactor } from '#server/access/factors/factors.service.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { type AccountActor, type Changed, changeAccount } from './account-changes.ts';
import { type ListedAccount, readAccountList } from './account-list.store.ts';
import { type AccountRow, lockAccount, readEmailHolder } from './users.store.ts';

export type { ListedAccount };

export function listAccounts({
  database,
  clock,
}: Pick<RequestContext, 'database' | 'clock'>): Promise<ListedAccount[]> {
  return readAccountList(database.drizzle, clock.now().toString());
}

async function holderOf(queries: Queries, email: string): Promise<AccountRow> {
  const account = await readEmailHolder(queries, email);
  if (!account) throw new RefusalError(refuse('NOT_FOUND', `No account has the email address ${email}`));
  return account;
}

export function changeByEmail(
  actor: AccountActor & Pick<RequestContext, 'database'>,
  email: string,
  change: AccountChange,
): Promise<Changed> {
  return actor.database.transaction(async (queries) => {
    const { id } = await holderOf(queries, email);
    // Running the command is reason enough; the audit log shows that it was one.
    return changeAccount(queries, actor, id, change, { reason: 'An operator ran a command' });
  });
}

type Inviting = Pick<RequestContext, 'database' | 'clock' | 'requestId' | 'address'> &
  Pick<AccountActor, 'live'> & { readonly viewer: null };

export function linkByEmail(actor: Inviting, email: string): Promise<NewLink> {
  return actor.database.transaction(async (queries) => {
    const { id } = await holderOf(queries, email);
    const account = await lockAccount(queries, id);
    const refusal = account && erasedRefusal(account);
    if (refusal) throw new RefusalError(refusal);
    if (account?.disabled)
      throw new RefusalError(refuse('CONFLICT', `The account ${email} is disabled. Enable it first`));
    const kind = account?.hasPassword ? 'reset' : 'invite';
    // The operator hands it over, so it is treated like links that admins hand over.
    const link = await makeLink(queries, actor.clock, id, kind, { shownTo: id });
    const action = link.kind === 'invite' ? 'personInvited' : 'passwordLinkMade';
    await recordAudit(queries, actor, {
      action,
      subjectType: 'person',
      subjectId: id,
      after: { email: account?.email, until: link.expiresAt },
    });
    await recordAccountEvent(queries, actor, { personId: id, kind: 'linkCreated' });
    return link;
  });
}

/** Removes a person's passkeys, authenticator app and recovery codes when they lost them all. */
export async function resetSecondFactorByEmail(actor: Inviting, email: string): Promise<void> {
  const { id } = await holderOf(actor.database.drizzle, email);
  await removeFactor(actor, id, { kind: 'all' }, null);
}
