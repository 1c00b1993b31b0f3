import { Button } from '@mantine/core';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { showPage, viewerWith } from '../../../../test/show-page.tsx';
import { useMoveTask } from './mutations.ts';
import { NotMoved } from './not-moved.tsx';
import type { BoardTask } from './queries.ts';

const task = { id: '17', status: 'TODO', title: 'Call ten shops' } as BoardTask;

function Card() {
  const move = useMoveTask();
  return (
    <article>
      <Button onClick={() => move(task, 'INPROGRESS')}>Start</Button>
      <NotMoved task={task} />
    </article>
  );
}

it('a move that does not reach the server is said at its card and tried again from there', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let cut = true;
  const sent: unknown[] = [];
  const user = await showPage(<Card />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'),
    answers: {
      UpdateTask: (variables) => {
        if (cut) throw new TypeError('Failed to fetch');
        sent.push(variables);
        return { updateTask: { ...task, status: 'INPROGRESS' } };
      },
      Task: () => {
        throw new TypeError('Failed to fetch');
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Start' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Not moved: Can’t reach the server');
  cut = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await expect.poll(() => sent).toEqual([expect.objectContaining({ id: '17', status: 'INPROGRESS' })]);
  await expect.poll(() => screen.queryByRole('alert')).toBe(null);
});
