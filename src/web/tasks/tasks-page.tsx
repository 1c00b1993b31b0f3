import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { type SprintChoice, sprintChoices } from '#core/tasks/tasks-search.ts';
import { config } from '#web/api/config.ts';
import { type SignedIn, useViewer } from '#web/api/viewer.ts';
import { timeLeft, useNow } from '#web/ui/age.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { useTypeAhead } from '#web/ui/typed-ahead.ts';
import { useReadOnly, Writes } from '#web/ui/writes.tsx';
import { choiceOf, sprintOf, useTasksAddress } from './board/address.ts';
import { tasksScope } from './board/keys.ts';
import { BoardSkeleton } from './board/skeleton.tsx';
import { TaskBoardView } from './board/view.tsx';
import { NewTaskDialog } from './shared/new-task-dialog.tsx';
import type { PanelPart } from './shared/panel-part.ts';
import { type FullTask, type Person, peopleQuery, type Sprint, sprintsQuery } from './shared/queries.ts';
import { focusTask, neighbourOf } from './shared/task-marks.ts';
import { TaskPanel } from './task/panel.tsx';

export default function TasksPage() {
  const viewer = useViewer();
  const tasks = useTasksAddress();
  const { search, openTask } = tasks;
  const week = useWeek(viewer, search.person ?? null, search.sprint ?? 'current');
  const [part, setPart] = useState<PanelPart>(null);
  const { creating, setCreating } = useAsked(tasks, setPart);
  const create = () => setCreating(true);
  const leave = () => {
    setCreating(false);
    setPart(null);
  };
  useTypeAhead((creating && !week.error) || (part !== null && typedParts.has(part)), leave);
  useShortcuts([{ key: 'c', label: 'New task', scope: tasksScope, writes: true, run: create }]);
  const open = useCallback(
    (taskId: string, wanted: PanelPart = null) => {
      setPart(wanted);
      openTask(taskId);
    },
    [openTask],
  );
  const focusCreated = (task: FullTask) => requestAnimationFrame(() => focusTask(task.id));
  const step = (by: 1 | -1) => {
    const next = neighbourOf(search.task ?? null, by);
    if (next) tasks.stepToTask(next);
  };
  return (
    <>
      <PageHead
        title={week.person ? `${week.person.displayName}’s tasks` : 'My tasks'}
        sentence={week.sprint && <SprintSentence sprint={week.sprint} />}
        expected="Sprint 2026 W47, Mon 16 Nov 10:00 to Mon 23 Nov 10:00 (UTC). 2 days left"
        actions={<HeadActions week={week} onChoose={tasks.chooseSprint} onCreate={create} />}
      />
      <Week week={week} viewer={viewer} tasks={tasks} onOpen={open} onCreate={create} />
      <NewTaskDialog
        // The form starts with the sprint.
        opened={creating && !week.isPending}
        viewer={viewer}
        people={week.people}
        sprints={week.sprints}
        personId={week.person?.id ?? viewer.id}
        sprintId={week.sprint?.id ?? null}
        onClose={() => setCreating(false)}
        onCreated={focusCreated}
      />
      <TaskPanel
        taskId={search.task ?? null}
        viewer={viewer}
        part={part}
        onPart={setPart}
        onStep={step}
        onClose={() => {
          setPart(null);
          tasks.closeTask();
        }}
      />
    </>
  );
}

/** Parts that open a field to type into. */
const typedParts: ReadonlySet<PanelPart> = new Set<PanelPart>(['title', 'resend', 'note']);

/** What the page before asked for in the address: a new task, or the form that resends the open one. */
function useAsked(
  { search, beginTask, beginResend }: ReturnType<typeof useTasksAddress>,
  onPart: (part: PanelPart) => void,
) {
  const readOnly = useReadOnly() !== null;
  const [creating, setCreating] = useState(false);
  const creates = search.new !== undefined;
  useEffect(() => {
    if (!creates) return;
    setCreating(!readOnly);
    beginTask();
  }, [creates, readOnly, beginTask]);
  const resends = search.resend !== undefined;
  useEffect(() => {
    if (!resends) return;
    onPart('resend');
    beginResend();
  }, [resends, onPart, beginResend]);
  return { creating, setCreating };
}

const nobody: readonly Person[] = [];
const noSprints: readonly Sprint[] = [];

/**
 * The address's person and sprint. `person` is null for one's own, undefined for someone the viewer doesn't
 * decide.
 */
