import { Button } from '@mantine/core';
import { Writes } from '#web/ui/writes.tsx';
import { useFailedMove, useMoveTask } from './mutations.ts';
import classes from './not-moved.module.css';
import type { BoardTask } from './queries.ts';

/** A move that failed, said at its task until another change of it is sent. */
export function NotMoved({ task }: { readonly task: Pick<BoardTask, 'id' | 'status'> }) {
  const failed = useFailedMove(task.id);
  const move = useMoveTask();
  if (failed === null || failed.to === task.status) return null;
  return (
    <div className={classes.failed} role="alert">
      <span>Not moved: {failed.message}</span>
      <Writes>
        <Button size="compact-xs" variant="default" onClick={() => move(task, failed.to)}>
          Try again
        </Button>
      </Writes>
    </div>
  );
}
