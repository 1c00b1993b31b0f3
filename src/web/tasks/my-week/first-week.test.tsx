import { act, cleanup, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import MyWeekPage from './my-week-page.tsx';
import { myWeekQuery, weekGuidelinesQuery } from './my-week-queries.ts';

const keeps = viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_TOOLS', 'VIEW_TOP_5_GUIDELINES');
const approved = { ...keeps, role: 'Staff', approverIds: ['marcus'] };
const marcus = { id: 'marcus', displayName: 'Marcus Adeyemi', decides: true };
const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const sprint = {
  ...{ id: '47', name: '2026 W47', phase: 'active', startDate: at(-3), endDate: at(4) },
  ...{ settledAt: at(6), completionPercentage: null },
};

/** `state` is read by each answer, so a test can change it. */
function openWeek(state: { firstWeek: object | null; confirmedAt?: string | null }, part: object = {}, who = approved) {
  return showPage(<MyWeekPage />, {
    viewer: who,
    address: '/dashboard',
    answers: {
      Holidays: () => ({ holidays: [] }),
      NextPlan: () => ({ sprints: [], tasks: [] }),
      MyWeek: () => ({
        myWeek: { taskLimit: 5, sprint, previousSprint: null, tasks: [], openAtClose: [], firstWeek: state.firstWeek },
      }),
      MyApprovers: () => ({ myApprovers: { approvers: [marcus], admins: [] } }),
      WeekGuidelines: () => ({ guidelines: { version: 2, confirmedAt: state.confirmedAt ?? null } }),
      ...{ BoardTasks: () => ({ tasks: [] }), TaskLimit: () => ({ myWeek: { taskLimit: 5 } }) },
      Absences: () => ({ absences: [] }),
      Sprints: () => ({ sprints: [{ ...sprint, current: true }] }),
      ...part,
    },
  });
}

const readAgain = () =>
  act(async () => {
    await queryClient.invalidateQueries({ queryKey: myWeekQuery.queryKey });
    await queryClient.invalidateQueries({ queryKey: weekGuidelinesQuery.queryKey });
  });
const steps = async () =>
  within(await screen.findByRole('region', { name: /^First steps/ })).getAllByRole('heading', { level: 3 });
const titles = async () => (await steps()).map(({ textContent }) => textContent);

test('someone who had a task approved isn’t guided, and their page asks for the guidelines as before', async () => {
  await openWeek({ firstWeek: null });
  await screen.findByText('Marcus Adeyemi approves your tasks.');
  screen.getByRole('link', { name: 'Read and confirm the guidelines' });
  screen.getByRole('button', { name: 'Add your first task' });
  expect(screen.queryByRole('region', { name: /^First steps/ })).toBeNull();
});

test('the first steps check themselves off, say nothing twice, and disappear by themselves', async () => {
  const state: Parameters<typeof openWeek>[0] = { firstWeek: { hasTask: false } };
  await openWeek(state);
  await screen.findByText('Marcus Adeyemi approves your tasks.');
  expect(await titles()).toEqual([
    'Done: Find out who approves your tasks',
    'Read the guidelines',
    'Write your first task',
  ]);
  expect(screen.queryByText('Read and confirm the guidelines')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Add your first task' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Open the guidelines' }).getAttribute('href')).toBe(
    '/top-5/tools/guidelines',
  );
  Object.assign(state, { firstWeek: { hasTask: true }, confirmedAt: '2026-11-20T10:00:00Z' });
  await readAgain();
  await screen.findByText('You confirmed version 2.');
  expect((await titles()).every((title) => title?.startsWith('Done: '))).toBe(true);
  expect(screen.queryByRole('button', { name: 'Write a task' })).toBeNull();
  state.firstWeek = null;
  await readAgain();
  await expect.poll(() => screen.queryByRole('region', { name: /^First steps/ })).toBeNull();
});

test('the last step opens the form that C opens', async () => {
  const user = await openWeek({ firstWeek: { hasTask: false } });
  await user.click(await screen.findByRole('button', { name: 'Write a task' }));
  await screen.findByRole('dialog', { name: 'New task' });
});

test('without an approver, the steps say who can choose one, and the task waits for that', async () => {
  await openWeek(
    { firstWeek: { hasTask: false } },
    { MyApprovers: () => ({ myApprovers: { approvers: [], admins: [{ id: 'ada', displayName: 'Ada North' }] } }) },
    { ...approved, approverIds: [] },
  );
  await screen.findByText('You have no approver. Ask Ada North to choose one.');
  await screen.findByText('You can write it once you have an approver.');
  expect((await titles())[0]).toBe('Find out who approves your tasks');
  expect(screen.queryByRole('button', { name: 'Write a task' })).toBeNull();
});

test('what can’t be loaded says so in its step, and can be tried again', async () => {
  let fails = true;
  const user = await openWeek(
    { firstWeek: { hasTask: false } },
    {
      MyApprovers: () => {
        if (fails) refuse('FORBIDDEN', 'Not now');
        return { myApprovers: { approvers: [marcus], admins: [] } };
      },
    },
  );
  await screen.findByText('Couldn’t load your approver.');
  fails = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('Marcus Adeyemi approves your tasks.');
});

test('without published guidelines there is no step to read them', async () => {
  await openWeek({ firstWeek: { hasTask: false } }, { WeekGuidelines: () => ({ guidelines: null }) });
  await expect.poll(titles).toEqual(['Done: Find out who approves your tasks', 'Write your first task']);
});

test('hidden first steps stay hidden in this browser', async () => {
  const state = { firstWeek: { hasTask: false } };
  const user = await openWeek(state);
  await user.click(await screen.findByRole('button', { name: 'Hide first steps' }));
  await screen.findByRole('button', { name: 'Add your first task' });
  expect(screen.queryByRole('region', { name: /^First steps/ })).toBeNull();
  cleanup();
  await openWeek(state);
  await screen.findByRole('button', { name: 'Add your first task' });
  expect(screen.queryByRole('region', { name: /^First steps/ })).toBeNull();
  localStorage.removeItem('of-person:viewer:first-week-hidden');
});
