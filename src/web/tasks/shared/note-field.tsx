import { Button, Textarea } from '@mantine/core';
import { type RefObject, useEffect, useRef } from 'react';
import { listWords } from '#core/base/formats.ts';
import { limits } from '#core/base/limits.ts';
import { personLabels } from '#core/people/people.ts';
import { mentionedIn, withPlainMentions } from '#core/tasks/mentions.ts';
import { useDraftSending } from '#web/api/draft-sending.ts';
import type { Draft } from '#web/api/drafts.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { shortened } from './mutations.ts';
import classes from './notes.module.css';
import { leavesByEscape } from './send-keys.ts';
import { type Mentions, useMentionedPeople, useMentions } from './use-mentions.ts';

type Props = {
  readonly taskId: string;
  readonly id?: string;
  readonly label: string;
  /** With its mentions; the field only shows their names. */
  readonly draft: Draft<string>;
  readonly isSending: boolean;
  readonly onSend: (text: string, key: string) => Promise<unknown>;
  /** For a new note: its draft, and the note that an earlier call with a lost answer added. */
  readonly sending?: { readonly draft: string; readonly find: (id: string, text: string) => Promise<unknown> };
  readonly verb: string;
  /** For editing an existing note: closes after sending, by Cancel, and by Esc, which keeps the draft. */
  readonly onClose?: () => void;
};

const nameOf = (text: string): string => shortened(withPlainMentions(text));

/** The form of a note's text. A new note is found if an earlier call with a lost answer added it. */
function useNoteForm({ draft, onSend, sending, onClose, ...props }: Props) {
  const leave = () => {
    draft.discard();
    onClose?.();
  };
  const empty = () => form.restart({ text: '' }) || leave();
  const { send, isSending, endCorrection } = useDraftSending({
    draft: sending?.draft ?? null,
    send: onSend,
    find: async (id, text) => sending?.find(id, text) ?? null,
    onFound: (text, note): boolean => {
      showToast({ message: `“${nameOf(text)}” was added${note ? '' : ' in another tab'}` });
      const held = form.values.text.trim();
      if (held === text) {
        form.set({ text: '' });
        leave();
      }
      return held !== '' && held !== text;
    },
    nameOf,
  });
  const form = useForm({
    initial: { text: draft.value },
    mutation: { isPending: isSending || props.isSending, mutateAsync: send },
    variables: ({ text }) => text.trim(),
    onSent: () => (onClose ? 'text' in form.typedSince() || leave() : empty()),
    keep: ({ text }) => {
      if (text.trim() === '') endCorrection();
      draft.change(text);
    },
  });
  return { form, leave };
}

/** A note's field. Searches for a name while it is typed after an @. */
export function NoteField(props: Props) {
  const { taskId, id, label, verb, onClose } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const { form, leave } = useNoteForm(props);
  const { text } = form.values;
  const mentions = useMentions({ taskId, value: text, onChange: (typed) => form.set({ text: typed }), field });
  // Keeps what was typed in a note that is edited; Cancel discards it.
  const isBlank = text.trim() === '';
  const leaveField = () => field.current?.blur();
  const escapes = onClose || mentions.isOpen || !isBlank ? leavesByEscape(onClose ?? leaveField) : null;
  const people = mentions.isOpen ? ` ${mentions.people.length}` : '';
  useWhollyInView(form.node, isBlank ? null : `${form.failure ? 'failure' : 'button'}${people}`);
  return (
    <Form form={form} className={classes.field} disabled={isBlank}>
      <Textarea
        {...(id ? { id } : {})}
        ref={field}
        aria-label={label}
        placeholder="Write a note. **Bold**, lists and links work, @ mentions people"
        autosize
        minRows={2}
        maxRows={14}
        maxLength={limits.note}
        value={withPlainMentions(text)}
        error={form.error('text')}
        autoFocus={onClose !== undefined}
        onChange={({ currentTarget }) => mentions.type(currentTarget.value, currentTarget.selectionStart)}
        onBlur={mentions.close}
        {...mentions.described}
        {...escapes}
        onKeyDown={(event) => {
          if (!mentions.takesKey(event)) escapes?.onKeyDown(event);
        }}
      />
      <MentionList mentions={mentions} />
      <UnseenMentions taskId={taskId} text={text} />
      {(!isBlank || onClose) && (
        <div className={classes.buttons}>
          {onClose && (
            <Button variant="default" onClick={leave}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={form.busy} disabled={isBlank} aria-keyshortcuts="Control+Enter">
            {verb}
          </Button>
        </div>
      )}
    </Form>
  );
}

/** The button comes with the text, people and a failure later: all would be below the edge. */
function useWhollyInView(form: RefObject<HTMLElement | null>, below: string | null): void {
  useEffect(() => {
    const isFocused = form.current?.contains(document.activeElement);
    if (below && isFocused) form.current?.scrollIntoView({ block: 'nearest' });
  }, [below, form]);
}

/** Matching people, below the field, which keeps the focus. */
function MentionList({ mentions }: { mentions: Mentions }) {
  const { people, active, isOpen, listId, optionId, choose } = mentions;
  if (!isOpen) return null;
  const labelOf = personLabels(people);
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
          <span className={classes.name}>{labelOf(person)}</span>
          {!person.seesTask && <span className={classes.blind}>can’t see this task</span>}
        </div>
      ))}
    </div>
  );
}

/** Warns the writer about people a mention doesn't reach. */
function UnseenMentions({ taskId, text }: { taskId: string; text: string }) {
  const blind = useMentionedPeople(taskId, mentionedIn(text)).filter(({ seesTask }) => !seesTask);
  if (blind.length === 0) return null;
  return (
    <p className={classes.unseen} role="status">
      {listWords(blind.map(({ displayName }) => displayName))} can’t see this task and won’t be notified.
    </p>
  );
}
