// The decision call: one for all tasks, with a result for each, including the refused ones.
import { limits } from '#core/base/limits.ts';
import type { RefusalCode } from '#core/base/refusals.ts';
import type { Decision } from '#core/tasks/task-status.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { fieldChangesOf } from '../shared/past.ts';
import { type BoardTask, type FullTask, fullTaskFields, readTask } from '../shared/queries.ts';

const decideDocument = graphql(
  `
    mutation DecideTasks($decisions: [TaskDecision!]!) {
      decideTasks(decisions: $decisions) {
        taskId
        ok
        code
        message
        task { ...FullTask }
      }
    }
  `,
  [fullTaskFields],
);

/** `task` is the current task, decided or not; null if the viewer can't see it. */
export type DecisionResult = ResultOf<typeof decideDocument>['decideTasks'][number];

export type DecisionsCall = {
  readonly tasks: readonly BoardTask[];
  readonly decision: Decision;
  readonly change?: string | undefined;
};

/** Each task with the version the person saw: deciding an outdated text is refused (D25). */
export async function decideTasks(call: DecisionsCall): Promise<readonly DecisionResult[]> {
  const results = await Promise.all((await send(call)).map(withTaskNow));
  const versions = new Map(call.tasks.map(({ id, version }) => [id, version]));
  const again = results.flatMap(({ ok, code, taskId, task }) =>
    !ok && code === conflict && task && isSameWork(task, versions.get(taskId) ?? 0) ? [task] : [],
  );
  if (again.length === 0) return results;
  const second = new Map((await send({ ...call, tasks: again })).map((result) => [result.taskId, result]));
  return Promise.all(results.map((result) => withTaskNow(second.get(result.taskId) ?? result)));
}

const conflict: RefusalCode = 'CONFLICT';

async function send({ tasks, decision, change }: DecisionsCall): Promise<DecisionResult[]> {
  const results: DecisionResult[] = [];
  for (let first = 0; first < tasks.length; first += limits.decisions) {
    const decisions = tasks
      .slice(first, first + limits.decisions)
      .map(({ id, version }) => ({ taskId: id, decision, version, ...(change === undefined ? {} : { change }) }));
    results.push(...(await request(decideDocument, { decisions })).decideTasks);
  }
  return results;
}

async function withTaskNow(result: DecisionResult): Promise<DecisionResult> {
  return result.ok || result.task ? result : { ...result, task: await readTask(result.taskId) };
}

/** Only notes and files have changed: the decision is about what the person saw. */
function isSameWork(task: FullTask, version: number): boolean {
  return task.history
    .filter((entry) => entry.version > version)
    .every((entry) => entry.event !== 'withdrawn' && entry.from === entry.to && fieldChangesOf(entry).length === 0);
}
