import { Button, Textarea } from '@mantine/core';
import { queryOptions, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { inputRefusals } from '#core/base/inputs.ts';
import { limits } from '#core/base/limits.ts';
import { type SprintPhase, sprintAllows } from '#core/tasks/sprint.ts';
import { closeWeekInput } from '#core/tasks/task-inputs.ts';
import { isPlanned, noTasks, resultWords, taskStatuses } from '#core/tasks/task-status.ts';
import { useDraft } from '#web/api/drafts.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useViewer } from '#web/api/viewer.ts';
import { timeLeft, useNow } from '#web/ui/age.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { lastKeys, sendHint } from '#web/ui/shortcuts.ts';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { StatusGlyph } from '#web/ui/status-glyph.tsx';
import { doublePressMs } from '#web/ui/timing.ts';
import { useTypeAhead } from '#web/ui/typed-ahead.ts';
import { Extra, TitleField } from '../shared/new-task-dialog.tsx';
import { titlesOf, useNewTasks } from '../shared/new-tasks.ts';
import {
  type BoardTask,
  boardTasksQuery,
  nextSprint,
  plannedWords,
  repeatsToComeWords,
  resultKey,
  type Sprint,
  type SprintResult,
  sprintResultQuery,
  sprintsQuery,
  taskLimitQuery,
  useRepeatsToCome,
} from '../shared/queries.ts';
import classes from './close-week.module.css';
import { BackButton } from './close-week-task.tsx';
import { closeWeek, myWeekQuery, recapsQuery, type WeekSprint } from './my-week-queries.ts';

export const learnedKey = 'learned:';
export const nextWeekKey = 'next-week';

type StepProps = {
  readonly sprint: WeekSprint;
  readonly onBack: (() => void) | null;
  readonly onDone: () => void;
  /** Leaves the flow. */
  readonly onClose: () => void;
};

type LearnedProps = StepProps & {
  /** How many tasks are still open, and how to get back to them. */
  readonly open: number;
  readonly onOpenTasks: () => void;
};

/** Never what the page has read before: the week may have been closed on another device since. */
function freshResultQuery(userId: string, sprintId: string) {
  const result = sprintResultQuery(userId, sprintId);
  return queryOptions({ queryKey: [...result.queryKey, 'fresh'], queryFn: result.queryFn!, staleTime: 0, gcTime: 0 });
}

/** Another press of the letter that decided the last task, right behind the first, is no text. */
function useIgnoredPresses(follows: boolean): void {
  useLayoutEffect(() => {
    if (!follows) return undefined;
    const [{ pressed }, openedAt] = [lastKeys(), performance.now()];
    const end = () => window.removeEventListener('keydown', ignore, true);
    const ignore = (event: KeyboardEvent) => {
      const isAgain = event.key === pressed && pressed.length === 1 && performance.now() - openedAt < doublePressMs;
      // Any other key begins the text.
      if (!isAgain) return end();
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', ignore, true);
    return end;
  }, [follows]);
}

/** Reads what was written before: the recap can be edited until the sprint is settled. */
export function LearnedStep(props: LearnedProps) {
  const { id } = useViewer();
  const result = useQuery(freshResultQuery(id, props.sprint.id));
  useIgnoredPresses(props.onBack !== null);
  useTypeAhead(result.isPending, props.onClose);
  if (result.isError && !result.data) return <Failed {...props} what="your recap" query={result} />;
  return result.data ? <LearnedForm {...props} recap={result.data.recap} /> : <Awaited rows={3} />;
}

/** Gives way to the form as soon as it can: what is typed until then waits for the form's field. */
const Awaited = ({ rows }: { readonly rows: number }) => (
  <Loading loading skeleton={<SkeletonRows rows={rows} />}>
    {null}
  </Loading>
);

type FailedProps = Pick<StepProps, 'onBack' | 'onDone'> & {
  readonly what: string;
  readonly query: Pick<UseQueryResult<unknown>, 'error' | 'refetch'>;
};

/** What couldn’t be loaded doesn’t stop the flow. */
function Failed({ what, query, onBack, onDone }: FailedProps) {
  return (
    <>
      <PanelError
        sentence={`Couldn’t load ${what}.`}
        onRetry={() => void query.refetch()}
        requestId={query.error?.requestId}
      />
      <Continue onBack={onBack} onDone={onDone} />
    </>
  );
}

type ContinueProps = Pick<StepProps, 'onBack' | 'onDone'> & { readonly busy?: boolean };

const Continue = ({ onBack, onDone, busy = false }: ContinueProps) => (
  <DialogActions primary="Continue" cancel={null} busy={busy} onPrimary={onDone}>
    <BackButton onBack={onBack} />
  </DialogActions>
);

type Recap = NonNullable<SprintResult['recap']>;
type LearnedFormProps = LearnedProps & { readonly recap: Recap | null };

/** The recap that the form may replace: the one it began with, or the one that refused it. */
function useSeenRecap(sprintId: string, recap: Recap | null) {
  const client = useQueryClient();
  const { id } = useViewer();
  const [seen, setSeen] = useState(recap);
  const readAgain = () =>
    client.fetchQuery(freshResultQuery(id, sprintId)).then(
      (now) => setSeen(now?.recap ?? null),
      () => undefined,
    );
  return { seen, isOther: seen !== recap, readAgain };
}

function LearnedForm({ sprint, open, onOpenTasks, onBack, onDone, onClose, recap }: LearnedFormProps) {
  const client = useQueryClient();
  const [first] = useState(recap);
  const { seen, isOther, readAgain } = useSeenRecap(sprint.id, first);
  const draft = useDraft(`${learnedKey}${sprint.id}`, first?.learned ?? '');
  const closing = useMutation({
    mutationFn: closeWeek,
    meta: { what: 'Closing the week', quiet: true },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: resultKey });
      void client.invalidateQueries({ queryKey: recapsQuery.queryKey });
      void client.invalidateQueries({ queryKey: myWeekQuery.queryKey });
    },
    onError: ({ code }) => code === 'CONFLICT' && readAgain(),
  });
  const form = useForm({
    initial: { learned: draft.value },
    input: ({ learned }) => ({ sprintId: sprint.id, learned: learned.trim(), version: seen?.version ?? 0 }),
    rule: (input) => inputRefusals(closeWeekInput, input)[0] ?? null,
    mutation: closing,
    onSent: () => {
      draft.discard();
      onDone();
    },
    isFollowed: true,
    keep: ({ learned }) => draft.change(learned),
  });
  const keys = sendHint(seen === null ? 'closes the week' : 'saves');
  return (
    <Form
      form={form}
      submit={seen === null ? `Close ${sprint.name}` : 'Save recap'}
      cancel="Later"
      onCancel={onClose}
      actions={<BackButton onBack={onBack} />}
    >
      {open > 0 && <StillOpen sprint={sprint} open={open} onOpenTasks={onOpenTasks} />}
      {(isOther || draft.restored) && (
        <SavedRecap saved={seen} typed={form.values.learned} onUse={(learned) => form.set({ learned })} />
      )}
      <Textarea
        label="What did you learn?"
        description={`Optional. Your approver sees it next to the week’s result${keys && ` · ${keys}`}`}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={limits.learned}
        autoFocus
        data-autofocus
        {...form.field('learned')}
      />
    </Form>
  );
}

