// The approvals' order: by tab, overdue first, oldest first, and optionally by person.
import type { TaskStatus } from '#core/tasks/task-status.ts';
import type { ApprovalsTab } from '#core/tasks/tasks-search.ts';
import type { BoardTask, Sprint } from '../shared/queries.ts';

/** The two tabs of waiting tasks, with their statuses. */
export const waitingTabs = {
  approve: { title: 'To approve', status: 'INAPPROVAL' },
  'sign-off': { title: 'To sign off', status: 'INREVIEW' },
} as const satisfies Record<WaitingTab, { title: string; status: TaskStatus }>;

export type WaitingTab = Exclude<ApprovalsTab, 'done'>;
export const waitingTabKeys = Object.keys(waitingTabs) as WaitingTab[];

/** A task of a started sprint that waited longer than this, or past its sprint's end, is overdue. */
export const overdueHours = 48;

export function isOverdue(task: BoardTask, sprints: readonly Sprint[], now: number): boolean {
  const sprint = sprints.find(({ id }) => id === task.sprintId);
  const since = Date.parse(task.statusSince);
  const end = sprint ? Date.parse(sprint.endDate) : Number.POSITIVE_INFINITY;
  if (sprint && now < Date.parse(sprint.startDate)) return false;
  return (since < end && end <= now) || now - since > overdueHours * 60 * 60_000;
}

export type Waiting = { readonly task: BoardTask; readonly overdue: boolean };

export function waitingIn(
  tab: WaitingTab,
  tasks: readonly BoardTask[],
  sprints: readonly Sprint[],
  now: number,
): Waiting[] {
  return tasks
    .filter(({ status, withdrawn }) => status === waitingTabs[tab].status && !withdrawn)
    .map((task) => ({ task, overdue: isOverdue(task, sprints, now) }))
    .toSorted(
      (a, b) =>
        Number(b.overdue) - Number(a.overdue) || Date.parse(a.task.statusSince) - Date.parse(b.task.statusSince),
    );
}

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
