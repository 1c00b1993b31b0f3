import { Button, Textarea } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import { limits } from '#core/base/limits.ts';
import { isDecisionEvent } from '#core/tasks/task.ts';
import { keepDraft, useDraft, useInterruptedDrafts } from '#web/api/drafts.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Form, useForm } from '#web/ui/form.tsx';
import { sendHint } from '#web/ui/shortcuts.ts';
import type { BoardTask, FullTask } from './queries.ts';
import classes from './reason-form.module.css';
import { leavesByEscape } from './send-keys.ts';

type Props = {
  /** The tasks that get this reason. */
  readonly tasks: readonly Pick<BoardTask, 'id' | 'owner' | 'title'>[];
  /** The reason's action: "Deny", "Send back". */
  readonly verb: string;
  /** By default the draft of these tasks; of more if someone else has decided some of them since. */
  readonly draftKey?: string;
  readonly busy?: boolean;
  /** Resolves to whether the decision succeeded. */
  readonly onSend: (reason: string) => Promise<boolean>;
  readonly onSent?: () => void;
  readonly onClose: () => void;
};

const reasonKey = 'reason:';
export const reasonDraft = (tasks: readonly Pick<BoardTask, 'id'>[]): string =>
  `${reasonKey}${tasks.map(({ id }) => id).join()}`;

const tasksOf = (draftKey: string): readonly string[] => draftKey.slice(reasonKey.length).split(',');

/** Whether these are the tasks of this draft, or what is left of them. */
export const isRestOf = (draftKey: string, tasks: readonly Pick<BoardTask, 'id'>[]): boolean =>
  tasks.every(({ id }) => tasksOf(draftKey).includes(id));

/** The tasks whose common reason a failure interrupted. */
export function useInterruptedReason(): readonly string[] {
  const key = useInterruptedDrafts().find((each) => each.startsWith(reasonKey) && each.includes(','));
  return key ? tasksOf(key) : [];
}

function questionAbout(tasks: Props['tasks']): string {
  const [first, ...others] = new Set(tasks.map(({ owner }) => owner.displayName));
  const who = others.length > 0 ? 'the owners' : first;
  const [only] = tasks;
  const what = only && tasks.length === 1 ? `“${only.title}”` : `these ${tasks.length} tasks`;
  return `What should ${who} change in ${what}?`;
}

/** Keeps the reason of a decision that was undone for the next time, when the form asks for it again. */
export function useOfferReason(): (task: FullTask) => void {
  const { id } = useViewer();
  return (task) => {
    const [undone, ...earlier] = task.history.toSorted((a, b) => b.version - a.version);
    const decision = earlier.find(({ event }) => isDecisionEvent(event));
    if (undone?.event === 'undone' && decision?.change) keepDraft(id, reasonDraft([task]), decision.change);
  };
}

/** Asks inline what has to change, because the owner has to act on it (D16). */
export function ReasonForm(props: Props) {
  const { tasks, verb, draftKey = reasonDraft(tasks), busy = false, onSend: send, onSent, onClose } = props;
  // Panel and inbox share the draft: started in one, it continues in the other.
  const draft = useDraft(draftKey, '');
  const hint = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (draft.isOffered) field.current?.select();
  }, [draft.isOffered]);
  const form = useForm({
    initial: { reason: draft.value },
    input: ({ reason }) => ({ reason: reason.trim() }),
    rule: ({ reason }) => (reason ? null : { field: 'reason', message: 'Say what to change' }),
    // The text is kept until the decision succeeds; after a refusal it is still here, and a toast shows why.
    mutation: { isPending: busy, mutateAsync: (reason: string) => send(reason).catch(() => false) },
    variables: ({ reason }) => reason,
    onSent: (stands) => {
      if (!stands) return;
      draft.discard();
      onSent?.();
    },
    keep: ({ reason }) => draft.change(reason),
  });
  return (
    <Form form={form} className={classes.form}>
      <Textarea
        label={questionAbout(tasks)}
        aria-describedby={hint}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={limits.change}
        autoFocus
        ref={field}
        {...form.field('reason')}
        {...leavesByEscape(onClose)}
      />
      <div className={classes.buttons}>
        <Button size="sm" type="submit" color="danger" loading={busy} aria-keyshortcuts="Control+Enter Meta+Enter">
          {verb}
        </Button>
        <Button size="sm" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <span id={hint} className={classes.hint}>
          {[sendHint(), 'Esc cancels'].filter(Boolean).join(' · ')}
        </span>
      </div>
    </Form>
  );
}
