import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { limits } from '#core/base/limits.ts';
import type { ContentField } from '#core/tasks/task.ts';
import { updateTaskInput } from '#core/tasks/task-inputs.ts';
import { useDraft } from '#web/api/drafts.ts';
import { Form, useForm } from '#web/ui/form.tsx';
import { sendHint } from '#web/ui/shortcuts.ts';
import { WorkFields } from '../shared/approve-edited.tsx';
import { useSaveContent } from '../shared/mutations.ts';
import type { FullTask } from '../shared/queries.ts';
import { leavesByEscape } from '../shared/send-keys.ts';
import classes from './resend.module.css';

type Props = {
  readonly task: FullTask;
  readonly startEditing: boolean;
  readonly onStarted: () => void;
  /** The summary as displayed; the editor replaces it. */
  readonly children: ReactNode;
};

type Words = Readonly<Record<ContentField, string>>;

/**
 * "Edit and resend" for a denied task: any edit sends it back to approval (spec 4), so it is one step with an
 * answer.
 */
export function TaskResend({ task, startEditing, onStarted, children }: Props) {
  const draft = useDraft<Words | null>(`resend:${task.id}`, null);
  const [open, setOpen] = useState(draft.restored);
  useEffect(() => {
    if (!startEditing) return;
    setOpen(true);
    onStarted();
  });
  const blank = { title: task.title, summary: task.summary, category: task.category, change: '' };
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
  // Esc only closes the form: the input is still there when it reopens.
  const putAway = () => setOpen(false);
  const discard = () => {
    draft.discard();
    setOpen(false);
  };
  return (
    <ResendForm
      task={task}
      words={{ ...blank, ...draft.value }}
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
  const form = useForm({
    initial: words,
    input: ({ title, change, ...rest }) => ({ id: task.id, title: title.trim(), ...rest, change: change.trim() }),
    schema: updateTaskInput,
    rule: ({ change }) => (change ? null : { field: 'change', message: 'Say what you changed' }),
    mutation: useSaveContent(),
    variables: ({ id: taskId, ...edits }) => ({ taskId, edits, version: task.version }),
    onSent: onDiscard,
    keep: onChange,
  });
  return (
    <Form form={form} className={classes.form}>
      <WorkFields form={form} onLeave={onLeave} />
      <Textarea
        label="What did you change?"
        description={sendHint()}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={limits.change}
        autoFocus
        data-autofocus
        {...form.field('change')}
        {...leavesByEscape(onLeave)}
      />
      <div className={classes.buttons}>
        <Button size="sm" type="submit" loading={form.busy} aria-keyshortcuts="Control+Enter Meta+Enter">
          Resend for approval
        </Button>
        <Button size="sm" variant="default" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </Form>
  );
}
