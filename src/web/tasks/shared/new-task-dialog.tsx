import { Checkbox, Select, type SelectProps, Textarea, type TextareaProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { categories } from '#core/access/brands.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { plural } from '#core/base/formats.ts';
import { inputRefusals } from '#core/base/inputs.ts';
import { limits } from '#core/base/limits.ts';
import { type SprintPhase, sprintAllows } from '#core/tasks/sprint.ts';
import { createTaskInput } from '#core/tasks/task-inputs.ts';
import { config } from '#web/api/config.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { type PeopleChoice, usePersonSelectOf } from '#web/people/shared/people-to-choose.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { isFormKey, isGone, isTouch, modifierName, needsAnswer } from '#web/ui/shortcuts.ts';
import { showToast } from '#web/ui/toasts.tsx';
import { shortened, useCreateTask, useExits } from './mutations.ts';
import classes from './new-task-dialog.module.css';
import {
  boardTasksQuery,
  decidedPeopleQuery,
  type FullTask,
  type Person,
  repeatsToComeWords,
  type Sprint,
  taskLimitQuery,
  useRepeatsToCome,
} from './queries.ts';
import { type DraftProps, type NewTaskFormOf, Unsent, useTaskDraft, type Values } from './unsent-task.tsx';

type Props = PlanningProps & {
  readonly opened: boolean;
  /** Whether the viewer can plan for people whose tasks they decide. */
  readonly forOthers: boolean;
  /** Reads those people again, if they couldn't be read. */
  readonly onReadOthers?: (() => void) | undefined;
  /** Whether the sprints couldn't be read. */
  readonly isSprintsError: boolean;
};

type PlanningProps = DraftProps & {
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

export function NewTaskDialog({ opened, onClose, ...rest }: Props) {
  return (
    <Dialog opened={opened} title="New task" onClose={onClose} width={520}>
      <NewTaskForm onClose={onClose} {...rest} />
    </Dialog>
  );
}

/** Each line is a task, so a pasted list becomes several, without its bullets, numbers and boxes. */
export function titlesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const titles =
    lines.length > 1
      ? lines.map((line) => line.replace(/^\s*(?:(?:[-*+•–—]|\d+[.)])\s+)?(?:\[[ x]?\]\s+)?/i, ''))
      : lines;
  return titles.map((title) => title.trim()).filter(Boolean);
}

/** More tasks than anyone plans for a sprint. */
const mostTitles = 50;

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

