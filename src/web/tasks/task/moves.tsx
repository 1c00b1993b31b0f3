import { Button } from '@mantine/core';
import type { TaskActions } from '#core/tasks/task.ts';
import { movableStatuses, taskStatuses } from '#core/tasks/task-status.ts';
import { StatusGlyph } from '#web/ui/status-glyph.tsx';
import { useCarryOver, useMoveTask } from '../shared/mutations.ts';
import type { FullTask } from '../shared/queries.ts';
import classes from './panel.module.css';

/** Where the owner may take the task from here. */
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
