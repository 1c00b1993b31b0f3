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
