import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatInstant } from '#core/base/day-words.ts';
import type { SprintPhase } from '#core/tasks/sprint.ts';
import { type TaskActions, taskActions } from '#core/tasks/task.ts';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Panel } from '#web/ui/panel.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { carryOver, complete, type MyWeek, myWeekQuery, type WeekTask } from './my-week-queries.ts';
import classes from './open-at-close.module.css';
import { WeekTaskList, WeekTaskRow } from './week-task-row.tsx';

/** What was not finished when its sprint ended: nothing moves on by itself, its owner says what becomes of it (D39). */
export function OpenAtClose({ week }: { week: MyWeek }) {
  const { openAtClose, previousSprint } = week;
  const [all, setAll] = useState(false);
  if (openAtClose.length === 0) return null;
  const last = openAtClose.filter(({ sprintId }) => sprintId === previousSprint?.id);
  // What lies longer has been seen many times; it does not push this week off the screen.
  const earlier = openAtClose.length - last.length;
  const shown = all ? openAtClose : last;
  return (
    <Panel title="Unfinished from earlier sprints" note={openAtClose.length} flush>
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

function sentenceOf({ previousSprint }: MyWeek): string {
  const carry = 'Carry over what you’re still working on.';
  if (previousSprint?.phase !== 'settling') return carry;
  return `${carry} You can mark finished tasks until ${formatInstant(previousSprint.settledAt, config().companyTimeZone)}.`;
}

/** Only the sprint that closed last can still be settling; every earlier one is settled. */
function phaseOf(task: WeekTask, { previousSprint }: MyWeek): SprintPhase {
  return task.sprintId === previousSprint?.id ? (previousSprint.phase as SprintPhase) : 'settled';
}

function useActions(task: WeekTask, week: MyWeek): TaskActions {
  const viewer = useViewer();
  // No rule about moving or carrying over reads the summary.
  const known = { ...task, ownerId: task.userId, summary: '', phase: phaseOf(task, week) };
  return taskActions(viewer, known, { id: task.userId, approverIds: task.ownerApproverIds });
}

function CloseActions({ task, week }: { task: WeekTask; week: MyWeek }) {
  const actions = useActions(task, week);
  const completed = actions.moves.find((status) => taskStatuses[status].completed);
  const client = useQueryClient();
  const leave = async (message: string) => {
    // It leaves this list at once; the answer of the server fills the rest.
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
    // A version that moved on: the list shows the task as it is now.
    onError: () => client.invalidateQueries({ queryKey: ['tasks'] }),
  });
  const busy = carry.isPending || finish.isPending;
  return (
    <>
      {completed && (
        <Writes>
          <Button variant="default" disabled={busy} loading={finish.isPending} onClick={() => finish.mutate(completed)}>
            Mark {taskStatuses[completed].title.toLowerCase()}
          </Button>
        </Writes>
      )}
      {actions.carryOver && (
        <Writes>
          <Button variant="default" disabled={busy} loading={carry.isPending} onClick={() => carry.mutate()}>
            Carry over
          </Button>
        </Writes>
      )}
    </>
  );
}
