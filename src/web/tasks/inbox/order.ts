// The approvals' order: by tab, overdue first, later sprints last, oldest first, and optionally by person.
import type { Viewer } from '#core/access/access.ts';
import { isOverdue, type SprintPhase } from '#core/tasks/sprint.ts';
import { isApprovedLate } from '#core/tasks/task.ts';
import type { TaskStatus } from '#core/tasks/task-status.ts';
import { type ApprovalsTab, approvalsTabs } from '#core/tasks/tasks-search.ts';
import type { BoardTask, Sprint } from '../shared/queries.ts';
import { handedToViewer } from '../shared/rules.ts';

/** The two tabs of waiting tasks, with their statuses. */
export const waitingTabs = {
  approve: { title: approvalsTabs.approve, status: 'INAPPROVAL' },
  'sign-off': { title: approvalsTabs['sign-off'], status: 'INREVIEW' },
} as const satisfies Record<WaitingTab, { title: string; status: TaskStatus }>;

export type WaitingTab = Exclude<ApprovalsTab, 'done'>;
export const waitingTabKeys = Object.keys(waitingTabs) as WaitingTab[];

/** `later`: its sprint hasn't started, so its decision can wait until then. */
export type Waiting = { readonly task: BoardTask; readonly overdue: boolean; readonly later: boolean };

export function waitingIn(
  tab: WaitingTab,
  tasks: readonly BoardTask[],
  sprints: readonly Sprint[],
  now: number,
): Waiting[] {
  const { from, fromEpochMilliseconds } = Temporal.Instant;
  const at = fromEpochMilliseconds(now);
  const spans = new Map(
    sprints.map(({ id, startDate, endDate }) => [id, { start: from(startDate), end: from(endDate) }]),
  );
  return tasks
    .filter(({ status, withdrawn }) => status === waitingTabs[tab].status && !withdrawn)
    .map((task) => {
      const span = spans.get(task.sprintId);
      const later = span !== undefined && Temporal.Instant.compare(at, span.start) < 0;
      return { task, overdue: span !== undefined && isOverdue(from(task.statusSince), span, at), later };
    })
    .toSorted(
      (a, b) =>
        Number(b.overdue) - Number(a.overdue) ||
        Number(a.later) - Number(b.later) ||
        Date.parse(a.task.statusSince) - Date.parse(b.task.statusSince),
    );
}

/** The viewer's own first, then what was handed over to them. */
export function splitHandedOver(items: readonly Waiting[], viewer: Viewer): { own: Waiting[]; handedOver: Waiting[] } {
  const { own = [], handedOver = [] } = Object.groupBy(items, ({ task }) =>
    handedToViewer(viewer, task) ? 'handedOver' : 'own',
  );
  return { own, handedOver };
}

/** The task's sprint if an approval comes after it. */
export function sprintOver({ status, sprintId }: BoardTask, sprints: readonly Sprint[]): Sprint | null {
  const sprint = sprints.find(({ id }) => id === sprintId);
  return sprint && isApprovedLate({ status, phase: sprint.phase as SprintPhase }) ? sprint : null;
}

/** How many wait, and of them how many too long or for a later sprint. */
export type Counts = { readonly waiting: number; readonly overdue: number; readonly later: number };

export const countsOf = (items: readonly Waiting[]): Counts => ({
  waiting: items.length,
  overdue: items.filter(({ overdue }) => overdue).length,
  later: items.filter(({ later }) => later).length,
});

export const withoutCounts = (all: Counts, left: Counts): Counts => ({
  waiting: Math.max(0, all.waiting - left.waiting),
  overdue: Math.max(0, all.overdue - left.overdue),
  later: Math.max(0, all.later - left.later),
});

export type PersonGroup = { readonly id: string; readonly name: string; readonly items: readonly Waiting[] };

/** The person who has waited longest comes first. */
export function byPerson(items: readonly Waiting[]): PersonGroup[] {
  return [...Map.groupBy(items, ({ task }) => task.userId)].map(([id, own]) => ({
    id,
    name: own[0]!.task.owner.displayName,
    items: own,
  }));
}

/**
 * The next selection when a task leaves the queue: the one that moves into its place, else the previous one.
 */
export function nextAfter(
  items: readonly Waiting[],
  leaving: ReadonlySet<string>,
  current: string | null,
): string | null {
  const at = items.findIndex(({ task }) => task.id === current);
  const stays = ({ task }: Waiting) => !leaving.has(task.id);
  return (items.slice(at + 1).find(stays) ?? items.slice(0, Math.max(0, at)).findLast(stays))?.task.id ?? null;
}
