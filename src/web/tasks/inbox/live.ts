// The inbox while others work: what comes in appears, what others decide leaves with a word about who did it.
import { useQueryClient } from '@tanstack/react-query';
import { taskEvents } from '#core/tasks/task.ts';
import { statusRule } from '#core/tasks/task-status.ts';
import { useLive } from '#web/api/live.ts';
import { useViewer } from '#web/api/viewer.ts';
import { showToast } from '#web/ui/toasts.tsx';
import { shortened } from '../shared/mutations.ts';
import { dropTask, type FullTask, knownTask, mergeTask, readTask, rereadTasks } from '../shared/queries.ts';
import { isBeingDecided } from './decisions.ts';
import { inboxQuery } from './queries.ts';

const waits = ({ status, withdrawn }: { status: FullTask['status']; withdrawn: boolean }): boolean =>
  !withdrawn && statusRule(status).approve !== undefined;

export function useLiveInbox(): void {
  const client = useQueryClient();
  const viewer = useViewer();
  useLive(async (change) => {
    if (change === null) return rereadTasks(client);
    const known = knownTask(client, change.taskId);
    // An echo of what this page did itself.
    if (known && known.version >= change.version) return;
    // A read that fails is made good by the next one; nothing was asked of this person.
    const task = await readTask(change.taskId).catch(() => undefined);
    if (task === undefined) return;
    if (task === null) return dropTask(client, change.taskId);
    const waited = known !== null && waits(known);
    mergeTask(client, task);
    if (waited && !waits(task) && change.actorId !== viewer.id && !isBeingDecided(client, task.id)) sayWhoDid(task);
    const listed = client.getQueryData(inboxQuery.queryKey)?.some(({ id }) => id === task.id) ?? false;
    // Whether it is this person's to decide is the server's to say.
    if (waits(task) && !listed) await client.invalidateQueries({ queryKey: inboxQuery.queryKey });
  });
}

function sayWhoDid(task: FullTask): void {
  const last = task.history.toSorted((a, b) => b.version - a.version)[0];
  if (last) showToast({ message: `${last.actorName} ${taskEvents[last.event]} “${shortened(task.title)}”` });
}
