// The demo company's weeks, with commitments and results (D39).
import { type Span, settledAt, sprintAfter, sprintAt, sprintBefore, sprintName } from '#core/tasks/sprint.ts';
import { noTasks, statusRule, type TaskStatus } from '#core/tasks/task-status.ts';
import type { RowOf } from '#server/platform/db/insert-rows.ts';
import type { sprintResults, sprints } from '#server/tasks/sprints/sprint-tables.ts';
import type { TaskStory } from './task-story.ts';

export const pastSprints = 26;

export type SprintRow = RowOf<typeof sprints> & { id: string };
export type ResultRow = RowOf<typeof sprintResults>;

/** The past sprints, the current and the next one, in order. */
export function demoSpans(now: Temporal.Instant, zone: string): Span[] {
  const current = sprintAt(now, zone);
  const spans = [current, sprintAfter(current, zone)];
  while (spans.length < pastSprints + 2) spans.unshift(sprintBefore(spans[0]!, zone));
  return spans;
}

const iso = (instant: Temporal.Instant) => instant.toString({ fractionalSecondDigits: 3 });

export function sprintRows(
  spans: readonly Span[],
  now: Temporal.Instant,
  zone: string,
  settlingHours: number,
): SprintRow[] {
  const orNull = (instant: Temporal.Instant) => (Temporal.Instant.compare(instant, now) <= 0 ? iso(instant) : null);
  return spans.map((span, index) => ({
    id: String(index + 1),
    name: sprintName(span, zone),
    startAt: iso(span.start),
    endAt: iso(span.end),
    commitmentAt: orNull(span.start),
    resultAt: orNull(settledAt(span, settlingHours)),
  }));
}

type Standing = { readonly sprintId: string; readonly status: TaskStatus; readonly withdrawn: boolean };

/** A task's state at an instant, by its history; null before it was created. */
function standingAt({ row, history }: TaskStory, at: string): Standing | null {
  const index = history.findLastIndex((event) => event.at <= at);
  const last = history[index];
  if (!last) return null;
  // A carry-over entry belongs to the old sprint; the next entry has the new one.
  const sprintId = last.event === 'carriedOver' ? (history[index + 1]?.sprintId ?? row.sprintId) : last.sprintId;
  return { sprintId, status: last.to, withdrawn: last.event === 'withdrawn' };
}

/** Everyone's results in the started sprints, computed like the server does. */
export function resultRows(sprintList: readonly SprintRow[], stories: readonly TaskStory[]): ResultRow[] {
  const results = new Map<string, { row: ResultRow; counts: Record<TaskStatus, number> }>();
  const sprintOf = new Map(sprintList.map((sprint) => [sprint.id, sprint]));
  const resultOf = (sprint: SprintRow, personId: string) => {
    const key = `${sprint.id} ${personId}`;
    const counts = { ...noTasks };
    const settled = sprint.resultAt !== null;
    const fresh = {
      row: {
        sprintId: sprint.id,
        personId,
        committed: 0,
        counts: settled ? counts : null,
        carriedOut: settled ? 0 : null,
      },
      counts,
    };
    return results.get(key) ?? results.set(key, fresh).get(key)!;
  };
  for (const story of stories) {
    for (const sprintId of new Set(story.history.map((event) => event.sprintId).concat(story.row.sprintId))) {
      const sprint = sprintOf.get(sprintId)!;
      if (sprint.commitmentAt !== null) count(story, sprint, resultOf(sprint, story.owner.id));
    }
  }
  return [...results.values()].map(({ row }) => row);
}

function count(
  story: TaskStory,
  sprint: SprintRow,
  { row, counts }: { row: ResultRow; counts: Record<TaskStatus, number> },
): void {
  const start = standingAt(story, sprint.startAt!);
  if (start?.sprintId === sprint.id && !start.withdrawn && statusRule(start.status).approved) row.committed! += 1;
  if (sprint.resultAt == null) return;
  const carried = story.history.find(
    (event) => event.event === 'carriedOver' && event.sprintId === sprint.id && event.at <= sprint.resultAt!,
  );
  const end = standingAt(story, sprint.resultAt);
  if (carried) {
    // Left by carry-over, and counts there as not completed.
    row.carriedOut! += 1;
    counts[carried.to] += 1;
  } else if (end?.sprintId === sprint.id && !end.withdrawn) counts[end.status] += 1;
}
