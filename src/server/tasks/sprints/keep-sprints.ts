// Keeps the sprints up to date: creates the next one, records the due results and adds repeating tasks (D27,
// D39).
import type { Services } from '#server/platform/context.ts';
import type { Clock } from '#server/platform/db/clock.ts';
import { repeat } from '#server/platform/repeat.ts';
import { addRepeatingTasks } from '../repeats.service.ts';
import { recordDueSprints } from './sprint-records.service.ts';
import { ensureSprints, sprintCalendar } from './sprints.service.ts';

type Keeping = Pick<Services, 'database' | 'clock' | 'config' | 'settings' | 'background'>;

/** One at a time on a server, which has one clock. */
const running = new WeakMap<Clock, Promise<void>>();

/** Recording a week can take long: a request must not wait for it without a limit. */
export function keepSprints(services: Keeping): Promise<void> {
  const { clock, background } = services;
  const keeping = () => background.run(bringUpToDate(services)).finally(() => running.delete(clock));
  const kept = running.get(clock) ?? keeping();
  running.set(clock, kept);
  return kept;
}

async function bringUpToDate(services: Keeping): Promise<void> {
  const { database, clock } = services;
  await ensureSprints(database, clock.now(), sprintCalendar(services));
  await recordDueSprints(services);
}

const everyMs = 30_000;

/** Keeps them up to date now and at intervals. Code that needs them earlier doesn't wait for this. */
export function startKeepingSprints(services: Keeping & Pick<Services, 'log'>): { stop(): Promise<void> } {
  // A week that can't be recorded doesn't keep the next one from its repeating tasks.
  const keep = async () => {
    for (const part of [keepSprints, addRepeatingTasks])
      await part(services).catch((error) =>
        services.log.warn({ err: error }, 'the sprints could not be brought up to date'),
      );
  };
  return repeat(everyMs, keep);
}
