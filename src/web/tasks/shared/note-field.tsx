import { Button, Textarea } from '@mantine/core';
import { type KeyboardEvent, useRef } from 'react';
import { limits } from '#core/base/limits.ts';
import { mentionedIn, withPlainMentions } from '#core/tasks/mentions.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import classes from './notes.module.css';
import { keepsEscape, onSend } from './send-keys.ts';
import { type Mentions, useMentionedPeople, useMentions } from './use-mentions.ts';

type Props = {
  readonly taskId: string;
  readonly id?: string;
  readonly label: string;
  /** With its mentions; the field shows their names alone. */
  readonly value: string;
  readonly error: string | null;
  readonly busy: boolean;
  readonly verb: string;
  readonly autoFocus?: boolean;
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
  readonly onCancel?: () => void;
};

/** A field for a note. A name after an @ is looked for while it is typed. */
export function NoteField(props: Props) {
  const { taskId, id, label, value, error, busy, verb, autoFocus = false, onChange, onCancel } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const mentions = useMentions({ taskId, value, onChange, field });
  const sendOrLeave = onSend(props.onSend, onCancel);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (!mentions.takesKey(event)) sendOrLeave(event);
  };
  return (
    <div className={classes.field}>
      <Textarea
        {...(id ? { id } : {})}
        ref={field}
        aria-label={label}
        placeholder="Write a note. **Bold**, lists and links work, @ mentions people"
        autosize
        minRows={2}
        maxRows={14}
        maxLength={limits.note}
        value={withPlainMentions(value)}
        error={error}
        autoFocus={autoFocus}
        onChange={({ currentTarget }) => mentions.type(currentTarget.value, currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onBlur={mentions.close}
        {...mentions.described}
        {...(onCancel || mentions.isOpen ? keepsEscape : {})}
      />
      <MentionList mentions={mentions} />
      <UnseenMentions taskId={taskId} text={value} />
      {(value.trim() !== '' || onCancel) && (
        <div className={classes.buttons}>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button
            onClick={props.onSend}
            loading={busy}
            disabled={value.trim() === ''}
            aria-keyshortcuts="Control+Enter"
          >
            {verb}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The people whose name may be meant, right under the field that keeps the focus. */
function MentionList({ mentions }: { mentions: Mentions }) {
  const { people, active, isOpen, listId, optionId, choose } = mentions;
  if (!isOpen) return null;
  return (
    <div id={listId} role="listbox" aria-label="People to mention" className={classes.list}>
      {people.map((person, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys.
        <div
          key={person.id}
          id={optionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={classes.person}
          // Before the field loses its focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(person)}
        >
          <Avatar name={person.displayName} size={22} />
          <span className={classes.name}>{person.displayName}</span>
          {!person.seesTask && <span className={classes.blind}>cannot see this task</span>}
        </div>
      ))}
    </div>
  );
}

const names = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Tells the writer whom a mention does not reach. */
function UnseenMentions({ taskId, text }: { taskId: string; text: string }) {
  const blind = useMentionedPeople(taskId, mentionedIn(text)).filter(({ seesTask }) => !seesTask);
  if (blind.length === 0) return null;
  return (
    <p className={classes.unseen} role="status">
      {names.format(blind.map(({ displayName }) => displayName))} cannot see this task and will not be told.
    </p>
  );
}
