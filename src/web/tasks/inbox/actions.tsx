import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type Decision, statusRule, taskStatuses } from '#core/tasks/task-status.ts';
import { useReopens } from '#web/api/drafts.ts';
import { useViewer } from '#web/api/viewer.ts';
import { once } from '#web/ui/double-click.ts';
import { Kbd } from '#web/ui/kbd.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { measureFoot } from '#web/ui/toasts.tsx';
import { useTypeAhead } from '#web/ui/typed-ahead.ts';
import { Writes } from '#web/ui/writes.tsx';
import { approveEdited, type useApproveEdited } from '../shared/approve-edited.tsx';
import { ChangedTexts, useChangedTexts } from '../shared/changed-texts.tsx';
import { type BoardTask, useSprints } from '../shared/queries.ts';
import { isRestOf, ReasonForm, reasonDraft } from '../shared/reason-form.tsx';
import { useTaskRules } from '../shared/rules.ts';
import classes from './detail.module.css';
import { sprintOver } from './order.ts';
import type { Written } from './use-approvals.ts';

type Props = {
  readonly task: BoardTask;
  /** With some selected, the buttons and keys decide these in one call, instead of the opened task. */
  readonly picks: readonly BoardTask[];
  /** Including those that the search leaves out. */
  readonly allPicks: readonly BoardTask[];
  /** A press came so soon after opening the task that it may have been meant for the previous one. */
  readonly heldBack: boolean;
  /** The server refused a decision about the task, because it had changed. */
  readonly isChanged: boolean;
  readonly holdsBack: (press: 'asks') => boolean;
  /** Resolves to whether the decision succeeded. */
  readonly onDecide: (tasks: readonly BoardTask[], decision: Decision, written?: Written) => Promise<boolean>;
  /** The form that changes the open task and approves it. */
  readonly editing: ReturnType<typeof useApproveEdited>;
  /** Returns the focus to the queue. */
  readonly onLeave: () => void;
  /** D was pressed before the task was there. */
  readonly isAskedEarly: boolean;
  readonly onAsked: () => void;
};

type DecisionSteps = { readonly approve: () => void; readonly deny: () => void; readonly edit: (() => void) | null };

/** Null while a form replaces the buttons. */
function useDecisionKeys(steps: DecisionSteps | null): void {
  const approve = { ...approveKey, run: ({ repeat }: KeyboardEvent) => !repeat && steps?.approve() };
  const edit = steps?.edit ? [{ ...editKey, run: steps.edit }] : [];
  useShortcuts(steps ? [approve, ...edit, { ...denyKey, run: steps.deny }] : []);
}

const approveKey = {
  key: 'a',
  label: 'Approve or sign off (all selected)',
  scope: 'Approvals',
  writes: true,
  decides: true,
} as const;

const editKey = { key: 'e', label: approveEdited, scope: 'Approvals', writes: true } as const;

const denyKey = {
  key: 'd',
  label: 'Deny or send back, with a reason (all selected)',
  scope: 'Approvals',
  writes: true,
} as const;

/** D while the queue loads: its question comes with the first task, and has what was typed after the key. */
export function useEarlyDenial(isLoading: boolean, isOpening: boolean) {
  const [isAskedEarly, setAskedEarly] = useState(false);
  const forget = () => setAskedEarly(false);
  useShortcuts(isLoading ? [{ ...denyKey, run: () => setAskedEarly(true) }] : []);
  useTypeAhead(isAskedEarly, forget);
  if (isAskedEarly && !isLoading && !isOpening) setAskedEarly(false);
  return { isAskedEarly, onAsked: forget };
}

/** The tasks of the open question, as the key of their draft. */
function useAsked(draft: string, { isAskedEarly, onAsked }: Pick<Props, 'isAskedEarly' | 'onAsked'>) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the first task.
  useEffect(onAsked, []);
  return useState(useReopens(draft) || isAskedEarly ? draft : null);
}

/**
 * The actions for the task's state. Denying and sending back ask for the reason inline, because the owner has
 * to act on it (D16).
 */
