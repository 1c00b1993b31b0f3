import { Button, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import type { Viewer } from '#core/access.ts';
import { limits } from '#core/inputs.ts';
import { statusRule } from '#core/task-status.ts';
import { useDraft } from '#web/api/drafts.ts';
import { keepsEscape, onSend } from './keys.ts';
import classes from './task-decision.module.css';
import { useDecideTask } from './task-mutations.ts';
import type { FullTask } from './task-queries.ts';
import { useTaskRules } from './task-rules.ts';

type Props = { readonly task: FullTask; readonly viewer: Viewer };

/** The approver's two buttons. Denying and sending back ask for the reason, in place (D16). */
export function TaskDecision({ task, viewer }: Props) {
  const { actions } = useTaskRules(viewer, task);
  const [asking, setAsking] = useState(false);
  const { decide, isPending } = useDecideTask();
  const { approve, deny } = statusRule(task.status);
  if (!actions.decisions || !approve || !deny) return null;
  // A refusal is said by a toast, and the task is read again by then.
  const send = (decision: 'approve' | 'deny', change?: string) => decide({ task, decision, change });
  if (asking) {
    return (
      <DenyForm
        task={task}
        verb={deny.verb}
        busy={isPending}
        onSend={(reason) => send('deny', reason)}
        onClose={() => setAsking(false)}
      />
    );
  }
  return (
    <div className={classes.buttons}>
      <Button size="sm" loading={isPending} onClick={() => void send('approve').catch(() => undefined)}>
        {approve.verb}
      </Button>
      <Button size="sm" variant="default" disabled={isPending} onClick={() => setAsking(true)}>
        {deny.verb}
      </Button>
    </div>
  );
}

type DenyFormProps = {
  readonly task: FullTask;
  readonly verb: string;
  readonly busy: boolean;
  readonly onSend: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
};

function DenyForm({ task, verb, busy, onSend: send, onClose }: DenyFormProps) {
  const draft = useDraft(`reason:${task.id}`, '');
  const [missing, setMissing] = useState(false);
  const hint = useId();
  const submit = () => {
    const reason = draft.value.trim();
    setMissing(reason === '');
    if (reason === '' || busy) return;
    // The text stays where it is when the call fails; the toast says why.
    send(reason).then(
      () => {
        draft.discard();
        onClose();
      },
      () => undefined,
    );
  };
  return (
    <div className={classes.form}>
      <Textarea
        label={`What has to change, for ${task.owner.displayName}`}
        aria-describedby={hint}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={limits.change}
        autoFocus
        value={draft.value}
        error={missing && 'Say what has to change'}
        onChange={({ currentTarget }) => draft.change(currentTarget.value)}
        onKeyDown={onSend(submit, onClose)}
        {...keepsEscape}
      />
      <div className={classes.buttons}>
        <Button size="sm" color="danger" loading={busy} onClick={submit} aria-keyshortcuts="Control+Enter">
          {verb}
        </Button>
        <Button size="sm" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <span id={hint} className={classes.hint}>
          Ctrl + Enter sends
        </span>
      </div>
    </div>
  );
}
