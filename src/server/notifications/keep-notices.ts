// Sends reminders, delivers mails, and deletes old notifications and absences while the server runs.
import { allKeptDays, noticesKeptDays } from '#core/notifications/notices.ts';
import { removeEndedAbsences } from '#server/people/absences.service.ts';
import type { Services } from '#server/platform/context.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { repeat } from '#server/platform/repeat.ts';
import { deliverMails } from './mail-delivery.service.ts';
import { deleteOldMails, deleteOldNotices } from './notices.store.ts';
import { sendDigests, sendHandOvers, sendSprintReminders } from './reminders.service.ts';

type Keeping = Pick<Services, 'database' | 'clock' | 'config' | 'live' | 'mail' | 'log' | 'settings'>;

const everyMs = 15_000;
const cleaningMs = 3_600_000;

/** Removes old notifications, and the marks of past runs. */
export async function removeOldNotices(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  batch = 10_000,
): Promise<void> {
  const daysAgo = (days: number) => instantText(clock.now().subtract({ hours: days * 24 }));
  const ages = { read: daysAgo(noticesKeptDays), all: daysAgo(allKeptDays), batch };
  while (await deleteOldNotices(database.drizzle, ages));
  await deleteOldMails(database.drizzle, ages.read);
}

/** `stop` waits for a mail being sent, because a restart must not send it twice. */
export function startKeepingNotices(services: Keeping): { stop(): Promise<void> } {
  let isStopping = false;
  // Side by side: thousands of mails take hours, and nobody's reminder waits for them.
  const parts = [
    sendSprintReminders,
    sendDigests,
    sendHandOvers,
    (all: Keeping) => deliverMails(all, () => isStopping),
  ];
  const repeated = parts.map((part) =>
    repeat(everyMs, () =>
      part(services).catch((error) => services.log.warn({ err: error }, 'notices could not be sent')),
    ),
  );
  const cleaning = setInterval(() => {
    for (const remove of [removeOldNotices, removeEndedAbsences])
      remove(services).catch((error) => services.log.warn({ err: error }, 'old rows could not be removed'));
  }, cleaningMs).unref();
  return {
    async stop() {
      isStopping = true;
      clearInterval(cleaning);
      await Promise.all(repeated.map(({ stop }) => stop()));
    },
  };
}
