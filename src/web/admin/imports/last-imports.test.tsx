import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse, showPage } from '../../../../test/show-page.tsx';
import { LastImports } from './last-imports.tsx';

const done = {
  ...{ id: '7', isDryRun: false, state: 'done', isStopping: false, share: 1, reason: null },
  ...{ rows: 1_204, inserted: 1_200, updated: 3, unchanged: 1, refused: 0, leftOut: 0 },
  ...{ dataset: 'orders', source: 'shop', fileName: 'May.csv', startedBy: 'Ada Byron', way: 'wizard' },
  ...{ startedAt: '2026-11-23T10:00:00Z', canUndo: true, undoState: null, undoneRows: 0 },
  ...{ undoReason: null, undoneAt: null, undoneBy: null },
};
const preview = {
  ...{
    removed: 1_200,
    restored: 1,
    firstDay: '2026-05-01',
    lastDay: '2026-05-31',
    amountTitle: 'Gross',
    blockedBy: null,
  },
  totals: [{ currency: 'EUR', rowsNow: 1_500, rowsAfter: 300, amountNow: '20000.5', amountAfter: '4000' }],
};
const row = async () => within((await screen.findByText('May.csv')).closest('tr')!);

test('an import whose rows a later one also has says which to undo first and offers no undo', async () => {
  const blockedBy = { fileName: 'June.csv', startedAt: '2026-11-24T08:30:00Z' };
  const user = await showPage(<LastImports />, {
    answers: {
      LastImports: () => ({ importRuns: [done] }),
      ImportUndo: () => ({ importUndo: { ...preview, blockedBy } }),
    },
  });
  await user.click((await row()).getByRole('button', { name: 'Undo May.csv' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText(/First undo June\.csv, imported on 24 Nov 2026, 09:30/);
  expect(dialog.queryByRole('button', { name: 'Undo import' })).toBeNull();
});

test('undo says what goes and what comes back, then the list says who undid it', async () => {
  let runs = [done];
  const user = await showPage(<LastImports />, {
    answers: {
      LastImports: () => ({ importRuns: runs }),
      ImportUndo: () => ({ importUndo: preview }),
      UndoImport: () => {
        const undone = { canUndo: false, undoState: 'done', undoneAt: '2026-11-24T11:00:00Z', undoneBy: 'Lena' };
        runs = [{ ...done, ...undone } as never];
        return { undoImport: { id: '7' } };
      },
    },
  });
  await user.click((await row()).getByRole('button', { name: 'Undo May.csv' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('Removed: 1,200 rows that this import added.');
  await dialog.findByText('Restored: 1 row that it changed, as they were before.');
  await dialog.findByText('€20,000.50');
  await user.click(dialog.getByRole('button', { name: 'Undo import' }));
  await (await row()).findByText('Undone 24 Nov by Lena');
});

test('a refused undo is told, and a run under way can be stopped but not undone', async () => {
  const running = { ...done, id: '8', fileName: 'Now.csv', state: 'running', canUndo: false };
  const user = await showPage(<LastImports />, {
    answers: {
      LastImports: () => ({ importRuns: [running, done] }),
      ImportUndo: () => refuse('TRANSITION_NOT_ALLOWED', 'This import was undone already'),
    },
  });
  const other = within((await screen.findByText('Now.csv')).closest('tr')!);
  expect(other.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(['Stop Now.csv']);
  await user.click((await row()).getByRole('button', { name: 'Undo May.csv' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('Couldn’t load what this import changed.');
  expect(dialog.getByRole('button', { name: 'Undo import' })).toHaveProperty('disabled', true);
});

test('an import in the list says why rows were refused or left out, and hands the refused ones back', async () => {
  const reasons = [
    { kind: 'refused', column: 'amount', reason: 'isn’t an amount: "x"', count: 1_200, line: 7, value: 'x' },
    { kind: 'leftOut', column: 'kind', reason: 'Test orders', count: 2, line: 9, value: 'test' },
  ];
  const run = { ...done, refused: 1_200, leftOut: 2 };
  const user = await showPage(<LastImports />, {
    answers: {
      LastImports: () => ({ importRuns: [run] }),
      ImportRun: () => ({ importRun: { ...run, hasReport: true, reasons } }),
    },
  });
  await (await row()).findByText('2 left out');
  await user.click((await row()).getByRole('button', { name: 'Why: May.csv' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('amount isn’t an amount: "x"');
  await dialog.findByText('Line 9: test');
  await dialog.findByRole('button', { name: 'Download 1,200 refused rows' });
});
