import { Menu } from '@mantine/core';
import {
  IconArchive,
  IconArrowForwardUp,
  IconCalendarShare,
  IconCopy,
  IconLink,
  IconMessagePlus,
  IconPaperclip,
  IconPencil,
  IconRepeat,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { movesInOrder, type TaskActions } from '#core/tasks/task.ts';
import { statusRule, type TaskStatus, taskStatuses } from '#core/tasks/task-status.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { useBackCloses } from '#web/ui/back-closes.ts';
import { Kbd } from '#web/ui/kbd.tsx';
import { isTouch } from '#web/ui/shortcuts.ts';
import { StatusGlyph } from '#web/ui/status-glyph.tsx';
import { type Exit, exitHints, useExits, useSprintMove } from '../shared/exits.ts';
import { copyTaskLink } from '../shared/link.ts';
import { useMoveTask } from '../shared/mutations.ts';
import type { PanelPart } from '../shared/panel-part.ts';
import { type BoardTask, type Sprint, useSprints } from '../shared/queries.ts';
import { rulesOf, whyLocked } from '../shared/rules.ts';
import { movesByNumber } from '../shared/send-keys.ts';
import classes from './menu.module.css';

export type OpenMenu = { readonly task: BoardTask; readonly button: HTMLElement };

type Props = OpenMenu & {
  readonly viewer: SignedIn;
  readonly sprints: readonly Sprint[];
  readonly onMoved: (task: BoardTask) => void;
  readonly onOpen: (taskId: string, part: PanelPart) => void;
  /** Null if the person gets no new tasks. */
  readonly onDuplicate: ((taskId: string) => void) | null;
  readonly onClose: () => void;
};

const icon = { size: 16, stroke: 1.7 };

/**
 * A task's menu: everything dragging does, and more. One for the whole board, mounted while it is open,
 * because a menu on each of 300 cards would be slow.
 */
export function TaskMenu({ task, button, viewer, sprints, onMoved, onOpen, onDuplicate, onClose }: Props) {
  const rules = rulesOf(viewer, task, sprints);
  const { actions } = rules;
  const moves = movesInOrder(task, actions);
  const move = useMoveTask();
  const moveTo = (status: TaskStatus) => {
    onClose();
    void move(task, status);
    onMoved(task);
  };
  const open = (part: PanelPart) => {
    onClose();
    onOpen(task.id, part);
  };
  const close = () => {
    onClose();
    button.focus();
  };
  useBackCloses(true, close);
  const exit = { task, onDone: onClose };
  const { top, left, width, height } = button.getBoundingClientRect();
  return (
    <Menu opened width={216} onClose={close} returnFocus={false} withinPortal={false}>
      <Menu.Target>
        {/* Anchored to the card's button that opened the menu. */}
        <button
          type="button"
          tabIndex={-1}
          className={classes.anchor}
          style={{ top, left, width, height }}
          aria-label={`Actions for ${task.title}`}
        />
      </Menu.Target>
      <Menu.Dropdown onKeyDown={movesByNumber(moves, moveTo)}>
        <MoveItems moves={moves} locked={whyLocked(viewer, rules)} onMove={moveTo} />
        <SprintItem task={task} actions={actions} onDone={onClose} />
        {actions.carryOver && (
          <ExitItem {...exit} step="carryOver" drawing={<IconArrowForwardUp {...icon} />}>
            Carry over
          </ExitItem>
        )}
        {actions.leaveUndone && (
          <ExitItem {...exit} step="leaveUndone" drawing={<IconArchive {...icon} />}>
            Leave undone
          </ExitItem>
        )}
        {leavesItsPlace(actions) && <Menu.Divider />}
        <PanelItems task={task} actions={actions} onOpen={open} />
        <CopyItems task={task} onDuplicate={onDuplicate} onClose={onClose} />
        {/* At the end: the first item has the focus. */}
        {actions.withdraw && <Menu.Divider />}
        {actions.withdraw && (
          <ExitItem {...exit} step="withdraw" drawing={<IconTrash {...icon} />}>
            Withdraw
          </ExitItem>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

const leavesItsPlace = ({ moves, moveToSprint, carryOver, leaveUndone }: TaskActions): boolean =>
  moves.length > 0 || moveToSprint || carryOver || leaveUndone;

/** What can be done with any task, also one that nobody can change. */
function CopyItems({ task, onDuplicate, onClose }: Pick<Props, 'task' | 'onDuplicate' | 'onClose'>) {
  return (
    <>
      {onDuplicate && (
        <Item
          icon={<IconCopy {...icon} />}
          onClick={() => {
            onClose();
            onDuplicate(task.id);
          }}
        >
          Duplicate
        </Item>
      )}
      <Item icon={<IconLink {...icon} />} onClick={() => void copyTaskLink(task)}>
        Copy link
      </Item>
    </>
  );
}

type MoveItemsProps = {
  readonly moves: readonly TaskStatus[];
  readonly locked: string | null;
  readonly onMove: (status: TaskStatus) => void;
};

function MoveItems({ moves, locked, onMove }: MoveItemsProps) {
  if (moves.length === 0) return locked && <p className={classes.locked}>{locked}</p>;
  return (
    <>
      <Menu.Label>Move to</Menu.Label>
      {moves.map((status, index) => (
        <Item
          key={status}
          icon={<StatusGlyph status={status} />}
          shortcut={String(index + 1)}
          onClick={() => onMove(status)}
        >
          {taskStatuses[status].title}
        </Item>
      ))}
    </>
  );
}

type PanelItemsProps = {
  readonly task: BoardTask;
  readonly actions: TaskActions;
  readonly onOpen: (part: PanelPart) => void;
};

/** Actions that open the panel. */
function PanelItems({ task, actions, onOpen }: PanelItemsProps) {
  const { approve, deny } = statusRule(task.status);
  return (
    <>
      {actions.edit && (
        <Item
          icon={<IconPencil {...icon} />}
          shortcut="E"
          onClick={() => onOpen(actions.resubmit ? 'resend' : 'title')}
        >
          {actions.resubmit ? 'Edit and resend' : 'Edit'}
        </Item>
      )}
      {actions.decisions && (
        <Item icon={<StatusGlyph status={task.status} />} onClick={() => onOpen('decision')}>
          {approve?.verb} or {deny?.verb.toLowerCase()}
        </Item>
      )}
      {actions.repeat && (
        <Item icon={<IconRepeat {...icon} />} shortcut="R" onClick={() => onOpen('repeat')}>
          Repeat
        </Item>
      )}
      {actions.note && (
        <Item icon={<IconMessagePlus {...icon} />} shortcut="N" onClick={() => onOpen('note')}>
          Add note
        </Item>
      )}
      {actions.attach && (
        <Item icon={<IconPaperclip {...icon} />} onClick={() => onOpen('files')}>
          Attach file
        </Item>
      )}
    </>
  );
}

type ExitItemProps = {
  readonly task: BoardTask;
  readonly step: Exit['step'];
  readonly drawing: ReactNode;
  readonly onDone: () => void;
  readonly children: string;
};

function ExitItem({ task, step, drawing, onDone, children }: ExitItemProps) {
  const exits = useExits();
  const run = () => {
    onDone();
    exits.mutate([{ task, step }]);
  };
  return (
    <Item icon={drawing} onClick={run}>
      {children}
    </Item>
  );
}

type SprintItemProps = {
  readonly task: BoardTask;
  readonly actions: TaskActions;
  readonly onDone: () => void;
};

function SprintItem({ task, actions, onDone }: SprintItemProps) {
  const move = useSprintMove(task, actions, useSprints());
  if (!move) return null;
  const run = () => {
    onDone();
    void move.run();
  };
  return (
    <Item icon={<IconCalendarShare {...icon} />} title={exitHints.moveToSprint} onClick={run}>
      {move.label}
    </Item>
  );
}

type ItemProps = {
  readonly icon: ReactNode;
  readonly shortcut?: string;
  readonly title?: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
};

function Item({ icon: drawing, shortcut, children, ...rest }: ItemProps) {
  return (
    <Menu.Item leftSection={drawing} rightSection={shortcut && !isTouch() && <Kbd>{shortcut}</Kbd>} {...rest}>
      {children}
    </Menu.Item>
  );
}
