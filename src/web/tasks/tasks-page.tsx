import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { refusals } from '#core/base/refusals.ts';
import { noNewTasksReason } from '#core/tasks/task.ts';
import { type SprintChoice, sprintChoices } from '#core/tasks/tasks-search.ts';
import type { ApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { useMutation } from '#web/api/mutation.ts';
import { type SignedIn, useViewer } from '#web/api/viewer.ts';
import { useAsked, useCreating } from '#web/shell/asked.ts';
import { timeLeft, timeUntil, useNow } from '#web/ui/age.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { isTyping, useShortcuts } from '#web/ui/shortcuts.ts';
import { showError } from '#web/ui/toasts.tsx';
import { useTypeAhead } from '#web/ui/typed-ahead.ts';
import { useReadOnly, Writes } from '#web/ui/writes.tsx';
import { choiceOf, sprintOf, useTasksAddress } from './board/address.ts';
import { passesFilter, useTaskFilter } from './board/filters.tsx';
import { tasksScope } from './board/keys.ts';
import { BoardSkeleton } from './board/skeleton.tsx';
import { TaskBoardView } from './board/view.tsx';
import { useDecidedPeople } from './shared/decided-person-select.tsx';
import { NewTaskDialog } from './shared/new-task-dialog.tsx';
import type { PanelPart } from './shared/panel-part.ts';
import {
  decidedPersonQuery,
  type FullTask,
  readTask,
  type Sprint,
  sprintResultQuery,
  sprintsQuery,
} from './shared/queries.ts';
import { focusTask, neighbourOf } from './shared/task-marks.ts';
import { copyToDraft, dropUntouchedCopy, NewTaskWords, newTaskDraft } from './shared/unsent-task.tsx';
import { TaskPanel } from './task/panel.tsx';
import classes from './tasks-page.module.css';

/** Unless the next task is being typed by then. */
const focusCreated = (task: FullTask) =>
  requestAnimationFrame(() => isTyping(document.activeElement) || focusTask(task.id));

export default function TasksPage() {
  const viewer = useViewer();
  const tasks = useTasksAddress();
  const { search, openTask } = tasks;
  const week = useWeek(viewer, search.person ?? null, search.sprint ?? 'current');
  const { filter, setText, forNewTask } = useBoardFilter(viewer, week, tasks);
  const [part, setPart] = usePart();
  const { opened, isComing, isCopy, create, onDuplicate, close } = useNewTaskForm(viewer, week);
  const closeTask = () => {
    setPart(null);
    tasks.closeTask();
  };
  useTypeAhead(isComing || (part !== null && typedParts.has(part)), () => {
    close();
    setPart(null);
  });
  useNewTaskKey(week, create);
  const open = useCallback(
    (taskId: string, wanted: PanelPart = null) => {
      setPart(wanted);
      openTask(taskId);
    },
    [openTask, setPart],
  );
  const step = (by: 1 | -1) => {
    const next = neighbourOf(search.task ?? null, by);
    if (next) tasks.stepToTask(next);
  };
  return (
    <>
      <PageHead
        title={titleOf(week.person)}
        sentence={week.sprint && <SprintSentence sprint={week.sprint} noNewTasks={week.noNewTasks} />}
        expected="Sprint 2026 W47, Mon 16 Nov 10:00 to Mon 23 Nov 10:00 (UTC). 2 days left"
        actions={<HeadActions week={week} onChoose={tasks.chooseSprint} onCreate={create} />}
      />
      <Week {...{ week, viewer, tasks, filter, onDuplicate }} onText={setText} onOpen={open} onCreate={create} />
      <NewTaskDialog
        opened={opened}
        viewer={viewer}
        {...week.others}
        sprints={week.sprints}
        isSprintsError={week.failure !== null}
        isCopy={isCopy}
        {...forNewTask}
        onClose={close}
        onCreated={focusCreated}
      />
      <TaskPanel
        taskId={search.task ?? null}
        viewer={viewer}
        part={part}
        onPart={setPart}
        onStep={step}
        onDuplicate={onDuplicate}
        onClose={closeTask}
      />
    </>
  );
}

/** The form for a new task, or for a copy of one, which is read first because a card has no summary. */
function useNewTaskForm(viewer: SignedIn, { isPending, failure }: WeekRead) {
  const { creating, setCreating } = useCreating('/top-5/tasks', newTaskDraft);
  const isReadOnly = useReadOnly() !== null;
  const [copied, setCopied] = useState<FullTask | null>(null);
  /** The task whose copy is still wanted when it has been read. */
  const wanted = useRef<string | null>(null);
  useEffect(
    () => () => {
      wanted.current = null;
    },
    [],
  );
  const copying = useMutation({
    mutationFn: (taskId: string) => readTask(taskId),
    onSuccess: (task, taskId) => {
      if (wanted.current !== taskId) return;
      wanted.current = null;
      if (!task) return showError(refusals.NOT_FOUND.message);
      copyToDraft(viewer.id, task);
      setCopied(task);
      setCreating(true);
    },
  });
  return {
    // The form starts with the sprint.
    opened: creating && !isPending,
    isComing: copying.isPending || (creating && !failure),
    isCopy: copied !== null,
    create: () => {
      wanted.current = null;
      setCreating(true);
    },
    /** Null while viewing as someone else. */
    onDuplicate: isReadOnly
      ? null
      : (taskId: string) => {
          wanted.current = taskId;
          copying.mutate(taskId);
        },
    close: () => {
      wanted.current = null;
      setCreating(false);
      if (copied) dropUntouchedCopy(viewer.id, copied);
      setCopied(null);
    },
  };
}

function useNewTaskKey({ noNewTasks }: WeekRead, run: () => void): void {
  const newTask = { key: 'c', label: 'New task', scope: tasksScope, writes: true, opensForm: true, run } as const;
  useShortcuts(noNewTasks === null ? [newTask] : []);
}

/** The board's filters, and what they mean for a new task. */
function useBoardFilter(
  viewer: SignedIn,
  { person, sprint, noNewTasks }: WeekRead,
  tasks: ReturnType<typeof useTasksAddress>,
) {
  const { filter, setText } = useTaskFilter(tasks.search.brand, `${person?.id} ${sprint?.id}`);
  const [brand, ...others] = filter.brands;
  const personId = person?.id ?? viewer.id;
  // The board of the current sprint reads it too.
  const result = useQuery({ ...sprintResultQuery(personId, sprint?.id ?? ''), enabled: sprint?.current === true });
  const isHidden = (task: FullTask) =>
    task.userId === personId && task.sprintId === sprint?.id && !passesFilter(filter, task);
  const show = (taskId: string) => {
    setText('');
    void tasks.showTask(taskId);
  };
  const forNewTask = {
    // The command palette opens the form here too.
    ...{ personId: noNewTasks === null ? personId : viewer.id, sprintId: sprint?.id ?? null },
    isWeekClosed: noNewTasks === null && result.data?.recap != null,
    ...{ brand: others.length === 0 ? brand : undefined, filter: { isHidden, show } },
  };
  return { filter, setText, forNewTask };
}

/** Not "My tasks" while someone else's are loading. */
const titleOf = (person: WeekRead['person']): string =>
  person === undefined ? 'Tasks' : person ? `${person.displayName}’s tasks` : 'My tasks';

/** The open part of the panel, which a link can ask for. */
function usePart() {
  const [part, setPart] = useState<PanelPart>(null);
  useAsked('/top-5/tasks', 'resend', () => setPart('resend'));
  useAsked('/top-5/tasks', 'repeat', () => setPart('repeat'));
  return [part, setPart] as const;
}

/** Parts that open a field: keys until then are its own, and a select ignores them. */
const typedParts: ReadonlySet<PanelPart> = new Set<PanelPart>(['title', 'resend', 'note', 'repeat']);

const noSprints: readonly Sprint[] = [];

/**
 * The address's person and sprint. `person` is null for one's own, undefined for someone the viewer doesn't
 * decide. `noNewTasks`: why the person gets none.
 */
function useWeek(viewer: SignedIn, personId: string | null, choice: string) {
  const decides = callRefusal(viewer, callAccess.decisions) === null;
  const own = personId === null || personId === viewer.id;
  const readsPerson = decides && !own;
  const what = 'Loading the people';
  const personRead = useQuery({ ...decidedPersonQuery(personId ?? ''), enabled: readsPerson, meta: { what } });
  const others = useDecidedPeople();
  const sprintsRead = useQuery(sprintsQuery);
  const sprints = sprintsRead.data ?? noSprints;
  const person = own ? null : (personRead.data ?? undefined);
  return {
    others,
    person,
    noNewTasks: person
      ? noNewTasksReason({ disabled: person.disabled === true, keepsTasks: person.keepsTasks !== false })
      : null,
    sprints,
    sprint: sprintOf(sprints, choice),
    failure: failureOf(sprintsRead) ?? failureOf(personRead),
    isPending: sprintsRead.isPending || (readsPerson && personRead.isPending),
    read: () => void Promise.all([sprintsRead.refetch(), readsPerson && personRead.refetch()]),
  };
}

/** Only of what isn't here: a failed reread takes nothing away. */
const failureOf = ({ data, error }: { data: unknown; error: ApiError | null }) => (data === undefined ? error : null);

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
      {week.noNewTasks === null && (
        <Writes>
          <Button
            leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />}
            aria-keyshortcuts="c"
            disabled={week.sprints.length === 0}
            onClick={onCreate}
          >
            <NewTaskWords />
          </Button>
        </Writes>
      )}
    </>
  );
}

