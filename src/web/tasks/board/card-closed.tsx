import { Button } from '@mantine/core';
import type { TaskActions } from '#core/tasks/task.ts';
import { statusRule, taskStatuses } from '#core/tasks/task-status.ts';
import { useCarryOver, useMoveTask } from '../shared/mutations.ts';
import type { BoardTask } from '../shared/queries.ts';
import classes from './card.module.css';

/** An open task of a sprint that has ended asks what to do with it (D39). In a running sprint there is nothing to ask. */
export function ClosedSprintActions({ task, actions }: { task: BoardTask; actions: TaskActions }) {
  return actions.carryOver ? <Asked task={task} actions={actions} /> : null;
}

function Asked({ task, actions }: { task: BoardTask; actions: TaskActions }) {
  const carryOver = useCarryOver();
  const move = useMoveTask();
  const completed = actions.moves.find((status) => statusRule(status).completed);
  return (
    <div className={classes.asked}>
      <Button
        size="compact-xs"
        variant="default"
        loading={carryOver.isPending}
        onClick={() => carryOver.mutate({ taskId: task.id })}
      >
        Carry over
      </Button>
      {completed && (
        <Button size="compact-xs" variant="default" onClick={() => move(task, completed)}>
          Mark {taskStatuses[completed].title.toLowerCase()}
        </Button>
      )}
    </div>
  );
}
