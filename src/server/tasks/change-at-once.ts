// The short way of a change that is almost always open: the task is read without being held, the core is asked, and one statement
// writes the plan, its history, audit row, notice and message. It does nothing where the task or its sprint is not as it was
// read, or is held by somebody: then the change goes the long way, which waits (change-task.ts). So do refusals, to be
// given of the task as it is when it is held.
import { isRefusal, type Refusal } from '#core/base/refusals.ts';
import { changesFullRefusal, isLongChange, type NothingToDo, type TaskPlan } from '#core/tasks/task.ts';
import { auditBeside } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { isContended } from '#server/platform/db/database-failures.ts';
import { subjectOf, type TaskSubject, toldOf, wordsOf, workOf } from './change-task.ts';
import { type ReadTask, readTaskToChange, writeChangeAtOnce } from './changes-at-once.store.ts';
import { SprintsBehind } from './sprints/keep-sprints.ts';
import type { TaskPart } from './task-columns.ts';
import { taskHook } from './task-hook.ts';
import { type TaskView, taskView } from './task-view.ts';

type Plan = (subject: TaskSubject) => TaskPlan | NothingToDo | Refusal;

/** Null: this way is not open. */
async function tryAtOnce(
  context: RequestContext,
  taskId: string,
  plan: Plan,
  parts: readonly TaskPart[],
): Promise<TaskView | null> {
  const { reads, drizzle } = context.database;
  const [row] = await context.budget.read((allowance) => readTaskToChange(reads, taskId, parts, allowance));
  if (!row) return null;
  const subject = subjectOf(context, row);
  const answer = plan(subject);
  if (isRefusal(answer)) return null;
  if (answer.kind === 'unchanged') return taskView(context, row);
  // The long way asks whether the history has room.
  if (isLongChange(answer) || changesFullRefusal(subject.task, answer.event.kind)) return null;
  const { write, history } = workOf(context, row, subject, answer);
  const { audit, message } = wordsOf(context, toldOf(row, answer));
  const wrote = await writeChangeAtOnce(drizzle, row, write, history, {
    notice: taskHook.handlers().taskChanged(context, row, subject.now, answer),
    audit: (changed) => auditBeside(context, audit, changed),
    notify: context.live.notification('taskChanged', message),
  });
  return wrote ? taskView(context, changedRow(row, answer, write.statusAt)) : null;
}

/** The row as the statement has left it. */
function changedRow(row: ReadTask, { changes }: TaskPlan, statusAt: string): ReadTask {
  const { title, summary, category, change, status, reason } = { ...row, ...changes };
  return { ...row, title, summary, category, change, status, reason, statusAt, version: row.version + 1 };
}

/** For plans that ask nothing of the database and leave the task in its sprint. The answer has the parts that are asked for. */
export async function changeTaskAtOnce(
  context: RequestContext,
  taskId: string,
  plan: Plan,
  parts: readonly TaskPart[],
): Promise<TaskView | null> {
  try {
    return await tryAtOnce(context, taskId, plan, parts);
  } catch (error) {
    if (error instanceof SprintsBehind || isContended(error)) return null;
    throw error;
  }
}
