import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconLink, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { movesInOrder, nextMove, type TaskActions } from '#core/tasks/task.ts';
import { moveVerb, statusRule } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { useReopens } from '#web/api/drafts.ts';
import { timerQuery, useStartTimer, useStopTimer } from '#web/api/timer.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { useFocusBack } from '#web/ui/focus-back.ts';
import { StatusGlyph } from '#web/ui/status-glyph.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { approveEdited, type useApproveEdited } from '../shared/approve-edited.tsx';
import { ChangedTexts, useChangedTexts } from '../shared/changed-texts.tsx';
import { exitHints, useExits, useSprintMove } from '../shared/exits.ts';
import { copyTaskLink } from '../shared/link.ts';
import { useDecideTask, useMoveTask } from '../shared/mutations.ts';
import { type FullTask, useSprints } from '../shared/queries.ts';
import { ReasonForm, reasonDraft } from '../shared/reason-form.tsx';
import { useTaskRules } from '../shared/rules.ts';
import { pressByNumber } from '../shared/send-keys.ts';
import classes from './panel.module.css';

type Props = { readonly task: FullTask; readonly viewer: SignedIn };

export function CopyTaskLink({ task }: Pick<Props, 'task'>) {
  return (
    <Tooltip label="Copy link">
      <ActionIcon aria-label="Copy link" onClick={() => void copyTaskLink(task)}>
        <IconLink size={16} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  );
}

type Editing = { readonly editing: ReturnType<typeof useApproveEdited> };
type FootProps = Props & Editing & { readonly actions: TaskActions };

/** What the viewer can do with the task now. It stays in sight while the rest scrolls. */
export function TaskFoot({ task, viewer, actions, editing }: FootProps) {
  return (
    <div className={classes.foot} data-foot>
      <TaskDecision task={task} viewer={viewer} editing={editing} />
      <TaskPanelMoves task={task} actions={actions} />
      <TaskTimer task={task} viewer={viewer} />
    </div>
  );
}

/** The approver's two buttons. Denying and sending back ask for the reason inline (D16). */
function TaskDecision({ task, viewer, editing }: Props & Editing) {
  const { actions } = useTaskRules(viewer, task);
  const [asking, setAsking] = useState(useReopens(reasonDraft([task])));
  const { decide, isPending } = useDecideTask();
  const texts = useChangedTexts([task]);
  const { approve, deny } = statusRule(task.status);
  const edit = useFocusBack(editing.isOpen);
  if (!actions.decisions || !approve || !deny || (actions.approveEdited && editing.isOpen)) return null;
  // A toast shows a refusal, and the task is then reread.
  const send = async (press: 'decides' | 'writes', decision: 'approve' | 'deny', change?: string) =>
    !texts.holdsBack(press) && decide({ task, decision, change }).then(() => true);
  const approveNow = () => void send('decides', 'approve').catch(() => undefined);
  if (asking) {
    return (
      <>
        <ChangedTexts {...texts} />
        <ReasonForm
          tasks={[task]}
          verb={deny.verb}
          busy={isPending}
          onSend={(reason) => send('writes', 'deny', reason)}
          onSent={() => setAsking(false)}
          onClose={() => setAsking(false)}
        />
      </>
    );
  }
  return (
    <>
      <ChangedTexts {...texts} />
      <div className={classes.buttons} data-panel-part="decision">
        <Writes>
          <Button size="sm" loading={isPending} onClick={approveNow}>
            {approve.verb}
          </Button>
          {actions.approveEdited && (
            <Button
              size="sm"
              variant="default"
              ref={edit}
              disabled={isPending}
              onClick={() => !texts.holdsBack('asks') && editing.open()}
            >
              {approveEdited}
            </Button>
          )}
          <Button
            size="sm"
            variant="default"
            disabled={isPending}
            onClick={() => !texts.holdsBack('asks') && setAsking(true)}
          >
            {deny.verb}
          </Button>
        </Writes>
      </div>
    </>
  );
}