function useWeek(viewer: SignedIn, personId: string | null, choice: string) {
  const decides = callRefusal(viewer, callAccess.decisions) === null;
  const peopleRead = useQuery({ ...peopleQuery, enabled: decides });
  const sprintsRead = useQuery(sprintsQuery);
  const people = peopleRead.data ?? nobody;
  const sprints = sprintsRead.data ?? noSprints;
  const own = personId === null || personId === viewer.id;
  return {
    people,
    person: own ? null : people.find(({ id }) => id === personId),
    sprints,
    sprint: sprintOf(sprints, choice),
    error: sprintsRead.error ?? peopleRead.error,
    isPending: sprintsRead.isPending || (decides && peopleRead.isPending),
    read: () => void Promise.all([sprintsRead.refetch(), decides && peopleRead.refetch()]),
  };
}

type WeekRead = ReturnType<typeof useWeek>;

type HeadProps = {
  readonly week: WeekRead;
  readonly onChoose: (choice: string) => void;
  readonly onCreate: () => void;
};

function HeadActions({ week, onChoose, onCreate }: HeadProps) {
  return (
    <>
      <SprintSwitch sprints={week.sprints} sprint={week.sprint} onChoose={onChoose} />
      <Writes>
        <Button
          leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />}
          aria-keyshortcuts="c"
          disabled={week.sprints.length === 0}
          onClick={onCreate}
        >
          New task
        </Button>
      </Writes>
    </>
  );
}

type WeekProps = {
  readonly week: WeekRead;
  readonly viewer: SignedIn;
  readonly tasks: ReturnType<typeof useTasksAddress>;
  readonly onOpen: (taskId: string, part?: PanelPart) => void;
  readonly onCreate: () => void;
};

/** The address's week, or why it can't be shown. */
function Week({ week, viewer, tasks, onOpen, onCreate }: WeekProps) {
  const { person, people, sprint, sprints, error } = week;
  if (error) return <PanelError sentence={error.message} requestId={error.requestId} onRetry={week.read} />;
  if (week.isPending) return <BoardSkeleton />;
  if (person === undefined) {
    const back = <Button onClick={() => tasks.choosePerson(null)}>My tasks</Button>;
    return (
      <EmptyState title="You can’t see these tasks" action={back}>
        You can see your own tasks and those of the people you approve.
      </EmptyState>
    );
  }
  if (sprint === null) {
    const back = <Button onClick={() => tasks.chooseSprint('current')}>Current sprint</Button>;
    return (
      <EmptyState title="Sprint not found" action={back}>
        The link leads to a sprint that doesn’t exist.
      </EmptyState>
    );
  }
  return (
    <TaskBoardView
      key={`${person?.id} ${sprint.id}`}
      viewer={viewer}
      people={people}
      person={person}
      sprints={sprints}
      sprint={sprint}
      tasks={tasks}
      onOpen={onOpen}
      onCreate={onCreate}
    />
  );
}

/** A sprint as text: its name, its boundaries in company time, and its phase (D3, D39). */
function SprintSentence({ sprint }: { sprint: Sprint }) {
  const now = useNow();
  const { companyTimeZone: zone } = config();
  const from = formatInstant(sprint.startDate, zone);
  const to = formatInstant(sprint.endDate, zone);
  return (
    <>
      Sprint {sprint.name}, {from} to {to} ({zone}). {phaseInWords(sprint, now, zone)}
    </>
  );
}

function phaseInWords(sprint: Sprint, now: number, zone: string): string {
  const settled = formatInstant(sprint.settledAt, zone);
  switch (sprint.phase) {
    case 'future':
      return `Not started, ${timeLeft(sprint.startDate, now) ?? 'about to start'}`.replace(' left', ' to go');
    case 'active':
      return timeLeft(sprint.endDate, now) ?? 'About to end';
    case 'settling':
      return `Closed. Its result will be recorded ${settled} (${timeLeft(sprint.settledAt, now) ?? 'any minute'})`;
    default:
      return `Closed. Its result was recorded ${settled}`;
  }
}

const sprintTitles: Record<SprintChoice, string> = { previous: 'Previous', current: 'Current', next: 'Next' };

type SprintSwitchProps = {
  readonly sprints: readonly Sprint[];
  readonly sprint: Sprint | null;
  readonly onChoose: (choice: string) => void;
};

/** Previous, Current, Next; an older linked sprint comes first, by name. */
function SprintSwitch({ sprints, sprint, onChoose }: SprintSwitchProps) {
  const choice = choiceOf(sprints, sprint);
  const older = sprint && !choice ? [{ value: sprint.id, label: sprint.name }] : [];
  return (
    <Segmented
      label="Sprint"
      segments={[...older, ...sprintChoices.map((value) => ({ value, label: sprintTitles[value] }))]}
      value={choice ?? sprint?.id ?? 'current'}
      onChange={onChoose}
    />
  );
}
