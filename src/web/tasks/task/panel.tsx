import { ActionIcon, Button } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { categories } from '#core/access/brands.ts';
import { capital } from '#core/base/formats.ts';
import { refusals } from '#core/base/refusals.ts';
import { type Repeat, repeatKeys, repeats } from '#core/tasks/repeat.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { openShortcutSheet } from '#web/shell/open-dialog.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Markdown } from '#web/ui/markdown.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Peek, usePeeks } from '#web/ui/peek.tsx';
import { StatusPill } from '#web/ui/pill.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { Loading, SkeletonBlock, SkeletonRows } from '#web/ui/skeleton.tsx';
import { showToast, undoLatest } from '#web/ui/toasts.tsx';
import { ApproveEdited, useApproveEdited } from '../shared/approve-edited.tsx';
import { TaskDetail } from '../shared/detail.tsx';
import { TaskFiles } from '../shared/files.tsx';
import { TaskHistory } from '../shared/history.tsx';
import { KeptTexts } from '../shared/kept-texts.tsx';
import { heavyTextsOf, LongText } from '../shared/long-text.tsx';
import { useDecideTask, usePendingGuesses, useRepeatTask, useSaveContent, withGuess } from '../shared/mutations.ts';
import { NotMoved } from '../shared/not-moved.tsx';
import { newNoteFieldId, TaskNotes } from '../shared/notes.tsx';
import type { PanelPart } from '../shared/panel-part.ts';
import { type FullTask, taskQuery, useSprints } from '../shared/queries.ts';
import { partRefusal, useTaskRules } from '../shared/rules.ts';
import { focusTask } from '../shared/task-marks.ts';
import { CopyTaskLink, TaskFoot, TaskPanelEnd } from './actions.tsx';
import classes from './panel.module.css';
import { TaskResend } from './resend.tsx';
import { TaskTextField } from './text-field.tsx';

type TaskPanelContentProps = {
  readonly task: FullTask;
  readonly viewer: SignedIn;
  readonly part: PanelPart;
  readonly onPart: (part: PanelPart) => void;
  readonly onDuplicate: ((taskId: string) => void) | null;
};

function TaskPanelContent({ task, viewer, part, onPart, onDuplicate }: TaskPanelContentProps) {
  const rules = useTaskRules(viewer, task);
  const { actions } = rules;
  // Until the sprints are read, the rules refuse everything.
  const isReady = useSprints().length > 0;
  const refusal = isReady ? partRefusal(viewer, rules, part) : null;
  useEffect(() => {
    if (refusal === null) return;
    showToast({ message: refusal });
    onPart(null);
  }, [refusal, onPart]);
  // Editing a denied task resends it, so it is one form with an answer, not field by field.
  const inline = actions.edit && !actions.resubmit;
  const started = () => onPart(null);
  const editing = useApproveEdited(task.id);
  const opensEdit = part === 'title' && actions.approveEdited;
  useEffect(() => {
    if (!opensEdit) return;
    editing.open();
    onPart(null);
  });
  const isEdited = actions.approveEdited && editing.isOpen;
  return (
    <div className={classes.content}>
      <PanelTop task={task} />
      {isEdited ? (
        <EditedApproval task={task} onClose={editing.close} />
      ) : (
        <TaskTextField task={task} field="title" editable={inline} startEditing={part === 'title'} onStarted={started}>
          <h2 className={classes.title}>{task.title}</h2>
        </TaskTextField>
      )}
      <NotMoved task={task} />
      {!actions.resubmit && !isEdited && <Summary task={task} editable={inline} />}
      <TaskDetail
        task={task}
        viewer={viewer}
        brand={inline ? <BrandSelect task={task} /> : undefined}
        repeat={actions.repeat ? <RepeatSelect task={task} /> : undefined}
      />
      {actions.resubmit && (
        <TaskResend task={task} startEditing={part === 'resend' || part === 'title'} onStarted={started}>
          <Summary task={task} editable={false} />
        </TaskResend>
      )}
      <div data-panel-part="files">
        <TaskFiles task={task} viewer={viewer} />
      </div>
      <TaskNotes task={task} viewer={viewer} />
      <TaskHistory task={task} viewer={viewer} />
      <TaskPanelEnd task={task} actions={actions} onDuplicate={onDuplicate} />
      <TaskFoot task={task} viewer={viewer} actions={actions} editing={editing} />
    </div>
  );
}

