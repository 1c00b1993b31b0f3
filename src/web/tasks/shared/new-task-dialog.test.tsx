import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage, viewerWith } from '../../../../test/show-page.tsx';
import { NewTaskDialog } from './new-task-dialog.tsx';

const viewer = { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'), id: '7', role: 'Staff' };

test('a title typed while the tasks before it are created stays, and no task is sent twice', async () => {
  const answers: (() => void)[] = [];
  const sent: string[] = [];
  const hands = await showPage(
    <NewTaskDialog
      {...{ opened: true, viewer, forOthers: false, isSprintsError: false, stays: true }}
      {...{ sprints: [], personId: viewer.id, sprintId: null, onClose: () => {}, onCreated: () => {} }}
    />,
    {
      viewer,
      answers: {
        TaskLimit: () => ({ myWeek: { taskLimit: 5 } }),
        CreateTask: async ({ title }: { title: string }) => {
          sent.push(title);
          await new Promise<void>((answer) => answers.push(answer));
          return { createTask: { id: title, title, sprintId: '1', userId: viewer.id, version: 1, history: [] } };
        },
      },
    },
  );
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Title/ });
  await hands.click(field);
  await hands.paste('One\nTwo');
  await hands.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => sent).toEqual(['One']);
  await hands.keyboard('{Shift>}{Enter}{/Shift}Three');
  answers[0]!();
  await expect.poll(() => sent).toEqual(['One', 'Two']);
  expect(field.value).toBe('Two\nThree');
  answers[1]!();
  await expect.poll(() => field.value).toBe('Three');
  localStorage.clear();
});
