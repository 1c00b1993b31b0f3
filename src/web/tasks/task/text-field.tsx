import { ActionIcon, Button, Textarea } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { limits } from '#core/base/limits.ts';
import { useDraft } from '#web/api/drafts.ts';
import { useFocusBack } from '#web/ui/focus-back.ts';
import { Form, useForm } from '#web/ui/form.tsx';
import { useSaveContent } from '../shared/mutations.ts';
import { fieldTitles } from '../shared/past.ts';
import type { FullTask } from '../shared/queries.ts';
import { leavesByEscape } from '../shared/send-keys.ts';
import classes from './text-field.module.css';

type Field = 'title' | 'summary';

type Props = {
  readonly task: FullTask;
  readonly field: Field;
  readonly editable: boolean;
  /** Opens the editor, once: `onStarted` takes the wish back. */
  readonly startEditing?: boolean;
  readonly onStarted?: () => void;
  /** The text as it is read. */
  readonly children: ReactNode;
};

/** What is typed, and the text and version that it was typed over: a conflict is noticed after a reload, too. */
type Edit = { readonly text: string; readonly version: number };

/** A text that its owner edits in place: by double click or the button beside it. Esc leaves, Ctrl+Enter saves. */
export function TaskTextField({ task, field, editable, startEditing = false, onStarted, children }: Props) {
  const draft = useDraft<Edit | null>(`task:${task.id}:${field}`, null);
  const begin = () => draft.change({ text: task[field], version: task.version });
  useEffect(() => {
    if (!startEditing || !editable) return;
    if (draft.value === null) begin();
    onStarted?.();
  });
  const pencil = useFocusBack(draft.value !== null && editable);
  if (draft.value !== null && editable) {
    return <Editor task={task} field={field} edit={draft.value} onChange={draft.change} onClose={draft.discard} />;
  }
  const name = fieldTitles[field].toLowerCase();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a short cut for the pointer; the button is the way for everybody.
    <div className={classes.shown} onDoubleClick={editable ? begin : undefined}>
      <div className={classes.text}>{children}</div>
      {editable && (
        <ActionIcon ref={pencil} className={classes.pencil} size={24} aria-label={`Edit ${name}`} onClick={begin}>
          <IconPencil size={15} stroke={1.7} />
        </ActionIcon>
      )}
    </div>
  );
}

type EditorProps = {
  readonly task: FullTask;
  readonly field: Field;
  readonly edit: Edit;
  readonly onChange: (edit: Edit) => void;
  readonly onClose: () => void;
};

function Editor({ task, field, edit, onChange, onClose }: EditorProps) {
  const saving = useSaveContent();
  const isTitle = field === 'title';
  const textOf = (typed: string) => (isTitle ? typed.trim() : typed);
  const save = async (version: number) => {
    const guess = { [field]: textOf(edit.text) };
    if (guess[field] !== task[field]) await saving.mutateAsync({ taskId: task.id, edits: guess, version, guess });
  };
  const form = useForm({
    initial: { text: edit.text },
    mutation: { isPending: saving.isPending, mutateAsync: save },
    variables: () => edit.version,
    onSent: onClose,
    keep: ({ text }) => onChange({ ...edit, text }),
  });
  const isConflict = saving.error?.code === 'CONFLICT';
  const blank = isTitle && textOf(edit.text) === '';
  const leave = leavesByEscape(onClose);
  return (
    <Form form={isConflict ? { ...form, failure: null } : form} className={classes.editor} disabled={blank}>
      <Textarea
        aria-label={fieldTitles[field]}
        autosize
        minRows={isTitle ? 1 : 5}
        maxRows={24}
        maxLength={limits[field]}
        autoFocus
        {...form.field('text')}
        size="xs"
        error={blank && 'Enter a title'}
        {...leave}
        onKeyDown={(event) => {
          if (!isTitle || event.key !== 'Enter' || event.ctrlKey || event.metaKey) return leave.onKeyDown(event);
          // A title is one line: Enter saves it.
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      {isConflict ? (
        <Conflict
          theirs={task[field]}
          busy={saving.isPending}
          onMine={() => void save(task.version).then(onClose, form.refuse)}
          onTheirs={onClose}
        />
      ) : (
        <div className={classes.buttons}>
          <Button type="submit" loading={saving.isPending} disabled={blank} aria-keyshortcuts="Control+Enter">
            Save
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </div>
      )}
    </Form>
  );
}

type ConflictProps = {
  readonly theirs: string;
  readonly busy: boolean;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
};

/** The same text was changed elsewhere meanwhile: both stand there, and the person chooses (D25). */
function Conflict({ theirs, busy, onMine, onTheirs }: ConflictProps) {
  return (
    <div className={classes.conflict} role="alert">
      <p>Someone else changed this. Your text is above. The saved version:</p>
      <blockquote>{theirs || 'Nothing'}</blockquote>
      <div className={classes.buttons}>
        <Button onClick={onMine} loading={busy}>
          Save mine
        </Button>
        <Button variant="default" onClick={onTheirs}>
          Keep the saved version
        </Button>
      </div>
    </div>
  );
}
