// What changed a settled sprint's tasks after its result was recorded (D39).
import { sql } from 'drizzle-orm';
import { decisionEvents } from '#core/tasks/task.ts';
import { literals } from '#server/platform/db/literals.ts';

const decisions = literals(decisionEvents);

/**
 * A condition on `h` (task_history). A correction that was undone is none, nor is its undo. The undo of a
 * decision that the result counts is one.
 */
export const isCorrection = sql`(h.correction and h.from_status <> h.to_status and case h.event
  when 'undone' then not (select u.correction from task_history u
    where u.task_id = h.task_id and u.id < h.id and u.event in (${decisions}) order by u.id desc limit 1)
  else (select u.event from task_history u
    where u.task_id = h.task_id and u.id > h.id and u.event in (${decisions}, 'undone') order by u.id limit 1)
    is distinct from 'undone' end)`;
