import { screen } from '@testing-library/react';
import { test } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { HistoryPanel } from './history-panel.tsx';
import type { BonusChoice } from './use-bonus-choice.ts';

test('statements of more years than one page has are all listed', async () => {
  const statement = (week: number) => ({
    ...{ id: String(week), amount: '100', currency: 'USD', planVersion: 1, corrections: 0, lines: [] },
    sprint: { id: String(week), name: `Week ${week}`, startDate: '2026-11-16', endDate: '2026-11-22' },
  });
  const recorded = Array.from({ length: 201 }, (_, index) => statement(201 - index));
  const choice = { userId: '7', sprintId: null, chooseSprint: () => {} } as unknown as BonusChoice;
  await showPage(<HistoryPanel choice={choice} />, {
    answers: {
      BonusStatements: ({ limit = 200, offset = 0 }: { limit?: number; offset?: number }) => ({
        bonusStatements: recorded.slice(offset, offset + limit),
      }),
    },
  });
  await screen.findByRole('heading', { name: 'Recorded statements 201' });
});
