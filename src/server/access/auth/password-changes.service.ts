// Changes a password, or mails a link to reset a forgotten one.
import { passwordRefusal } from '#core/access/passwords.ts';
import { refuse } from '#core/base/refusals.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { Services, SignedInPerson } from '#server/platform/context.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { recordAccountEvent } from './account-events.service.ts';
import { hasHandedOverLink, makeLink, revokeLinksShownTo, withdrawLink } from './account-links.service.ts';
import * as store from './auth.store.ts';
import type { Caller } from './caller.ts';
import { countGuess } from './guess-limits.ts';
import { recognize } from './known-devices.ts';
import { canMailLinks, mailLink, mailNoPassword, mailUseOpenLink } from './link-mail.ts';
import { hashPassword } from './passwords.ts';
import type { ProvenWork } from './recent-proof.ts';
import { endOtherSessions } from './sessions.service.ts';
import { crowded } from './turns.ts';

export type PasswordState = { readonly set: boolean; readonly changedAt: string | null };

export const passwordStateOf = store.readPasswordState;

type Changing = Caller & {
  readonly session: Buffer;
  readonly viewer: SignedInPerson;
  readonly password: string;
  readonly current: string | undefined;
};

/**
 * The change, after the person's proof. All other sessions end, and this one gets a new token. Throws if the
 * password can't be used.
 */
export function passwordChange(
  services: Services,
  { session, viewer, password, current, ...caller }: Changing,
): () => Promise<ProvenWork> {
  const refusal = passwordRefusal(password, viewer, current);
  if (refusal) orThrow(refusal);
  const actor = { ...services, ...caller, viewer };
  const save =
    (passwordHash: string): ProvenWork =>
    async (queries) => {
      const at = services.clock.now().toString();
      if (!(await store.changePasswordHash(queries, viewer.id, passwordHash, at)))
        throw new RefusalError(refuse('CONFLICT', 'Your account has no password. Keep signing in the way you do now'));
      const renewed = await endOtherSessions(queries, services, viewer.id, session);
      await withdrawLink(queries, viewer.id);
      await revokeLinksShownTo(queries, actor, viewer.id);
      await recordAudit(queries, actor, { action: 'passwordChanged', subjectType: 'person', subjectId: viewer.id });
      await recordAccountEvent(queries, actor, { personId: viewer.id, kind: 'passwordChanged' });
      return renewed;
    };
  return async () => save(await hashPassword(password));
}

/** How long a link requested on the sign-in page is valid. */
export const forgottenLinkHours = 1;

/** Limits for requested mails: how many can wait, and how many are prepared at once. */
const mostWaiting = 500;
const mostConcurrent = 2;
type LinkRequest = { readonly services: Services; readonly email: string; readonly caller: Caller };
const waiting: LinkRequest[] = [];
const running = new Set<Promise<void>>();

export async function mailsSent(): Promise<void> {
  while (running.size > 0) await Promise.all(running);
}

/**
 * Counts a request for a password link and refuses it beyond the limit. It behaves the same for every
 * address: `sendPasswordLink` looks up the account after the answer. `mails`: false without a mail server,
 * when people have to ask an admin.
 */
export async function requestPasswordLink(
  services: Services,
  email: string,
  { address }: Caller,
): Promise<{ readonly mails: boolean }> {
  if (!canMailLinks(services)) return { mails: false };
  await countRequest(services, email, address);
  if (waiting.length >= mostWaiting) throw crowded();
  return { mails: true };
}

/** Only a request that would have to wait looks up whether the person signed in from this address before. */
async function countRequest(services: Services, email: string, address: string): Promise<void> {
  const guesser = { purpose: 'forgotten', account: email, address } as const;
  try {
    await countGuess(services, guesser);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const { addressKnown } = await recognize(services.database.drizzle, email, { address, device: undefined });
    if (!addressKnown) throw error;
    await countGuess(services, { ...guesser, addressKnown });
  }
}

/** Sends the mail for a request. Call it after the answer, when its timing reveals nothing. */
export function sendPasswordLink(services: Services, email: string, caller: Caller): void {
  if (!canMailLinks(services)) return;
  waiting.push({ services, email, caller });
  if (running.size >= mostConcurrent) return;
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
 * An account without a password keeps its invitation and gets a mail without a link, as does one with a
 * handed-over link: a stranger's request must not revoke it. If the mail server rejects a link, it is
 * revoked.
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
