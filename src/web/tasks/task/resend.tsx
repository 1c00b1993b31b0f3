import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { limits } from '#core/base/limits.ts';
import { asApiError } from '#web/api/api-error.ts';
import { useDraft } from '#web/api/drafts.ts';
import { useSaveContent } from '../shared/mutations.ts';
import type { FullTask } from '../shared/queries.ts';
import { keepsEscape, onSend } from '../shared/send-keys.ts';
import classes from './resend.module.css';

type Props = {
  readonly task: FullTask;
  readonly startEditing: boolean;
  readonly onStarted: () => void;
  /** The summary as it is read; while it is edited the field stands in its place. */
  readonly children: ReactNode;
};

type Words = { readonly title: string; readonly summary: string; readonly change: string };

/** "Edit and resend" for a denied task: any update of it sends it back to approval (spec 4), so it is one step with an answer. */
export function TaskResend({ task, startEditing, onStarted, children }: Props) {
  const draft = useDraft<Words | null>(`resend:${task.id}`, null);
  const [open, setOpen] = useState(draft.restored);
  useEffect(() => {
    if (!startEditing) return;
    setOpen(true);
    onStarted();
  });
  const blank = { title: task.title, summary: task.summary, change: '' };
  if (!open) {
    return (
      <>
        <Button size="sm" onClick={() => setOpen(true)} className={classes.open}>
          {draft.value === null ? 'Edit and resend' : 'Continue editing'}
        </Button>
        {children}
      </>
    );
  }
  // Esc only puts the form away: what is typed is there when it opens again.
  const putAway = () => setOpen(false);
  const discard = () => {
    draft.discard();
    setOpen(false);
  };
  return (
    <ResendForm
      task={task}
      words={draft.value ?? blank}
      onChange={draft.change}
      onLeave={putAway}
      onDiscard={discard}
    />
  );
}

type FormProps = {
  readonly task: FullTask;
  readonly words: Words;
  readonly onChange: (words: Words) => void;
  readonly onLeave: () => void;
  readonly onDiscard: () => void;
};

function ResendForm({ task, words, onChange, onLeave, onDiscard }: FormProps) {
  const saving = useSaveContent();
  const [tried, setTried] = useState(false);
  const send = () => {
    setTried(true);
    const title = words.title.trim();
    const change = words.change.trim();
    if (title === '' || change === '' || saving.isPending) return;
    const edits = { title, summary: words.summary, change };
    saving.mutate({ taskId: task.id, edits, version: task.version }, { onSuccess: onDiscard });
  };
  const byKey = onSend(send, onLeave);
  const field = (name: keyof Words) => ({
    value: words[name],
    maxLength: limits[name],
    autosize: true,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ ...words, [name]: currentTarget.value }),
    onKeyDown: byKey,
    ...keepsEscape,
  });
  return (
    <div className={classes.form}>
      <Textarea
        label="Title"
        {...field('title')}
        error={tried && words.title.trim() === '' && 'The title must not be blank'}
      />
      <Textarea label="Summary" minRows={4} maxRows={16} {...field('summary')} />
      <Textarea
        label="What did you change?"
        minRows={2}
        maxRows={8}
        autoFocus
        {...field('change')}
        error={tried && words.change.trim() === '' && 'Say what you changed'}
      />
      {saving.error && (
        <p className={classes.failure} role="alert">
          {asApiError(saving.error).message}
        </p>
      )}
      <div className={classes.buttons}>
        <Button size="sm" onClick={send} loading={saving.isPending} aria-keyshortcuts="Control+Enter">
          Resend for approval
        </Button>
        <Button size="sm" variant="default" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </div>
  );
}
