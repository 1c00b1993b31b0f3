import { ActionIcon, Button, Textarea } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { limits } from '#core/base/limits.ts';
import { fieldTitles } from '#core/tasks/task.ts';
import { useDraft } from '#web/api/drafts.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Conflict } from '#web/ui/conflict.tsx';
import { useFocusBack } from '#web/ui/focus-back.ts';
import { Form, useForm } from '#web/ui/form.tsx';
import { useSaveContent } from '../shared/mutations.ts';
import { lastChangeOf } from '../shared/past.ts';
import type { FullTask } from '../shared/queries.ts';
import { leavesByEscape } from '../shared/send-keys.ts';
import classes from './text-field.module.css';

type Field = 'title' | 'summary';

type Props = {
  readonly task: FullTask;
  readonly field: Field;
  readonly editable: boolean;
  /** Opens the editor once; `onStarted` clears the request. */
  readonly startEditing?: boolean;
  readonly onStarted?: () => void;
  /** The text as displayed. */
  readonly children: ReactNode;
};

/** The input with the text and version it is based on: detects a conflict even after a reload. */
type Edit = { readonly text: string; readonly version: number };

/** A text its owner edits inline: by double-click or the button next to it. Esc closes and keeps the input. */
export function TaskTextField({ task, field, editable, startEditing = false, onStarted, children }: Props) {
  const draft = useDraft<Edit | null>(`task:${task.id}:${field}`, null);
  const [open, setOpen] = useState(draft.restored);
  const begin = () => {
    setOpen(true);
    if (draft.value === null) draft.change({ text: task[field], version: task.version });
  };
  useEffect(() => {
    if (!startEditing) return;
    if (editable) begin();
    onStarted?.();
  });
  const isEditing = open && draft.value !== null && editable;
  const pencil = useFocusBack(isEditing);
  if (isEditing && draft.value) {
    const discard = () => {
      setOpen(false);
      draft.discard();
    };
    const leave = () => (draft.value?.text === task[field] ? discard() : setOpen(false));
    return (
      <Editor task={task} field={field} edit={draft.value} onChange={draft.change} onClose={discard} onLeave={leave} />
    );
  }
  const name = fieldTitles[field].toLowerCase();
  const isKept = draft.value !== null && editable;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a short cut for the pointer; everyone can use the button.
    <div className={classes.shown} onDoubleClick={editable ? begin : undefined}>
      <div className={classes.text}>
        {children}
        {isKept && <p className={classes.kept}>Your changes aren’t saved yet</p>}
      </div>
      {editable && (
        <ActionIcon
          ref={pencil}
          className={classes.pencil}
          size={24}
          aria-label={`${isKept ? 'Continue editing' : 'Edit'} ${name}`}
          onClick={begin}
        >
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
  /** Saved or discarded. */
  readonly onClose: () => void;
  /** Closes and keeps the input. */
  readonly onLeave: () => void;
};

function Editor({ task, field, edit, onChange, onClose, onLeave }: EditorProps) {
  const saving = useSaveContent();
  const isTitle = field === 'title';
  const textOf = (typed: string) => (isTitle ? typed.trim() : typed);
  const save = async (version: number) => {
    const guess = { [field]: textOf(edit.text) };
    if (guess[field] === task[field]) return version;
    return (await saving.mutateAsync({ taskId: task.id, edits: guess, version, guess })).version;
  };
  const goOn = (text: string | undefined, version: number) =>
    text === undefined ? onClose() : onChange({ text, version });
  const form = useForm({
    initial: { text: edit.text },
    mutation: { isPending: saving.isPending, mutateAsync: save },
    variables: () => edit.version,
    onSent: (version) => goOn(form.typedSince().text, version),
    keep: ({ text }) => onChange({ ...edit, text }),
  });
  const isConflict = saving.error?.code === 'CONFLICT';
  const blank = isTitle && textOf(edit.text) === '';
  const leave = leavesByEscape(onLeave);
  return (
    <Form form={isConflict ? { ...form, failure: null } : form} className={classes.editor} disabled={blank}>
      <Textarea
        aria-label={fieldTitles[field]}
        autosize
        minRows={isTitle ? 1 : 5}
        maxRows={24}
        maxLength={limits[field]}
        autoFocus
        data-autofocus
        {...form.field('text')}
        size="xs"
        error={blank && 'Enter a title'}
        {...leave}
        onKeyDown={isTitle ? savesByEnter(leave.onKeyDown) : leave.onKeyDown}
      />
      {isConflict ? (
        <TextConflict
          task={task}
          field={field}
          edit={edit}
          busy={saving.isPending}
          disabled={blank}
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

/** A title is one line: Enter saves it. */
const savesByEnter =
  (otherwise: (event: KeyboardEvent<HTMLTextAreaElement>) => void) => (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return otherwise(event);
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };

type ConflictProps = Pick<EditorProps, 'task' | 'field' | 'edit'> & {
  readonly busy: boolean;
  readonly disabled: boolean;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
};

/** The same text was changed elsewhere. */
function TextConflict({ task, field, edit, ...rest }: ConflictProps) {
  const viewer = useViewer();
  const last = lastChangeOf(task, field, edit.version);
  const sentence =
    last?.actorId === viewer.id ? 'You changed this in another tab' : `${last?.actorName ?? 'Someone'} changed this`;
  const difference = { name: fieldTitles[field], before: task[field], after: edit.text };
  return <Conflict sentence={sentence} differences={[difference]} {...rest} />;
}
