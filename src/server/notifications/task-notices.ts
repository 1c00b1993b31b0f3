// Notifies a task's owner of a decision.
import type { SQL } from 'drizzle-orm';
import { decisionKey, noticeOfChange } from '#core/notifications/notices.ts';
import { displayName } from '#core/people/people.ts';
import type { TaskPlan } from '#core/tasks/task.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { TaskBefore } from '#server/tasks/task-hook.ts';
import { forgetNotices, insertNotices } from './write-notices.ts';

/** Returns the part of the statement that writes the notification, or removes that of an undone decision. */
export function decisionNotice(
  { viewer, mail }: RequestContext,
  { id, ownerId, title, version }: TaskBefore,
  at: Temporal.Instant,
  { event: { kind, change } }: Pick<TaskPlan, 'event'>,
): ((changed: SQL) => SQL) | undefined {
  if (kind === 'undone') return (changed) => forgetNotices(decisionKey(id, version), changed);
  const by = displayName(viewer);
  const told = noticeOfChange(kind, { taskId: id, title, by, version: version + 1, change });
  if (told === null) return;
  const { key, facts } = told;
  const people = [{ id: ownerId, facts }];
  return (changed) => insertNotices({ key, at, kind: facts.kind, people, mails: mail.configured }, changed);
}
