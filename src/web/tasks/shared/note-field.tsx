import { Button, Textarea } from '@mantine/core';
import { type KeyboardEvent, useRef } from 'react';
import { limits } from '#core/base/limits.ts';
import { withPlainMentions } from '#core/tasks/mentions.ts';
import { MentionList, UnseenMentions } from './mention-list.tsx';
import classes from './notes.module.css';
import { keepsEscape, onSend } from './send-keys.ts';
import { useMentions } from './use-mentions.ts';

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
