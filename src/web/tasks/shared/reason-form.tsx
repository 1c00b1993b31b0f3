import { Button, Textarea } from '@mantine/core';
import { useId } from 'react';
import { limits } from '#core/base/limits.ts';
import { keepDraft, useDraft } from '#web/api/drafts.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Form, useForm } from '#web/ui/form.tsx';
import { modifierName } from '#web/ui/shortcuts.ts';
import type { BoardTask, FullTask } from './queries.ts';
import classes from './reason-form.module.css';
import { leavesByEscape } from './send-keys.ts';

type Props = {
  /** The tasks that get this reason. */
  readonly tasks: readonly Pick<BoardTask, 'id' | 'owner'>[];
  /** The reason's action: "Deny", "Send back". */
  readonly verb: string;
  readonly busy?: boolean;
  /** Resolves to whether the decision succeeded. */
  readonly onSend: (reason: string) => Promise<boolean>;
  readonly onSent?: () => void;
  readonly onClose: () => void;
};

const draftKey = (tasks: readonly Pick<BoardTask, 'id'>[]): string => `reason:${tasks.map(({ id }) => id).join()}`;

function questionAbout(tasks: Props['tasks']): string {
  const [first, ...others] = new Set(tasks.map(({ owner }) => owner.displayName));
  const who = others.length > 0 ? 'the owners' : first;
  return tasks.length > 1 ? `What should ${who} change in these ${tasks.length} tasks?` : `What should ${who} change?`;
}

/** Keeps the reason of a decision that was undone for the next time, when the form asks for it again. */
export function useOfferReason(): (task: FullTask) => void {
  const { id } = useViewer();
  return (task) => {
    const [undone, decision] = task.history.toSorted((a, b) => b.version - a.version);
    if (undone?.event === 'undone' && decision?.change) keepDraft(id, draftKey([task]), decision.change);
  };
}

/** Asks inline what has to change, because the owner has to act on it (D16). */
export function ReasonForm({ tasks, verb, busy = false, onSend: send, onSent, onClose }: Props) {
  // Panel and inbox share the draft: started in one, it continues in the other.
  const draft = useDraft(draftKey(tasks), '');
  const hint = useId();
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
          {modifierName} Enter to send · Esc to cancel
        </span>
      </div>
    </Form>
  );
}
