import { screen } from '@testing-library/react';
import { test, vi } from 'vitest';
import { markFirstPageShown } from '#web/api/first-frame.ts';
import { showPage, viewerWith } from '../../../test/show-page.tsx';
import { useCurrentSprint, useLiveShell } from './shell-queries.ts';

const live = vi.hoisted(() => ({ tell: (_change: null) => {} }));
vi.mock('#web/api/live.ts', async (original) => ({
  ...(await original<object>()),
  useLive: (listener: typeof live.tell) => {
    live.tell = listener;
  },
}));

function Bar() {
  useLiveShell();
  return <p>{useCurrentSprint()?.endDate}</p>;
}

test('the end of the sprint is read again when it may have moved', async () => {
  markFirstPageShown();
  let endDate = '2026-11-30T10:00:00Z';
  const sprint = { id: '1', name: '2026 W48', current: true, startDate: '2026-11-23T10:00:00Z' };
  await showPage(<Bar />, {
    viewer: { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'), role: 'Staff' },
    answers: { ShellSprint: () => ({ getSprints: [{ ...sprint, endDate }] }) },
  });
  await screen.findByText(endDate);
  endDate = '2026-12-01T10:00:00Z';
  live.tell(null);
  await screen.findByText(endDate);
});
