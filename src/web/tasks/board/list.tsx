import { ActionIcon } from '@mantine/core';
import { IconDots, IconMessage, IconPaperclip } from '@tabler/icons-react';
import { useMemo } from 'react';
import { repeats } from '#core/tasks/repeat.ts';
import { needsOwner } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { Age } from '#web/ui/age.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { Pill, StatusPill } from '#web/ui/pill.tsx';
import { carriedOverWords } from '../shared/exits.ts';
import { NotMoved } from '../shared/not-moved.tsx';
import type { BoardTask } from '../shared/queries.ts';
import { rulesOf } from '../shared/rules.ts';
import type { BoardProps } from './board.tsx';
import { ClosedSprintActions } from './card.tsx';
import { statusOrder } from './columns.ts';
import classes from './list.module.css';

/** The same tasks as rows, with everything a card shows and its menu does. */
export function TaskList({ name, tasks, viewer, sprints, openTaskId, onOpen, onMenu }: BoardProps) {
  const columns = useMemo(() => columnsWith(viewer, sprints, onMenu), [viewer, sprints, onMenu]);
  return (
    <Panel flush>
      <DataTable
        caption={name}
        items={tasks}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        openKey={openTaskId}
        sortedBy={{ id: 'status', desc: false }}
        empty={<p className={classes.empty}>No matching tasks</p>}
      />
    </Panel>
  );
}

function columnsWith(
  viewer: BoardProps['viewer'],
  sprints: BoardProps['sprints'],
  onMenu: BoardProps['onMenu'],
): DataColumn<BoardTask>[] {
  return [
    { id: 'title', title: 'Task', sortBy: ({ title }) => title, cell: TitleCell },
    {
      id: 'status',
      title: 'Status',
      phone: 'below',
      sortBy: ({ status }) => statusOrder(status),
      cell: ({ status }) => <StatusPill status={status} />,
    },
    {
      id: 'brand',
      title: 'Brand',
      sortBy: ({ category }) => category,
      cell: ({ category }) => <Pill tone="outlined">{category}</Pill>,
    },
    { id: 'notes', title: 'Notes and files', cell: CountsCell },
    {
      id: 'age',
      title: 'Since',
      numeric: true,
      phone: 'change',
      sortBy: ({ statusSince }) => -Date.parse(statusSince),
      cell: ({ statusSince }) => <Age instant={statusSince} zone={config().companyTimeZone} />,
    },
    {
      id: 'menu',
      title: 'Actions',
      phone: 'value',
      cell: (task) => (
        <span className={classes.actions}>
          <ClosedSprintActions task={task} actions={rulesOf(viewer, task, sprints).actions} />
          <MenuButton task={task} onMenu={onMenu} />
        </span>
      ),
    },
  ];
}

function TitleCell(task: BoardTask) {
  const reason = needsOwner(task) ? task.reason : null;
  const { id, userId, title, extra, carriedOver, leftUndone, repeats: rule } = task;
  return (
    <span className={classes.words}>
      <span className={classes.title} data-task={id} data-owner={userId} title={title}>
        {title}
      </span>
      {reason && <span className={classes.reason}>{reason}</span>}
      {extra && <Pill>extra</Pill>}
      {carriedOver > 0 && <Pill>{carriedOverWords(carriedOver)}</Pill>}
      {leftUndone && <Pill>left undone</Pill>}
      {rule && <Pill>repeats {repeats[rule].words}</Pill>}
      <NotMoved task={task} />
    </span>
  );
}

function CountsCell({ notes, attachments }: BoardTask) {
  return (
    <span className={classes.counts}>
      {notes.length > 0 && (
        <span>
          <IconMessage size={14} stroke={1.7} aria-hidden /> {notes.length}
          <span className="visually-hidden"> {notes.length === 1 ? 'note' : 'notes'}</span>
        </span>
      )}
      {attachments.length > 0 && (
        <span>
          <IconPaperclip size={14} stroke={1.7} aria-hidden /> {attachments.length}
          <span className="visually-hidden"> {attachments.length === 1 ? 'file' : 'files'}</span>
        </span>
      )}
    </span>
  );
}

function MenuButton({ task, onMenu }: { task: BoardTask; onMenu: BoardProps['onMenu'] }) {
  return (
    <ActionIcon
      size={24}
      aria-label={`Actions for ${task.title}`}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => onMenu(task, currentTarget)}
    >
      <IconDots size={16} stroke={1.7} />
    </ActionIcon>
  );
}
