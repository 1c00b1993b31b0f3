import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { callAccess, callRefusal } from '#core/call-access.ts';
import { useViewer } from '#web/api/viewer.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { NewTaskDialog } from './new-task-dialog.tsx';
import { SprintSentence } from './sprint-sentence.tsx';
import { SprintSwitch } from './sprint-switch.tsx';
import { sprintOf, useTasksAddress } from './task-address.ts';
import { BoardSkeleton } from './task-board-skeleton.tsx';
import { TaskBoardView } from './task-board-view.tsx';
import { TaskPanel } from './task-panel.tsx';
import type { PanelPart } from './task-panel-part.ts';
import { type FullTask, type Person, peopleQuery, type Sprint, sprintsQuery } from './task-queries.ts';
import { focusTask, neighbourOf } from './tasks-keys.ts';

const nobody: readonly Person[] = [];
const noSprints: readonly Sprint[] = [];

export default function TasksPage() {
  const viewer = useViewer();
  const tasks = useTasksAddress();
  const { address, openTask, closeTask } = tasks;
  const decides = callRefusal(viewer, callAccess.decisions) === null;
  const peopleRead = useQuery({ ...peopleQuery, enabled: decides });
  const people = peopleRead.data ?? nobody;
  const sprintsRead = useQuery(sprintsQuery);
  const sprints = sprintsRead.data ?? noSprints;
  const sprint = sprintOf(sprints, address.sprint);
  const personId = address.person ?? viewer.id;
  const person = personId === viewer.id ? null : people.find(({ id }) => id === personId);
  const [part, setPart] = useState<PanelPart>(null);
  const [creating, setCreating] = useState(false);

  const open = useCallback(
    (taskId: string, wanted: PanelPart = null) => {
      setPart(wanted);
      openTask(taskId);
    },
    [openTask],
  );
  const openCreated = (task: FullTask) => requestAnimationFrame(() => focusTask(task.id));
  const step = (by: 1 | -1) => {
    const next = neighbourOf(address.task, by);
    if (next) tasks.stepToTask(next);
  };

  return (
    <>
      <PageHead
        title={person ? `${person.displayName}’s tasks` : 'My tasks'}
        sentence={sprint ? <SprintSentence sprint={sprint} /> : ' '}
        actions={
          <>
            <SprintSwitch sprints={sprints} sprint={sprint} onChoose={tasks.chooseSprint} />
            <Button
              leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />}
              aria-keyshortcuts="c"
              onClick={() => setCreating(true)}
            >
              New task
            </Button>
          </>
        }
      />
      {sprintsRead.error ? (
        <PanelError
          sentence={sprintsRead.error.message}
          requestId={sprintsRead.error.requestId}
          onRetry={() => void sprintsRead.refetch()}
        />
      ) : sprintsRead.isPending || (decides && peopleRead.isPending) ? (
        <BoardSkeleton />
      ) : person === undefined ? (
        <EmptyState
          title="These tasks are not yours to see"
          action={<Button onClick={() => tasks.choosePerson(null)}>My tasks</Button>}
        >
          You see the tasks of the people you approve.
        </EmptyState>
      ) : sprint === null ? (
        <EmptyState
          title="There is no such sprint"
          action={<Button onClick={() => tasks.chooseSprint('current')}>Current sprint</Button>}
        >
          The address names a sprint that is not there.
        </EmptyState>
      ) : (
        <TaskBoardView
          key={`${personId} ${sprint.id}`}
          viewer={viewer}
          people={people}
          person={person}
          sprints={sprints}
          sprint={sprint}
          tasks={tasks}
          onOpen={open}
          onCreate={() => setCreating(true)}
        />
      )}
      <NewTaskDialog
        opened={creating}
        viewer={viewer}
        people={people}
        sprints={sprints}
        personId={personId}
        sprintId={sprint?.id ?? null}
        onClose={() => setCreating(false)}
        onCreated={openCreated}
      />
      <TaskPanel taskId={address.task} viewer={viewer} part={part} onPart={setPart} onStep={step} onClose={closeTask} />
    </>
  );
}
