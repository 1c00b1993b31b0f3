// Mentions while writing a note: the text after the @, matching people, and keyboard selection.
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { linkMentions, type Mentioned, mentionsIn, mentionTyped } from '#core/tasks/mentions.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';

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

export type Mentionable = ResultOf<typeof mentionableDocument>['mentionable'][number];

const key = (taskId: string) => ['people', 'mentionable', taskId] as const;

/** Long enough to avoid repeated queries, short enough to notice new permissions. */
const staleMs = 60_000;

/** The people with these ids, and whether a mention in the task reaches them. */
export function useMentionedPeople(taskId: string, ids: readonly string[]): readonly Mentionable[] {
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

export function useMentions({ taskId, value, onChange, field }: Field) {
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

export type Mentions = ReturnType<typeof useMentions>;
