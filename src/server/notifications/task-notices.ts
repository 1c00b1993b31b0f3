// Notifies a task's owner of a decision, and of a task that someone else created.
import type { SQL } from 'drizzle-orm';
import { createdKey, decisionKey, noticeOfChange } from '#core/notifications/notices.ts';
import { displayName } from '#core/people/people.ts';
import type { TaskPlan } from '#core/tasks/task.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { NewTask, TaskBefore } from '#server/tasks/task-hook.ts';
import { writeNotices } from './notices.service.ts';
import { insertNotices, retractNotices } from './write-notices.ts';

/** The parts of the statement that write a decision's notification, or take it back after an undo. */
export function decisionNotices(
  { viewer, mail }: RequestContext,
  { id, ownerId, title, version }: TaskBefore,
  at: Temporal.Instant,
  {
    event: { kind, change, after },
    insteadOf,
    undoes,
  }: Pick<TaskPlan, 'event' | 'undoes'> & { readonly insteadOf: string | null },
): readonly ((changed: SQL) => SQL)[] {
  const by = insteadOf === null ? displayName(viewer) : `${displayName(viewer)} for ${insteadOf}`;
  if (undoes !== undefined) {
    const facts = {
      kind: 'decided',
      event: 'undone',
      taskId: id,
      title: after.title ?? title,
      by,
      change: null,
    } as const;
    return retractNotices(decisionKey(id, undoes), facts, at);
  }
  const told = noticeOfChange(kind, { taskId: id, title, by, version: version + 1, change, after });
  if (told === null) return [];
  const { key, facts } = told;
  const people = [{ id: ownerId, facts }];
  return [(changed) => insertNotices({ key, at, kind: facts.kind, people, mails: mail.configured }, changed)];
}

export async function notifyOwner(
  context: RequestContext,
  queries: Queries,
  { id: taskId, ownerId, title, now }: NewTask,
): Promise<void> {
  const { viewer, mail } = context;
  if (ownerId === viewer.id) return;
  const facts = { kind: 'assigned', taskId, title, by: displayName(viewer) } as const;
  const people = [{ id: ownerId, facts }];
  await writeNotices(
    context,
    queries,
    insertNotices({ key: createdKey(taskId), at: now, kind: 'assigned', people, mails: mail.configured }),
  );
}
