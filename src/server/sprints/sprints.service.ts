// The weeks: they exist by themselves, and the clock alone tells which one is current (D3, D4, D27, D37).
import { sql } from 'drizzle-orm';
import { isCategory, isScope } from '#core/brands.ts';
import { type Refusal, refuse } from '#core/refusals.ts';
import { type Span, sprintAfter, sprintAt, sprintBefore, sprintName } from '#core/sprint.ts';
import { completionPercentage, noTasks } from '#core/task-status.ts';
import type { RequestContext, Services } from '../context.ts';
import type { Database, Queries } from '../db/database.ts';
import { orThrow, RefusalError } from '../graphql/refusal-error.ts';
import { categoriesOf, countsFor, reachOf, textArray } from '../stats/stats-reach.ts';
import { instantText, type SprintWeek, spanOf, sprintWeek } from './sprint-week.ts';
import * as store from './sprints.store.ts';

export type ListedSprint = SprintWeek & {
  readonly taskIds: readonly string[];
  readonly completionPercentage: number | null;
};
export type SprintFilter = {
  readonly all?: boolean | undefined;
  readonly categoryFilters?: readonly string[] | undefined;
};

const isBefore = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) < 0;

/** A sprint has ended and another one is to come: previous, current and next are all there. */
function areComplete(rows: readonly store.SprintRow[], now: Temporal.Instant): boolean {
  const [previous, current, next] = rows.map(spanOf);
  return (
    previous !== undefined &&
    current !== undefined &&
    next !== undefined &&
    !isBefore(now, current.start) &&
    isBefore(now, current.end)
  );
}

/** The missing weeks, contiguous with those that exist: existing rows keep their instants, a new zone counts from the next one on (D4). */
function missingSpans(existing: readonly Span[], now: Temporal.Instant, zone: string): Span[] {
  const made: Span[] = [];
  let first = existing[0];
  let last = existing.at(-1);
  if (!first || !last) {
    first = last = sprintAt(now, zone);
    made.push(first);
  }
  while (isBefore(now, first.end)) made.unshift((first = sprintBefore(first, zone)));
  while (!isBefore(now, last.start)) made.push((last = sprintAfter(last, zone)));
  return made;
}

/** Makes previous, current and next where they are missing. Any number of servers may call it at once. */
export async function ensureSprints(database: Database, now: Temporal.Instant, zone: string): Promise<void> {
  const at = instantText(now);
  if (areComplete(await store.sprintsAround(database.drizzle, at), now)) return;
  await database.transaction(async (queries) => {
    await store.lockSprintMaking(queries);
    const existing = await existingSpans(queries, at);
    const made = missingSpans(existing, now, zone);
    if (made.length === 0) return;
    await store.insertSprints(
      queries,
      made.map((span) => ({
        name: sprintName(span, zone),
        startAt: instantText(span.start),
        endAt: instantText(span.end),
      })),
    );
  });
}

/** The span that `now` lies in or that ended last, those after it, and whether anything ended before. */
async function existingSpans(queries: Queries, at: string): Promise<Span[]> {
  const [around, from] = [await store.sprintsAround(queries, at), await store.sprintsFrom(queries, at)];
  const byId = new Map([...around, ...from].map((row) => [row.id, row]));
  return [...byId.values()].map(spanOf).sort((a, b) => Temporal.Instant.compare(a.start, b.start));
}

type Weeks = Pick<Services, 'database' | 'clock' | 'config' | 'settings'>;

/** Previous, current and next, in this order; made first when the clock has moved on since the last look. */
export async function sprintsAround(services: Weeks): Promise<SprintWeek[]> {
  const now = services.clock.now();
  let rows = await store.sprintsAround(services.database.drizzle, instantText(now));
  if (!areComplete(rows, now)) {
    await ensureSprints(services.database, now, services.config.companyTimeZone);
    rows = await store.sprintsAround(services.database.drizzle, instantText(now));
  }
  return rows.map((row) => sprintWeek(row, now, services.settings().settlingHours));
}

/** The sprint that the server's time lies in. */
export async function currentSprint(services: Weeks): Promise<SprintWeek> {
  const current = (await sprintsAround(services)).find(({ phase }) => phase === 'active');
  if (!current) throw new Error('no sprint lies at the present time');
  return current;
}

/** The sprint with this id, or the current one; an id that nobody knows is NOT_FOUND. */
export async function sprintOrCurrent(services: Weeks, id: string | undefined): Promise<SprintWeek> {
  if (id === undefined) return currentSprint(services);
  const row = await store.sprintById(services.database.drizzle, id);
  if (!row) throw new RefusalError(refuse('NOT_FOUND', 'There is no such sprint', { field: 'sprintId' }));
  return sprintWeek(row, services.clock.now(), services.settings().settlingHours);
}

/** The latest `count` sprints up to and with this one, in order of start. */
export async function sprintsUpTo(services: Weeks, id: string, count: number): Promise<SprintWeek[]> {
  const rows = await store.sprintsUpTo(services.database.drizzle, id, count);
  return rows.map((row) => sprintWeek(row, services.clock.now(), services.settings().settlingHours));
}

/** All sprints or the three around now, with the caller's own tasks or, filtered, those whose stats the caller may see (D37). */
export async function listSprints(context: RequestContext, filter: SprintFilter): Promise<ListedSprint[]> {
  const about = orThrow(tallyOf(context, filter.categoryFilters));
  const now = context.clock.now();
  // Makes the week that has just begun; the list itself is one statement.
  await ensureSprints(context.database, now, context.config.companyTimeZone);
  const which = filter.all ? sql`true` : store.aroundCondition(instantText(now));
  return tallied(context, which, about, filter.categoryFilters ? null : context.viewer.id);
}

/** These sprints with the caller's own tasks. */
export function listedSprints(context: RequestContext, ids: readonly string[]): Promise<ListedSprint[]> {
  return tallied(
    context,
    sql`s.id = any(${sql.param([...ids])}::bigint[])`,
    sql`x.owner_id = ${context.viewer.id}`,
    context.viewer.id,
  );
}

/** A settled sprint shows the result that was recorded, any other what its tasks are now. */
async function tallied(
  context: RequestContext,
  which: ReturnType<typeof sql>,
  about: store.TallyOf,
  recordedOf: string | null,
): Promise<ListedSprint[]> {
  const rows = await store.sprintsWithTallies(context.database.drizzle, which, about, recordedOf);
  const now = context.clock.now();
  return rows.map((row) => ({
    ...sprintWeek(row, now, context.settings().settlingHours),
    taskIds: row.taskIds,
    completionPercentage: completionPercentage({ ...noTasks, ...(row.recorded ?? row.counts) }),
  }));
}

function tallyOf({ viewer }: RequestContext, filters: readonly string[] | undefined): store.TallyOf | Refusal {
  if (filters === undefined) return sql`x.owner_id = ${viewer.id}`;
  const unknown = filters.find((filter) => !isCategory(filter) && !isScope(filter));
  if (unknown !== undefined)
    return refuse('BAD_INPUT', `categoryFilters knows no category or scope "${unknown}"`, { field: 'categoryFilters' });
  const scopes = filters.filter(isScope);
  const categories = [...filters.filter(isCategory), ...categoriesOf(scopes)];
  return sql`${countsFor(reachOf(viewer))} and (x.category = any(${textArray(categories)}) or p.team = any(${textArray(scopes)}))`;
}
