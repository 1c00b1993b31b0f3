import { Button, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { listWords } from '#core/base/formats.ts';
import { limits } from '#core/base/limits.ts';
import { personLabels } from '#core/people/people.ts';
import {
  linkMentions,
  type Mentioned,
  mentionedIn,
  mentionsIn,
  mentionTyped,
  withPlainMentions,
} from '#core/tasks/mentions.ts';
import { useDraftSending } from '#web/api/draft-sending.ts';
import type { Draft } from '#web/api/drafts.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { shortened } from './mutations.ts';
import classes from './notes.module.css';
import { leavesByEscape } from './send-keys.ts';

// Mentions while writing a note: the text after the @, matching people, and keyboard selection.

const mentionableDocument = graphql(`
  query Mentionable($taskId: ID!, $name: String, $ids: [ID!]) {
    mentionable(taskId: $taskId, name: $name, ids: $ids) {
      id
      displayName
      team
      seesTask
    }
  }
`);

type Mentionable = ResultOf<typeof mentionableDocument>['mentionable'][number];

const key = (taskId: string) => ['people', 'mentionable', taskId] as const;

/** Long enough to avoid repeated queries, short enough to notice new permissions. */
const staleMs = 60_000;

/** The people with these ids, and whether a mention in the task reaches them. */
function useMentionedPeople(taskId: string, ids: readonly string[]): readonly Mentionable[] {
  const { data } = useQuery({
    queryKey: [...key(taskId), 'ids', ...ids],
    queryFn: ({ signal }) => request(mentionableDocument, { taskId, ids: [...ids] }, { signal }),
    enabled: ids.length > 0,
    staleTime: staleMs,
  });
  return ids.length > 0 ? (data?.mentionable ?? []) : [];
}

type Typed = { readonly from: number; readonly caret: number; readonly name: string };

type Field = {
  readonly taskId: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly field: RefObject<HTMLTextAreaElement | null>;
};

function useMentions({ taskId, value, onChange, field }: Field) {
  const [typed, setTyped] = useState<Typed | null>(null);
  const [active, setActive] = useState(0);
  const caret = useRef<number | null>(null);
  const listId = useId();
  const { data } = useQuery({
    queryKey: [...key(taskId), 'name', typed?.name ?? ''],
    queryFn: ({ signal }) => request(mentionableDocument, { taskId, name: typed?.name ?? '' }, { signal }),
    enabled: typed !== null,
    staleTime: staleMs,
    placeholderData: (before) => before,
  });
  const people = typed === null ? [] : (data?.mentionable ?? []);
  const isOpen = people.length > 0;

  // Inserting text moves the caret to the end; it belongs after the name.
  useLayoutEffect(() => {
    if (caret.current === null) return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });

  const close = () => setTyped(null);
  const type = (plain: string, at: number) => {
    const found = mentionTyped(plain, at);
    setTyped(found && { ...found, caret: at });
    setActive(0);
    onChange(linkMentions(plain, mentionsIn(value)));
  };
  const choose = (person: Mentioned) => {
    const plain = field.current?.value ?? '';
    if (typed === null) return;
    const before = `${plain.slice(0, typed.from)}@${person.displayName} `;
    // People mentioned before the caret stay first, so those with the same name keep their order.
    const known = mentionsIn(linkMentions(plain.slice(0, typed.from), mentionsIn(value)));
    const after = mentionsIn(value).slice(known.length);
    onChange(linkMentions(before + plain.slice(typed.caret), [...known, person, ...after]));
    caret.current = before.length;
    close();
    field.current?.focus();
  };
  /** The list's keys while it is open; all others go to the field. */
  const takesKey = (event: KeyboardEvent): boolean => {
    const person = people[active];
    if (person === undefined) return false;
    if (event.key === 'ArrowDown') setActive((active + 1) % people.length);
    else if (event.key === 'ArrowUp') setActive((active + people.length - 1) % people.length);
    else if (event.key === 'Escape') close();
    else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab') choose(person);
    else return false;
    event.preventDefault();
    return true;
  };
  const optionId = (index: number) => `${listId}-${index}`;
  const described = {
    'aria-autocomplete': 'list',
    ...(isOpen ? { 'aria-controls': listId, 'aria-activedescendant': optionId(active) } : {}),
  } as const;
  return { people, active, isOpen, listId, optionId, described, type, choose, close, takesKey };
}

type Mentions = ReturnType<typeof useMentions>;

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
