import { Button } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import type { TaskActions } from '#core/tasks/task.ts';
import { movableStatuses, statusRule, taskStatuses } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { timerQuery, useStartTimer, useStopTimer } from '#web/api/timer.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { StatusGlyph } from '#web/ui/status-glyph.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { useCarryOver, useDecideTask, useMoveTask, useWithdrawTask } from '../shared/mutations.ts';
import type { FullTask } from '../shared/queries.ts';
import { ReasonForm } from '../shared/reason-form.tsx';
import { useTaskRules } from '../shared/rules.ts';
import classes from './panel.module.css';

type Props = { readonly task: FullTask; readonly viewer: SignedIn };

/** The approver's two buttons. Denying and sending back ask for the reason inline (D16). */
export function TaskDecision({ task, viewer }: Props) {
  const { actions } = useTaskRules(viewer, task);
  const [asking, setAsking] = useState(false);
  const { decide, isPending } = useDecideTask();
  const { approve, deny } = statusRule(task.status);
  if (!actions.decisions || !approve || !deny) return null;
  // A toast shows a refusal, and the task is then reread.
  const send = (decision: 'approve' | 'deny', change?: string) => decide({ task, decision, change });
  if (asking) {
    return (
      <ReasonForm
        task={task}
        verb={deny.verb}
        busy={isPending}
        onSend={(reason) => send('deny', reason).then(() => true)}
        onSent={() => setAsking(false)}
        onClose={() => setAsking(false)}
      />
    );
  }
  return (
    <div className={classes.buttons}>
      <Writes>
        <Button size="sm" loading={isPending} onClick={() => void send('approve').catch(() => undefined)}>
          {approve.verb}
        </Button>
      </Writes>
      <Writes>
        <Button size="sm" variant="default" disabled={isPending} onClick={() => setAsking(true)}>
          {deny.verb}
        </Button>
      </Writes>
    </div>
  );
}

/** The owner's possible moves. */
export function TaskPanelMoves({ task, actions }: { task: FullTask; actions: TaskActions }) {
  const move = useMoveTask();
  const carryOver = useCarryOver();
  if (actions.moves.length === 0 && !actions.carryOver) return null;
  return (
    <fieldset className={classes.moves} aria-label="Move to">
      {movableStatuses
        .filter((status) => actions.moves.includes(status))
        .map((status) => (
          <Button
            key={status}
            variant="default"
            leftSection={<StatusGlyph status={status} />}
            onClick={() => move(task, status)}
          >
            {taskStatuses[status].title}
          </Button>
        ))}
      {actions.carryOver && (
        <Button variant="default" loading={carryOver.isPending} onClick={() => carryOver.mutate({ taskId: task.id })}>
          Carry over
        </Button>
      )}
    </fieldset>
  );
}

type TaskTimerProps = {
  readonly task: { readonly id: string; readonly userId: string; readonly withdrawn: boolean };
  readonly viewer: SignedIn;
};

/** Starts and stops the timer of one's own task, if the tracker is on. */
export function TaskTimer({ task, viewer }: TaskTimerProps) {
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

/** Withdrawing can't be undone, so it asks first. */
export function TaskPanelWithdraw({ task, actions }: { task: FullTask; actions: TaskActions }) {
  const [asking, setAsking] = useState(false);
  const withdraw = useWithdrawTask();
  if (!actions.withdraw) return null;
  const close = () => setAsking(false);
  return (
    <>
      <Button variant="subtle" color="danger" className={classes.withdraw} onClick={() => setAsking(true)}>
        Withdraw task
      </Button>
      <ConfirmDialog
        opened={asking}
        title="Withdraw this task?"
        confirm="Withdraw task"
        danger
        busy={withdraw.isPending}
        onClose={close}
        onConfirm={() => withdraw.mutate({ taskId: task.id }, { onSettled: close })}
      >
        “{task.title}” leaves the board and every count. Its history keeps it, and it cannot be brought back.
      </ConfirmDialog>
    </>
  );
}
