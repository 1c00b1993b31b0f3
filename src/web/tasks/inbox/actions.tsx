import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Decision, statusRule, taskStatuses } from '#core/tasks/task-status.ts';
import { useViewer } from '#web/api/viewer.ts';
import { once } from '#web/ui/double-click.ts';
import { Kbd } from '#web/ui/kbd.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { measureFoot } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import type { BoardTask } from '../shared/queries.ts';
import { ReasonForm } from '../shared/reason-form.tsx';
import { useTaskRules } from '../shared/rules.ts';
import classes from './detail.module.css';

type Props = {
  readonly task: BoardTask;
  /** How many are picked: A then decides them in one call. */
  readonly picked: number;
  /** A press came so soon after opening the task that it may have been meant for the previous one. */
  readonly heldBack: boolean;
  /** Resolves to whether the decision succeeded. */
  readonly onDecide: (decision: Decision, reason?: string) => Promise<boolean>;
  readonly onApprovePicked: () => void;
  /** Returns the focus to the queue. */
  readonly onLeave: () => void;
};

function useDecisionKeys(approve: () => void, deny: () => void): void {
  useShortcuts([
    {
      key: 'a',
      label: 'Approve or sign off (all selected)',
      scope: 'Approvals',
      writes: true,
      run: ({ repeat }) => !repeat && approve(),
    },
    {
      key: 'd',
      label: 'Deny or send back, with a reason',
      scope: 'Approvals',
      writes: true,
      run: deny,
    },
  ]);
}

/**
 * The actions for the task's state. Denying and sending back ask for the reason inline, because the owner has
 * to act on it (D16).
 */
export function ApprovalActions({ task, picked, heldBack, onDecide, onApprovePicked, onLeave }: Props) {
  const { actions } = useTaskRules(useViewer(), task);
  const [asked, setAsked] = useState<string | null>(null);
  // A question about one task doesn't carry over to the next.
  if (asked !== null && asked !== task.id) setAsked(null);
  const { approve, deny } = statusRule(task.status);
  const decides = actions.decisions !== null && approve !== undefined && deny !== undefined;
  const approveNow = () => {
    if (picked > 0) onApprovePicked();
    else if (decides) void onDecide('approve').catch(() => undefined);
  };
  useDecisionKeys(approveNow, () => decides && setAsked(task.id));
  if (!decides)
    return (
      <p className={`${classes.actions} ${classes.hint}`}>
        {taskStatuses[task.status].title}: nothing waits for you here.
      </p>
    );
  if (asked === task.id) {
    const close = () => {
      setAsked(null);
      onLeave();
    };
    return (
      <div ref={measureFoot} className={classes.actions} data-at-foot>
        <ReasonForm task={task} verb={deny.verb} onSend={(reason) => onDecide('deny', reason)} onClose={close} />
      </div>
    );
  }
  return (
    <div ref={measureFoot} className={classes.actions} data-at-foot>
      <Writes>
        <Button
          size="sm"
          onClick={() => void onDecide('approve').catch(() => undefined)}
          aria-keyshortcuts={picked > 0 ? undefined : 'a'}
        >
          {approve.verb}
          {picked === 0 && <KeyCap>A</KeyCap>}
        </Button>
        <Button size="sm" variant="default" onClick={once(() => setAsked(task.id))} aria-keyshortcuts="d">
          {deny.verb}
          <KeyCap>D</KeyCap>
        </Button>
      </Writes>
      <Hint heldBack={heldBack} verb={approve.verb} />
    </div>
  );
}

function Hint({ heldBack, verb }: { heldBack: boolean; verb: string }) {
  return (
    <span className={classes.hint} data-held-back={heldBack || undefined} role="status">
      {heldBack
        ? `This is the next task. Press again to ${verb.toLowerCase()} it.`
        : 'J/K next/previous · X select · U undo'}
    </span>
  );
}

function KeyCap({ children }: { children: string }) {
  return (
    <span className={classes.key} aria-hidden="true">
      <Kbd>{children}</Kbd>
    </span>
  );
}
