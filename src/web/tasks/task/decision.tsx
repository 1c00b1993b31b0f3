import { Button } from '@mantine/core';
import { useState } from 'react';
import { statusRule } from '#core/tasks/task-status.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { Writes } from '#web/ui/writes.tsx';
import { useDecideTask } from '../shared/mutations.ts';
import type { FullTask } from '../shared/queries.ts';
import { ReasonForm } from '../shared/reason-form.tsx';
import { useTaskRules } from '../shared/rules.ts';
import classes from './decision.module.css';

type Props = { readonly task: FullTask; readonly viewer: SignedIn };

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
      <ReasonForm
        task={task}
        verb={deny.verb}
        busy={isPending}
        onSend={(reason) => send('deny', reason).then(() => true)}
        onSent={() => setAsking(false)}
        onClose={() => setAsking(false)}
      />
    );
  }
  return (
    <div className={classes.buttons}>
      <Writes>
        <Button size="sm" loading={isPending} onClick={() => void send('approve').catch(() => undefined)}>
          {approve.verb}
        </Button>
      </Writes>
      <Writes>
        <Button size="sm" variant="default" disabled={isPending} onClick={() => setAsking(true)}>
          {deny.verb}
        </Button>
      </Writes>
    </div>
  );
}