function EditedApproval({ task, onClose }: { task: FullTask; onClose: () => void }) {
  const { decide } = useDecideTask();
  return (
    <ApproveEdited
      task={task}
      onSend={(seen, edit) => decide({ task: seen, decision: 'approve', edit }).then(() => true)}
      onSent={onClose}
      onLeave={onClose}
    />
  );
}

/** The head of a peek has both. */
function PanelTop({ task }: Pick<TaskPanelContentProps, 'task'>) {
  if (usePeeks()) return null;
  return (
    <div className={classes.top}>
      <StatusPill {...task} />
      <CopyTaskLink task={task} />
    </div>
  );
}

function Summary({ task, editable }: { task: FullTask; editable: boolean }) {
  if (!task.summary && !editable) return null;
  return (
    <TaskTextField task={task} field="summary" editable={editable}>
      {task.summary ? (
        <LongText text={task.summary}>
          <Markdown text={task.summary} isHeavy={heavyTextsOf(task).summary} />
        </LongText>
      ) : (
        <p className={classes.missing}>No summary yet</p>
      )}
    </TaskTextField>
  );
}

function BrandSelect({ task }: { task: FullTask }) {
  const saving = useSaveContent();
  const [failure, setFailure] = useState('');
  const save = (category: string | null) => {
    if (!category || category === task.category) return;
    setFailure('');
    saving.mutate(
      { taskId: task.id, edits: { category }, version: task.version, guess: { category } },
      { onError: (error) => setFailure(error.message) },
    );
  };
  return (
    <SearchSelect
      className={classes.brand}
      classNames={{ input: classes.quiet }}
      aria-label="Brand"
      returnsFocus
      allowDeselect={false}
      data={[...categories]}
      value={task.category}
      error={failure}
      onChange={save}
    />
  );
}

const notRepeating = 'never';
const repeatChoices = [
  { value: notRepeating, label: 'Doesn’t repeat' },
  ...repeatKeys.map((value) => ({ value, label: capital(repeats[value].words) })),
];

function RepeatSelect({ task }: { task: FullTask }) {
  const repeat = useRepeatTask();
  return (
    <SearchSelect
      className={classes.repeat}
      classNames={{ input: classes.quiet }}
      aria-label="Repeats"
      returnsFocus
      data-panel-part="repeat"
      allowDeselect={false}
      data={
        task.withdrawn
          ? repeatChoices.filter(({ value }) => [notRepeating, task.repeats].includes(value))
          : repeatChoices
      }
      value={task.repeats ?? notRepeating}
      onChange={(chosen) => chosen && repeat(task, chosen === notRepeating ? null : (chosen as Repeat))}
    />
  );
}

type Props = {
  readonly taskId: string | null;
  readonly viewer: SignedIn;
  readonly part: PanelPart;
  readonly onPart: (part: PanelPart) => void;
  readonly onStep: (step: 1 | -1) => void;
  /** Null while viewing as someone else. */
  readonly onDuplicate: ((taskId: string) => void) | null;
  readonly onClose: () => void;
};

/** A task next to the board, by its address: linkable, reloadable and part of the history. */
export function TaskPanel({ taskId, ...props }: Props) {
  return (
    <Peek
      openKey={taskId}
      title="Task"
      head={taskId !== null && <PeekHead taskId={taskId} />}
      tools={taskId !== null && <PeekTools taskId={taskId} onStep={props.onStep} />}
      onClose={props.onClose}
      returnFocus={focusTask}
    >
      {taskId !== null && <Loaded key={taskId} taskId={taskId} {...props} />}
    </Peek>
  );
}

function PeekHead({ taskId }: { taskId: string }) {
  const { data } = useQuery(taskQuery(taskId));
  const guess = usePendingGuesses().get(taskId);
  return data ? <StatusPill {...withGuess(data, guess)} /> : null;
}

function PeekTools({ taskId, onStep }: Pick<Props, 'onStep'> & { taskId: string }) {
  const { data } = useQuery(taskQuery(taskId));
  return (
    <>
      {data && <CopyTaskLink task={data} />}
      <ActionIcon aria-label="Previous task" aria-keyshortcuts="k" onClick={() => onStep(-1)}>
        <IconChevronUp size={16} stroke={1.7} />
      </ActionIcon>
      <ActionIcon aria-label="Next task" aria-keyshortcuts="j" onClick={() => onStep(1)}>
        <IconChevronDown size={16} stroke={1.7} />
      </ActionIcon>
    </>
  );
}

