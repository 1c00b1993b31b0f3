import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Decision, statusRule, taskStatuses } from '#core/tasks/task-status.ts';
import { useViewer } from '#web/api/viewer.ts';
import { once } from '#web/ui/double-click.ts';
import { Kbd } from '#web/ui/kbd.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { Writes } from '#web/ui/writes.tsx';
import type { BoardTask } from '../shared/queries.ts';
import { ReasonForm } from '../shared/reason-form.tsx';
import { useTaskRules } from '../shared/rules.ts';
import classes from './detail.module.css';

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
    {
      key: 'a',
      label: 'Approve or sign off, all that are selected at once',
      scope: 'Approvals',
      writes: true,
      run: ({ repeat }) => !repeat && approveNow(),
    },
    {
      key: 'd',
      label: 'Deny or send back, with a reason',
      scope: 'Approvals',
      writes: true,
      run: () => decides && setAsking(true),
    },
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
    return (
      <div className={classes.actions}>
        <ReasonForm task={task} verb={deny.verb} onSend={(reason) => onDecide('deny', reason)} onClose={close} />
      </div>
    );
  }
  return (
    <div className={classes.actions}>
      <Writes>
        <Button size="sm" onClick={once(() => void onDecide('approve').catch(() => undefined))} aria-keyshortcuts="a">
          {approve.verb}
          <KeyCap>A</KeyCap>
        </Button>
      </Writes>
      <Writes>
        <Button size="sm" variant="default" onClick={once(() => setAsking(true))} aria-keyshortcuts="d">
          {deny.verb}
          <KeyCap>D</KeyCap>
        </Button>
      </Writes>
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
