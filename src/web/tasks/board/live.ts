// Changes made by others, shown without a reload: the one task is read again and merged, and marked for a moment.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLive } from '#web/api/live.ts';
import { dropTask, knownTask, mergeTask, readTask, rereadTasks, showsBoardOf } from '../shared/queries.ts';

/** How long a task that somebody else changed stays marked. */
const markedMs = 2_500;

/** Keeps the tasks on this page true. Returns the ids of those that others changed just now. */
export function useTaskChanges(): ReadonlySet<string> {
  const client = useQueryClient();
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const timers = useRef(new Set<number>());
  useEffect(() => () => timers.current.forEach(clearTimeout), []);

  const mark = (taskId: string) => {
    setMarked((now) => new Set(now).add(taskId));
    const timer = window.setTimeout(() => {
      timers.current.delete(timer);
      setMarked((now) => new Set([...now].filter((id) => id !== taskId)));
    }, markedMs);
    timers.current.add(timer);
  };

  useLive(async (change) => {
    if (change === null) return rereadTasks(client);
    const known = knownTask(client, change.taskId);
    // An echo of what this page did itself.
    if (known && known.version >= change.version) return;
    if (!known && !showsBoardOf(client, change.userId, change.sprintId)) return;
    // A read that fails here is made good by the next one; nothing was asked of this person.
    const task = await readTask(change.taskId).catch(() => undefined);
    if (task === undefined) return;
    if (task === null) return dropTask(client, change.taskId);
    mergeTask(client, task);
    mark(task.id);
  });
  return marked;
}
