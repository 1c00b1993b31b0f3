import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect } from 'react';
import { refusalAt } from '#core/access/access.ts';
import type { Path } from '#core/access/routes.ts';
import { isDecider } from '#core/tasks/task.ts';
import { statusRule } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Age } from '#web/ui/age.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Markdown } from '#web/ui/markdown.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { StatusPill } from '#web/ui/pill.tsx';
import { Loading, SkeletonBlock } from '#web/ui/skeleton.tsx';
import { TaskDetail } from '../shared/detail.tsx';
import { TaskFiles } from '../shared/files.tsx';
import { TaskHistory } from '../shared/history.tsx';
import { KeptTexts } from '../shared/kept-texts.tsx';
import { heavyTextsOf, LongText } from '../shared/long-text.tsx';
import { TaskNotes } from '../shared/notes.tsx';
import { type BoardTask, type FullTask, taskQuery } from '../shared/queries.ts';
import classes from './detail.module.css';

/** Focused by Enter after a task was opened. */
export const detailHeadingId = 'approval-heading';

type Props = {
  readonly taskId: string;
  /** The queue's data, shown while the rest loads. */
  readonly listed: BoardTask | undefined;
  /** Prefetched, to show the next task immediately. */
  readonly next: string | null;
  /** Shown above the task: who decided it first. */
  readonly notice?: ReactNode;
  /** Returns to the list when the two aren't side by side. */
  readonly onBack: (() => void) | null;
  /** Returns the focus to the row. */
  readonly onLeave: () => void;
  /** The form that replaces the task's texts while it is open. */
  readonly editor: (task: FullTask) => ReactNode;
  readonly actions: (task: BoardTask) => ReactNode;
};

/** A full task: its text, what was asked and changed, files, notes and history, and the decision bar. */
export function ApprovalDetail({ taskId, listed, next, notice, onBack, onLeave, editor, actions }: Props) {
  const full = useQuery(taskQuery(taskId));
  useQuery({ ...taskQuery(next ?? ''), enabled: next !== null });
  const task = full.data ?? listed;
  const replacesList = onBack !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heading of each task that takes the place of the list.
  useEffect(() => {
    if (replacesList) document.getElementById(detailHeadingId)?.focus();
  }, [replacesList, taskId]);
  const leaveOnEscape = (event: KeyboardEvent) => {
    // Not in a dialog that was opened from here.
    const isInside = event.currentTarget.contains(event.target as Node);
    if (event.key === 'Escape' && !event.defaultPrevented && isInside) onLeave();
  };
  const form = full.data && editor(full.data);
  if (full.data === null) {
    return (
      <div className={classes.pane}>
        {onBack && <Back onBack={onBack} />}
        <KeptTexts taskId={taskId} task={null} />
        <EmptyState title="Task not found">Someone else already decided, or you no longer can.</EmptyState>
      </div>
    );
  }
  return (
    <article className={classes.pane} aria-labelledby={detailHeadingId} onKeyDown={leaveOnEscape}>
      {/* Each task starts at its top; the buttons below stay the same elements, so a double-click is recognized. */}
      <div className={classes.scroll} key={taskId}>
        {onBack && <Back onBack={onBack} />}
        {task && <Head task={task} notice={notice} isHidden={Boolean(form)} />}
        {form}
        {full.isError && !full.data ? (
          <PanelError
            sentence="Couldn’t load the task."
            onRetry={() => void full.refetch()}
            requestId={full.error.requestId}
          />
        ) : (
          <Loading loading={!full.data} skeleton={<BodySkeleton />}>
            {full.data && <Body task={full.data} isEdited={Boolean(form)} />}
          </Loading>
        )}
      </div>
      {task && actions(task)}
    </article>
  );
}

function Back({ onBack }: { onBack: () => void }) {
  return (
    <Button
      variant="subtle"
      color="gray"
      className={classes.back}
      leftSection={<IconArrowLeft size={16} stroke={1.7} />}
      onClick={onBack}
    >
      All approvals
    </Button>
  );
}

function Head({ task, notice, isHidden }: { task: BoardTask; notice?: ReactNode; isHidden: boolean }) {
  const waits = statusRule(task.status).approve !== undefined;
  return (
    <header>
      <p className={classes.meta}>
        <StatusPill {...task} />
        <span>
          {task.owner.displayName}, {task.category}
          {!task.withdrawn && (
            <>
              , {waits && 'waiting '}
              <Age instant={task.statusSince} zone={config().companyTimeZone} ago={!waits} />
            </>
          )}
        </span>
      </p>
      {notice && <p className={classes.notice}>{notice}</p>}
      <h2 id={detailHeadingId} className={classes.title} tabIndex={-1} hidden={isHidden}>
        {task.title}
      </h2>
    </header>
  );
}

function Body({ task, isEdited }: { task: FullTask; isEdited: boolean }) {
  const viewer = useViewer();
  return (
    <div className={classes.body} key={task.id}>
      <KeptTexts taskId={task.id} task={task} />
      {task.summary && !isEdited && (
        <LongText text={task.summary}>
          <Markdown text={task.summary} isHeavy={heavyTextsOf(task).summary} />
        </LongText>
      )}
      <TaskDetail task={task} viewer={viewer} owner={<Owner task={task} />} />
      <TaskFiles task={task} viewer={viewer} />
      <TaskNotes task={task} viewer={viewer} />
      <TaskHistory task={task} viewer={viewer} />
    </div>
  );
}

const boardPath = '/top-5/tasks' satisfies Path;

/** The way to the week of a person whose tasks the viewer decides. */
function Owner({ task: { userId, owner, ownerApproverIds, sprintId } }: { task: FullTask }) {
  const viewer = useViewer();
  const decides = isDecider(viewer, { id: userId, approverIds: ownerApproverIds });
  if (!decides || refusalAt(viewer, boardPath) !== null) return owner.displayName;
  return (
    <Link to={boardPath} search={{ person: userId, sprint: sprintId }}>
      {owner.displayName}
    </Link>
  );
}

function BodySkeleton() {
  return (
    <div className={classes.body}>
      <SkeletonBlock width="90%" />
      <SkeletonBlock width="72%" />
      <SkeletonBlock width="40%" height={96} />
      <SkeletonBlock width="60%" height={44} />
    </div>
  );
}
