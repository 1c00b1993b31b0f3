import { Checkbox, Select, Textarea, type TextareaProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useRef, useState } from 'react';
import { categories, defaultCategory } from '#core/access/brands.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { plural } from '#core/base/formats.ts';
import { inputRefusals } from '#core/base/inputs.ts';
import { limits } from '#core/base/limits.ts';
import { endsSoon, type SprintPhase, sprintAllows } from '#core/tasks/sprint.ts';
import { createTaskInput } from '#core/tasks/task-inputs.ts';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { useDraft } from '#web/api/drafts.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { shortened, useCreateTask, useExits } from './mutations.ts';
import classes from './new-task-dialog.module.css';
import { boardTasksQuery, type FullTask, type Person, type Sprint, taskLimitQuery } from './queries.ts';

type Props = {
  readonly opened: boolean;
  readonly viewer: SignedIn;
  readonly people: readonly Person[];
  readonly sprints: readonly Sprint[];
  /** The displayed board's person and sprint. */
  readonly personId: string;
  readonly sprintId: string | null;
  readonly onClose: () => void;
  readonly onCreated: (task: FullTask) => void;
};

export function NewTaskDialog({ opened, onClose, ...rest }: Props) {
  return (
    <Dialog opened={opened} title="New task" onClose={onClose} width={520}>
      <NewTaskForm onClose={onClose} {...rest} />
    </Dialog>
  );
}

/** Each line is a task, so a pasted list becomes several, without its bullets and numbers. */
function titlesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const titles = lines.length > 1 ? lines.map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '')) : lines;
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

/** The form's values and what sending does: one call per title. */
function useNewTasks(
  { viewer, personId, sprintId, onClose, onCreated }: Omit<Props, 'opened'>,
  open: readonly Sprint[],
) {
  const blank = {
    title: '',
    summary: '',
    category: defaultCategory as string,
    sprintId: sprintToPlan(open, sprintId)?.id ?? '',
    userId: personId,
  };
  const draft = useDraft('new-task', blank);
  const [another, setAnother] = useState(false);
  const title = useRef<HTMLTextAreaElement>(null);
  const create = useCreateTask();
  const undo = useUndoCreation();
  const form = useForm({
    // Only the text comes from an earlier draft: sprint and person are the displayed ones.
    initial: { ...draft.value, sprintId: blank.sprintId, userId: blank.userId },
    input: ({ title: text, ...rest }) => ({ ...rest, titles: titlesOf(text) }),
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
            form.set({ title: titles.slice(index + 1).join('\n') });
          }
        } catch (error) {
          sayCreated(created, open, viewer.id, undo);
          throw error;
        }
        return created;
      },
    },
    onSent: (created) => {
      draft.discard();
      sayCreated(created, open, viewer.id, undo);
      if (another) {
        form.reset({ ...form.values, title: '', summary: '' });
        title.current?.focus();
        return;
      }
      onClose();
      const last = created.at(-1);
      if (last) onCreated(last);
    },
    keep: draft.change,
  });
  const discard = () => {
    draft.discard();
    onClose();
  };
  return { form, title, another, setAnother, discard };
}

function NewTaskForm(props: Omit<Props, 'opened'>) {
  const open = props.sprints.filter(({ phase }) => sprintAllows[phase as SprintPhase].create === true);
  const { form, title, another, setAnother, discard } = useNewTasks(props, open);
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
      <TitleField
        {...form.field('title')}
        ref={title}
        count={count}
        onPasteList={(text) => form.set({ title: text })}
      />
      <Textarea
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
        <Select label="Sprint" allowDeselect={false} data={open.map(sprintOption)} {...form.field('sprintId')} />
      </div>
      <Extra count={count} userId={form.values.userId} sprint={open.find(({ id }) => id === form.values.sprintId)} />
      {props.people.length > 0 && (
        <SearchSelect label="For" allowDeselect={false} data={peopleOptions(props)} {...form.field('userId')} />
      )}
    </Form>
  );
}

