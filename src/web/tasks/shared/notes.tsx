import { ActionIcon } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { editNoteRefusal, removalRefusal } from '#core/tasks/task.ts';
import { config } from '#web/api/config.ts';
import { hasDraft, useDraft, useReopens } from '#web/api/drafts.ts';
import { type SignedIn, useViewer } from '#web/api/viewer.ts';
import { Age } from '#web/ui/age.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { useFocusBack } from '#web/ui/focus-back.ts';
import { Markdown } from '#web/ui/markdown.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { heavyTextsOf, LongText } from './long-text.tsx';
import { useAddNote, useEditNote, useFindSent, useRemoveNote } from './mutations.ts';
import { NoteField } from './note-field.tsx';
import classes from './notes.module.css';
import { type FullTask, type Note, noteDraft } from './queries.ts';
import { useTaskRules } from './rules.ts';
import { TaskSection } from './section.tsx';

type Props = { readonly task: FullTask; readonly viewer: SignedIn };

/** A task's notes, oldest first, and the field for the next one. */
export function TaskNotes({ task, viewer }: Props) {
  const { task: known, owner, actions } = useTaskRules(viewer, task);
  const heavy = heavyTextsOf(task).notes;
  return (
    <TaskSection title="Notes" count={task.notes.length}>
      {task.notes.length > 0 && (
        <ul className={classes.notes}>
          {task.notes.map((note, at) => (
            <NoteRow
              key={note.id}
              taskId={task.id}
              note={note}
              isHeavy={heavy[at] ?? false}
              canEdit={editNoteRefusal(viewer, known, owner, note.userId) === null}
              canRemove={removalRefusal(viewer, known, owner, note.userId, 'note') === null}
            />
          ))}
        </ul>
      )}
      {actions.note && <NewNote key={task.id} taskId={task.id} />}
    </TaskSection>
  );
}

type NoteRowProps = {
  readonly taskId: string;
  readonly note: Note;
  /** Too much to render, beside the others. */
  readonly isHeavy: boolean;
  readonly canEdit: boolean;
  readonly canRemove: boolean;
};

function NoteRow({ taskId, note, isHeavy, canEdit, canRemove }: NoteRowProps) {
  const [editing, setEditing] = useState(useReopens(noteDraft(taskId, note.id)));
  const isKept = useIsKept(noteDraft(taskId, note.id), editing) && canEdit;
  const pencil = useFocusBack(editing);
  const remove = useRemoveNote();
  return (
    <li className={classes.note} data-leaving={remove.isPending || undefined}>
      <Avatar name={note.userName} />
      <div className={classes.body}>
        <div className={classes.line}>
          <strong>{note.userName}</strong>
          <span className={classes.when}>
            <Age instant={note.timeStamp} zone={config().companyTimeZone} ago />
            {note.edited && ', edited'}
          </span>
          <span className={classes.tools}>
            {canEdit && !editing && (
              <Writes>
                <ActionIcon
                  ref={pencil}
                  size={24}
                  aria-label={`${isKept ? 'Continue editing' : 'Edit'} the note`}
                  onClick={() => setEditing(true)}
                >
                  <IconPencil size={15} stroke={1.7} />
                </ActionIcon>
              </Writes>
            )}
            {canRemove && (
              <Writes>
                <ActionIcon
                  size={24}
                  aria-label="Remove the note"
                  loading={remove.isPending}
                  onClick={() => remove.mutate({ taskId, itemId: note.id })}
                >
                  <IconTrash size={15} stroke={1.7} />
                </ActionIcon>
              </Writes>
            )}
          </span>
        </div>
        {editing ? (
          <NoteEditor taskId={taskId} note={note} onClose={() => setEditing(false)} />
        ) : (
          <>
            <LongText text={note.text}>
              <Markdown text={note.text} isHeavy={isHeavy} mentions />
            </LongText>
            {isKept && <p className={classes.kept}>Your changes aren’t saved yet</p>}
          </>
        )}
      </div>
    </li>
  );
}

/** Whether the closed editor kept a changed text. */
function useIsKept(draft: string, isEditing: boolean): boolean {
  const { id } = useViewer();
  const [isKept, setKept] = useState(false);
  // After the editor, which saves its text when it is removed.
  useEffect(() => setKept(!isEditing && hasDraft(id, draft)), [id, draft, isEditing]);
  return isKept;
}

function NoteEditor({ taskId, note, onClose }: { taskId: string; note: Note; onClose: () => void }) {
  const edit = useEditNote();
  return (
    <NoteField
      taskId={taskId}
      label="Edit the note"
      draft={useDraft(noteDraft(taskId, note.id), note.text)}
      isSending={edit.isPending}
      onSend={async (text) => text === note.text || edit.mutateAsync({ taskId, noteId: note.id, text })}
      verb="Save"
      onClose={onClose}
    />
  );
}

/** The element that the key N focuses. */
export const newNoteFieldId = 'new-note';

function NewNote({ taskId }: { taskId: string }) {
  const viewer = useViewer();
  const add = useAddNote();
  const findSent = useFindSent();
  const draft = `new-note:${taskId}`;
  const find = (id: string, sent: string) =>
    findSent(taskId, ({ notes }) =>
      notes.some((note) => {
        // A server of an older version, during an upgrade, says the task's.
        const isSame = id === taskId && note.userId === viewer.id && note.text === sent;
        return note.id === id || isSame;
      }),
    );
  return (
    <NoteField
      taskId={taskId}
      id={newNoteFieldId}
      label="New note"
      draft={useDraft(draft, '')}
      isSending={add.isPending}
      onSend={(text, key) => add.mutateAsync({ taskId, text, key })}
      sending={{ draft, find }}
      verb="Add note"
    />
  );
}
