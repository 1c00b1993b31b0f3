import { screen } from '@testing-library/react';
import { test } from 'vitest';
import { markFirstPageShown } from '#web/api/first-frame.ts';
import { showPage, viewerWith } from '../../../test/show-page.tsx';
import { useCurrentSprint, useInboxCount, useLiveShell, useReadShellAgain } from './shell-queries.ts';

function Bar() {
  const readAgain = useReadShellAgain();
  return (
    <button type="button" onClick={() => void readAgain()}>
      {useCurrentSprint()?.endDate}
    </button>
  );
}

test('the end of the sprint is read again when it may have moved', async () => {
  markFirstPageShown();
  let endDate = '2026-11-30T10:00:00Z';
  const sprint = { id: '1', name: '2026 W48', current: true, startDate: '2026-11-23T10:00:00Z' };
  const hands = await showPage(<Bar />, {
    viewer: { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'), role: 'Staff' },
    answers: { ShellSprint: () => ({ getSprints: [{ ...sprint, endDate }] }) },
  });
  await screen.findByText(endDate);
  endDate = '2026-12-01T10:00:00Z';
  await hands.click(screen.getByRole('button'));
  await screen.findByText(endDate);
});

function Count() {
  const readAgain = useReadShellAgain();
  useLiveShell();
  return (
    <button type="button" onClick={() => void readAgain()}>
      {useInboxCount()?.toApprove} in {useCurrentSprint()?.id}
    </button>
  );
}

test('the approvals are counted again when the next sprint begins', async () => {
  markFirstPageShown();
  let id = 'w47';
  const sprint = { name: '', current: true, startDate: '2026-11-23T10:00:00Z', endDate: '2126-11-30T10:00:00Z' };
  const hands = await showPage(<Count />, {
    viewer: { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'), role: 'Lead' },
    answers: {
      ShellSprint: () => ({ getSprints: [{ ...sprint, id }] }),
      ShellInbox: () => ({ inboxCount: { toApprove: id === 'w47' ? 3 : 5, toSignOff: 0 } }),
    },
  });
  await screen.findByText('3 in w47');
  id = 'w48';
  await hands.click(screen.getByRole('button'));
  await screen.findByText('5 in w48');
});
