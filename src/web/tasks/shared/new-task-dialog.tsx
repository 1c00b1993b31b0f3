import { Checkbox, Select, type SelectProps, Textarea, type TextareaProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Ref, type RefObject, useRef } from 'react';
import { categories } from '#core/access/brands.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { limits } from '#core/base/limits.ts';
import { type SprintPhase, sprintAllows } from '#core/tasks/sprint.ts';
import { isPlanned } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { type PeopleChoice, usePersonSelectOf } from '#web/people/shared/people-to-choose.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { isTouch, sendHint } from '#web/ui/shortcuts.ts';
import classes from './new-task-dialog.module.css';
import { mostTitles, type PlanningProps, titlesOf, useNewTasks } from './new-tasks.ts';
import {
  boardTasksQuery,
  decidedPeopleQuery,
  nextSprint,
  type Person,
  plannedWords,
  repeatsToComeWords,
  type Sprint,
  taskLimitQuery,
  useRepeatsToCome,
} from './queries.ts';
import { Unsent, whyNextSprint } from './unsent-task.tsx';

type Props = PlanningProps & {
  readonly opened: boolean;
  /** Whether the viewer can plan for people whose tasks they decide. */
  readonly forOthers: boolean;
  /** Reads those people again, if they couldn't be read. */
  readonly onReadOthers?: (() => void) | undefined;
  /** Whether the sprints couldn't be read. */
  readonly isSprintsError: boolean;
  /** Whether it opens with a copy of a task (`copyToDraft`). */
  readonly isCopy?: boolean;
};

export function NewTaskDialog({ opened, onClose, ...rest }: Props) {
  return (
    <Dialog opened={opened} title="New task" onClose={onClose} width={520}>
      <NewTaskForm onClose={onClose} {...rest} />
    </Dialog>
  );
}

function NewTaskForm(props: Omit<Props, 'opened'>) {
  const open = props.sprints.filter(({ phase }) => sprintAllows[phase as SprintPhase].create === true);
  const { form, title, another, setAnother, discard, ...unsent } = useNewTasks(
    { ...props, shows: { sprint: true, person: props.forOthers } },
    open,
  );
  const summary = useRef<HTMLTextAreaElement>(null);
  const count = titlesOf(form.values.title).length;
  const isPreselected = form.values.sprintId === unsent.blank.sprintId;
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
      <Unsent viewer={props.viewer} form={form} title={title} isCopy={props.isCopy} {...unsent} />
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
          data={open.map((sprint) => sprintOption(sprint, open))}
          {...form.field('sprintId')}
          placeholder="Current sprint"
          {...(props.isSprintsError && open.length === 0 && { error: 'Couldn’t load the sprints' })}
        />
      </div>
      {isPreselected && <WhyNext why={whyNextSprint(open, props)} />}
      <Extra count={count} userId={form.values.userId} sprint={open.find(({ id }) => id === form.values.sprintId)} />
      {props.forOthers && <ForField viewer={props.viewer} {...form.field('userId')} />}
      {props.onReadOthers && <PanelError sentence="Couldn’t load the people." onRetry={props.onReadOthers} />}
    </Form>
  );
}

const WhyNext = ({ why }: { readonly why: string | null }) => why !== null && <p className={classes.extra}>{why}</p>;

type ExtraProps = {
  readonly count: number;
  readonly userId: string;
  readonly sprint: Sprint | undefined;
  /** The sprint's plan is shown anyway. */
  readonly isPlanShown?: boolean;
};

/**
 * Says before saving how many of the new tasks are beyond those planned for a sprint (D19), and that
 * repeating ones will come.
 */
export function Extra({ count, userId, sprint, isPlanShown = false }: ExtraProps) {
  const { data: tasks } = useQuery({ ...boardTasksQuery(userId, sprint?.id ?? ''), enabled: sprint !== undefined });
  const { data: limit } = useQuery(taskLimitQuery);
  const toCome = useRepeatsToCome(userId, sprint);
  if (!sprint || !tasks || limit === undefined) return null;
  const fresh = Math.max(1, count);
  const extra = Math.min(fresh, tasks.filter(isPlanned).length + fresh - limit);
  if (extra <= 0 && (isPlanShown || toCome === 0)) return null;
  const which =
    extra === fresh ? `All ${fresh} count` : `${extra} of these ${fresh} ${extra === 1 ? 'counts' : 'count'}`;
  return (
    <p className={classes.extra} role="status">
      {!isPlanShown && `${plannedWords(tasks, limit, ` for ${sprint.name}`)}. `}
      {extra > 0 && `${fresh === 1 ? 'This one counts' : which} as extra. `}
      {!isPlanShown && toCome > 0 && `${repeatsToComeWords(toCome)}.`}
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
  const hint = sendHint('creates them');
  const keys = isTouch() ? undefined : 'Enter creates the task · Shift+Enter adds another task';
  return (
    <Textarea
      {...field}
      label={isList ? 'Titles' : 'Title'}
      description={isList ? `One task per line: ${count} tasks${hint && ` · ${hint}`}` : (field.description ?? keys)}
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

function sprintOption(sprint: Sprint, open: readonly Sprint[]) {
  const to = formatInstant(sprint.endDate, config().companyTimeZone);
  const current = open.find((each) => each.current);
  const isNext = current !== undefined && nextSprint(current, open) === sprint;
  return { value: sprint.id, label: `${sprint.name}${isNext ? ', next' : ''}, until ${to}` };
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
