import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { timerQuery } from '#web/api/timer.ts';
import { showPage, viewerWith } from '../../../test/show-page.tsx';
import { TopBar } from './top-bar.tsx';

const bar = <TopBar onToggleDrawer={null} drawerOpen={false} bell={null} />;
const start = new Date(Date.now() - (42 * 60 + 10) * 1_000).toISOString();
const timer = { id: '1', taskId: '7', title: 'Interview customers', start, end: null, forgotten: false };
const keeper = {
  ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_TIME_TRACKER'),
  role: 'Staff',
  approverIds: ['marcus'],
};

test('a person without the time tracker asks for no timer', async () => {
  await showPage(bar, { answers: { MyTimer: () => expect.fail('asked for a timer') } });
  await screen.findByRole('banner');
  expect(screen.queryByRole('timer')).toBeNull();
});

test('a running timer shows its time on every page and leads to its task', async () => {
  await showPage(bar, { viewer: keeper, answers: { MyTimer: () => ({ myTimer: timer }) } });
  const link = await screen.findByRole('link', { name: /^Timer running for “Interview customers”: 0:4\d:\d\d$/ });
  expect(link.getAttribute('href')).toBe('/top-5/tasks?task=7');
});

test('a timer that another tab starts or stops is seen without a visit to that tab', async () => {
  let running: typeof timer | null = null;
  await showPage(bar, { viewer: keeper, answers: { MyTimer: () => ({ myTimer: running }) } });
  await expect.poll(() => queryClient.getQueryData(timerQuery.queryKey)).toBeNull();
  const other = new BroadcastChannel('timer');
  onTestFinished(() => other.close());
  running = timer;
  act(() => other.postMessage(null));
  await screen.findByRole('link', { name: /^Timer running for “Interview customers”/ });
  running = null;
  act(() => other.postMessage(null));
  await expect.poll(() => screen.queryByRole('timer')).toBeNull();
});

test('the first Esc in the account’s menu returns the focus to its button, like every later one', async () => {
  await showPage(bar, { viewer: keeper, answers: { MyTimer: () => ({ myTimer: null }) } });
  for (const _time of ['first', 'second']) {
    const face = await screen.findByRole('button', { name: /’s account$/ });
    face.focus();
    fireEvent.click(face);
    fireEvent.keyDown(await screen.findByRole('menuitem', { name: 'Sign out' }), { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: /’s account$/ })));
  }
});
