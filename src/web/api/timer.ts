// The running timer, shared by the task panel and the time tracker. A person has one, on the server's clock.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { showToast } from '#web/ui/toasts.tsx';
import { graphql, type ResultOf } from './graphql.ts';
import { useMutation } from './mutation.ts';
import { questionMs, request } from './request.ts';

const timerDocument = graphql(`
  query MyTimer {
    myTimer {
      id
      taskId
      title
      start
      end
      forgotten
    }
  }
`);

const startDocument = graphql(`
  mutation StartTimer($taskId: ID!) {
    startTimer(taskId: $taskId) {
      id
      taskId
      title
      start
      end
      forgotten
    }
  }
`);

const stopDocument = graphql(`
  mutation StopTimer($at: String) {
    stopTimer(at: $at) {
      id
      title
    }
  }
`);

export type Timer = NonNullable<ResultOf<typeof timerDocument>['myTimer']>;

/** Every query of the time tracker starts with this key. */
export const timeKey = ['time'] as const;

export const timerQuery = queryOptions({
  queryKey: [...timeKey, 'timer'],
  queryFn: async ({ signal }) => (await request(timerDocument, {}, { signal })).myTimer,
  // Another tab or device may have started or stopped it.
  refetchOnWindowFocus: 'always',
});

/** Between the tabs of one browser. Other devices read it again when their page gets the focus. */
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('timer');

/** Reads the timer and its entries again when another tab started or stopped it. */
export function useOtherTabsTimer(): void {
  const client = useQueryClient();
  useEffect(() => {
    const readAgain = () => void client.invalidateQueries({ queryKey: timeKey });
    channel?.addEventListener('message', readAgain);
    return () => channel?.removeEventListener('message', readAgain);
  }, [client]);
}

/** Shows the changed timer, here and in other tabs, which don't wait for what is read again here. */
function useTimerChanged() {
  const client = useQueryClient();
  const readAgain = () => {
    channel?.postMessage(null);
    return client.invalidateQueries({ queryKey: timeKey });
  };
  return {
    changed: (timer: Timer | null) => {
      client.setQueryData(timerQuery.queryKey, timer);
      return readAgain();
    },
    /** The change may have been made, and only its answer lost. */
    failed: () => void readAgain(),
  };
}

export function useStartTimer() {
  const { changed, failed } = useTimerChanged();
  return useMutation({
    mutationFn: async (taskId: string) => {
      // Another tab may have started one that this page doesn't show.
      const { myTimer: before } = await request(timerDocument, {}, { answerMs: questionMs });
      return { ...(await request(startDocument, { taskId })), before };
    },
    meta: { what: 'Starting the timer', retryable: true },
    onSuccess: ({ startTimer, before }) => {
      if (before && before.id !== startTimer.id) showToast({ message: `Timer for “${before.title}” stopped` });
      return changed(startTimer);
    },
    // Another one ran overnight: the next press asks for its end.
    onError: failed,
  });
}

/** `id`: of the timer to stop, and no other. `at`: an earlier instant, for a forgotten one. */
type Stop = { readonly id: string; readonly at?: string };

export function useStopTimer({ quiet = false } = {}) {
  const { changed, failed } = useTimerChanged();
  return useMutation({
    mutationFn: async ({ id, at }: Stop) => {
      const { myTimer } = await request(timerDocument, {}, { answerMs: questionMs });
      if (myTimer?.id !== id) return { other: myTimer };
      return request(stopDocument, { at: at ?? null });
    },
    meta: { what: 'Stopping the timer', quiet, retryable: true },
    onSuccess: (answer) => {
      const other = 'other' in answer ? answer.other : null;
      const stopTimer = 'other' in answer ? null : answer.stopTimer;
      if (stopTimer) showToast({ message: `Timer for “${stopTimer.title}” stopped` });
      // Another tab stopped this one, or an earlier attempt whose answer was lost.
      else if (other)
        showToast({ message: `That timer was already stopped. The timer for “${other.title}” is running` });
      else showToast({ message: 'That timer was already stopped' });
      return changed(other);
    },
    // It ran overnight in this tab: the next press asks for the end.
    onError: failed,
  });
}

/** Stops the timer of this task, and no other. The time tracker asks when the work on a forgotten one ended. */
export function useStopTimerOf() {
  const client = useQueryClient();
  const stop = useStopTimer();
  const navigate = useNavigate();
  return (taskId: string) => {
    const timer = client.getQueryData(timerQuery.queryKey);
    if (timer?.taskId !== taskId) showToast({ message: 'That timer was already stopped' });
    else if (timer.forgotten) void navigate({ to: '/top-5/tools/time-tracker' });
    else stop.mutate({ id: timer.id });
  };
}
