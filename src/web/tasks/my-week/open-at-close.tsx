import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatInstant } from '#core/base/day-words.ts';
import { plural } from '#core/base/formats.ts';
import { completingMove } from '#core/tasks/task.ts';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { useMutation } from '#web/api/mutation.ts';
import { Panel } from '#web/ui/panel.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { carryOver, complete, type MyWeek, myWeekQuery, type WeekTask } from './my-week-queries.ts';
import classes from './open-at-close.module.css';
import { useOwnActions } from './own-actions.ts';
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
      actions={<CarryOverAll tasks={shown} week={week} />}
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

/** Carries over all listed tasks. Each is a separate call: a refused one stays and the message says why. */
function CarryOverAll({ tasks, week }: { tasks: readonly WeekTask[]; week: MyWeek }) {
  const client = useQueryClient();
  const carry = useMutation({
    mutationFn: async () => {
      let carried = 0;
      try {
        for (const { id } of tasks) {
          await carryOver(id);
          carried += 1;
        }
      } finally {
        if (carried > 0) {
          showToast({ message: `${plural(carried, 'task')} carried over to ${week.sprint.name}` });
        }
        await client.invalidateQueries({ queryKey: ['tasks'] });
      }
    },
    meta: { what: 'Carrying the tasks over' },
  });
  if (tasks.length < 2) return null;
  return (
    <Writes>
      <Button variant="default" loading={carry.isPending} onClick={() => carry.mutate()}>
        Carry over all {tasks.length}
      </Button>
    </Writes>
  );
}

function sentenceOf({ previousSprint }: MyWeek): string {
  const carry = 'Carry over what you’re still working on.';
  if (previousSprint?.phase !== 'settling') return carry;
  return `${carry} You can mark finished tasks until ${formatInstant(previousSprint.settledAt, config().companyTimeZone)}.`;
}

function CloseActions({ task, week }: { task: WeekTask; week: MyWeek }) {
  const actions = useOwnActions(task, week);
  const completed = completingMove(actions);
  const client = useQueryClient();
  const leave = async (message: string) => {
    // It leaves this list immediately; the server's answer updates the rest.
    client.setQueryData(
      myWeekQuery.queryKey,
      (known) => known && { ...known, openAtClose: known.openAtClose.filter(({ id }) => id !== task.id) },
    );
    showToast({ message });
    await client.invalidateQueries({ queryKey: ['tasks'] });
  };
  const carry = useMutation({
    mutationFn: () => carryOver(task.id),
    meta: { what: 'Carrying the task over' },
    onSuccess: () => leave(`“${task.title}” carried over to ${week.sprint.name}`),
  });
  const finish = useMutation({
    mutationFn: (status: WeekTask['status']) => complete(task, status),
    meta: { what: 'Completing the task' },
    onSuccess: () => leave(`“${task.title}” marked as completed in its sprint`),
    // A newer version: the list shows the current task.
    onError: () => client.invalidateQueries({ queryKey: ['tasks'] }),
  });
  const busy = carry.isPending || finish.isPending;
  return (
    <>
      {completed && (
        <Writes>
          <Button
            variant="subtle"
            size="compact-sm"
            disabled={busy}
            loading={finish.isPending}
            onClick={() => finish.mutate(completed)}
          >
            Mark {taskStatuses[completed].title.toLowerCase()}
          </Button>
        </Writes>
      )}
      {actions.carryOver && (
        <Writes>
          <Button
            variant="subtle"
            size="compact-sm"
            disabled={busy}
            loading={carry.isPending}
            onClick={() => carry.mutate()}
          >
            Carry over
          </Button>
        </Writes>
      )}
    </>
  );
}
