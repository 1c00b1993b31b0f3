import { Button, Textarea } from '@mantine/core';
import { useId } from 'react';
import { limits } from '#core/base/limits.ts';
import { useDraft } from '#web/api/drafts.ts';
import { Form, useForm } from '#web/ui/form.tsx';
import type { BoardTask } from './queries.ts';
import classes from './reason-form.module.css';
import { leavesByEscape } from './send-keys.ts';

type Props = {
  readonly task: Pick<BoardTask, 'id' | 'owner'>;
  /** The reason's action: "Deny", "Send back". */
  readonly verb: string;
  readonly busy?: boolean;
  /** Resolves to whether the decision succeeded. */
  readonly onSend: (reason: string) => Promise<boolean>;
  readonly onSent?: () => void;
  readonly onClose: () => void;
};

/** Asks inline what has to change, because the owner has to act on it (D16). */
export function ReasonForm({ task, verb, busy = false, onSend: send, onSent, onClose }: Props) {
  // Panel and inbox share the draft: started in one, it continues in the other.
  const draft = useDraft(`reason:${task.id}`, '');
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
        label={`What should ${task.owner.displayName} change?`}
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
        <Button size="sm" type="submit" color="danger" loading={busy} aria-keyshortcuts="Control+Enter">
          {verb}
        </Button>
        <Button size="sm" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <span id={hint} className={classes.hint}>
          Ctrl + Enter to send · Esc to cancel
        </span>
      </div>
    </Form>
  );
}
