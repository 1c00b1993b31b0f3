import { Button } from '@mantine/core';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { timerQuery } from '#web/api/timer.ts';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { useDecideTask, useMoveTask } from './mutations.ts';
import type { FullTask } from './queries.ts';

const task = { id: '17', status: 'TODO', title: 'Call ten shops', sprintId: '47', version: 1 } as FullTask;

function Card() {
  const move = useMoveTask();
  return <Button onClick={() => move(task, 'INREVIEW')}>Complete</Button>;
}

/** In a closed sprint, only the undo of a step moves the task back. */
async function complete({ isClosed, undone }: { isClosed: boolean; undone?: () => object }) {
  const sent: unknown[] = [];
  const user = await showPage(<Card />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'),
    answers: {
      UpdateTask: ({ status }: { status: FullTask['status'] }) => {
        sent.push(status);
        if (isClosed && status !== 'INREVIEW') refuse('SPRINT_DOES_NOT_ALLOW', 'This sprint is over');
        return { updateTask: { ...task, status } };
      },
      UndoTaskStep: () => {
        sent.push('undo');
        return undone?.() ?? { undoTaskStep: task };
      },
      Task: () => ({ tasks: [task] }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Complete' }));
  await message('“Call ten shops” moved to Completed');
  return { user, sent };
}

test('a task completed after its sprint ended is moved back as an undo of that step', async () => {
  const { user, sent } = await complete({ isClosed: true });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await message('“Call ten shops” moved to To Do');
  expect(sent).toEqual(['INREVIEW', 'TODO', 'undo']);
});

test('an undo that is refused says so, wherever the task is shown', async () => {
  const { user } = await complete({ isClosed: true, undone: () => refuse('TOO_LATE', 'It’s too late to undo this') });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await message('It’s too late to undo this');
});

test('a move is undone once, and says where the task is again', async () => {
  const { user, sent } = await complete({ isClosed: false });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await message('“Call ten shops” moved to To Do');
  expect(sent).toEqual(['INREVIEW', 'TODO']);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('an older Undo of a task that has moved since changes nothing, and says where the task is', async () => {
  const sent: unknown[] = [];
  const Moves = () => {
    const move = useMoveTask();
    return (
      <>
        <Button onClick={() => move({ ...task, status: 'INREVIEW' }, 'TODO')}>Back</Button>
        <Button onClick={() => move(task, 'INPROGRESS')}>Start</Button>
      </>
    );
  };
  let version = 1;
  const user = await showPage(<Moves />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'),
    answers: {
      UpdateTask: ({ status }: { status: FullTask['status'] }) => {
        sent.push(status);
        version += 1;
        return { updateTask: { ...task, status, version } };
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Back' }));
  await message('“Call ten shops” moved to To Do');
  await user.click(screen.getByRole('button', { name: 'Start' }));
  await message('“Call ten shops” moved to In Progress');
  await user.click(screen.getAllByRole('button', { name: 'Undo' })[0]!);
  await message('“Call ten shops” is In Progress now, so that move can’t be undone');
  expect(sent).toEqual(['TODO', 'INPROGRESS']);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await expect.poll(() => sent).toEqual(['TODO', 'INPROGRESS', 'TODO']);
});

test('completing a task says that its timer is still running, and offers to stop it', async () => {
  const timer = {
    id: '1',
    taskId: '17',
    title: task.title,
    start: '2026-11-16T15:00:00Z',
    end: null,
    forgotten: false,
  };
  queryClient.setQueryData(timerQuery.queryKey, timer);
  let isStopped = false;
  const user = await showPage(<Card />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'),
    answers: {
      UpdateTask: ({ status }: { status: FullTask['status'] }) => ({ updateTask: { ...task, status } }),
      MyTimer: () => ({ myTimer: isStopped ? null : timer }),
      StopTimer: () => {
        isStopped = true;
        return { stopTimer: { id: '1', title: task.title } };
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Complete' }));
  await message('“Call ten shops” moved to Completed. Its timer is still running');
  await user.click(screen.getByRole('button', { name: 'Stop timer' }));
  await message('Timer for “Call ten shops” stopped');
});

function Decision() {
  const { decide } = useDecideTask();
  const waiting: FullTask = { ...task, status: 'INAPPROVAL' };
  return <Button onClick={() => void decide({ task: waiting, decision: 'approve' })}>Approve</Button>;
}

test('a decision in the panel whose answer was lost is told like any other, with Undo', async () => {
  const decided: FullTask = { ...task, version: 2, history: [] };
  const user = await showPage(<Decision />, {
    answers: {
      UpdateTask: () => {
        throw new TypeError('Failed to fetch');
      },
      Task: () => ({ tasks: [decided] }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Approve' }));
  await message('“Call ten shops” was approved');
  screen.getByRole('button', { name: 'Undo' });
});
