// A person changes the password, or asks for a link to set one that was forgotten.
import { passwordRefusal } from '#core/access/passwords.ts';
import { refuse } from '#core/base/refusals.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { Services, SignedInPerson } from '#server/platform/context.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { recordAccountEvent } from './account-events.service.ts';
import { hasHandedOverLink, makeLink, withdrawLink } from './account-links.service.ts';
import * as store from './auth.store.ts';
import type { Caller } from './caller.ts';
import { countGuess } from './guess-limits.ts';
import { canMailLinks, mailLink, mailNoPassword, mailUseOpenLink } from './link-mail.ts';
import { hashPassword } from './passwords.ts';
import { assertRecentProof, requireRecentProof } from './recent-proof.ts';
import { endOtherSessions } from './sessions.service.ts';
import { crowded, inTurn } from './turns.ts';

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
  const actor = { ...services, ...caller, viewer };
  return database.transaction(async (queries) => {
    await assertRecentProof(queries, { clock, session });
    const changed = await store.changePasswordHash(queries, viewer.id, passwordHash, clock.now().toString());
    if (!changed)
      throw new RefusalError(refuse('CONFLICT', 'Your account has no password to change. Sign in the way you do now'));
    const { token } = await endOtherSessions(queries, services, viewer.id, session);
    await withdrawLink(queries, viewer.id);
    await recordAudit(queries, actor, { action: 'passwordChanged', subjectType: 'person', subjectId: viewer.id });
    await recordAccountEvent(queries, actor, { personId: viewer.id, kind: 'passwordChanged' });
    return token;
  });
}

/** How long a link is good that somebody asked for on the sign-in page. */
export const forgottenLinkHours = 1;

/** Requests whose mail is still to be made: so many wait at most, and so many are made at once. */
const mostWaiting = 500;
const atOnce = 2;
type LinkRequest = { readonly services: Services; readonly email: string; readonly caller: Caller };
const waiting: LinkRequest[] = [];
const running = new Set<Promise<void>>();

export async function mailsSent(): Promise<void> {
  while (running.size > 0) await Promise.all(running);
}

/**
 * Counts a request for a link to set a new password, and refuses it where there were too many. The same for every address: who
 * has it is looked up by `sendPasswordLink` after the answer. `mails`: false where there is no mail server, so that the person
 * is told to ask an admin.
 */
export async function requestPasswordLink(
  services: Services,
  email: string,
  { address }: Caller,
): Promise<{ readonly mails: boolean }> {
  if (!canMailLinks(services)) return { mails: false };
  await countGuess(services, { purpose: 'forgotten', account: email, address });
  if (waiting.length >= mostWaiting) throw crowded();
  return { mails: true };
}

/** Mails what the request is worth. Call it once the answer is out: nothing of it can be measured then. */
export function sendPasswordLink(services: Services, email: string, caller: Caller): void {
  if (!canMailLinks(services)) return;
  waiting.push({ services, email, caller });
  if (running.size >= atOnce) return;
  const run = sendWaiting();
  running.add(run);
  void run.finally(() => running.delete(run));
}

async function sendWaiting(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { services, email, caller } = next;
    await sendLink(services, email, caller).catch((error) =>
      services.log.error(
        { err: error, at: services.clock.now().toString() },
        'a link to set a password could not be made',
      ),
    );
  }
}

/**
 * An account without a password keeps its invitation and gets a mail without a link, and so does one that was handed a link:
 * a stranger's request must not end it. A link that the mail server refuses is withdrawn.
 */
async function sendLink(services: Services, asked: string, caller: Caller): Promise<void> {
  const { database, clock } = services;
  const found = await database.transaction(async (queries) => {
    const { id } = (await store.readAccount(queries, asked)) ?? {};
    const account = id && (await store.lockReachable(queries, id));
    if (!account) return null;
    if (!account.hasPassword) return { ...account, id, link: null };
    const keepsLink = await hasHandedOverLink(queries, clock, id);
    const link = keepsLink ? null : await makeLink(queries, clock, id, 'reset', { hours: forgottenLinkHours });
    const actor = { ...services, ...caller, viewer: null };
    await recordAudit(queries, actor, { action: 'passwordLinkRequested', subjectType: 'person', subjectId: id });
    await recordAccountEvent(queries, actor, { personId: id, kind: 'passwordRequested' });
    return { ...account, id, link };
  });
  if (found === null) return;
  const { id, email, link } = found;
  if (link === null)
    return found.hasPassword ? mailUseOpenLink(services, email) : mailNoPassword(services, email, found);
  if ((await mailLink(services, link, email, { hours: forgottenLinkHours })) !== 'mailed')
    await withdrawLink(database.drizzle, id, link.token);
}
