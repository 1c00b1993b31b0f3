// Sends reminders, delivers mails and deletes old notifications while the server runs.
import { noticesKeptDays } from '#core/notifications/notices.ts';
import type { Services } from '#server/platform/context.ts';
import { deliverMails } from './mail-delivery.service.ts';
import { deleteOld } from './notices.store.ts';
import { sendDigests, sendSprintReminders } from './reminders.service.ts';

type Keeping = Pick<Services, 'database' | 'clock' | 'config' | 'live' | 'mail' | 'log'>;

const everyMs = 15_000;
const cleaningMs = 3_600_000;

/** Removes notifications read long ago, and the marks of past runs. */
export async function removeOldNotices({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<void> {
  await deleteOld(
    database.drizzle,
    clock
      .now()
      .subtract({ hours: noticesKeptDays * 24 })
      .toString(),
  );
}

/** A failure is logged and retried in the next round; one part doesn't block another. */
async function round(services: Keeping, isStopping: () => boolean): Promise<void> {
  const parts = [sendSprintReminders, sendDigests, (all: Keeping) => deliverMails(all, isStopping)];
  for (const part of parts)
    await part(services).catch((error) => services.log.warn({ err: error }, 'notices could not be told'));
}

/** `stop` waits for a mail being sent, because a restart must not send it twice. */
export function startKeepingNotices(services: Keeping): { stop(): Promise<void> } {
  let isStopping = false;
  let running: Promise<void> | undefined;
  const start = () => {
    running ??= round(services, () => isStopping).finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(start, everyMs).unref();
  const cleaning = setInterval(() => {
    removeOldNotices(services).catch((error) => services.log.warn({ err: error }, 'old notices could not be removed'));
  }, cleaningMs).unref();
  start();
  return {
    async stop() {
      isStopping = true;
      clearInterval(timer);
      clearInterval(cleaning);
      await running;
    },
  };
}
