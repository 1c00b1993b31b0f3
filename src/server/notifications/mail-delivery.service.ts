// Delivers notifications by mail. Any server can: it claims a mail for a while, sends it and marks it. If a
// server dies in between, its claim expires and the mail is sent again under the same Message-ID: never lost,
// at most twice.
import { noticeMail, storedNoticeWords, type WaitingTask, waitingLines } from '#core/notifications/notice-words.ts';
import { nextTry, settledAfterSeconds } from '#core/notifications/notices.ts';
import { displayName } from '#core/people/people.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { MailFailure } from '#server/platform/mail/mailer.ts';
import { readViewerOfPerson } from '#server/platform/viewer.ts';
import { handOverDue } from '#server/tasks/hand-over.ts';
import * as store from './mail-delivery.store.ts';
import { quietNow } from './quiet-hours.service.ts';

type Delivering = Pick<Services, 'database' | 'clock' | 'config' | 'mail' | 'log' | 'settings'>;

/** How long a claim is valid: longer than the mailer tries. */
const claimSeconds = 180;
/** Mails sent in parallel. */
const senders = 3;

/** A mail server can also refuse everyone one by one. */
const mostRefusedInARow = 5;

/** Sends due mails until none is left or the mail server stops accepting. */
export async function deliverMails(services: Delivering, isStopping: () => boolean = () => false): Promise<void> {
  if (!services.mail.configured) return;
  let isRefused = false;
  let refusedInARow = 0;
  const send = async () => {
    while (!isRefused && !isStopping()) {
      const mail = await claim(services);
      if (!mail) return;
      const outcome = await deliver(services, mail);
      refusedInARow = outcome === 'mailRefused' ? refusedInARow + 1 : 0;
      // If the mail server rejects one for its own reasons, the next would fail too.
      isRefused ||= outcome === 'refused' || refusedInARow >= mostRefusedInARow;
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
}

async function claim(services: Delivering): Promise<store.Claim | undefined> {
  const { database, clock } = services;
  const now = clock.now();
  const times = {
    now: now.toString(),
    settled: now.subtract({ seconds: settledAfterSeconds }).toString(),
    until: now.add({ seconds: claimSeconds }).toString(),
  };
  // At every mail, so a changed setting counts for the next one, and a long run notices the evening.
  const due = { ...times, quiet: await quietNow(services, now) };
  return (await store.claimAgain(database.drizzle, due)) ?? (await store.gather(database.drizzle, due));
}

/** `refused`: the mail server accepts nothing right now. */
type Outcome = 'done' | 'mailRefused' | 'refused';

async function deliver(services: Delivering, claimed: store.Claim): Promise<Outcome> {
  const { database, clock, mail, log } = services;
  const queries = database.drizzle;
  const written = await compose(services, claimed);
  if (written === null) {
    await store.dropMail(queries, claimed.id);
    return 'done';
  }
  try {
    await mail.send({ ...written, id: claimed.messageId });
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    const now = clock.now();
    const again = error.permanent ? null : nextTry(claimed.tries, now);
    const failure = { at: now.toString(), again: again?.toString() ?? null, reason: error.message };
    await store.markFailed(queries, claimed, failure);
    log.warn(
      { mailId: claimed.id, tries: claimed.tries, again: failure.again, reason: error.message },
      'an email failed',
    );
    return error.onlyThisMail ? 'mailRefused' : 'refused';
  }
  await store.markSent(queries, claimed.id, clock.now().toString());
  return 'done';
}

/** How many waiting tasks a digest names. */
const mostWaiting = 5;

const waitingTask = ({ title, since, overdue, ...owner }: store.WaitingRow): WaitingTask => ({
  ...{ title, overdue, owner: displayName(owner) },
  since: instantText(Temporal.Instant.from(since)),
});

/** The mail's current content, with its reader's current permissions; null if nothing is left to say. */
async function compose(
  { database, clock, config, settings }: Delivering,
  { id, personId, toAddress }: store.Claim,
): Promise<{ to: string; subject: string; text: string } | null> {
  const reader = await readViewerOfPerson({ database, clock, config }, personId);
  if (reader === null || config.publicUrl === undefined) return null;
  const due = handOverDue({ clock, config, settings });
  const now = clock.now().toString();
  const rows = await store.contentOf(database.drizzle, id, { ...reader, due }, now);
  const [first] = rows;
  if (!first) return null;
  const zone = config.companyTimeZone;
  const waiting = rows.some(({ kind }) => kind === 'waiting')
    ? await store.firstWaiting(database.drizzle, { ...reader, due }, { now, limit: mostWaiting })
    : [];
  const detail = waitingLines(waiting.map(waitingTask), waiting[0]?.total ?? 0, zone);
  const notices = rows.map((row) => ({
    ...storedNoticeWords(reader, row, zone),
    ...(row.kind === 'waiting' && { detail }),
  }));
  const { appName, publicUrl } = config;
  const content = { name: displayName(reader), appName, publicUrl, notices, more: first.total - rows.length };
  return { to: toAddress ?? reader.email, ...noticeMail(content) };
}

export type TroubledMail = {
  readonly id: string;
  readonly to: string;
  readonly reason: string;
  readonly tries: number;
  /** Null: given up. */
  readonly nextTry: string | null;
};

const mostShown = 50;

/** Failed emails, for admins. */
export async function troubledMails({ database }: RequestContext): Promise<TroubledMail[]> {
  const rows = await store.troubledMails(database.drizzle, mostShown);
  return rows.map(({ id, reason, tries, dueAt, ...person }) => ({
    ...{ id, reason, tries, to: `${displayName(person)} <${person.email}>` },
    nextTry: dueAt === null ? null : instantText(Temporal.Instant.from(dueAt)),
  }));
}

export async function retryMails(context: RequestContext, ids: readonly string[]): Promise<TroubledMail[]> {
  const { database, clock } = context;
  await database.transaction(async (queries) => {
    for (const id of await store.tryAgain(queries, ids, clock.now().toString()))
      await recordAudit(queries, context, { action: 'mailRetried', subjectType: 'mail', subjectId: id });
  });
  return troubledMails(context);
}