/** Said before the week is closed: closing doesn’t wait for its tasks. */
function StillOpen({ sprint, open, onOpenTasks }: Pick<LearnedProps, 'sprint' | 'open' | 'onOpenTasks'>) {
  const left = timeLeft(sprint.endDate, useNow());
  return (
    <p className={classes.hint}>
      {left && `${left}, and `}
      {open === 1 ? '1 task is' : `${open} tasks are`} still open.{' '}
      <button type="button" className={classes.link} onClick={onOpenTasks}>
        Review now
      </button>
    </p>
  );
}

type SavedRecapProps = {
  readonly saved: Recap | null;
  readonly typed: string;
  readonly onUse: (learned: string) => void;
};

/** What saving would replace, if it isn’t where the field’s text began. */
function SavedRecap({ saved, typed, onUse }: SavedRecapProps) {
  if (!saved || saved.learned === '' || saved.learned === typed.trim()) return null;
  return (
    <div className={classes.hint}>
      Your saved recap is different:
      <blockquote className={classes.saved}>{saved.learned}</blockquote>
      <button type="button" className={classes.link} onClick={() => onUse(saved.learned)}>
        Use the saved text
      </button>
    </div>
  );
}

/** As they were created, whatever came last from the server. */
const inOrder = (tasks: readonly BoardTask[]) => tasks.toSorted((a, b) => Number(a.id) - Number(b.id));

/** The next sprint's tasks: those carried over, and lines to add. */
export function PlanStep({ sprint, onClose, ...steps }: StepProps) {
  const sprints = useQuery(sprintsQuery);
  const next = sprints.data && nextSprint(sprint, sprints.data);
  useTypeAhead(sprints.isPending, onClose);
  if (sprints.isError && !sprints.data) return <Failed {...steps} what="the next sprint" query={sprints} />;
  if (sprints.data && !next)
    return (
      <>
        <p className={classes.hint}>The next sprint doesn’t exist yet. You can plan it later.</p>
        <Continue {...steps} />
      </>
    );
  return sprints.data && next ? <PlanForm {...steps} sprints={sprints.data} next={next} /> : <Awaited rows={5} />;
}

type PlanFormProps = Pick<StepProps, 'onBack' | 'onDone'> & {
  readonly sprints: readonly Sprint[];
  readonly next: Sprint;
};

