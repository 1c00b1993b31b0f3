// New tasks as the form sends them: one call per title, found again after a lost answer.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { plural } from '#core/base/formats.ts';
import { inputRefusals } from '#core/base/inputs.ts';
import { oneLine } from '#core/base/one-line.ts';
import { createTaskInput } from '#core/tasks/task-inputs.ts';
import { useDraftSending } from '#web/api/draft-sending.ts';
import { useForm } from '#web/ui/form.tsx';
import { isFormKey, isGone, isTouch, needsAnswer } from '#web/ui/shortcuts.ts';
import { showToast } from '#web/ui/toasts.tsx';
import type { NewTask } from './calls.ts';
import { useExits } from './exits.ts';
import { shortened, useCreateTask, useFindSent } from './mutations.ts';
import type { FullTask, Sprint } from './queries.ts';
import {
  type DraftProps,
  type NewTaskFormOf,
  newTaskDraft,
  useKeptDrafts,
  useTaskDraft,
  type Values,
} from './unsent-task.tsx';

export type PlanningProps = DraftProps & {
  readonly sprints: readonly Sprint[];
  readonly onClose: () => void;
  readonly onCreated: (task: FullTask) => void;
  /** The filters of the displayed board. */
  readonly filter?: BoardFilter;
  /** Whether the form stays for the next task. */
  readonly stays?: boolean;
};

export type BoardFilter = {
  readonly isHidden: (task: FullTask) => boolean;
  /** Shows a hidden task. */
  readonly show: (taskId: string) => void;
};

/** Each line is a task, so a pasted list becomes several, without its bullets, numbers and boxes. */
export function titlesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => oneLine(line) !== '');
  const titles =
    lines.length > 1
      ? lines.map((line) => line.replace(/^\s*(?:(?:[-*+•–—]|\d+[.)])\s+)?(?:\[[ x]?\]\s+)?/i, ''))
      : lines;
  return titles.map(oneLine).filter(Boolean);
}

/** More tasks than anyone plans for a sprint. */
export const mostTitles = 50;

type NewTasks = { readonly titles: readonly string[]; readonly [field: string]: unknown };

/** The first error of the first invalid title. */
function faultOf({ titles, ...rest }: NewTasks) {
  if (titles.length > mostTitles) return { field: 'title', message: `Add at most ${mostTitles} tasks at once` };
  const all = titles.length === 0 ? [''] : titles;
  return all.flatMap((title) => inputRefusals(createTaskInput, { ...rest, title }))[0] ?? null;
}

/** Without a sprint, the server takes the current one. */
const newTasksOf = ({ title, sprintId, ...rest }: Values) => ({
  ...{ ...rest, titles: titlesOf(title) },
  ...(sprintId !== '' && { sprintId }),
});

/** Sends one task per title, or finds it if an earlier call with a lost answer created it. */
function useSendTasks(
  { draftKey = newTaskDraft }: PlanningProps,
  onFound: (task: NewTask, created: FullTask | null) => boolean,
) {
  const create = useCreateTask();
  const findSent = useFindSent();
  const { change: changeKept } = useKeptDrafts();
  const forgetKept = (task: NewTask) =>
    changeKept((kept) => kept.filter((one) => one.userId !== task.userId || titlesAfter(task, one)?.length !== 0));
  // Also between two titles, when nothing is on its way.
  const [isPending, setPending] = useState(false);
  const { send, endCorrection } = useDraftSending({
    draft: draftKey,
    send: (task: NewTask, key) => create.mutateAsync({ task, key }),
    find: (id) => findSent(id, ({ withdrawn }) => !withdrawn),
    onFound: (task, created) => {
      forgetKept(task);
      return onFound(task, created);
    },
    nameOf: ({ title }) => shortened(title),
  });
  const sendEach = async (
    { titles, ...rest }: ReturnType<typeof newTasksOf>,
    onEach: (left: readonly string[]) => void,
    onFailed: (created: readonly FullTask[]) => void,
  ): Promise<FullTask[]> => {
    const created: FullTask[] = [];
    setPending(true);
    try {
      for (const [index, title] of titles.entries()) {
        created.push(await send({ ...rest, title }));
        forgetKept({ ...rest, title });
        onEach(titles.slice(index + 1));
      }
      return created;
    } catch (error) {
      onFailed(created);
      throw error;
    } finally {
      setPending(false);
    }
  };
  return { sendEach, endCorrection, isPending };
}

/** What is left of the titles without a task that was sent. Null if the form holds something else. */
function titlesAfter(task: NewTask, { title, summary }: Values): readonly string[] | null {
  const [first, ...rest] = titlesOf(title);
  return first === task.title && summary === task.summary ? rest : null;
}

function leaveTitles(titles: readonly string[], form: NewTaskFormOf, draft: { readonly discard: () => void }) {
  if (titles.length > 0) return form.set({ title: titles.join('\n') });
  form.set({ title: '', summary: '' });
  draft.discard();
}

const sayElsewhere = ({ title }: NewTask) => showToast({ message: `“${shortened(title)}” was sent in another tab` });