type WeekProps = Pick<Parameters<typeof TaskBoardView>[0], 'viewer' | 'tasks' | 'filter' | 'onText'> & {
  readonly week: WeekRead;
  readonly onOpen: (taskId: string, part?: PanelPart) => void;
  readonly onCreate: () => void;
  readonly onDuplicate: ((taskId: string) => void) | null;
};

/** The address's week, or why it can't be shown. */
function Week({ week, tasks, onCreate, onDuplicate, ...view }: WeekProps) {
  const { person, sprint, sprints, failure } = week;
  if (failure) return <PanelError sentence={failure.message} requestId={failure.requestId} onRetry={week.read} />;
  if (week.isPending) return <BoardSkeleton />;
  if (person === undefined) {
    const back = <Button onClick={() => tasks.choosePerson(null)}>My tasks</Button>;
    return (
      <EmptyState title="You can’t see these tasks" action={back}>
        You can see your own tasks and the tasks you approve.
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
      {...view}
      person={person}
      sprints={sprints}
      sprint={sprint}
      tasks={tasks}
      onCreate={week.noNewTasks === null ? onCreate : null}
      onDuplicate={week.noNewTasks === null ? onDuplicate : null}
    />
  );
}

type SentenceProps = { readonly sprint: Sprint; readonly noNewTasks: string | null };

/** A sprint as text: its name, its boundaries in company time, and its phase (D3, D39). */
function SprintSentence({ sprint, noNewTasks }: SentenceProps) {
  const now = useNow();
  const { companyTimeZone: zone } = config();
  const from = formatInstant(sprint.startDate, zone);
  const to = formatInstant(sprint.endDate, zone);
  return (
    <>
      Sprint {sprint.name}, {from} to {to} ({zone}). {phaseInWords(sprint, now, zone)}
      {noNewTasks && `. ${noNewTasks}`}
    </>
  );
}

function phaseInWords(sprint: Sprint, now: number, zone: string): string {
  const settled = formatInstant(sprint.settledAt, zone);
  const untilStart = timeUntil(sprint.startDate, now);
  const untilSettled = timeUntil(sprint.settledAt, now);
  switch (sprint.phase) {
    case 'future':
      return untilStart ? `Starts in ${untilStart}` : 'About to start';
    case 'active':
      return timeLeft(sprint.endDate, now) ?? 'About to end';
    case 'settling':
      return `Over. The result will be recorded ${settled}, ${untilSettled ? `in ${untilSettled}` : 'any minute now'}`;
    default:
      return `Over. The result was recorded ${settled}`;
  }
}

const sprintTitles: Record<SprintChoice, string> = { previous: 'Previous', current: 'Current', next: 'Next' };

type SprintSwitchProps = {
  readonly sprints: readonly Sprint[];
  readonly sprint: Sprint | null;
  readonly onChoose: (choice: string) => void;
};

/** Previous, Current, Next, and every other sprint by name, the newest first. */
function SprintSwitch({ sprints, sprint, onChoose }: SprintSwitchProps) {
  const choice = choiceOf(sprints, sprint);
  const others = sprints.filter((each) => choiceOf(sprints, each) === null).toReversed();
  return (
    <>
      {others.length > 0 && (
        <div className={classes.sprints} data-own-line>
          <SearchSelect
            aria-label="Other sprint"
            placeholder="Other sprint"
            data={others.map(({ id, name }) => ({ value: id, label: name }))}
            value={sprint && !choice ? sprint.id : null}
            onChange={(id) => id && onChoose(id)}
            nothingFoundMessage="No matching sprints"
          />
        </div>
      )}
      <Segmented
        label="Sprint"
        segments={sprintChoices.map((value) => ({ value, label: sprintTitles[value] }))}
        value={choice ?? (sprint ? '' : 'current')}
        onChange={onChoose}
      />
    </>
  );
}
