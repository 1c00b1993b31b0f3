import { useEffect, useState } from 'react';
import { categories } from '#core/access/brands.ts';
import { capital } from '#core/base/formats.ts';
import { type Repeat, repeatKeys, repeats } from '#core/tasks/repeat.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { Markdown } from '#web/ui/markdown.tsx';
import { usePeeks } from '#web/ui/peek.tsx';
import { StatusPill } from '#web/ui/pill.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { ApproveEdited, useApproveEdited } from '../shared/approve-edited.tsx';
import { TaskDetail } from '../shared/detail.tsx';
import { TaskFiles } from '../shared/files.tsx';
import { TaskHistory } from '../shared/history.tsx';
import { LongText } from '../shared/long-text.tsx';
import { useDecideTask, useRepeatTask, useSaveContent } from '../shared/mutations.ts';
import { NotMoved } from '../shared/not-moved.tsx';
import { TaskNotes } from '../shared/notes.tsx';
import type { PanelPart } from '../shared/panel-part.ts';
import { type FullTask, useSprints } from '../shared/queries.ts';
import { partRefusal, useTaskRules } from '../shared/rules.ts';
import { CopyTaskLink, TaskFoot, TaskPanelEnd } from './actions.tsx';
import classes from './panel.module.css';
import { TaskResend } from './resend.tsx';
import { TaskTextField } from './text-field.tsx';

type Props = {
  readonly task: FullTask;
  readonly viewer: SignedIn;
  readonly part: PanelPart;
  readonly onPart: (part: PanelPart) => void;
  readonly onDuplicate: ((taskId: string) => void) | null;
};

export function TaskPanelContent({ task, viewer, part, onPart, onDuplicate }: Props) {
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
      <TaskHistory task={task} />
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
function PanelTop({ task }: Pick<Props, 'task'>) {
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
          <Markdown text={task.summary} />
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