/** The form's values and what sending does: one call per title. */
export function useNewTasks(planning: PlanningProps, open: readonly Sprint[]) {
  const { onClose, onCreated, stays = false } = planning;
  const { draft, blank, aimed } = useTaskDraft(planning, open);
  const [another, setAnother] = useState(stays);
  const title = useRef<HTMLTextAreaElement>(null);
  const create = useCreateTask();
  const undo = useUndoCreation();
  const say = (created: readonly FullTask[]) => sayCreated(created, open, planning, undo);
  const form = useForm({
    initial: aimed(draft.value),
    input: newTasksOf,
    rule: faultOf,
    names: { category: 'The brand', sprintId: 'The sprint', userId: 'The person' },
    mutation: {
      isPending: create.isPending,
      mutateAsync: async ({ titles, ...rest }) => {
        const created: FullTask[] = [];
        try {
          for (const [index, each] of titles.entries()) {
            created.push(await create.mutateAsync({ ...rest, title: each }));
            // If the next one fails, the created ones aren't sent again.
            form.replaceSent({ title: titles.slice(index + 1).join('\n') });
          }
        } catch (error) {
          say(created);
          next.forget();
          throw error;
        }
        return created;
      },
    },
    onSent: (created) => {
      const isMore = form.restart({ title: '', summary: '' });
      if (!isMore) draft.discard();
      say(created);
      if (next.begin() || isMore) return;
      if (another) return title.current?.focus();
      onClose();
      const last = created.at(-1);
      if (last) onCreated(last);
    },
    keep: draft.change,
  });
  useLateSprint(form, blank.sprintId);
  const next = useNextTask(form, title, !another);
  const discard = () => {
    draft.discard();
    onClose();
  };
  return { form, title, another, setAnother, discard, draft, blank, aimed };
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

function NewTaskForm(props: Omit<Props, 'opened'>) {
  const open = props.sprints.filter(({ phase }) => sprintAllows[phase as SprintPhase].create === true);
  const { form, title, another, setAnother, discard, ...unsent } = useNewTasks(
    { ...props, shows: { sprint: true, person: props.forOthers } },
    open,
  );
  const summary = useRef<HTMLTextAreaElement>(null);
  const count = titlesOf(form.values.title).length;
  return (
    <Form
      form={form}
      submit={count > 1 ? `Send ${count} for approval` : 'Send for approval'}
      cancel="Discard"
      onCancel={discard}
      actions={
        <Checkbox
          className={classes.another}
          label="Create another"
          checked={another}
          onChange={(event) => setAnother(event.currentTarget.checked)}
        />
      }
    >
      <Unsent form={form} title={title} {...unsent} />
      <TitleField
        {...form.field('title')}
        ref={title}
        count={count}
        next={summary}
        onPasteList={(text) => form.set({ title: text })}
      />
      <Textarea
        ref={summary}
        label="Summary"
        description="What you’ll deliver, and how we’ll know it’s done"
        autosize
        minRows={4}
        maxRows={14}
        maxLength={limits.summary}
        {...form.field('summary')}
      />
      <div className={classes.pair}>
        <SearchSelect label="Brand" allowDeselect={false} data={[...categories]} {...form.field('category')} />
        <Select
          label="Sprint"
          allowDeselect={false}
          data={open.map(sprintOption)}
          {...form.field('sprintId')}
          placeholder="Current sprint"
          {...(props.isSprintsError && open.length === 0 && { error: 'Couldn’t load the sprints' })}
        />
      </div>
      <Extra count={count} userId={form.values.userId} sprint={open.find(({ id }) => id === form.values.sprintId)} />
      {props.forOthers && <ForField viewer={props.viewer} {...form.field('userId')} />}
      {props.onReadOthers && <PanelError sentence="Couldn’t load the people." onRetry={props.onReadOthers} />}
    </Form>
  );
}

type ExtraProps = { readonly count: number; readonly userId: string; readonly sprint: Sprint | undefined };

/**
 * Says before saving how many of the new tasks are beyond those planned for a sprint (D19), and that
 * repeating ones will come.
 */
export function Extra({ count, userId, sprint }: ExtraProps) {
  const { data: tasks } = useQuery({ ...boardTasksQuery(userId, sprint?.id ?? ''), enabled: sprint !== undefined });
  const { data: limit } = useQuery(taskLimitQuery);
  const toCome = useRepeatsToCome(userId, sprint);
  if (!sprint || !tasks || limit === undefined) return null;
  const fresh = Math.max(1, count);
  const extra = Math.min(fresh, tasks.length + fresh - limit);
  if (extra <= 0 && toCome === 0) return null;
  const which =
    extra === fresh ? `All ${fresh} count` : `${extra} of these ${fresh} ${extra === 1 ? 'counts' : 'count'}`;
  return (
    <p className={classes.extra} role="status">
      {Math.min(limit, tasks.length)} of {limit} tasks planned for {sprint.name}
      {tasks.length > limit && `, ${tasks.length - limit} extra`}.
      {extra > 0 && ` ${fresh === 1 ? 'This one counts' : which} as extra.`}
      {toCome > 0 && ` ${repeatsToComeWords(toCome)}.`}
    </p>
  );
}

type TitleFieldProps = TextareaProps & {
  readonly count: number;
  readonly onPasteList: (text: string) => void;
  readonly ref: Ref<HTMLTextAreaElement>;
  /** Where Enter leads on a touch device. */
  readonly next?: RefObject<HTMLTextAreaElement | null>;
};

/** One title, which Enter sends, or one per line once a list is pasted. */
export function TitleField({ count, onPasteList, next, ...field }: TitleFieldProps) {
  const isList = count > 1;
  const takesMore = String(field.value).includes('\n');
  const isNext = next !== undefined && isTouch();
  const keys = isTouch() ? undefined : 'Enter creates the task · Shift+Enter adds another task';
  return (
    <Textarea
      {...field}
      label={isList ? 'Titles' : 'Title'}
      description={
        isList
          ? `One task per line: ${count} tasks${isTouch() ? '' : ` · ${modifierName}+Enter creates them`}`
          : (field.description ?? keys)
      }
      enterKeyHint={isList ? 'enter' : isNext ? 'next' : 'send'}
      data-autofocus
      autosize
      minRows={1}
      maxRows={10}
      maxLength={takesMore ? mostTitles * limits.title : limits.title}
      onPaste={(event) => {
        // Otherwise the field's limit cuts the list to one title.
        const pasted = event.clipboardData.getData('text/plain');
        if (titlesOf(pasted).length < 2) return;
        event.preventDefault();
        const { value, selectionStart, selectionEnd } = event.currentTarget;
        onPasteList(`${value.slice(0, selectionStart)}${pasted.trim()}${value.slice(selectionEnd)}`);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey || isList) return;
        event.preventDefault();
        if (event.nativeEvent.isComposing) return;
        if (isNext) next.current?.focus();
        else event.currentTarget.form?.requestSubmit();
      }}
    />
  );
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
  const own = created.every(({ userId }) => userId === viewer.id);
  const hidden = created.filter((each) => filter?.isHidden(each));
  const [first] = hidden;
  const which = created.length === 1 ? 'it' : hidden.length === created.length ? 'them' : `${hidden.length} of them`;
  showToast({
    message: `${what} sent for approval${where}${first ? `. The board’s filter hides ${which}` : ''}`,
    ...(own && { onUndo: () => undo(created) }),
    ...(first && { action: { label: 'Show', run: () => filter?.show(first.id) } }),
  });
}

function sprintOption(sprint: Sprint) {
  const to = formatInstant(sprint.endDate, config().companyTimeZone);
  return { value: sprint.id, label: `${sprint.name}, until ${to}` };
}

/** A disabled account keeps its board, and gets no new tasks. */
const enabledPeopleQuery = (choice: PeopleChoice) => ({
  ...decidedPeopleQuery(choice),
  ...('find' in choice && { select: (people: Person[]) => people.filter(({ disabled }) => !disabled) }),
});

type ForProps = Omit<SelectProps, 'data'> & { readonly viewer: SignedIn };

function ForField({ viewer, value = null, ...field }: ForProps) {
  const self = { value: viewer.id, label: `${viewer.name} (you)` };
  const select = usePersonSelectOf(enabledPeopleQuery, value, {}, self);
  return <SearchSelect label="For" allowDeselect={false} {...select} {...field} value={value} />;
}
