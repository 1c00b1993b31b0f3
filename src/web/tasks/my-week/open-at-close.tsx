import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatInstant } from '#core/base/day-words.ts';
import { completingMove, type TaskActions } from '#core/tasks/task.ts';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Panel } from '#web/ui/panel.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { shortened, useExits } from '../shared/mutations.ts';
import { allTasksKey } from '../shared/queries.ts';
import { complete, type MyWeek, myWeekQuery, type WeekTask } from './my-week-queries.ts';
import classes from './open-at-close.module.css';
import { ownActions, useOwnActions } from './own-actions.ts';
import { WeekTaskList, WeekTaskRow } from './week-task-row.tsx';

/** Unfinished tasks of earlier sprints: nothing moves automatically, the owner decides (D39). */
export function OpenAtClose({ week }: { week: MyWeek }) {
  const { openAtClose, previousSprint } = week;
  const [all, setAll] = useState(false);
  if (openAtClose.length === 0) return null;
  const last = openAtClose.filter(({ sprintId }) => sprintId === previousSprint?.id);
  // Older ones have been seen often and are collapsed, to keep this week on screen.
  const earlier = openAtClose.length - last.length;
  const shown = all ? openAtClose : last;
  return (
    <Panel
      title="Unfinished from earlier sprints"
      note={openAtClose.length}
      actions={<AllActions tasks={shown} week={week} />}
      flush
    >
      <p className={classes.sentence}>{sentenceOf(week)}</p>
      {shown.length > 0 && (
        <WeekTaskList>
          {shown.map((task) => (
            <WeekTaskRow
              key={task.id}
              task={task}
              to="/top-5/tasks"
              search={{ sprint: task.sprintId, task: task.id }}
              actions={<CloseActions task={task} week={week} />}
            />
          ))}
        </WeekTaskList>
      )}
      {earlier > 0 && (
        <div className={classes.earlier}>
          <Button variant="subtle" size="compact-sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? `Hide ${earlier} older` : `Show ${earlier} older`}
          </Button>
        </div>
      )}
    </Panel>
  );
}

/** Carries over, or lets go, all listed tasks. */
function AllActions({ tasks, week }: { tasks: readonly WeekTask[]; week: MyWeek }) {
  const viewer = useViewer();
  const exits = useExits();
  const some = tasks.flatMap((task) => {
    const step = letGo(ownActions(viewer, task, week));
    return step ? [{ task, step }] : [];
  });
  if (tasks.length < 2) return null;
  const busy = exits.isPending;
  return (
    <Writes>
      {some.length > 1 && (
        <Button variant="subtle" disabled={busy} onClick={() => exits.mutate(some)}>
          {letAllGo(some)}
        </Button>
      )}
      <Button
        variant="default"
        loading={busy}
        onClick={() => exits.mutate(tasks.map((task) => ({ task, step: 'carryOver' })))}
      >
        Carry over all {tasks.length}
      </Button>
    </Writes>
  );
}

const letGoVerbs = { leaveUndone: 'Leave undone', withdraw: 'Withdraw' } as const;
type LetGo = keyof typeof letGoVerbs;

/** How its owner lets an unfinished task go: an approved one is left undone, any other is withdrawn. */
const letGo = ({ leaveUndone, withdraw }: TaskActions): LetGo | null =>
  leaveUndone ? 'leaveUndone' : withdraw ? 'withdraw' : null;

const letAllGo = (some: readonly { readonly step: LetGo }[]): string =>
  some.every(({ step }) => step === 'withdraw') ? `Withdraw all ${some.length}` : `Leave all ${some.length} undone`;

function sentenceOf({ previousSprint }: MyWeek): string {
  const carry = 'Carry over what you’re still working on, and leave the rest undone.';
  if (previousSprint?.phase !== 'settling') return carry;
  return `${carry} You can mark finished tasks until ${formatInstant(previousSprint.settledAt, config().companyTimeZone)}.`;
}

function CloseActions({ task, week }: { task: WeekTask; week: MyWeek }) {
  const actions = useOwnActions(task, week);
  const completed = completingMove(actions);
  const client = useQueryClient();
  const exits = useExits();
  const finish = useMutation({
    mutationFn: (status: WeekTask['status']) => complete(task, status),
    meta: { what: 'Completing the task' },
    onSuccess: async () => {
      // It leaves this list immediately; the server's answer updates the rest.
      client.setQueryData(
        myWeekQuery.queryKey,
        (known) => known && { ...known, openAtClose: known.openAtClose.filter(({ id }) => id !== task.id) },
      );
      showToast({ message: `“${shortened(task.title)}” marked as completed in its sprint` });
      await client.invalidateQueries({ queryKey: allTasksKey });
    },
    // A newer version: the list shows the current task.
    onError: () => client.invalidateQueries({ queryKey: allTasksKey }),
  });
  const step = letGo(actions);
  const busy = exits.isPending || finish.isPending;
  const button = { variant: 'subtle', size: 'compact-sm', disabled: busy } as const;
  return (
    <Writes>
      {completed && (
        <Button {...button} loading={finish.isPending} onClick={() => finish.mutate(completed)}>
          Mark {taskStatuses[completed].title.toLowerCase()}
        </Button>
      )}
      {actions.carryOver && (
        <Button {...button} onClick={() => exits.mutate([{ task, step: 'carryOver' }])}>
          Carry over
        </Button>
      )}
      {step && (
        <Button {...button} onClick={() => exits.mutate([{ task, step }])}>
          {letGoVerbs[step]}
        </Button>
      )}
    </Writes>
  );
}
