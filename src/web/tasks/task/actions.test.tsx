import { useLocation } from '@tanstack/react-router';
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { timerQuery } from '#web/api/timer.ts';
import { doublePressMs } from '#web/ui/timing.ts';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { useApproveEdited } from '../shared/approve-edited.tsx';
import type { FullTask } from '../shared/queries.ts';
import { useTaskRules } from '../shared/rules.ts';
import { TaskFoot, TaskTimer } from './actions.tsx';

const Address = () => <output>{useLocation({ select: ({ pathname }) => pathname })}</output>;
const timer = { id: '1', taskId: '7', title: 'Report', start: '2026-11-16T15:00:00Z', end: null };
const viewer = { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_TIME_TRACKER'), role: 'Staff' };
const page = (
  <>
    <TaskTimer task={{ id: '7', userId: viewer.id, withdrawn: false }} viewer={viewer} />
    <Address />
  </>
);

test('a timer that ran overnight isn’t stopped before the time tracker asked when the work ended', async () => {
  const hands = await showPage(page, {
    viewer,
    answers: { MyTimer: () => ({ myTimer: { ...timer, forgotten: true } }) },
  });
  await hands.click(await screen.findByRole('button', { name: 'Stop timer' }));
  await expect.poll(() => screen.getByRole('status').textContent).toBe('/top-5/tools/time-tracker');
});

test('a timer that the server says ran overnight is read again', async () => {
  let forgotten = false;
  const hands = await showPage(page, {
    viewer,
    answers: {
      MyTimer: () => ({ myTimer: { ...timer, forgotten } }),
      StopTimer: () => {
        forgotten = true;
        refuse('TRANSITION_NOT_ALLOWED', 'The timer for “Report” ran overnight. First enter when you stopped');
      },
    },
  });
  await hands.click(await screen.findByRole('button', { name: 'Stop timer' }));
  await message(/ran overnight/);
  await expect.poll(() => queryClient.getQueryData(timerQuery.queryKey)).toMatchObject({ forgotten: true });
});

test('after a refused start, the button leads to where the forgotten timer of another task is stopped', async () => {
  let forgotten = false;
  const hands = await showPage(page, {
    viewer,
    answers: {
      MyTimer: () => ({ myTimer: { ...timer, taskId: '8', forgotten } }),
      StartTimer: () => {
        forgotten = true;
        refuse('TRANSITION_NOT_ALLOWED', 'The timer for “Report” ran overnight. First enter when you stopped');
      },
    },
  });
  const start = await screen.findByRole('button', { name: 'Start timer' });
  await hands.click(start);
  await message(/ran overnight/);
  await expect.poll(() => queryClient.getQueryData(timerQuery.queryKey)).toMatchObject({ forgotten: true });
  await hands.click(start);
  await expect.poll(() => screen.getByRole('status').textContent).toBe('/top-5/tools/time-tracker');
});

test('starting says which timer it stopped, also one that another tab started', async () => {
  let running: object | null = null;
  const hands = await showPage(page, {
    viewer,
    answers: {
      MyTimer: () => ({ myTimer: running }),
      StartTimer: () => {
        running = { ...timer, id: '3', forgotten: false };
        return { startTimer: running };
      },
    },
  });
  const start = await screen.findByRole('button', { name: 'Start timer' });
  running = { ...timer, id: '2', taskId: '8', title: 'Newsletter', forgotten: false };
  const tab = new BroadcastChannel('timer');
  onTestFinished(() => tab.close());
  const told = new Promise((heard) => tab.addEventListener('message', heard, { once: true }));
  await hands.click(start);
  await message(/^Timer for “Newsletter” stopped/);
  await screen.findByRole('button', { name: 'Stop timer' });
  await told;
});

const cut = () => {
  throw new TypeError('Failed to fetch');
};

test('a start that didn’t reach the server is tried again from its message, and so is a stop', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isCut = true;
  let running: object | null = null;
  const hands = await showPage(page, {
    viewer,
    answers: {
      MyTimer: () => ({ myTimer: running }),
      StartTimer: () => {
        if (isCut) cut();
        running = { ...timer, forgotten: false };
        return { startTimer: running };
      },
      StopTimer: () => {
        if (isCut) cut();
        running = null;
        return { stopTimer: timer };
      },
    },
  });
  for (const [button, said] of [
    ['Start timer', null],
    ['Stop timer', 'Timer for “Report” stopped'],
  ] as const) {
    isCut = true;
    await hands.click(await screen.findByRole('button', { name: button }));
    await message('Can’t reach the server');
    isCut = false;
    await hands.click(screen.getByRole('button', { name: 'Try again' }));
    if (said) await message(said);
    await expect.poll(() => screen.queryByRole('button', { name: button })).toBeNull();
    expect(screen.queryByText('Can’t reach the server')).toBeNull();
  }
});

test('a stop that is tried again stops no other timer', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let running: object = { ...timer, forgotten: false };
  const hands = await showPage(page, { viewer, answers: { MyTimer: () => ({ myTimer: running }), StopTimer: cut } });
  await hands.click(await screen.findByRole('button', { name: 'Stop timer' }));
  await message('Can’t reach the server');
  running = { ...timer, id: '2', taskId: '8', title: 'Newsletter', forgotten: false };
  await act(() => queryClient.refetchQueries(timerQuery));
  await hands.click(screen.getByRole('button', { name: 'Try again' }));
  await message('That timer was already stopped. The timer for “Newsletter” is running');
});