/** The owner's possible moves, the next step first. */
function TaskPanelMoves({ task, actions }: { task: FullTask; actions: TaskActions }) {
  const move = useMoveTask();
  const exits = useExits();
  if (actions.moves.length === 0 && !actions.carryOver && !actions.leaveUndone) return null;
  const button = { variant: 'default', disabled: exits.isPending } as const;
  const next = nextMove(task, actions);
  return (
    <fieldset className={classes.moves} aria-label="Move task" data-panel-part="moves" onKeyDown={pressByNumber}>
      {movesInOrder(task, actions).map((status) => (
        <Button
          key={status}
          variant={status === next ? 'filled' : 'default'}
          leftSection={status !== next && <StatusGlyph status={status} />}
          onClick={() => move(task, status)}
        >
          {moveVerb(task.status, status)}
        </Button>
      ))}
      {actions.carryOver && (
        <Button {...button} title={exitHints.carryOver} onClick={() => exits.mutate([{ task, step: 'carryOver' }])}>
          Carry over
        </Button>
      )}
      {actions.leaveUndone && (
        <Button {...button} title={exitHints.leaveUndone} onClick={() => exits.mutate([{ task, step: 'leaveUndone' }])}>
          Leave undone
        </Button>
      )}
    </fieldset>
  );
}

type TaskTimerProps = {
  readonly task: { readonly id: string; readonly userId: string; readonly withdrawn: boolean };
  readonly viewer: SignedIn;
};

/** Starts and stops the timer of one's own task, if the tracker is on. */
export function TaskTimer({ task, viewer }: TaskTimerProps) {
  const shown =
    config().timeTracker &&
    callRefusal(viewer, callAccess.time) === null &&
    task.userId === viewer.id &&
    !task.withdrawn;
  return shown ? <TimerButton taskId={task.id} /> : null;
}

function TimerButton({ taskId }: { taskId: string }) {
  const timer = useQuery(timerQuery);
  const start = useStartTimer();
  const stop = useStopTimer();
  const navigate = useNavigate();
  const running = timer.data?.taskId === taskId ? timer.data : null;
  const press = () => {
    // There it asks when the work ended, on this task or another.
    if (timer.data?.forgotten) void navigate({ to: '/top-5/tools/time-tracker' });
    else if (running) stop.mutate({ id: running.id });
    else start.mutate(taskId);
  };
  const Icon = running ? IconPlayerStop : IconPlayerPlay;
  return (
    <Writes>
      <Button
        variant="default"
        leftSection={<Icon size={15} stroke={1.7} aria-hidden />}
        loading={timer.isPending || start.isPending || stop.isPending}
        onClick={press}
      >
        {running ? 'Stop timer' : 'Start timer'}
      </Button>
    </Writes>
  );
}

type EndProps = {
  readonly task: FullTask;
  readonly actions: TaskActions;
  readonly onDuplicate: ((taskId: string) => void) | null;
};

/** What is seldom done with a task. */
export function TaskPanelEnd({ task, actions, onDuplicate }: EndProps) {
  const exits = useExits();
  const move = useSprintMove(task, actions, useSprints());
  const duplicates = onDuplicate !== null && task.ownerKeepsTasks;
  if (!duplicates && !move && !actions.withdraw) return null;
  return (
    <div className={classes.end}>
      {move && (
        <Button
          variant="subtle"
          color="gray"
          title={exitHints.moveToSprint}
          loading={move.isPending}
          onClick={move.run}
        >
          {move.label}
        </Button>
      )}
      {duplicates && (
        <Button variant="subtle" color="gray" onClick={() => onDuplicate(task.id)}>
          Duplicate task
        </Button>
      )}
      {actions.withdraw && (
        <Button
          variant="subtle"
          color="danger"
          title={exitHints.withdraw}
          loading={exits.isPending}
          onClick={() => exits.mutate([{ task, step: 'withdraw' }])}
        >
          Withdraw task
        </Button>
      )}
    </div>
  );
}
