import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { LinePanel } from './line-panel.tsx';

const task = {
  ...{ taskId: '1', title: 'Call shops', status: 'INREVIEW', statusNow: 'INREVIEW', carriedOut: false },
  ...{ heldUp: true, waitedSeconds: 25 * 3600, sendBacks: 1, signOffs: 0, corrections: [] },
};

const factsIn = async (key: string, waived = false, isOwn = true): Promise<string | null | undefined> => {
  const line = { key, part: 0, whole: waived ? 0 : 1, waived, amount: '0.00', thread: null };
  const week = {
    ...{ person: { id: '7' }, sprint: { id: '1', name: '2026 W47' }, tasks: [task] },
    statement: { id: null, currency: 'USD', lines: [line] },
  };
  const choice = { userId: '7', isOwn, line: key, openLine: () => {} };
  await showPage(<LinePanel week={week as never} choice={choice as never} />, {});
  return (await screen.findByText('Call shops')).parentElement?.textContent;
};

test('a held-up task doesn’t count in the signed-off share', async () => {
  expect(await factsIn('signedOff', true)).toContain('held up 25 h by the approver, doesn’t count, sent back once');
  screen.getByText('This part pays in full because your approver held up the tasks it measures.');
});

test('a share says how many tasks it leaves out', async () => {
  await factsIn('signedOff');
  screen.getByText('0 of 1, 0%, without 1 held up by the approver');
});

test('someone else’s statement names their approver', async () => {
  await factsIn('signedOff', true, false);
  screen.getByText('This part pays in full because their approver held up the tasks it measures.');
});

test('its send-backs do count in “Rework-free share”', async () => {
  const facts = await factsIn('firstPass');
  expect(facts).toContain('held up 25 h by the approver, sent back once');
  expect(facts).not.toContain('doesn’t count');
});
