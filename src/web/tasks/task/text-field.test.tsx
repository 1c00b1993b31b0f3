import { screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import type { FullTask } from '../shared/queries.ts';
import { TaskTextField } from './text-field.tsx';

const viewer = viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5');

afterEach(() => localStorage.clear());

/** The saved title, which this person changed after the viewer began to edit it. */
async function editOver(actorId: string, actorName: string) {
  localStorage.setItem('of-person:viewer:draft:task:17:title', '{"text":"Call ten shops in Ghent","version":1}');
  const change = { version: 2, before: '{"title":"Call shops"}', after: '{"title":"Call ten shops in Lyon"}' };
  const history = [{ id: '1', event: 'edited', actorId, actorName, ...change }];
  const task = { id: '17', userId: viewer.id, title: 'Call ten shops in Lyon', version: 2, history };
  const user = await showPage(
    <TaskTextField task={task as unknown as FullTask} field="title" editable>
      <h2>{task.title}</h2>
    </TaskTextField>,
    {
      viewer,
      answers: {
        UpdateTask: () => refuse('CONFLICT', 'This has changed since you opened it'),
        Task: () => ({ tasks: [task] }),
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  return screen.findByRole('group', { name: /changed this/ });
}

it('a change of one’s own in another tab is not said to be someone else’s', async () => {
  const conflict = await editOver(viewer.id, 'Viewer');
  expect(conflict.textContent).toContain('You changed this in another tab.');
});

it('names the other person who changed the text, and marks what differs', async () => {
  const conflict = await editOver('bea', 'Bea Quist');
  expect(conflict.textContent).toContain('Bea Quist changed this.');
  expect(conflict.querySelector('del')?.textContent).toBe('Lyon');
  expect(conflict.querySelector('ins')?.textContent).toBe('Ghent');
});

it('keeps what was typed when Esc closes the editor, says so, and goes on with it', async () => {
  const task = { id: '18', userId: viewer.id, summary: 'Five shops', version: 1, history: [] };
  const user = await showPage(
    <TaskTextField task={task as unknown as FullTask} field="summary" editable>
      <p>{task.summary}</p>
    </TaskTextField>,
    { viewer },
  );
  const edit = async (name: string) => user.click(await screen.findByRole('button', { name }));
  await edit('Edit summary');
  await user.keyboard('{Escape}');
  await edit('Edit summary');
  await user.type(screen.getByRole('textbox', { name: 'Summary' }), ' in Ghent{Escape}');
  expect(screen.queryByRole('textbox')).toBe(null);
  screen.getByText('Your changes aren’t saved yet');
  await edit('Continue editing summary');
  expect((screen.getByRole('textbox', { name: 'Summary' }) as HTMLTextAreaElement).value).toBe('Five shops in Ghent');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByRole('button', { name: 'Edit summary' });
});

it('stays open with what was typed while it was saved, based on the saved version', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const sent: object[] = [];
  const task = { id: '19', userId: viewer.id, title: 'Call shops', version: 1, history: [] };
  const user = await showPage(
    <TaskTextField task={task as unknown as FullTask} field="title" editable>
      <h2>{task.title}</h2>
    </TaskTextField>,
    {
      viewer,
      answers: {
        UpdateTask: async (variables: { title: string; version: number }) => {
          sent.push({ title: variables.title, version: variables.version });
          await promise;
          return { updateTask: { ...task, title: variables.title, version: variables.version + 1 } };
        },
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Edit title' }));
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Title' });
  await user.type(field, ' now{Enter}');
  await user.type(field, ' in Lyon');
  resolve();
  await expect.poll(() => localStorage.getItem('of-person:viewer:draft:task:19:title')).toContain('"version":2');
  expect(field.value).toBe('Call shops now in Lyon');
});
