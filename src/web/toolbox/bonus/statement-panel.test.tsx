import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { StatementPanel } from './statement-panel.tsx';

const sprint = (week: number, phase: string) => ({
  ...{ id: `${week}`, name: `2026 W${week}`, phase, startDate: `2026-W${week}`, endDate: '', settledAt: '' },
});

test('the selector names a sprint without a statement, wherever it is among the others', async () => {
  const overview = { getSprints: [sprint(46, 'settling'), sprint(47, 'active')], bonusPlans: [] };
  const choice = { userId: '7', isOwn: false, sprintId: '43', line: null };
  await showPage(<StatementPanel overview={overview as never} choice={choice as never} />, {
    answers: {
      BonusStatements: () => ({ bonusStatements: [44, 42].map((week) => ({ sprint: sprint(week, 'settled') })) }),
      BonusWeek: () => ({ bonusWeek: { person: { displayName: 'Ada' }, sprint: sprint(43, 'settled'), plan: null } }),
    },
  });
  await screen.findByText('No bonus plan for this sprint');
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Sprint' });
  expect(field.value).toBe('2026 W43');
  fireEvent.click(field);
  await expect
    .poll(() => screen.queryAllByRole('option').map(({ textContent }) => textContent))
    .toEqual([...['2026 W47, current', '2026 W46, settling', '2026 W44, recorded', '2026 W43', '2026 W42, recorded']]);
});

test('a part’s row says how many tasks it leaves out because their approver held them up', async () => {
  const overview = { getSprints: [sprint(47, 'active')], bonusPlans: [] };
  const choice = { userId: '7', isOwn: true, sprintId: '47', line: null, openLine: () => {} };
  const lineOf = (key: string, part: number, whole: number) => ({
    ...{ key, part, whole, waived: false, amount: '0', thread: null, messages: [] },
  });
  const taskOf = (taskId: string, heldUp: boolean) => ({
    ...{ taskId, status: 'INREVIEW', heldUp, waitedSeconds: 0, sendBacks: 0, signOffs: 0, corrections: [] },
  });
  const statement = {
    ...{ id: null, amount: '0', currency: 'USD', planVersion: 1, team: null, corrections: 0 },
    lines: [lineOf('signedOff', 1, 3), lineOf('firstPass', 1, 1)],
  };
  await showPage(<StatementPanel overview={overview as never} choice={choice as never} />, {
    answers: {
      BonusStatements: () => ({ bonusStatements: [] }),
      BonusWeek: () => ({
        bonusWeek: {
          ...{ person: { id: '7', displayName: 'Ada' }, sprint: sprint(47, 'active'), plan: { version: 1 } },
          ...{ phase: 'active', settledAt: '2026-11-25T10:00:00Z', statement },
          tasks: ['1', '2', '3', '4'].map((id) => taskOf(id, id === '4')),
        },
      }),
    },
  });
  await screen.findByText('1 of 3, 33.3%, without 1 held up by the approver');
  screen.getByText('1 sign-off, 0 send-backs, 100%');
});
