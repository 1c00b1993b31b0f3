import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { limits } from '#core/inputs.ts';
import { type Decision, statusRule, taskStatuses } from '#core/task-status.ts';
import { useDraft } from '#web/api/drafts.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Kbd } from '#web/ui/kbd.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import classes from './approvals-detail.module.css';
import { onSend } from './keys.ts';
import type { BoardTask } from './task-queries.ts';
import { useTaskRules } from './task-rules.ts';

type Props = {
  readonly task: BoardTask;
  /** How many are picked: then A decides those in one call. */
  readonly picked: number;
  /** Resolves to whether the decision stands. */
  readonly onDecide: (decision: Decision, reason?: string) => Promise<boolean>;
  readonly onApprovePicked: () => void;
  /** Back to the queue with the keys. */
  readonly onLeave: () => void;
};

/** The verbs of the task's state. Denying and sending back ask for the reason in place, as the owner has to act on it (D16). */
export function ApprovalActions({ task, picked, onDecide, onApprovePicked, onLeave }: Props) {
  const { actions } = useTaskRules(useViewer(), task);
  const [asking, setAsking] = useState(false);
  const { approve, deny } = statusRule(task.status);
  const decides = actions.decisions !== null && approve !== undefined && deny !== undefined;
  const approveNow = () => {
    if (picked > 0) onApprovePicked();
    else if (decides) void onDecide('approve').catch(() => undefined);
  };
  useShortcuts([
    { key: 'a', label: 'Approve or sign off, all that are selected at once', scope: 'Approvals', run: approveNow },
    { key: 'd', label: 'Deny or send back, with a reason', scope: 'Approvals', run: () => decides && setAsking(true) },
  ]);
  if (!decides)
    return (
      <p className={`${classes.actions} ${classes.hint}`}>
        {taskStatuses[task.status].title}: nothing waits for you here.
      </p>
    );
  if (asking) {
    const close = () => {
      setAsking(false);
      onLeave();
    };
    return <ReasonForm task={task} verb={deny.verb} onSend={(reason) => onDecide('deny', reason)} onClose={close} />;
  }
  return (
    <div className={classes.actions}>
      <Button size="sm" onClick={() => void onDecide('approve').catch(() => undefined)} aria-keyshortcuts="a">
        {approve.verb}
        <KeyCap>A</KeyCap>
      </Button>
      <Button size="sm" variant="default" onClick={() => setAsking(true)} aria-keyshortcuts="d">
        {deny.verb}
        <KeyCap>D</KeyCap>
      </Button>
      <span className={classes.hint}>J and K move, X selects, U takes back</span>
    </div>
  );
}

function KeyCap({ children }: { children: string }) {
  return (
    <span className={classes.key} aria-hidden="true">
      <Kbd>{children}</Kbd>
    </span>
  );
}

type ReasonProps = {
  readonly task: BoardTask;
  readonly verb: string;
  readonly onSend: (reason: string) => Promise<boolean>;
  readonly onClose: () => void;
};

function ReasonForm({ task, verb, onSend: send, onClose }: ReasonProps) {
  // The board keeps the reason under the same name: begun there, it goes on here.
  const draft = useDraft(`reason:${task.id}`, '');
  const [missing, setMissing] = useState(false);
  const submit = () => {
    const reason = draft.value.trim();
    setMissing(reason === '');
    if (reason === '') return;
    // The text is kept until the decision stands; a refused one finds it here again.
    send(reason).then(
      (stands) => stands && draft.discard(),
      () => undefined,
    );
  };
  return (
    <div className={classes.actions}>
      <div className={classes.reason}>
        <Textarea
          label={`What has to change, for ${task.owner.displayName}`}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={limits.change}
          autoFocus
          value={draft.value}
          error={missing && 'Say what has to change'}
          onChange={({ currentTarget }) => draft.change(currentTarget.value)}
          onKeyDown={onSend(submit, onClose)}
        />
        <div className={classes.buttons}>
          <Button size="sm" color="danger" onClick={submit} aria-keyshortcuts="Control+Enter">
            {verb}
          </Button>
          <Button size="sm" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <span className={classes.hint}>Ctrl + Enter sends, Esc cancels</span>
        </div>
      </div>
    </div>
  );
}
