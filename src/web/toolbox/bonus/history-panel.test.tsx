import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { HistoryPanel } from './history-panel.tsx';
import type { BonusChoice } from './use-bonus-choice.ts';

const choice = { userId: '7', sprintId: null, chooseSprint: () => {} } as unknown as BonusChoice;
const BonusWeek = () => ({
  bonusWeek: { person: { id: '7', displayName: 'Zoë North/South', email: 'zoe@example.test', team: null } },
});

test('statements of more years than one page has are all listed', async () => {
  const statement = (week: number) => ({
    ...{ id: String(week), amount: '100', currency: 'USD', planVersion: 1, corrections: 0, lines: [] },
    sprint: { id: String(week), name: `Week ${week}`, startDate: '2026-11-16', endDate: '2026-11-22' },
  });
  const recorded = Array.from({ length: 201 }, (_, index) => statement(201 - index));
  await showPage(<HistoryPanel choice={choice} />, {
    answers: {
      BonusWeek,
      BonusStatements: ({ limit = 200, offset = 0 }: { limit?: number; offset?: number }) => ({
        bonusStatements: recorded.slice(offset, offset + limit),
      }),
    },
  });
  await screen.findByRole('heading', { name: 'Recorded statements 201' });
});

test('the file says whose statements it has, also in its name', async () => {
  const saved: Blob[] = [];
  const names: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${saved.push(blob as Blob)}`);
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {});
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const lines = [{ key: 'signedOff', part: 9, whole: 10, waived: false, amount: '45.5', thread: null }];
  const statement = {
    ...{ id: '1', amount: '45.5', currency: 'USD', planVersion: 2, corrections: 0, lines },
    sprint: { id: '47', name: '2026 W47', startDate: '2026-11-16', endDate: '2026-11-22' },
  };
  const user = await showPage(<HistoryPanel choice={choice} />, {
    answers: { BonusWeek, BonusStatements: () => ({ bonusStatements: [statement] }) },
  });
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Export CSV' });
  await expect.poll(() => button.disabled).toBe(false);
  await user.click(button);
  expect(names).toEqual(['bonus-statements-Zoë-North-South.csv']);
  const [head, row] = (await saved[0]!.text()).split('\r\n');
  expect(head).toMatch(
    /Name,Email,Sprint,Part,Counted,Out of,Held up,Amount,Currency,Plan version,Corrections,Result,Total$/,
  );
  expect(row).toMatch(/^Zoë North\/South,zoe@example\.test,2026 W47,Signed-off share,9,10,no,45\.5,USD,2,0,.*,45\.5$/);
});
