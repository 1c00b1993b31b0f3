import { Button } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { config } from '#web/api/config.ts';
import { timerQuery, useStartTimer, useStopTimer } from '#web/api/timer.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { Writes } from '#web/ui/writes.tsx';

type Props = {
  readonly task: { readonly id: string; readonly userId: string; readonly withdrawn: boolean };
  readonly viewer: SignedIn;
};

/** Starts and stops the time of one's own task, where the tracker is turned on. */
export function TaskTimer({ task, viewer }: Props) {
  const shown =
    config().timeTracker &&
    callRefusal(viewer, callAccess.time) === null &&
    task.userId === viewer.id &&
    !task.withdrawn;
  return shown ? <TimerButton taskId={task.id} /> : null;
}

function TimerButton({ taskId }: { taskId: string }) {
  const timer = useQuery(timerQuery);
  const start = useStartTimer();
  const stop = useStopTimer();
  const runs = timer.data?.taskId === taskId;
  const Icon = runs ? IconPlayerStop : IconPlayerPlay;
  return (
    <Writes>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<Icon size={15} stroke={1.7} aria-hidden />}
        loading={timer.isPending || start.isPending || stop.isPending}
        onClick={() => (runs ? stop.mutate(null) : start.mutate(taskId))}
      >
        {runs ? 'Stop timer' : 'Start timer'}
      </Button>
    </Writes>
  );
}
