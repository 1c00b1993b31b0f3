import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { FullTask } from '#web/tasks/shared/queries.ts';
import { showPage, viewerWith } from '../../../test/show-page.tsx';
import TasksPage from './tasks-page.tsx';

const viewer = { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'), role: 'Staff', approverIds: ['marcus'] };
const at = '2026-11-16T11:00:00Z';
const sprint = {
  ...{ id: '47', name: '2026 W47', phase: 'active', current: true },
  ...{ startDate: at, endDate: '2126-11-23T09:00:00Z', settledAt: '2126-11-25T09:00:00Z' },
};
const owner = { id: viewer.id, displayName: viewer.name, team: null };
const task = {
  ...{ id: '17', userId: viewer.id, owner, createdBy: owner, ownerApproverIds: ['marcus'], sprintId: '47' },
  ...{ status: 'TODO', statusSince: at, title: 'Call shops', category: 'Grow', change: '', reason: null },
  ...{ created: at, extra: false, carriedOver: 0, withdrawn: false, leftUndone: false, editedSince: null, version: 1 },
  ...{ summary: '', notes: [], attachments: [], history: [] },
} as FullTask;

/** The board, whose sprints or opened task answer when the test says so. */
async function openBoard(slow: 'Sprints' | 'Task', part: Partial<FullTask> = {}) {
  localStorage.clear();
  const late = Promise.withResolvers<void>();
  const when = (name: typeof slow) => (name === slow ? late.promise : undefined);
  const shown = { ...task, ...part };
  const user = await showPage(<TasksPage />, {
    viewer,
    address: '/top-5/tasks',
    answers: {
      Sprints: async () => {
        await when('Sprints');
        return { sprints: [sprint] };
      },
      Task: async () => {
        await when('Task');
        return { tasks: [shown] };
      },
      MyApprovers: () => ({ myApprovers: { approvers: [], admins: [{ id: 'ada', displayName: 'Ada North' }] } }),
      BoardTasks: () => ({ tasks: [shown] }),
      SprintResult: () => ({ sprintResult: null }),
      MyTimer: () => ({ timer: null }),
      TaskLimit: () => ({ myWeek: { taskLimit: 5 } }),
    },
  });
  return { user, answer: () => late.resolve() };
}

/** The value and the caret of the field that has the focus. */
const focused = () => {
  const { value, selectionStart } = document.activeElement as HTMLTextAreaElement;
  return [value, selectionStart];
};

test('C before the sprints are loaded opens the form once they are, with what was typed after it', async () => {
  const { user, answer } = await openBoard('Sprints');
  await screen.findByRole('heading', { name: 'My tasks' });
  await user.keyboard('cjoin them');
  answer();
  await screen.findByLabelText('Title');
  await expect.poll(focused).toEqual(['join them', 9]);
  await user.keyboard('!');
  expect(focused()).toEqual(['join them!', 10]);
});

test('Esc takes an early C back, and the letters after it are shortcuts again', async () => {
  const { user, answer } = await openBoard('Sprints');
  await screen.findByRole('heading', { name: 'My tasks' });
  await user.keyboard('cx{Escape}');
  answer();
  const card = await screen.findByRole('link', { name: 'Call shops' });
  await user.keyboard('j');
  expect(document.activeElement).toBe(card);
  expect(screen.queryByLabelText('Title')).toBeNull();
});

test.for([
  ['n', '', 'Note'],
  ['e', 'Call shops', 'Title'],
] as const)('what is typed after %s goes into the field, while the task still loads', async ([key, before, text]) => {
  const { user, answer } = await openBoard('Task');
  (await screen.findByRole('link', { name: 'Call shops' })).focus();
  await user.keyboard(`${key}junk ${text}`);
  answer();
  await expect.poll(focused).toEqual([`${before}junk ${text}`, before.length + 5 + text.length]);
});

test('keys are shortcuts again after E on a task that cannot be edited', async () => {
  const { user, answer } = await openBoard('Task', { status: 'DONE' });
  (await screen.findByRole('link', { name: 'Call shops' })).focus();
  await user.keyboard('e');
  answer();
  await screen.findByText('Signed Off', { selector: '[role="dialog"] *' });
  await user.keyboard('n');
  await expect.poll(() => document.activeElement?.id).toBe('new-note');
});

test('a waiting task of a person whom nobody can approve says whom to ask', async () => {
  const { user, answer } = await openBoard('Task', { status: 'INAPPROVAL' });
  answer();
  await user.click(await screen.findByRole('link', { name: 'Call shops' }));
  await screen.findByText('You have no approver. Ask Ada North to choose one.');
});
