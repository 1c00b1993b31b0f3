// A person changes the password, or asks for a link to set one that was forgotten.
import { passwordRefusal } from '#core/passwords.ts';
import { refuse } from '#core/refusals.ts';
import { hasNoPasswordPath } from '#core/single-sign-on.ts';
import { recordAudit } from '../audit/audit.service.ts';
import type { Services, SignedInPerson } from '../context.ts';
import { orThrow, RefusalError } from '../graphql/refusal-error.ts';
import { recordAccountEvent } from './account-events.service.ts';
import { makeLink, withdrawLink } from './account-links.service.ts';
import { type Caller, crowdedRetrySeconds } from './auth.service.ts';
import * as store from './auth.store.ts';
import { countGuess } from './guess-limits.ts';
import { canMailLinks, mailLink, mailNoPassword } from './link-mail.ts';
import { hashPassword } from './passwords.ts';
import { assertRecentProof, requireRecentProof } from './recent-proof.ts';
import { endOtherSessions } from './sessions.service.ts';
import { inTurn } from './turns.ts';

export type PasswordState = { readonly set: boolean; readonly changedAt: string | null };

export const passwordStateOf = store.readPasswordState;

type Changing = Caller & { readonly session: Buffer; readonly viewer: SignedInPerson; readonly password: string };

/** Every other session ends; the one that asks goes on with the token that this gives. */
export async function changePassword(
  services: Services,
  { session, viewer, password, ...caller }: Changing,
): Promise<string> {
  const { database, clock } = services;
  await requireRecentProof({ ...services, session });
  const refusal = passwordRefusal(password, viewer);
  if (refusal) orThrow(refusal);
  const passwordHash = await inTurn(() => hashPassword(password), { by: viewer.email.toLowerCase(), known: true });
  if (passwordHash === null) throw new RefusalError(refuse('TOO_MANY_ATTEMPTS'), { retryAfter: crowdedRetrySeconds });
  const actor = { ...services, ...caller, viewer };
  return database.transaction(async (queries) => {
    await assertRecentProof(queries, { clock, session });
    const changed = await store.changePasswordHash(queries, viewer.id, passwordHash, clock.now().toString());
    if (!changed)
      throw new RefusalError(
        refuse('CONFLICT', 'You sign in with your company sign-in, so there is no password to change'),
      );
    const { token } = await endOtherSessions(queries, services, viewer.id, session);
    await withdrawLink(queries, viewer.id);
    await recordAudit(queries, actor, { action: 'passwordChanged', subjectType: 'person', subjectId: viewer.id });
    await recordAccountEvent(queries, actor, { personId: viewer.id, kind: 'passwordChanged' });
    return token;
  });
}

/** How long a link is good that somebody asked for on the sign-in page. */
export const forgottenLinkHours = 1;

/** Mails that are on their way: the answer doesn't wait for them, or it would say which addresses have an account. */
const underWay = new Set<Promise<void>>();

export async function mailsSent(): Promise<void> {
  await Promise.all(underWay);
}

/**
 * Mails a link to set a new password. The answer and the work before it are the same for every address, known or not, and each
 * request makes the next one wait longer. `mails`: false where there is no mail server, so that the person is told to ask an admin.
 */
export async function requestPasswordLink(
  services: Services,
  email: string,
  caller: Caller,
): Promise<{ readonly mails: boolean }> {
  if (!canMailLinks(services)) return { mails: false };
  const { database, clock, log } = services;
  await countGuess(services, { purpose: 'forgotten', account: email, address: caller.address });
  const account = await store.readAccount(database.drizzle, email);
  if (account && !account.disabled) {
    const sending = sendLink(services, { ...account, email }, caller).catch((error) =>
      log.error({ err: error, at: clock.now().toString() }, 'a link to set a password could not be made'),
    );
    underWay.add(sending);
    void sending.finally(() => underWay.delete(sending));
  }
  return { mails: true };
}

/** The link exists only while its mail can arrive: one that the mail server refuses is withdrawn. */
async function sendLink(services: Services, { id }: store.Account & { email: string }, caller: Caller): Promise<void> {
  const { database, clock } = services;
  const found = await database.transaction(async (queries) => {
    const account = await store.lockReachable(queries, id);
    if (!account) return null;
    if (hasNoPasswordPath(account)) return { email: account.email, link: null };
    const kind = account.hasPassword ? 'reset' : 'invite';
    const link = await makeLink(queries, clock, id, kind, { hours: forgottenLinkHours });
    const actor = { ...services, ...caller, viewer: null };
    await recordAudit(queries, actor, { action: 'passwordLinkRequested', subjectType: 'person', subjectId: id });
    await recordAccountEvent(queries, actor, { personId: id, kind: 'passwordRequested' });
    return { email: account.email, link };
  });
  if (found === null) return;
  const { email, link } = found;
  if (link === null) return mailNoPassword(services, email);
  if ((await mailLink(services, link, email, forgottenLinkHours)) !== 'mailed')
    await withdrawLink(database.drizzle, id, link.token);
}
