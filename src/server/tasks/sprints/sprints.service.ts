// The weeks: created automatically, and the clock decides which one is current (D3, D4, D27, D37).
import { sql } from 'drizzle-orm';
import { isCategory, isScope } from '#core/access/brands.ts';
import { refuse } from '#core/base/refusals.ts';
import type { WorkCalendar } from '#core/base/working-hours.ts';
import {
  boundaryFor,
  halfWeek,
  type Span,
  sprintAfter,
  sprintAt,
  sprintBefore,
  sprintName,
} from '#core/tasks/sprint.ts';
import { completionPercentage, noTasks, type StatusCounts } from '#core/tasks/task-status.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { inPersonTurn } from '#server/platform/graphql/person-turns.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { publishGap } from '#server/platform/live/live.service.ts';
import { once } from '#server/platform/once.ts';
import { workCalendar } from '#server/platform/settings/settings.service.ts';
import { categoriesOf, countsFor, reachOf, textArray } from '../stats/stats-reach.ts';
import { type SprintWeek, spanOf, sprintWeek } from './sprint-week.ts';
import * as store from './sprints.store.ts';

/** What its tasks come to is read for all listed sprints together, once something asks for it. */
export type ListedSprint = SprintWeek & {
  readonly taskIds: () => Promise<readonly string[]>;
  readonly completionPercentage: () => Promise<number | null>;
};
export type SprintFilter = {
  readonly all?: boolean | undefined;
  readonly categoryFilters?: readonly string[] | undefined;
};

const isBefore = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) < 0;

/**
 * The missing spans of previous, current and next (D27). Existing ones keep their instants; a new one starts
 * where the previous one ends, whatever its zone (D4). `existing`, in order of start, has at least the latest
 * started, the latest ended and the future ones.
 */
function missingSpans(existing: readonly Span[], now: Temporal.Instant, zone: string): Span[] {
  const made: Span[] = [];
  const make = (span: Span): Span => {
    made.push(span);
    return span;
  };
  const [first] = existing;
  let current = existing.findLast(({ start }) => !isBefore(now, start));
  current ??= make(first ? sprintBefore(first, zone) : sprintAt(now, zone));
  while (isBefore(now, current.start)) current = make(sprintBefore(current, zone));
  while (!isBefore(now, current.end)) current = make(sprintAfter(current, zone));
  const { start, end } = current;
  const all = [...existing, ...made];
  // An imported week need not end at a boundary.
  if (!all.some((span) => isBefore(start.subtract(halfWeek), span.end) && !isBefore(now, span.end)))
    make(sprintBefore(current, zone));
  if (!all.some((span) => !isBefore(span.start, end))) make(sprintAfter(current, zone));
  return made.sort((a, b) => Temporal.Instant.compare(a.start, b.start));
}

/** The boundaries to come that holidays move, or that move back because a holiday was removed. */
function moves(rows: readonly store.SprintRow[], now: Temporal.Instant, calendar: WorkCalendar): store.Move[] {
  return rows.flatMap(({ endAt }) => {
    const end = Temporal.Instant.from(endAt);
    const moved = boundaryFor(end, calendar);
    if (moved.equals(end) || !isBefore(now, end) || !isBefore(now, moved)) return [];
    return [{ from: endAt, to: instantText(moved) }];
  });
}

/**
 * Creates missing previous, current and next sprints, and moves boundaries to come past the calendar's
 * holidays. Several servers can call it at once.
 */
export async function ensureSprints(database: Database, now: Temporal.Instant, calendar: WorkCalendar): Promise<void> {
  const { zone } = calendar;
  const known = await spansNow(database.drizzle, now);
  if (missingAmong(known, now, zone).length === 0 && moves(known, now, calendar).length === 0) return;
  await database.transaction(async (queries) => {
    await store.lockSprintMaking(queries);
    // Another server may have created them.
    const made = missingAmong(await spansNow(queries, now), now, zone);
    if (made.length > 0)
      await store.insertSprints(
        queries,
        made.map((span) => newSprint(span, zone)),
      );
    const due = moves(await spansNow(queries, now), now, calendar);
    for (const move of due) await store.moveBoundary(queries, move);
    if (due.length > 0) await publishGap(queries);
  });
}

/** The calendar that sprints follow: without holidays unless the setting says so. */
export function sprintCalendar(services: Pick<Weeks, 'config' | 'settings'>): WorkCalendar {
  const calendar = workCalendar(services);
  return services.settings().holidayClose ? calendar : { ...calendar, holidays: [] };
}

const spansNow = (queries: Queries, now: Temporal.Instant): Promise<store.SprintRow[]> =>
  store.sprintsNow(queries, instantText(now));
const missingAmong = (rows: readonly store.SprintRow[], now: Temporal.Instant, zone: string): Span[] =>
  missingSpans(rows.map(spanOf), now, zone);
const newSprint = (span: Span, zone: string): store.NewSprint => ({
  name: sprintName(span, zone),
  startAt: instantText(span.start),
  endAt: instantText(span.end),
});

type Weeks = Pick<Services, 'database' | 'clock' | 'config' | 'settings'>;

