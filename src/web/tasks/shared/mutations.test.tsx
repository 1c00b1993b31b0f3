import { Button } from '@mantine/core';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
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