function Loaded({ taskId, viewer, part, onPart, onStep, onClose, ...props }: Props & { taskId: string }) {
  const peeks = usePeeks();
  const onDuplicate =
    props.onDuplicate &&
    ((id: string) => {
      // In a narrow window, the panel covers the form.
      if (!peeks) onClose();
      props.onDuplicate?.(id);
    });
  const { data, error, isPending, refetch } = useQuery(taskQuery(taskId));
  const guess = usePendingGuesses().get(taskId);
  usePanelKeys(onPart, onStep);
  const isUnread = error !== null && data === undefined;
  const isMissing = isUnread || data === null;
  useEffect(() => {
    if (isMissing) onPart(null);
  }, [isMissing, onPart]);
  if (isUnread)
    return <PanelError sentence={error.message} requestId={error.requestId} onRetry={() => void refetch()} />;
  return (
    <Loading loading={isPending} skeleton={<PanelSkeleton />}>
      <KeptTexts taskId={taskId} task={data ?? null} />
      {data ? (
        <>
          <TaskPanelContent task={withGuess(data, guess)} {...{ viewer, part, onPart, onDuplicate }} />
          <FocusOnPart part={part} onPart={onPart} />
        </>
      ) : (
        <EmptyState title="Can’t show this task" action={<Button onClick={onClose}>Back to the board</Button>}>
          {refusals.NOT_FOUND.message}
        </EmptyState>
      )}
    </Loading>
  );
}

/** Over the page, its scope names a dialog. Beside it, the page keeps its other keys. */
function usePanelKeys(onPart: Props['onPart'], onStep: Props['onStep']): void {
  const peeks = usePeeks();
  const scope = peeks ? 'Task' : 'Dialog: the open task';
  useShortcuts([
    {
      key: 'm',
      label: 'Go to the Move buttons. Press 1 for the first',
      scope,
      writes: true,
      run: () => onPart('moves'),
    },
    { key: 'e', label: 'Edit title', scope, writes: true, run: () => onPart('title') },
    { key: 'r', label: 'Repeat the task', scope, writes: true, run: () => onPart('repeat') },
    { key: 'n', label: 'Add a note', scope, writes: true, run: () => onPart('note') },
    { key: 'j', label: 'Next task', scope, run: () => onStep(1) },
    { key: 'k', label: 'Previous task', scope, run: () => onStep(-1) },
    ...(peeks
      ? []
      : [
          { key: 'u', label: 'Undo the last change', scope, undoes: true, run: () => undoLatest() },
          { key: '?', label: 'Show all shortcuts', scope, run: openShortcutSheet },
        ]),
  ]);
}

/** The element to focus for each part; the title's and the resend editor focus themselves. */
const focusOf: Partial<Record<NonNullable<PanelPart>, string>> = {
  moves: '[data-panel-part="moves"] button',
  note: `#${newNoteFieldId}`,
  files: '[data-panel-part="files"] [role="presentation"], [data-panel-part="files"] [tabindex="0"]',
  decision: '[data-panel-part="decision"] button',
  repeat: '[data-panel-part="repeat"]',
};

/** Rendered with the content, which may come later than the data. */
function FocusOnPart({ part, onPart }: Pick<Props, 'part' | 'onPart'>) {
  useEffect(() => {
    const selector = part && focusOf[part];
    if (!selector) return undefined;
    // After the panel's own focus, which goes to its first control while it slides in.
    const timer = setTimeout(() => {
      const element = document.querySelector<HTMLElement>(selector);
      element?.focus();
      // The foot is in sight anyway.
      if (!element?.closest('[data-foot]')) element?.scrollIntoView({ block: 'center' });
      onPart(null);
    }, 60);
    return () => clearTimeout(timer);
  }, [part, onPart]);
  return null;
}

function PanelSkeleton() {
  return (
    <div className={classes.content}>
      <SkeletonBlock width={120} height={20} />
      <SkeletonBlock width="80%" height={24} />
      <SkeletonRows rows={6} />
    </div>
  );
}