function PlanForm({ sprints, next, onBack, onDone }: PlanFormProps) {
  const viewer = useViewer();
  const { data: tasks } = useQuery(boardTasksQuery(viewer.id, next.id));
  const { data: limit } = useQuery(taskLimitQuery);
  const toCome = useRepeatsToCome(viewer.id, next);
  const open = sprints.filter(({ phase }) => sprintAllows[phase as SprintPhase].create === true);
  const { form, title } = useNewTasks(
    {
      ...{ viewer, sprints, personId: viewer.id, sprintId: next.id, stays: true, draftKey: nextWeekKey },
      ...{ onClose: onDone, onCreated: () => {} },
    },
    open,
  );
  const count = titlesOf(form.values.title).length;
  const leave = () => {
    if (form.busy) return;
    if (count === 0) onDone();
    else form.refuse({ field: 'title', message: 'Select Add first, or clear the field' });
  };
  return (
    <Form form={{ ...form, send: count === 0 ? leave : form.send }}>
      <p className={classes.hint}>
        {plannedWords(tasks ?? [], limit ?? 5, ` for ${next.name}`)}
        {toCome > 0 && `. ${repeatsToComeWords(toCome)}`}
      </p>
      {tasks && tasks.length > 0 && (
        <ul className={classes.list}>
          {inOrder(tasks).map((task) => (
            <li key={task.id}>
              <StatusGlyph status={task.status} />
              <span>{task.title}</span>
              {task.carriedOver > 0 && <span className={classes.quiet}>Carried over</span>}
              {!isPlanned(task) && <span className={classes.quiet}>{taskStatuses[task.status].title}</span>}
            </li>
          ))}
        </ul>
      )}
      <TitleField
        {...form.field('title')}
        ref={title}
        count={count}
        description="New tasks will be sent for approval"
        onPasteList={(text) => form.set({ title: text })}
        autoFocus
        inputContainer={(line) => (
          <div className={classes.add}>
            {line}
            <Button type="submit" variant="default" size="sm" loading={form.busy} disabled={count === 0}>
              {count > 1 ? `Add ${count}` : 'Add'}
            </Button>
          </div>
        )}
      />
      <Extra isPlanShown count={count} userId={viewer.id} sprint={count === 0 ? undefined : next} />
      <Continue onBack={onBack} onDone={leave} busy={form.busy} />
    </Form>
  );
}

/** What the approver sees, and the same as text for the team's chat. */
export function RecapStep({ sprint, onBack, onClose }: StepProps) {
  const done = useRef<HTMLButtonElement>(null);
  useEffect(() => done.current?.focus(), []);
  const { id } = useViewer();
  const sprints = useQuery(sprintsQuery);
  const next = sprints.data && nextSprint(sprint, sprints.data);
  const own = useQuery(freshResultQuery(id, sprint.id));
  const listed = useQuery(boardTasksQuery(id, sprint.id));
  const planned = useQuery({ ...boardTasksQuery(id, next?.id ?? ''), enabled: next !== undefined });
  const failed = [sprints, own, listed, planned].find(({ isError, data }) => isError && !data);
  if (failed) return <Failed what="your recap" query={failed} onBack={onBack} onDone={onClose} />;
  const { data: result } = own;
  const { data: before } = listed;
  // Without a next sprint, nothing is planned.
  const after = sprints.data && !next ? [] : planned.data;
  const isLoading = !result || !before || !after;
  return (
    <>
      <Loading loading={isLoading} skeleton={<SkeletonRows rows={5} />}>
        {!isLoading && (
          <>
            <p className={classes.hint}>
              {result.recap
                ? 'The week is closed. Your result and recap now appear on your board and on your approver’s My week page.'
                : `The week isn’t closed yet. Go back and select Close ${sprint.name}.`}
            </p>
            <CopyField
              label="Recap for your team"
              what="recap"
              isLong
              value={recapText({
                ...{ sprint: sprint.name, words: resultWords(result.counts ?? noTasks, result.carriedOut ?? 0) },
                ...{ learned: result.recap?.learned ?? '', tasks: inOrder(before) },
                ...{ next: next?.name ?? '', planned: inOrder(after.filter(isPlanned)) },
              })}
            />
          </>
        )}
      </Loading>
      <DialogActions primary="Done" cancel={null} primaryRef={done} onPrimary={onClose}>
        <BackButton onBack={onBack} />
      </DialogActions>
    </>
  );
}

type Listed = Pick<BoardTask, 'title' | 'status' | 'leftUndone' | 'carriedOver'>;
type RecapFacts = {
  readonly sprint: string;
  readonly words: string;
  readonly learned: string;
  /** The tasks of the sprint without those carried over, and those planned for the next one. */
  readonly tasks: readonly Listed[];
  readonly next: string;
  readonly planned: readonly Listed[];
};

const stateOf = ({ status, leftUndone }: Listed): string => (leftUndone ? 'Left undone' : taskStatuses[status].title);

/** Plain text, for a mail or a chat. */
export function recapText({ sprint, words, learned, tasks, next, planned }: RecapFacts): string {
  const parts = [
    [`${sprint}: completed ${words}`, ...tasks.map((task) => `- ${task.title} (${stateOf(task)})`)],
    learned === '' ? [] : [`Learned: ${learned}`],
    planned.length === 0
      ? []
      : [
          `Next, ${next}:`,
          ...planned.map(({ title, carriedOver }) => `- ${title}${carriedOver > 0 ? ' (Carried over)' : ''}`),
        ],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}
