// Adds repeating tasks to the sprint that begins. A sprint that began while no server ran gets them late; one
// that also ended gets none.
import { ownAddress } from '#core/admin/audit-log.ts';
import { isRepeatDue, workdaysOf } from '#core/tasks/repeat.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { publishGap } from '#server/platform/live/live.service.ts';
import { workCalendar } from '#server/platform/settings/settings.service.ts';
import * as store from './repeats.store.ts';

type Repeating = Pick<Services, 'database' | 'clock' | 'config' | 'settings'>;

/** A batch takes a few seconds. */
const batchSize = 10_000;

/** Does nothing once that is done. Several servers can call it, and after a crash the next call continues. */
export async function addRepeatingTasks(services: Repeating, limit = batchSize): Promise<void> {
  let after: string | null = '0';
  while (after !== null) {
    const from: string = after;
    after = await services.database.transaction((queries) => addBatch(services, queries, from, limit), {
      isLong: true,
    });
  }
}

/** Returns the id to go on after, or null if nothing is left to do here. */
async function addBatch(
  { clock, config, settings }: Repeating,
  queries: Queries,
  after: string,
  limit: number,
): Promise<string | null> {
  const at = instantText(clock.now());
  const sprint = await store.lockBegunSprint(queries, at);
  if (!sprint) return null;
  const groups = await dueGroups(queries, sprint, config.companyTimeZone);
  const actor = { viewer: null, clock, requestId: 'repeating tasks', address: ownAddress.server };
  const workdays = workdaysOf(startOf(sprint), workCalendar({ config, settings }));
  const { added, last } =
    groups.length === 0
      ? { added: 0, last: null }
      : await store.insertDueTasks(queries, { groups, sprintId: sprint.id, workdays, at, after, limit }, actor);
  if (added > 0) {
    const entry = { action: 'tasksRepeated', subjectType: 'sprint', subjectId: sprint.id, after: { created: added } };
    await recordAudit(queries, actor, entry);
  }
  if (last !== null) return last;
  await store.markRepeated(queries, sprint.id, at);
  if (added > 0 || after !== '0') await publishGap(queries);
  return null;
}

/** How many tasks of this person a sprint will get when it starts. */
export async function repeatsToCome(
  { database, clock, config, settings }: Repeating,
  ownerId: string,
  startAt: string,
): Promise<number> {
  const to = startOf({ startAt });
  if (Temporal.Instant.compare(to.start, clock.now()) <= 0) return 0;
  const workdays = workdaysOf(to, workCalendar({ config, settings }));
  const own = await store.readOwnRepeats(database.drizzle, ownerId, workdays);
  return own.filter((task) => isRepeatDue(task.repeats, startOf(task), to, config.companyTimeZone)).length;
}

const startOf = ({ startAt }: { readonly startAt: string }) => ({ start: Temporal.Instant.from(startAt) });

async function dueGroups(queries: Queries, sprint: store.BegunSprint, zone: string): Promise<store.RepeatGroup[]> {
  const groups = await store.readRepeatGroups(queries);
  return groups.filter((group) => isRepeatDue(group.repeats, startOf(group), startOf(sprint), zone));
}
