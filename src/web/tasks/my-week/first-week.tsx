import { Button, CloseButton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useMyApprovers } from '#web/api/my-approvers.ts';
import { personPrefix } from '#web/api/session.ts';
import { readStored, writeStored } from '#web/api/stored.ts';
import { useViewer } from '#web/api/viewer.ts';
import { OwnApproversSentence } from '#web/shell/own-approvers.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { isTouch } from '#web/ui/shortcuts.ts';
import { SkeletonBlock } from '#web/ui/skeleton.tsx';
import { useReadOnly, Writes } from '#web/ui/writes.tsx';
import classes from './first-week.module.css';
import { type MyWeek, weekGuidelinesQuery } from './my-week-queries.ts';

/** Whether the guide is shown, and how to hide it. This browser remembers that until the person signs out. */
export function useFirstWeek(week: MyWeek | undefined) {
  const key = `${personPrefix}${useViewer().id}:first-week-hidden`;
  const [hidden, setHidden] = useState(() => readStored('local', key) !== null);
  const hide = () => {
    writeStored('local', key, 'yes');
    setHidden(true);
  };
  return { firstWeek: (!hidden && week?.firstWeek) || null, hide };
}

type Props = {
  readonly hasTask: boolean;
  /** The viewer reads the guidelines. */
  readonly guidelines: boolean;
  /** The viewer can write tasks: someone approves them. */
  readonly tasks: boolean;
  readonly onAdd: () => void;
  readonly onHide: () => void;
};

/** The first steps of someone new. Each checks itself off. */
export function FirstWeek({ hasTask, guidelines, tasks, onAdd, onHide }: Props) {
  const readOnly = useReadOnly() !== null;
  return (
    <Panel
      title="First steps"
      actions={<CloseButton size="md" aria-label="Hide first steps" disabled={readOnly} onClick={onHide} />}
      flush
    >
      <ol className={classes.steps}>
        <ApproverStep />
        {guidelines && <GuidelinesStep />}
        <Step title="Write your first task" isDone={hasTask}>
          {hasTask && <p>These steps disappear once it’s approved.</p>}
          {!hasTask && !tasks && <p>You can write it once you have an approver.</p>}
          {!hasTask && tasks && (
            <Writes>
              <Button variant="default" size="compact-sm" aria-keyshortcuts="c" onClick={onAdd}>
                Write a task
              </Button>{' '}
              {!isTouch() && <Kbd>C</Kbd>}
            </Writes>
          )}
        </Step>
      </ol>
    </Panel>
  );
}

type StepProps = {
  readonly title: string;
  /** Null: not known yet. */
  readonly isDone: boolean | null;
  readonly children: ReactNode;
};

function Step({ title, isDone, children }: StepProps) {
  return (
    <li className={classes.step} data-done={isDone || undefined}>
      <span className={classes.mark} aria-hidden="true">
        {isDone && <IconCheck size={14} stroke={2.4} />}
      </span>
      <div className={classes.words}>
        <h3>
          {isDone && <span className="visually-hidden">Done: </span>}
          {title}
        </h3>
        {children}
      </div>
    </li>
  );
}

function ApproverStep() {
  const { own, query } = useMyApprovers();
  return (
    <Step title="Find out who approves your tasks" isDone={own && !own.isMissing}>
      {own && (
        <p role={own.isMissing ? 'alert' : undefined}>
          <OwnApproversSentence own={own} />
        </p>
      )}
      {!own && <Awaited what="your approver" query={query} />}
    </Step>
  );
}

function GuidelinesStep() {
  const rules = useQuery(weekGuidelinesQuery);
  // Nothing is published yet.
  if (rules.data === null) return null;
  return (
    <Step title="Read the guidelines" isDone={rules.data ? rules.data.confirmedAt !== null : null}>
      {!rules.data && <Awaited what="the guidelines" query={rules} />}
      {rules.data && (
        <p>
          {rules.data.confirmedAt === null ? (
            <>
              <Link to="/top-5/tools/guidelines">Open the guidelines</Link> and confirm them at the end.
            </>
          ) : (
            `You confirmed version ${rules.data.version}.`
          )}
        </p>
      )}
    </Step>
  );
}

type AwaitedProps = { readonly what: string; readonly query: { readonly isError: boolean; refetch: () => unknown } };

function Awaited({ what, query }: AwaitedProps) {
  if (!query.isError) return <SkeletonBlock width="60%" height={20} />;
  return (
    <p role="alert">
      Couldn’t load {what}.{' '}
      <Button variant="subtle" size="compact-sm" onClick={() => void query.refetch()}>
        Try again
      </Button>
    </p>
  );
}