/** The result of `read`, repeated after creating weeks that the clock has reached since. */
async function upToDate<Row extends store.SprintRow>(
  services: Weeks,
  read: (now: string) => Promise<Row[]>,
): Promise<Row[]> {
  const { database, clock } = services;
  const now = clock.now();
  const calendar = sprintCalendar(services);
  const rows = await read(instantText(now));
  if (missingAmong(rows, now, calendar.zone).length === 0) return rows;
  await ensureSprints(database, now, calendar);
  return read(instantText(now));
}

/** The sprint at the server's time. */
export async function currentSprint(services: Weeks): Promise<SprintWeek> {
  const rows = await upToDate(services, (now) => store.sprintsNow(services.database.drizzle, now));
  const now = services.clock.now();
  const current = rows
    .map((row) => sprintWeek(row, now, services.settings().settlingHours))
    .find(({ phase }) => phase === 'active');
  if (!current) throw new Error('there is no current sprint');
  return current;
}

/** The sprint with this id, or the current one; NOT_FOUND for an unknown id. */
export async function sprintOrCurrent(services: Weeks, id: string | undefined): Promise<SprintWeek> {
  if (id === undefined) return currentSprint(services);
  const row = await store.sprintById(services.database.drizzle, id);
  if (!row) throw new RefusalError(refuse('NOT_FOUND', 'Sprint not found', { field: 'sprintId' }));
  return sprintWeek(row, services.clock.now(), services.settings().settlingHours);
}

/** The latest sprint with a recorded result. */
export async function lastSettledSprint({ database, clock, settings }: Weeks): Promise<SprintWeek | null> {
  const row = await store.lastRecordedSprint(database.drizzle);
  return row && sprintWeek(row, clock.now(), settings().settlingHours);
}

/** The latest `count` sprints up to this one, in order of start. */
export async function sprintsUpTo(services: Weeks, id: string, count: number): Promise<SprintWeek[]> {
  const rows = await store.sprintsUpTo(services.database.drizzle, id, count);
  return rows.map((row) => sprintWeek(row, services.clock.now(), services.settings().settlingHours));
}

/**
 * All sprints or the three around now, with the caller's own tasks or, filtered, those whose stats they can
 * see (D37).
 */
export async function listSprints(context: RequestContext, filter: SprintFilter): Promise<ListedSprint[]> {
  const { database, clock, settings } = context;
  const { all, categoryFilters } = filter;
  const tallies = categoryFilters ? filteredTallies(context, categoryFilters) : ownTallies(context);
  const rows = await upToDate(context, (now) =>
    all ? store.allSprints(database.drizzle) : store.sprintsAround(database.drizzle, now),
  );
  const weeks = rows.map((row) => sprintWeek(row, clock.now(), settings().settlingHours));
  return listed(weeks, tallies);
}

/** The sprint with the caller's own tasks. */
export function listedSprint(context: RequestContext, week: SprintWeek): ListedSprint {
  return listed([week], ownTallies(context))[0]!;
}

type Tallies = {
  taskIds(sprintIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  counts(sprintIds: readonly string[]): Promise<ReadonlyMap<string, StatusCounts>>;
};

function listed(weeks: readonly SprintWeek[], tallies: Tallies): ListedSprint[] {
  const ids = weeks.map(({ id }) => id);
  const taskIds = once(() => tallies.taskIds(ids));
  const counts = once(() => tallies.counts(ids));
  return weeks.map((week) => ({
    ...week,
    taskIds: async () => (await taskIds()).get(week.id) ?? [],
    completionPercentage: async () => completionPercentage({ ...noTasks, ...(await counts()).get(week.id) }),
  }));
}

/** A settled sprint shows its recorded result, any other its current tasks. */
function ownTallies(context: RequestContext): Tallies {
  const { drizzle } = context.database;
  const { id } = context.viewer;
  return {
    taskIds: (ids) => inPersonTurn(context, 'light', () => store.ownTaskIds(drizzle, ids, id)),
    counts: (ids) => inPersonTurn(context, 'light', () => store.ownCounts(drizzle, ids, id)),
  };
}

/** Everyone's tasks in these categories and scopes, or in all of them if none was chosen. */
function filteredTallies(context: RequestContext, filters: readonly string[]): Tallies {
  const unknown = filters.find((filter) => !isCategory(filter) && !isScope(filter));
  if (unknown !== undefined)
    throw new RefusalError(
      refuse('BAD_INPUT', `categoryFilters knows no category or scope "${unknown}"`, { field: 'categoryFilters' }),
    );
  const scopes = filters.filter(isScope);
  const categories = [...filters.filter(isCategory), ...categoriesOf(scopes)];
  const chosen =
    filters.length === 0
      ? sql`true`
      : sql`(x.category = any(${textArray(categories)}) or p.team = any(${textArray(scopes)}))`;
  const about = sql`${countsFor(reachOf(context.viewer))} and ${chosen}`;
  const { drizzle } = context.database;
  return {
    taskIds: (ids) => inPersonTurn(context, 'heavy', () => store.taskIds(drizzle, ids, about)),
    counts: (ids) => inPersonTurn(context, 'heavy', () => store.counts(drizzle, ids, about)),
  };
}
