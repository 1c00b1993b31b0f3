import { Button } from '@mantine/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type Draft, useDraft } from '#web/api/drafts.ts';
import type { FormOf } from '#web/ui/form.tsx';
import { shortened } from './mutations.ts';
import classes from './new-task-dialog.module.css';

export type Values = Record<'title' | 'summary' | 'category' | 'sprintId' | 'userId', string>;
export type NewTaskFormOf = FormOf<Values>;

type UnsentProps = {
  readonly form: NewTaskFormOf;
  readonly draft: Draft<Values>;
  readonly blank: Values;
  readonly title: RefObject<HTMLTextAreaElement | null>;
};

/** Whether a title took the place of another in one go: typed over the selected text, or pasted. */
const replaces = (title: string, before: string): boolean =>
  title.length === 1
    ? before.length > 2
    : title !== '' && before !== '' && title[0] !== before[0] && title.at(-1) !== before.at(-1);

const asideKey = 'new-task:aside';

/** A draft whose title was typed over. It is kept, also after the new task is sent, until someone decides. */
function useTypedOver(form: NewTaskFormOf, found: Values | null, blank: Values) {
  const aside = useDraft<Values | null>(asideKey, null);
  const before = useRef(form.values.title);
  useEffect(() => {
    const isReplaced = found && before.current === found.title && replaces(form.values.title, found.title);
    before.current = form.values.title;
    if (!isReplaced || form.values.summary !== found.summary) return;
    if (found.summary !== '') aside.change(found);
    form.set({ ...blank, title: form.values.title });
  });
  return aside;
}

/**
 * Says that the form holds a task that wasn't sent. What is typed at once begins another task, which doesn't
 * take the draft's summary and brand with it.
 */
export function Unsent({ form, draft, blank, title }: UnsentProps) {
  const [found] = useState(draft.restored ? draft.value : null);
  const aside = useTypedOver(form, found, blank);
  useEffect(() => title.current?.select(), [title]);
  if (aside.value) {
    const { value } = aside;
    const bringBack = () => {
      const typed = form.values;
      form.set(value);
      aside.change(typed.title === '' && typed.summary === '' ? null : typed);
      title.current?.focus();
    };
    return (
      <p className={classes.back} role="status">
        Another draft is kept: “{shortened(value.title || value.summary)}”.
        <Button variant="subtle" size="compact-sm" onClick={bringBack}>
          Bring it back
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={aside.discard}>
          Discard it
        </Button>
      </p>
    );
  }
  const isBack = (field: 'title' | 'summary') => found?.[field] && form.values[field] === found[field];
  if (!isBack('title') && !isBack('summary')) return null;
  const startOver = () => {
    form.set({
      ...(isBack('title') ? { ...blank, summary: form.values.summary } : {}),
      ...(isBack('summary') && { summary: '' }),
    });
    title.current?.focus();
  };
  return (
    <p className={classes.back} role="status">
      This draft wasn’t sent.
      <Button variant="subtle" size="compact-sm" onClick={startOver}>
        Start over
      </Button>
    </p>
  );
}