const lead = { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'), role: 'Lead' };
const waiting = {
  ...{ id: '17', userId: 'lena', owner: { id: 'lena', displayName: 'Lena Hoffmann' }, ownerApproverIds: [lead.id] },
  ...{ status: 'INAPPROVAL', title: 'Plan alpha', summary: 'As before', category: 'All Brands', change: '' },
  ...{ sprintId: 'w47', version: 1, reason: null, withdrawn: false, leftUndone: false, repeats: null },
  ...{ decidedFor: null, handedOver: null, ownerKeepsTasks: true, notes: [], attachments: [], history: [] },
} as unknown as FullTask;
const sprint = {
  ...{ id: 'w47', name: '2026 W47', phase: 'active', current: true, startDate: '2026-11-16T09:00:00Z' },
  ...{ endDate: '2126-11-23T09:00:00Z', settledAt: '2126-11-24T09:00:00Z' },
};

/** The foot of an open task, whose owner can change its summary. */
async function openFoot() {
  const sent: { status: string; version: number; change?: string }[] = [];
  let now = 10_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  let change = (_task: FullTask) => {};
  const Foot = () => {
    const [task, setTask] = useState(waiting);
    change = setTask;
    const actions = useTaskRules(lead, task).actions;
    return <TaskFoot task={task} viewer={lead} actions={actions} editing={useApproveEdited(task.id)} />;
  };
  const hands = await showPage(<Foot />, {
    viewer: lead,
    answers: {
      Sprints: () => ({ sprints: [sprint] }),
      UpdateTask: (decision: (typeof sent)[number]) => {
        sent.push(decision);
        return { updateTask: { ...waiting, status: decision.status, version: 3 } };
      },
    },
  });
  await screen.findByRole('button', { name: 'Approve' });
  const edited = (summary: string, version: number) => {
    const texts = { before: JSON.stringify({ summary: 'As before' }), after: JSON.stringify({ summary }) };
    const entry = { id: String(version), event: 'edited', version, actorId: 'lena', actorName: 'Lena Hoffmann' };
    act(() => change({ ...waiting, summary, version, history: [{ ...entry, ...texts }] as never }));
  };
  return { hands, sent, edited, waitOutThePause: () => (now += doublePressMs) };
}

test('a click right after the text changed decides nothing in the open task, and the change is marked', async () => {
  const { hands, sent, edited, waitOutThePause } = await openFoot();
  edited('At twice the price', 2);
  await hands.click(screen.getByRole('button', { name: 'Approve' }));
  await screen.findByText('Lena Hoffmann changed this after you opened it. Press again to confirm.');
  screen.getByText('Summary');
  expect(sent).toEqual([]);
  waitOutThePause();
  await hands.click(screen.getByRole('button', { name: 'Approve' }));
  await expect.poll(() => sent).toMatchObject([{ version: 2 }]);
});

test('a reason that was begun in the open task before its text changed is sent by a second press', async () => {
  const { hands, sent, edited, waitOutThePause } = await openFoot();
  await hands.click(screen.getByRole('button', { name: 'Deny' }));
  await hands.type(await screen.findByRole('textbox'), 'Too dear');
  edited('At twice the price', 2);
  waitOutThePause();
  const deny = screen.getByRole('button', { name: 'Deny' });
  await hands.click(deny);
  await screen.findByText('Lena Hoffmann changed this after you opened it. Press again to confirm.');
  expect(sent).toEqual([]);
  await hands.click(deny);
  await expect.poll(() => sent).toMatchObject([{ version: 2, change: 'Too dear' }]);
});

test('at the buttons that move a task, 1 presses the first one that is there, and a held key only once', async () => {
  const sent: string[] = [];
  const own = { ...waiting, userId: viewer.id, status: 'TODO' } as FullTask;
  const Foot = () => {
    const [task, setTask] = useState(own);
    changeTask = (status) => setTask({ ...task, status, version: task.version + 1 });
    return (
      <TaskFoot
        task={task}
        viewer={owner}
        actions={useTaskRules(owner, task).actions}
        editing={useApproveEdited(own.id)}
      />
    );
  };
  let changeTask = (_status: FullTask['status']) => {};
  const owner = { ...viewer, permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] as const, approverIds: [lead.id] };
  await showPage(<Foot />, {
    viewer: owner,
    answers: {
      Sprints: () => ({ sprints: [sprint] }),
      UpdateTask: ({ status }: { status: FullTask['status'] }) => {
        sent.push(status);
        act(() => changeTask(status));
        return { updateTask: { ...own, status, version: 2 } };
      },
    },
  });
  const press = async (name: string, key: object) =>
    fireEvent.keyDown(await screen.findByRole('button', { name }), key);
  await press('Start', { key: '2', ctrlKey: true });
  await press('Start', { key: '3' });
  await press('Start', { key: '1' });
  await expect.poll(() => sent).toEqual(['INPROGRESS']);
  await press('Complete', { key: '1', repeat: true });
  await press('Complete', { key: '2' });
  await expect.poll(() => sent).toEqual(['INPROGRESS', 'TODO']);
});