/** The form's values and what sending does: one call per title. */
export function useNewTasks(planning: PlanningProps, open: readonly Sprint[]) {
  const { onClose, onCreated, stays = false } = planning;
  const { draft, blank, aimed } = useTaskDraft(planning, open);
  const [another, setAnother] = useState(stays);
  const title = useRef<HTMLTextAreaElement>(null);
  const undo = useUndoCreation();
  const say = (created: readonly FullTask[]) => sayCreated(created, open, planning, undo);
  const onSent = (created: readonly FullTask[]) => {
    const isMore = form.restart({ title: '', summary: '' });
    if (!isMore) draft.discard();
    say(created);
    if (next.begin() || isMore) return;
    if (another) return title.current?.focus();
    onClose();
    onCreated(created.at(-1)!);
  };
  const { sendEach, endCorrection, isPending } = useSendTasks(planning, (task, created) => {
    const rest = titlesAfter(task, form.values);
    if (created && rest?.length === 0 && form.failure) onSent([created]);
    else {
      if (created) say([created]);
      if (rest) leaveTitles(rest, form, draft);
      if (rest?.length === 0 && !created) sayElsewhere(task);
    }
    return rest === null && titlesOf(form.values.title).length > 0;
  });
  const form = useForm({
    initial: aimed(draft.value),
    input: newTasksOf,
    rule: faultOf,
    names: { category: 'The brand', sprintId: 'The sprint', userId: 'The person' },
    mutation: {
      isPending,
      mutateAsync: (tasks) =>
        sendEach(
          tasks,
          // If the next one fails, the created ones aren't sent again.
          (left) => form.replaceSent({ title: left.join('\n') }),
          (created) => {
            say(created);
            next.forget();
          },
        ),
    },
    onSent,
    keep: (values) => {
      if (titlesOf(values.title).length === 0) endCorrection();
      draft.change(values);
    },
  });
  useLateSprint(form, blank.sprintId);
  const next = useNextTask(form, title, !another);
  const discard = () => {
    draft.discard();
    onClose();
  };
  return { form, title, another, setAnother, discard, draft, blank, aimed, endCorrection };
}

/**
 * While a task is sent, C begins the next one on a line below, and Enter sends that one after it. If the
 * first isn't created, both are still in the field.
 */
function useNextTask(form: NewTaskFormOf, title: RefObject<HTMLTextAreaElement | null>, byKey: boolean) {
  const begun = useRef(false);
  const entered = useRef(false);
  const [sends, setSends] = useState(false);
  const onKey = (event: KeyboardEvent) => {
    const { key } = event;
    const isModified = event.ctrlKey || event.metaKey;
    // A form that is still drawn while it closes has no keys.
    if (!form.node.current || isGone(form.node.current)) return;
    if (event.altKey || event.isComposing || needsAnswer()) return;
    const isMore = Object.keys(form.typedSince()).length > 0;
    const begins = byKey && !isModified && isFormKey(key) && (entered.current || !isMore);
    const isPlainEnter = !event.shiftKey && !isTouch() && event.target === title.current;
    const enters = key === 'Enter' && (isModified || isPlainEnter);
    if (!isModified && key !== 'Shift') entered.current = false;
    if (!begins && !enters) return;
    event.preventDefault();
    event.stopPropagation();
    if (enters) entered.current = isMore && !/\n\s*$/.test(form.values.title);
    if (!begins) return;
    begun.current = true;
    form.set({ title: `${form.values.title}\n` });
    title.current?.focus();
  };
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    if (!form.busy) return undefined;
    const listen = (event: KeyboardEvent) => latest.current(event);
    window.addEventListener('keydown', listen, true);
    return () => window.removeEventListener('keydown', listen, true);
  }, [form.busy]);
  useEffect(() => {
    if (!sends || form.busy) return;
    setSends(false);
    // The call before it has ended by then.
    setTimeout(() => form.node.current?.requestSubmit());
  });
  const forget = () => {
    begun.current = false;
    entered.current = false;
  };
  return {
    forget,
    /** What was typed since is the next task. Returns whether C was pressed. */
    begin: () => {
      const isBegun = begun.current;
      setSends(entered.current);
      forget();
      return isBegun;
    },
  };
}

/** The sprints came after the form. */
function useLateSprint({ values, set }: Pick<NewTaskFormOf, 'values' | 'set'>, sprintId: string): void {
  useEffect(() => {
    if (values.sprintId === '' && sprintId !== '') set({ sprintId });
  });
}

/** Undoes new tasks by withdrawing them, which their owner can do until they are approved. */
function useUndoCreation(): Undo {
  const exits = useExits();
  return (tasks) => exits.mutate(tasks.map((task) => ({ task, step: 'withdraw' })));
}

type Undo = (tasks: readonly FullTask[]) => void;

/**
 * Names the sprint if it isn't the current one: My week doesn't show its tasks. Says that the board's filters
 * hide them.
 */
function sayCreated(
  created: readonly FullTask[],
  sprints: readonly Sprint[],
  { viewer, filter }: Pick<PlanningProps, 'viewer' | 'filter'>,
  undo: Undo,
): void {
  const [task] = created;
  if (!task) return;
  const sprint = sprints.find(({ id }) => id === task.sprintId);
  const what = created.length === 1 ? `“${shortened(task.title)}”` : plural(created.length, 'task');
  const where = sprint && !sprint.current ? ` in ${sprint.name}` : '';
  // One that is found later may be approved by then.
  const canUndo = created.every(({ userId, status }) => userId === viewer.id && status === 'INAPPROVAL');
  const hidden = created.filter((each) => filter?.isHidden(each));
  const [first] = hidden;
  const which = created.length === 1 ? 'it' : hidden.length === created.length ? 'them' : `${hidden.length} of them`;
  showToast({
    message: `${what} sent for approval${where}${first ? `. The board’s filter hides ${which}` : ''}`,
    ...(canUndo && { onUndo: () => undo(created) }),
    ...(first && { action: { label: 'Show', run: () => filter?.show(first.id) } }),
  });
}
