// Lets the clock tell what it has to, mails leave and old notices go, for as long as the server runs.
import { noticesKeptDays } from '#core/notifications/notices.ts';
import type { Services } from '#server/platform/context.ts';
import { deliverMails } from './mail-delivery.service.ts';
import { deleteOld } from './notices.store.ts';
import { tellBoundary, tellWhatWaits } from './reminders.service.ts';

type Keeping = Pick<Services, 'database' | 'clock' | 'config' | 'live' | 'mail' | 'log'>;

const everyMs = 15_000;
const cleaningMs = 3_600_000;

/** Removes what was read long ago (and the marks of what was done). */
export async function removeOldNotices({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<void> {
  await deleteOld(
    database.drizzle,
    clock
      .now()
      .subtract({ hours: noticesKeptDays * 24 })
      .toString(),
  );
}

/** What fails is said in the log and tried again at the next round: no part keeps another from being done. */
async function round(services: Keeping, isStopping: () => boolean): Promise<void> {
  const parts = [tellBoundary, tellWhatWaits, (all: Keeping) => deliverMails(all, isStopping)];
  for (const part of parts)
    await part(services).catch((error) => services.log.warn({ err: error }, 'notices could not be told'));
}

/** `stop` waits for a mail that is on its way, so that none is sent twice for a restart. */
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
