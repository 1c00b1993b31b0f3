import { Select, Textarea, TextInput } from '@mantine/core';
import { categories, defaultCategory } from '#core/access/brands.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { limits } from '#core/base/limits.ts';
import { type SprintPhase, sprintAllows } from '#core/tasks/sprint.ts';
import { createTaskInput } from '#core/tasks/task-inputs.ts';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { useDraft } from '#web/api/drafts.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { shortened, useCreateTask } from '../shared/mutations.ts';
import type { FullTask, Person, Sprint } from '../shared/queries.ts';
import classes from './new-task-dialog.module.css';

type Props = {
  readonly opened: boolean;
  readonly viewer: SignedIn;
  readonly people: readonly Person[];
  readonly sprints: readonly Sprint[];
  /** Whose board and which sprint the person looks at. */
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

function NewTaskForm(props: Omit<Props, 'opened'>) {
  const { personId, sprintId, sprints, onClose, onCreated } = props;
  const open = sprints.filter(({ phase }) => sprintAllows[phase as SprintPhase].create === true);
  const sprint = open.find(({ id }) => id === sprintId) ?? open.find(({ current }) => current) ?? open[0];
  const blank = {
    title: '',
    summary: '',
    category: defaultCategory as string,
    sprintId: sprint?.id ?? '',
    userId: personId,
  };
  const draft = useDraft('new-task', blank);
  const form = useForm({
    // Only the words are kept from an earlier day: the sprint and the person are those on the screen.
    initial: { ...draft.value, sprintId: blank.sprintId, userId: blank.userId },
    schema: createTaskInput,
    names: { category: 'The brand', sprintId: 'The sprint', userId: 'The person' },
    mutation: useCreateTask(),
    onSent: (task) => {
      draft.discard();
      showToast({ message: `“${shortened(task.title)}” is now ${taskStatuses[task.status].title}` });
      onClose();
      onCreated(task);
    },
    keep: draft.change,
  });
  const discard = () => {
    draft.discard();
    onClose();
  };
  return (
    <Form form={form} submit="Send for approval" cancel="Discard" onCancel={discard}>
      <TextInput label="Title" data-autofocus maxLength={limits.title} {...form.field('title')} />
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
        <Select label="Brand" allowDeselect={false} data={[...categories]} {...form.field('category')} />
        <Select label="Sprint" allowDeselect={false} data={open.map(sprintOption)} {...form.field('sprintId')} />
      </div>
      {props.people.length > 0 && (
        <SearchSelect label="For" allowDeselect={false} data={peopleOptions(props)} {...form.field('userId')} />
      )}
    </Form>
  );
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
