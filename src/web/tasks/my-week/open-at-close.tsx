import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatInstant } from '#core/base/day-words.ts';
import { plural } from '#core/base/formats.ts';
import { completingMove } from '#core/tasks/task.ts';
import { moveVerb } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { exitHints, useExits } from '../shared/exits.ts';
import { useMoveTask, usePendingGuesses } from '../shared/mutations.ts';
import type { MyWeek, WeekTask } from './my-week-queries.ts';
import classes from './open-at-close.module.css';
import { addedAgainWords, letGo, letGoVerbs, useAddedAgain, useOwnActions, useOwnActionsOf } from './own-actions.ts';
import { ResendLink, WeekTaskList, WeekTaskRow } from './week-task-row.tsx';

/** Unfinished tasks of earlier sprints: nothing moves automatically, the owner decides (D39). */
export function OpenAtClose({ week }: { week: MyWeek }) {
  const { openAtClose, previousSprint } = week;
  const [all, setAll] = useState(false);
  const isAddedAgain = useAddedAgain(week);
  if (openAtClose.length === 0) return null;
  const last = openAtClose.filter(({ sprintId }) => sprintId === previousSprint?.id);
  // Older ones have been seen often and are collapsed, to keep this week on screen.
  const earlier = openAtClose.length - last.length;
  const shown = all ? openAtClose : last;
  return (
    <Panel
      title="Unfinished from earlier sprints"
      note={openAtClose.length}
      actions={<AllActions tasks={shown} isAll={shown.length === openAtClose.length} week={week} />}
      flush
    >
      <p className={classes.sentence}>{sentenceOf(week)}</p>
      {shown.length > 0 && (
        <WeekTaskList>
          {shown.map((task) => (
            <WeekTaskRow
              key={task.id}
              task={task}
              to="/top-5/tasks"
              search={{ sprint: task.sprintId, task: task.id }}
              actions={<CloseActions task={task} week={week} />}
            >
              {isAddedAgain(task) && <p className={classes.again}>{addedAgainWords}</p>}
            </WeekTaskRow>
          ))}
        </WeekTaskList>
      )}
      {earlier > 0 && (
        <div className={classes.earlier}>
          <Button variant="subtle" size="compact-sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? `Hide ${earlier} older` : `Show ${earlier} older`}
          </Button>
        </div>
      )}
    </Panel>
  );
}

type AllProps = {
  readonly tasks: readonly WeekTask[];
  /** False while older ones are hidden. */
  readonly isAll: boolean;
  readonly week: MyWeek;
};

/** Carries over, or lets go, the listed tasks. */
function AllActions({ tasks, isAll, week }: AllProps) {
  const actionsOf = useOwnActionsOf(week);
  const exits = useExits();
  const some = tasks.flatMap((task) => {
    const step = letGo(actionsOf(task));
    return step ? [{ task, step }] : [];
  });
  const carried = tasks.filter((task) => actionsOf(task).carryOver);
  const [asking, setAsking] = useState(false);
  if (tasks.length < 2) return null;
  const busy = exits.isPending;
  const many = (count: number) => (isAll ? `all ${count}` : `the ${count} latest`);
  const withdrawn = some.filter(({ step }) => step === 'withdraw').length;
  const undone = some.length - withdrawn;
  const letAllGo = undone === 0 ? `Withdraw ${many(withdrawn)}` : `Leave ${many(some.length)} undone`;
  const go = () => {
    setAsking(false);
    exits.mutate(some);
  };
  return (
    <Writes>
      {some.length > 1 && (
        <Button variant="subtle" disabled={busy} onClick={() => setAsking(true)}>
          {letAllGo}
        </Button>
      )}
      {carried.length > 0 && (
        <Button
          variant="default"
          loading={busy}
          onClick={() => exits.mutate(carried.map((task) => ({ task, step: 'carryOver' })))}
        >
          Carry over {carried.length === tasks.length ? many(carried.length) : carried.length}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        title={`${letAllGo}?`}
        confirm={letAllGo}
        onConfirm={go}
        onClose={() => setAsking(false)}
      >
        {letGoWords(undone, withdrawn)}
      </ConfirmDialog>
    </Writes>
  );
}

function letGoWords(undone: number, withdrawn: number): string {
  const closes = `This closes ${plural(undone, 'approved task')} as not completed`;
  const withdraws = `withdraws ${plural(withdrawn, 'unapproved task')}`;
  if (undone === 0) return `This ${withdraws}.`;
  return withdrawn === 0 ? `${closes}.` : `${closes} and ${withdraws}.`;
}

function sentenceOf({ previousSprint }: MyWeek): string {
  const carry = 'Carry over what you’re still working on, and leave the rest undone.';
  if (previousSprint?.phase !== 'settling') return carry;
  return `${carry} You can complete tasks of ${previousSprint.name} until ${formatInstant(previousSprint.settledAt, config().companyTimeZone)}.`;
}

function CloseActions({ task, week }: { task: WeekTask; week: MyWeek }) {
  const actions = useOwnActions(task, week);
  const completed = completingMove(actions);
  const exits = useExits();
  const move = useMoveTask();
  const step = letGo(actions);
  const isMoving = usePendingGuesses().has(task.id);
  const button = { variant: 'subtle', size: 'compact-sm', disabled: exits.isPending || isMoving } as const;
  return (
    <Writes>
      {actions.resubmit && <ResendLink task={task} sprint={task.sprintId} />}
      {completed && (
        <Button {...button} loading={isMoving} onClick={() => void move(task, completed)}>
          {moveVerb(task.status, completed)}
        </Button>
      )}
      {actions.carryOver && (
        <Button {...button} title={exitHints.carryOver} onClick={() => exits.mutate([{ task, step: 'carryOver' }])}>
          Carry over
        </Button>
      )}
      {step && (
        <Button {...button} title={exitHints[step]} onClick={() => exits.mutate([{ task, step }])}>
          {letGoVerbs[step]}
        </Button>
      )}
    </Writes>
  );
}