export function ApprovalActions(props: Props) {
  const { task, picks, allPicks, heldBack, isChanged, holdsBack, editing, onDecide, onLeave } = props;
  const { actions } = useTaskRules(useViewer(), task);
  const targets = picks.length > 0 ? picks : [task];
  const draft = reasonDraft(targets);
  const [asked, setAsked] = useAsked(draft, props);
  // A question about some tasks doesn't carry over to others, only to the rest of them.
  // A search changes which selected tasks are visible, not which ones the question is about.
  const rest = asked === null ? [] : allPicks.filter((each) => isRestOf(asked, [each]));
  const about = rest.length > 0 ? rest : targets;
  const isAsked = asked !== null && isRestOf(asked, [...picks, ...about]);
  if (asked !== null && !isAsked) setAsked(null);
  const { approve, deny } = statusRule(task.status);
  const decides = picks.length > 0 || actions.decisions !== null;
  const texts = useChangedTexts(about);
  const canEdit = picks.length === 0 && actions.approveEdited;
  const isEditing = canEdit && editing.isOpen;
  const approveNow = () =>
    decides && !texts.holdsBack('decides', targets) && void onDecide(targets, 'approve').catch(() => undefined);
  const opens = () => decides && !texts.holdsBack('asks', targets) && (picks.length > 0 || !holdsBack('asks'));
  const ask = () => opens() && setAsked(draft);
  const edit = canEdit && !isAsked ? () => opens() && editing.open() : null;
  const steps = { approve: approveNow, deny: ask, edit };
  useDecisionKeys(isEditing ? null : steps);
  if (isEditing) return null;
  if ((!decides && rest.length === 0) || !approve || !deny) return <NothingToDecide task={task} />;
  const verbOf = ({ verb }: { verb: string }, count = picks.length) => (count > 0 ? `${verb} ${count}` : verb);
  if (isAsked) {
    const close = () => {
      setAsked(null);
      onLeave();
    };
    return (
      <div ref={measureFoot} className={classes.actions} data-at-foot>
        <ChangedTexts {...texts} areSelected={rest.length > 0} />
        <ReasonForm
          key={asked}
          draftKey={asked}
          tasks={about}
          verb={verbOf(deny, rest.length)}
          onSend={async (reason) => !texts.holdsBack('writes') && onDecide(about, 'deny', { reason })}
          onClose={close}
        />
      </div>
    );
  }
  return (
    <div ref={measureFoot} className={classes.actions} data-at-foot>
      <ChangedTexts {...texts} areSelected={picks.length > 0} />
      <SprintOver tasks={targets} />
      <DecisionButtons {...steps} verbs={[verbOf(approve), verbOf(deny)]} />
      <Hint
        heldBack={heldBack}
        isChanged={isChanged}
        isOther={picks.length > 0 && !picks.some(({ id }) => id === task.id)}
      />
    </div>
  );
}

function DecisionButtons({ approve, deny, edit, verbs }: DecisionSteps & { verbs: readonly [string, string] }) {
  const [approveVerb, denyVerb] = verbs;
  return (
    <Writes>
      <Button size="sm" onClick={approve} aria-keyshortcuts="a">
        {approveVerb}
        <KeyCap>A</KeyCap>
      </Button>
      {edit && (
        <Button size="sm" variant="default" onClick={once(edit)} aria-keyshortcuts="e">
          {approveEdited}
          <KeyCap>E</KeyCap>
        </Button>
      )}
      <Button size="sm" variant="default" onClick={once(deny)} aria-keyshortcuts="d">
        {denyVerb}
        <KeyCap>D</KeyCap>
      </Button>
    </Writes>
  );
}

/** Before an approval lowers the owner's result (D39). */
function SprintOver({ tasks }: { tasks: readonly BoardTask[] }) {
  const sprints = useSprints();
  const late = tasks.flatMap((task) => {
    const sprint = sprintOver(task, sprints);
    return sprint ? [{ task, sprint }] : [];
  });
  const [first] = late;
  if (!first) return null;
  const { sprint, task } = first;
  return (
    <p className={classes.over}>
      {tasks.length === 1
        ? `${sprint.name} is over. If you approve this task, it counts as not completed there until ${task.owner.displayName} completes it.`
        : `${late.length} of these tasks ${late.length === 1 ? 'is' : 'are'} from a past sprint. If you approve ${late.length === 1 ? 'it, it counts' : 'them, they count'} as not completed there.`}
    </p>
  );
}

function NothingToDecide({ task }: Pick<Props, 'task'>) {
  return (
    <p className={`${classes.actions} ${classes.nothing}`}>
      {task.withdrawn ? 'Withdrawn by its owner' : taskStatuses[task.status].title}. There’s nothing for you to decide.
    </p>
  );
}

/** `isOther`: the open task isn't one of the selected ones, which the buttons decide. */
function Hint({ heldBack, isChanged, isOther }: Pick<Props, 'heldBack' | 'isChanged'> & { isOther: boolean }) {
  const warning = heldBack
    ? `${isChanged ? 'The task has just changed' : 'You’re on the next task now'}. Press again to confirm.`
    : isOther && 'This applies to the selected tasks, not the open one.';
  return (
    <span className={classes.hint} data-warns={warning !== false || undefined} role="status">
      {warning || 'J/K next/previous · X select · U undo'}
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
