import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import type { KeyboardEvent } from 'react';
import { categories, defaultCategory } from '#core/access/brands.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { limits } from '#core/base/limits.ts';
import { type SprintPhase, sprintAllows } from '#core/tasks/sprint.ts';
import { createTaskInput } from '#core/tasks/task-inputs.ts';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { useDraft } from '#web/api/drafts.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { shortened, useCreateTask } from '../shared/mutations.ts';
import type { FullTask, Person, Sprint } from '../shared/queries.ts';
import { onSend } from '../shared/send-keys.ts';
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

/** Each shows under the field that it is about, as a sentence. */
const fieldNames = {
  title: 'The title',
  summary: 'The summary',
  category: 'The brand',
  sprintId: 'The sprint',
  userId: 'The person',
};
type Field = keyof typeof fieldNames;
const isField = (text: string | undefined): text is Field => text !== undefined && Object.hasOwn(fieldNames, text);

function useNewTask({ personId, sprintId, sprints, onClose, onCreated }: Omit<Props, 'opened'>) {
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
  // Only the words are kept from an earlier day: the sprint and the person are those on the screen.
  const initialValues = { ...draft.value, sprintId: blank.sprintId, userId: blank.userId };
  const form = useForm({
    initialValues,
    validate: schemaResolver(createTaskInput, { sync: true }),
    onValuesChange: draft.change,
  });
  const create = useCreateTask();
  const send = form.onSubmit((values) => {
    if (create.isPending) return;
    create.mutate(values, {
      onSuccess: (task) => {
        draft.discard();
        showToast({ message: `“${shortened(task.title)}” is ${taskStatuses[task.status].title}` });
        onClose();
        onCreated(task);
      },
      onError: (error) => {
        const { field, message } = asApiError(error);
        if (isField(field)) form.setFieldError(field, message);
      },
    });
  });
  const failure = create.error && !isField(asApiError(create.error).field) ? asApiError(create.error).message : null;
  const cancel = () => {
    draft.discard();
    onClose();
  };
  return { form, send, open, failure, busy: create.isPending, cancel };
}

function NewTaskForm(props: Omit<Props, 'opened'>) {
  const { form, send, open, failure, busy, cancel } = useNewTask(props);
  const byKey = onSend(() => send());
  const input = (field: Field) => {
    const { error, ...rest } = form.getInputProps(field);
    return { ...rest, error: typeof error === 'string' ? sentence(field, error) : error };
  };
  return (
    <form onSubmit={send} noValidate onKeyDown={(event: KeyboardEvent<HTMLElement>) => byKey(event)}>
      <div className={classes.fields}>
        <TextInput label="Title" data-autofocus maxLength={limits.title} {...input('title')} />
        <Textarea
          label="Summary"
          description="What will be done, and how one sees that it is"
          autosize
          minRows={4}
          maxRows={14}
          maxLength={limits.summary}
          {...input('summary')}
        />
        <div className={classes.pair}>
          <Select label="Brand" allowDeselect={false} data={[...categories]} {...input('category')} />
          <Select label="Sprint" allowDeselect={false} data={open.map(sprintOption)} {...input('sprintId')} />
        </div>
        {props.people.length > 0 && (
          <SearchSelect label="For" allowDeselect={false} data={peopleOptions(props)} {...input('userId')} />
        )}
        {failure && (
          <p className={classes.failure} role="alert">
            {failure}
          </p>
        )}
      </div>
      <DialogActions>
        <Button size="sm" variant="default" onClick={cancel}>
          Discard
        </Button>
        <Button size="sm" type="submit" loading={busy} aria-keyshortcuts="Control+Enter">
          Send for approval
        </Button>
      </DialogActions>
    </form>
  );
}

/** The core's refusals continue the name of the field; those of the server are sentences already. */
function sentence(field: Field, error: string): string {
  return /^[A-Z]/.test(error) ? error : `${fieldNames[field]} ${error}`;
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
