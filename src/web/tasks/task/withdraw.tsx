import { Button } from '@mantine/core';
import { useState } from 'react';
import type { TaskActions } from '#core/tasks/task.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { useWithdrawTask } from '../shared/mutations.ts';
import type { FullTask } from '../shared/queries.ts';
import classes from './panel.module.css';

/** There is no way back from withdrawing, so it asks first. */
export function TaskPanelWithdraw({ task, actions }: { task: FullTask; actions: TaskActions }) {
  const [asking, setAsking] = useState(false);
  const withdraw = useWithdrawTask();
  if (!actions.withdraw) return null;
  const close = () => setAsking(false);
  return (
    <>
      <Button variant="subtle" color="danger" className={classes.withdraw} onClick={() => setAsking(true)}>
        Withdraw the task
      </Button>
      <ConfirmDialog
        opened={asking}
        title="Withdraw the task?"
        confirm="Withdraw the task"
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
