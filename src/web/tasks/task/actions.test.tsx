import { useLocation } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { timerQuery } from '#web/api/timer.ts';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { TaskTimer } from './actions.tsx';

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
        refuse('TRANSITION_NOT_ALLOWED', 'The timer of “Report” ran overnight. First enter when you stopped');
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
        refuse('TRANSITION_NOT_ALLOWED', 'The timer of “Report” ran overnight. First enter when you stopped');
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
  await hands.click(start);
  await message(/^Timer for “Newsletter” stopped/);
  await screen.findByRole('button', { name: 'Stop timer' });
});