type ExtraProps = { readonly count: number; readonly userId: string; readonly sprint: Sprint | undefined };

/** Says before saving how many of the new tasks are beyond those planned for a sprint (D19). */
function Extra({ count, userId, sprint }: ExtraProps) {
  const { data: tasks } = useQuery({ ...boardTasksQuery(userId, sprint?.id ?? ''), enabled: sprint !== undefined });
  const { data: limit } = useQuery(taskLimitQuery);
  if (!sprint || !tasks || limit === undefined) return null;
  const fresh = Math.max(1, count);
  const extra = Math.min(fresh, tasks.length + fresh - limit);
  if (extra <= 0) return null;
  const which = fresh === 1 ? 'This one' : extra === fresh ? `These ${fresh}` : `${extra} of these ${fresh}`;
  return (
    <p className={classes.extra} role="status">
      {which} will be extra, beyond the {limit} planned tasks of {sprint.name}.
    </p>
  );
}

type TitleFieldProps = TextareaProps & {
  readonly count: number;
  readonly onPasteList: (text: string) => void;
  readonly ref: Ref<HTMLTextAreaElement>;
};

/** One title, which Enter sends, or one per line once a list is pasted. */
function TitleField({ count, onPasteList, ...field }: TitleFieldProps) {
  const isList = count > 1;
  return (
    <Textarea
      {...field}
      label={isList ? 'Titles' : 'Title'}
      description={isList ? `One task per line: ${count} tasks` : undefined}
      data-autofocus
      autosize
      minRows={1}
      maxRows={10}
      maxLength={isList ? mostTitles * limits.title : limits.title}
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
        if (!event.nativeEvent.isComposing) event.currentTarget.form?.requestSubmit();
      }}
    />
  );
}

/** The displayed sprint, else the current one; the next one if the current is nearly over. */
function sprintToPlan(open: readonly Sprint[], sprintId: string | null): Sprint | undefined {
  const sprint = open.find(({ id }) => id === sprintId) ?? open.find(({ current }) => current) ?? open[0];
  if (!sprint?.current || !endsSoon(Temporal.Instant.from(sprint.endDate), Temporal.Now.instant())) return sprint;
  return open.find(({ startDate }) => startDate === sprint.endDate) ?? sprint;
}

/** Undoes new tasks by withdrawing them, which their owner can do until they are approved. */
function useUndoCreation(): Undo {
  const exits = useExits();
  return (tasks) => exits.mutate(tasks.map((task) => ({ task, step: 'withdraw' })));
}

type Undo = (tasks: readonly FullTask[]) => void;

/** Names the sprint if it isn't the current one: My week doesn't show its tasks. */
function sayCreated(created: readonly FullTask[], sprints: readonly Sprint[], viewerId: string, undo: Undo): void {
  const [task] = created;
  if (!task) return;
  const sprint = sprints.find(({ id }) => id === task.sprintId);
  const what = created.length === 1 ? `“${shortened(task.title)}” is now` : `${plural(created.length, 'task')} are now`;
  const where = sprint && !sprint.current ? ` in ${sprint.name}` : '';
  const message = `${what} ${taskStatuses[task.status].title}${where}`;
  const own = created.every(({ userId }) => userId === viewerId);
  showToast({ message, ...(own ? { onUndo: () => undo(created) } : {}) });
}

function sprintOption(sprint: Sprint) {
  const to = formatInstant(sprint.endDate, config().companyTimeZone);
  return { value: sprint.id, label: `${sprint.name}, until ${to}` };
}

function peopleOptions({ viewer, people }: Pick<Props, 'viewer' | 'people'>) {
  const others = people.filter(({ id }) => id !== viewer.id);
  return [
    { value: viewer.id, label: `${viewer.name} (you)` },
    ...others.map(({ id, displayName }) => ({ value: id, label: displayName })),
  ];
}
