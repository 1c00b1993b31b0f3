import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconDots, IconLock, IconMessage, IconPaperclip, IconRepeat } from '@tabler/icons-react';
import { type MouseEvent, memo, useEffect, useRef, useState } from 'react';
import { repeatSentence } from '#core/tasks/repeat.ts';
import type { TaskActions } from '#core/tasks/task.ts';
import { moveVerb, needsOwner, statusRule, taskStatuses } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { DraftMark } from '#web/shell/draft-mark.tsx';
import { Age } from '#web/ui/age.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { carriedOverWords, useExits } from '../shared/exits.ts';
import { useMoveTask } from '../shared/mutations.ts';
import { NotMoved } from '../shared/not-moved.tsx';
import type { BoardTask, Sprint } from '../shared/queries.ts';
import { rulesOf, whyLocked } from '../shared/rules.ts';
import classes from './card.module.css';

type Props = {
  readonly task: BoardTask;
  readonly viewer: SignedIn;
  readonly sprints: readonly Sprint[];
  readonly href: string;
  /** Open in the panel next to the board. */
  readonly open: boolean;
  /** Someone else just changed it. */
  readonly marked: boolean;
  readonly menuOpen: boolean;
  readonly onOpen: (taskId: string) => void;
  readonly onMenu: (task: BoardTask, button: HTMLElement) => void;
};

/** How long a locked card shows why it doesn't move. */
const lockedShownMs = 6_000;

export const TaskCard = memo(function TaskCard(props: Props) {
  const { task, viewer, sprints, href, open, marked, menuOpen, onOpen, onMenu } = props;
  const card = useRef<HTMLElement>(null);
  const rules = rulesOf(viewer, task, sprints);
  const locked = whyLocked(viewer, rules);
  const [grabbed, lockedShown] = useDrag(card, task, rules.actions.moves, locked);
  const openHere = (event: MouseEvent) => {
    // Other tabs and windows are up to the browser.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpen(task.id);
  };
  return (
    <article
      ref={card}
      className={classes.card}
      data-movable={rules.actions.moves.length > 0 || undefined}
      data-dragged={grabbed || undefined}
      data-open={open || undefined}
      data-marked={marked || undefined}
    >
      <a
        className={classes.title}
        href={href}
        draggable={false}
        aria-current={open || undefined}
        data-task={task.id}
        data-owner={task.userId}
        title={task.title}
        onClick={openHere}
      >
        {task.title}
      </a>
      {needsOwner(task) && task.reason && (
        <p className={classes.reason}>
          <IconArrowBackUp size={14} stroke={1.7} aria-hidden />
          <span>{task.reason}</span>
        </p>
      )}
      <CardMeta task={task} />
      <CardMenu task={task} menuOpen={menuOpen} onMenu={onMenu} />
      <NotMoved task={task} />
      <ClosedSprintActions task={task} actions={rules.actions} />
      {lockedShown && (
        <p className={classes.locked} role="status">
          <IconLock size={14} stroke={1.7} aria-hidden /> {locked}
        </p>
      )}
    </article>
  );
});

function CardMenu({ task, menuOpen, onMenu }: Pick<Props, 'task' | 'menuOpen' | 'onMenu'>) {
  return (
    <button
      type="button"
      className={classes.menu}
      aria-label={`Actions for ${task.title}`}
      aria-haspopup="menu"
      aria-expanded={menuOpen}
      aria-keyshortcuts="m"
      onClick={({ currentTarget }) => onMenu(task, currentTarget)}
    >
      <IconDots size={16} stroke={1.7} aria-hidden />
    </button>
  );
}

/** Only the owner's moves can be dragged; grabbing another card shows the reason. */
function useDrag(
  card: React.RefObject<HTMLElement | null>,
  task: BoardTask,
  moves: readonly string[],
  locked: string | null,
): [grabbed: boolean, lockedShown: boolean] {
  const [grabbed, setGrabbed] = useState(false);
  const [lockedAt, setLockedAt] = useState(0);
  const latest = useRef({ task, moves, locked });
  latest.current = { task, moves, locked };
  useEffect(() => {
    const element = card.current;
    if (!element) return undefined;
    return draggable({
      element,
      canDrag: () => {
        if (latest.current.moves.length > 0) return true;
        setLockedAt(Date.now());
        return false;
      },
      getInitialData: () => ({ task: latest.current.task, moves: latest.current.moves }),
      onDragStart: () => setGrabbed(true),
      onDrop: () => setGrabbed(false),
    });
  }, [card]);
  useEffect(() => {
    if (lockedAt === 0) return undefined;
    const timer = setTimeout(() => setLockedAt(0), lockedShownMs);
    return () => clearTimeout(timer);
  }, [lockedAt]);
  return [grabbed, lockedAt > 0 && locked !== null];
}

function CardMeta({ task }: { task: BoardTask }) {
  const { notes, attachments, extra, carriedOver, leftUndone, repeats } = task;
  return (
    <div className={classes.meta}>
      <Pill tone="outlined">{task.category}</Pill>
      <DraftMark about="task" id={task.id} />
      {notes.length > 0 && (
        <span className={classes.count}>
          <IconMessage size={14} stroke={1.7} aria-hidden />
          {notes.length}
          <span className="visually-hidden"> {notes.length === 1 ? 'note' : 'notes'}</span>
        </span>
      )}
      {attachments.length > 0 && (
        <span className={classes.count}>
          <IconPaperclip size={14} stroke={1.7} aria-hidden />
          {attachments.length}
          <span className="visually-hidden"> {attachments.length === 1 ? 'file' : 'files'}</span>
        </span>
      )}
      {extra && <Pill>extra</Pill>}
      {carriedOver > 0 && <Pill>{carriedOverWords(carriedOver)}</Pill>}
      {leftUndone && <Pill>left undone</Pill>}
      {repeats && (
        <span className={classes.count}>
          <IconRepeat size={14} stroke={1.7} aria-hidden />
          {repeatSentence(repeats)}
        </span>
      )}
      <span className={classes.age}>
        <span className="visually-hidden">{taskStatuses[task.status].title} for </span>
        <Age instant={task.statusSince} zone={config().companyTimeZone} />
      </span>
    </div>
  );
}

/** An unfinished task of a closed sprint asks what to do with it (D39). */
export function ClosedSprintActions({ task, actions }: { task: BoardTask; actions: TaskActions }) {
  return (actions.carryOver || actions.leaveUndone) && !task.leftUndone ? (
    <Asked task={task} actions={actions} />
  ) : null;
}

function Asked({ task, actions }: { task: BoardTask; actions: TaskActions }) {
  const exits = useExits();
  const move = useMoveTask();
  const completed = actions.moves.find((status) => statusRule(status).completed);
  const button = { size: 'compact-xs', variant: 'default', disabled: exits.isPending } as const;
  return (
    <div className={classes.asked}>
      {actions.carryOver && (
        <Button {...button} onClick={() => exits.mutate([{ task, step: 'carryOver' }])}>
          Carry over
        </Button>
      )}
      {actions.leaveUndone && (
        <Button {...button} onClick={() => exits.mutate([{ task, step: 'leaveUndone' }])}>
          Leave undone
        </Button>
      )}
      {completed && (
        <Button {...button} onClick={() => move(task, completed)}>
          {moveVerb(task.status, completed)}
        </Button>
      )}
    </div>
  );
}
