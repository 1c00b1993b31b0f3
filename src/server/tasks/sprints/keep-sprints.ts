// Keeps the sprints up to date: creates the next one and records the due results (D27, D39).
import type { Services } from '#server/platform/context.ts';
import { recordDueSprints } from './sprint-records.service.ts';
import { ensureSprints } from './sprints.service.ts';

type Keeping = Pick<Services, 'database' | 'clock' | 'config' | 'settings'>;

/** A transaction needs a sprint or a record that does not exist yet: update the sprints and run it again. */
export class SprintNotReady extends Error {
  override name = 'SprintNotReady';
}

export async function keepSprints({ database, clock, config, settings }: Keeping): Promise<void> {
  const now = clock.now();
  await ensureSprints(database, now, config.companyTimeZone);
  await recordDueSprints(database, now, settings().settlingHours);
}

const everyMs = 30_000;

/** Updates the sprints now and at intervals. Code that needs them earlier doesn't wait for this. */
export async function startKeepingSprints(services: Keeping & Pick<Services, 'log'>): Promise<{ stop(): void }> {
  await keepSprints(services);
  const timer = setInterval(() => {
    keepSprints(services).catch((error) =>
      services.log.warn({ err: error }, 'the sprints could not be brought up to date'),
    );
  }, everyMs).unref();
  return { stop: () => clearInterval(timer) };
}
