// The decision call: one for all tasks, with a result for each, including the refused ones.
import { limits } from '#core/base/limits.ts';
import type { RefusalCode } from '#core/base/refusals.ts';
import type { Work } from '#core/tasks/task.ts';
import { type Decision, decisionBetween } from '#core/tasks/task-status.ts';
import { isUnanswered } from '#web/api/api-error.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { isSameWork } from '../shared/past.ts';
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
  /** The approver's changes to the task, which is then the only one. */
  readonly edit?: Partial<Work> | undefined;
};

/** Each task with the version the person saw: deciding an outdated text is refused (D25). */
export async function decideTasks(call: DecisionsCall, viewerId: string): Promise<readonly DecisionResult[]> {
  const versions = new Map(call.tasks.map(({ id, version }) => [id, version]));
  const resultOf = async (result: DecisionResult) => {
    const { taskId, ok, task } = await withTaskNow(result);
    const isOwn = task !== null && isDecidedBy(viewerId, task, versions.get(taskId) ?? 0, call.decision);
    return { ...result, task, ok: ok || isOwn };
  };
  const results = await Promise.all((await send(call, viewerId)).map(resultOf));
  const again = results.flatMap(({ ok, code, taskId, task }) =>
    !ok && code === conflict && task && isSameWork(task, versions.get(taskId) ?? 0, viewerId) ? [task] : [],
  );
  if (again.length === 0) return results;
  const second = new Map((await send({ ...call, tasks: again }, viewerId)).map((result) => [result.taskId, result]));
  return Promise.all(results.map((result) => withTaskNow(second.get(result.taskId) ?? result)));
}

const conflict: RefusalCode = 'CONFLICT';

async function send(call: DecisionsCall, viewerId: string): Promise<DecisionResult[]> {
  const { tasks, decision, change, edit } = call;
  const results: DecisionResult[] = [];
  for (let first = 0; first < tasks.length; first += limits.decisions) {
    const decisions = tasks.slice(first, first + limits.decisions).map(({ id, version }) => ({
      taskId: id,
      decision,
      version,
      ...edit,
      ...(change === undefined ? {} : { change }),
    }));
    try {
      results.push(...(await request(decideDocument, { decisions }, { isLong: true })).decideTasks);
    } catch (error) {
      const sent = tasks.slice(first, first + limits.decisions);
      if (isUnanswered(error)) results.push(...(await readDecided({ ...call, tasks: sent }, viewerId).catch(() => [])));
      if (!results.some(({ ok }) => ok)) throw error;
      return [...results, ...tasks.slice(results.length).map(({ id }) => notDecided(id, null))];
    }
  }
  return results;
}

export const notDecidedWords = 'Not saved';

/** What the message about a call that failed is about. */
export const aboutDecision = ({ tasks }: Pick<DecisionsCall, 'tasks'>): string =>
  `decision:${tasks.map(({ id }) => id).join()}`;

const notDecided = (taskId: string, task: FullTask | null): DecisionResult => ({
  ...{ taskId, task, ok: false, code: null, message: notDecidedWords },
});

/** What became of decisions whose answer was lost. */
export async function readDecided(call: DecisionsCall, viewerId: string): Promise<DecisionResult[]> {
  return Promise.all(
    call.tasks.map(async ({ id, version, status }) => {
      const task = await readTask(id);
      if (task && isDecidedBy(viewerId, task, version, call.decision))
        return { taskId: id, ok: true, code: null, message: null, task };
      if (task?.status === status && !task.withdrawn) return notDecided(id, task);
      return { ...notDecided(id, task), code: task ? conflict : ('NOT_FOUND' satisfies RefusalCode) };
    }),
  );
}

/** Whether this decision is the last thing that happened to the task's status after that version. */
function isDecidedBy(viewerId: string, task: FullTask, version: number, decision: Decision): boolean {
  const [last] = task.history
    .filter((entry) => entry.version > version && entry.from !== entry.to)
    .toSorted((a, b) => b.version - a.version);
  return last?.actorId === viewerId && last.from !== null && decisionBetween(last.from, last.to) === decision;
}

async function withTaskNow(result: DecisionResult): Promise<DecisionResult> {
  return result.ok || result.task ? result : { ...result, task: await readTask(result.taskId) };
}
