import { Button } from '@mantine/core';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { message, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { useDecideTask, useMoveTask } from './mutations.ts';
import { type FullTask, type Sprint, sprintsQuery } from './queries.ts';

const task = { id: '17', status: 'TODO', title: 'Call ten shops', sprintId: '47', version: 1 } as FullTask;

function Card() {
  const move = useMoveTask();
  return <Button onClick={() => move(task, 'INREVIEW')}>Complete</Button>;
}

async function complete(phase: string) {
  const sent: unknown[] = [];
  const user = await showPage(<Card />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'),
    answers: {
      UpdateTask: ({ status }: { status: FullTask['status'] }) => {
        sent.push(status);
        return { updateTask: { ...task, status } };
      },
    },
  });
  queryClient.setQueryData(sprintsQuery.queryKey, [{ id: '47', phase } as Sprint]);
  await user.click(await screen.findByRole('button', { name: 'Complete' }));
  await message('“Call ten shops” moved to Completed');
  return { user, sent };
}

test('a task completed after its sprint ended offers no undo, which the server would refuse', async () => {
  await complete('settling');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('a move is undone once, and says where the task is again', async () => {
  const { user, sent } = await complete('active');
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
