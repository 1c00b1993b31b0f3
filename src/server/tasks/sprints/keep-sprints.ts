// Keeps the weeks up with the clock: the next one exists, and what has become due is recorded (D27, D39).
import type { Services } from '#server/platform/context.ts';
import { recordDueSprints } from './sprint-records.service.ts';
import { ensureSprints } from './sprints.service.ts';

type Keeping = Pick<Services, 'database' | 'clock' | 'config' | 'settings'>;

/** Thrown in a transaction that needs a sprint, or the record of one, that is not there yet: keep the sprints, then try again. */
export class SprintsBehind extends Error {
  override name = 'SprintsBehind';
}

export async function keepSprints({ database, clock, config, settings }: Keeping): Promise<void> {
  const now = clock.now();
  await ensureSprints(database, now, config.companyTimeZone);
  await recordDueSprints(database, now, settings().settlingHours);
}

const everyMs = 30_000;

/** Keeps the sprints now and from time to time. What needs them earlier does not wait for this. */
export async function startKeepingSprints(services: Keeping & Pick<Services, 'log'>): Promise<{ stop(): void }> {
  await keepSprints(services);
  const timer = setInterval(() => {
    keepSprints(services).catch((error) =>
      services.log.warn({ err: error }, 'the sprints could not be brought up to date'),
    );
  }, everyMs).unref();
  return { stop: () => clearInterval(timer) };
}
